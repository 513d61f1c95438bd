"""What ops and rules were given: checked where they are written, not where they are used."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias, cast

from ..errors import MigrationError
from ..schemas.arguments import check_argument, wrong_argument

Names: TypeAlias = str | tuple[str, ...]

_MOST_DEPTH = 100
_CONSTANTS = (str, int, float, bool)


def check_text(op: str, **given: object) -> None:
    """Raise MigrationError for an argument of an op or a rule that is no text."""
    for name, value in given.items():
        check_argument(f"{name} of {op}(...)", value, str, "text", MigrationError)


def check_flags(op: str, **given: object) -> None:
    """Raise MigrationError for an argument that is neither True nor False."""
    for name, value in given.items():
        check_argument(f"{name} of {op}(...)", value, bool, "True or False", MigrationError)


def check_constants(what: str, values: Iterable[object]) -> None:
    """Raise MigrationError for what is no text, number or bool; ``what`` says what each is."""
    for value in values:
        check_argument(what, value, _CONSTANTS, "text, a number or a bool", MigrationError)


def check_spares(op: str, up: object, down: object) -> None:
    """The same for ``otherwise`` and ``otherwise_down`` of a rule, which need not be given."""
    for name, value in (("otherwise", up), ("otherwise_down", down)):
        check_constants(f"{name} of {op}(...)", () if value is None else (value,))


def check_json(what: str, value: object) -> None:
    """Raise MigrationError for a value that is not in JSON form; ``what`` says what it is."""
    level: list[object] = [value]
    for _ in range(_MOST_DEPTH):
        inside: list[object] = []
        for item in level:
            if isinstance(item, dict):
                members = cast("dict[object, object]", item)
                check_text_keys(what, members)
                inside += members.values()
            elif isinstance(item, list | tuple):
                inside += cast("Iterable[object]", item)
            elif item is not None:
                wanted = "a value in JSON form, as a default of a schema is"
                check_argument(what, item, _CONSTANTS, wanted, MigrationError)
        if not inside:
            return
        level = inside
    raise MigrationError(f"{what} nests deeper than {_MOST_DEPTH}", mend="keep it flatter")


def check_text_keys(what: str, members: Mapping[object, object]) -> None:
    """Raise MigrationError for a key that is no text."""
    for key in members:
        check_argument(f"a key in {what}", key, str, "text", MigrationError)


def names_of(op: str, role: str, given: object) -> tuple[str, ...]:
    """The names of one or several fields. Raises MigrationError for what is no name."""
    names = [given] if isinstance(given, str) else given
    what, wanted = f"{role} of {op}(...)", "the name of a field, or a tuple of names"
    check_argument(what, names, (list, tuple), wanted, MigrationError)
    for name in cast("Iterable[object]", names):
        if not isinstance(name, str):
            raise wrong_argument(what, given, wanted, MigrationError)
    return tuple(cast("Iterable[str]", names))
