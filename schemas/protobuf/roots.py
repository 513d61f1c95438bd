"""Which message of the files of a version is the root."""

from __future__ import annotations

from ...errors import SchemaError
from .files import Definitions, Message


def find_root(definitions: Definitions, subject: str, where: str, given: str | None) -> str:
    """The full name of the root message of ``subject``.

    It is ``given``, or else the top-level message named as the subject in Pascal case, or
    else the only one that no other uses; in a folder of files, those count first which no
    other file imports. Raises SchemaError where that is no message, or none in particular.
    """
    if given is not None:
        return _given(definitions, given, where)
    wanted = "".join(word[:1].upper() + word[1:] for word in subject.split("_"))
    for messages in (definitions.outermost(), definitions.top_level()):
        named = [message.name for message in messages if message.proto.name == wanted]
        if len(named) == 1:
            return named[0]
    return _unused(definitions, wanted, where)


def _given(definitions: Definitions, given: str, where: str) -> str:
    found = definitions.messages.get(given)
    if found is None or found.proto.options.map_entry:
        raise SchemaError(
            f"there is no message {given}",
            where=where,
            mend="roots in [tool.instar] has the full name of each root, package included",
        )
    return given


def _unused(definitions: Definitions, wanted: str, where: str) -> str:
    messages = definitions.outermost()
    used = {name for message in definitions.top_level() for name in _uses(message)}
    unused = [message.name for message in messages if message.name not in used]
    if len(unused) != 1:
        raise SchemaError(
            f"no one message is named {wanted}, and {len(unused)} are used by no other",
            where=where,
            mend=f"name the message that holds the whole state {wanted}, "
            "or give its full name in roots of [tool.instar]",
        )
    return unused[0]


def _uses(message: Message) -> set[str]:
    """Full names of the types that ``message`` uses, itself aside."""
    pending = [message.proto]
    used: set[str] = set()
    for proto in pending:
        used.update(field.type_name.removeprefix(".") for field in proto.field)
        pending.extend(proto.nested_type)
    return used - {message.name}
