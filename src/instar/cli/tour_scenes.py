"""The scenes of the tour: what is stored, what is read, and what stays as it is."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any, Final

from ..bench.sample import agent_state
from ..codec.codec import Codec
from ..codec.tag.explain import Span, explain
from ..errors import InstarError
from ..store.census import Census
from ..store.repository import Repository
from .output import heading, line, table
from .tour_folder import SUBJECT
from .tour_stage import KEY, Stage, code, say
from .tour_words import fields_in, items_words, type_words, value_words

_AGENTS: Final = 200
_SAVED: Final = ("agent-001", "agent-002", "agent-003")
_SHOWN: Final = (
    "id", "status", "created", "model", "tokens_used", "budget", "scratchpad", "msgs",
)  # fmt: skip
_HEX_SHOWN: Final = 8
_CELL: Final = 32


def show_state(stage: Stage) -> None:
    """An agent's state as version 1 has it: the schema beside the object."""
    heading("1. An agent's state, made by code that knows version 1 of its schema")
    code(
        f'registry = instar.Registry.open("{stage.folder.schemas}",',
        f'                                "{stage.folder.migrations}")',
        f'old = registry.codec("{SUBJECT}", version=1)',
        "state = old.from_builtins(document)",
    )
    types = fields_in(stage.folder.schemas / SUBJECT / "v1.avsc")
    rows = [(name, type_words(types[name]), _value(stage.state, name)) for name in _SHOWN]
    content = value_words(stage.state.msgs[0].content)
    rows.append(("msgs[0].content", _content(types["msgs"]), content))
    table(("field", "type in v1.avsc", "value of the Python object"), rows)
    line()
    say(f"{len(types) - len(_SHOWN)} more fields hold its plan, memory, approvals and metadata.")


def _value(state: Any, name: str) -> str:
    value = getattr(state, name)
    return items_words(value) if name in {"msgs", "messages"} else value_words(value)


def _content(messages: Mapping[str, Any]) -> str:
    """The type of a message's content, from the type of the list of messages."""
    fields = messages["items"]["fields"]
    return next(type_words(field["type"]) for field in fields if field["name"] == "content")


def show_blob(stage: Stage) -> None:
    """The blob of the state, its tag explained byte by byte."""
    heading("2. Its blob: what is stored says what it is")
    code(
        "from instar.codec.tag.explain import explain",
        "blob = old.encode(state)",
        "explain(blob)",
    )
    blob = stage.old.encode(stage.state)
    stage.folder.blob(KEY).write_bytes(blob)
    spans = explain(blob)
    rows = [(_range(span), _hex(span), span.field, span.meaning) for span in spans]
    table(("bytes", "hex", "field", "says"), rows)
    line()
    say(f"A tag of {spans[-1].start} bytes, and {len(spans[-1].raw):,} bytes of state.")


def _range(span: Span) -> str:
    return f"{span.start}" if span.stop == span.start + 1 else f"{span.start}-{span.stop - 1}"


def _hex(span: Span) -> str:
    if len(span.raw) <= _HEX_SHOWN:
        return span.raw.hex(" ")
    return f"{span.raw[: _HEX_SHOWN - 2].hex(' ')} ..."


def fill_store(stage: Stage) -> None:
    """A store of many agents, all written by the old code."""
    heading("3. A store full of such blobs")
    code(
        f'repo = instar.Repository(old, "{stage.folder.url}")',
        f'repo.create("{KEY}", state)',
    )
    start = time.perf_counter()
    with Repository(stage.old, stage.folder.url) as repo:
        for number in range(_AGENTS):
            key = f"agent-{number:03d}"
            small = agent_state(stage.old, "small", seed=number)
            repo.create(key, stage.state if key == KEY else small)
        size = repo.census().bytes
    seconds = time.perf_counter() - start
    say(
        f"{_AGENTS} agents are saved, in {seconds:.1f} s: {size:,} bytes of blobs. {KEY} has"
        f" {len(stage.state.msgs)} messages, the others are small."
    )


def read_store(stage: Stage) -> None:
    """The same store read by the new code, which leaves it as it is."""
    version = stage.new.version
    heading(f"4. Code that knows version {version} opens the same store")
    code(
        f'new = registry.codec("{SUBJECT}")    # the latest version',
        f'repo = instar.Repository(new, "{stage.folder.url}")',
        f'state = repo.load("{KEY}")',
    )
    with Repository(stage.new, stage.folder.url) as repo:
        before = {entry.key: entry for entry in repo.store.scan()}
        rows = _changes(stage, repo.load(KEY))
        read = sum(isinstance(state, stage.new.type) for _, state in repo.scan())
        after = {entry.key: entry for entry in repo.store.scan()}
    table(("change", "version 1, as stored", f"version {version}, as read"), rows)
    line()
    say(
        "The split is a Python function, in migrations/agent_state/v2_v3.py; all else follows"
        " from the schemas. A message keeps its TextPart, and a new one may be more."
    )
    same = sum(before[key] == entry for key, entry in after.items())
    written = sum(entry.revision != 1 for entry in after.values())
    line()
    say(
        f"{read} states were read as version {version}, and nothing was rewritten: {same} of"
        f" {len(before)} blobs are byte for byte as they were, {written} have a new revision."
    )


def _changes(stage: Stage, new: Any) -> list[tuple[str, str, str]]:
    """What became of the fields that the versions do not share, and of some that they do."""
    old, folder = stage.state, stage.folder.schemas / SUBJECT
    first = fields_in(folder / "v1.avsc")
    last = fields_in(folder / f"v{stage.new.version}.avsc")
    was, now = _content(first["msgs"]), _content(last["messages"])
    return [
        ("renamed", _field(old, "msgs"), _field(new, "messages")),
        ("union", f"content: {was}", f"content: {now}"),
        ("split", _field(old, "model"), _field(new, "provider")),
        ("", "", _field(new, "model_name")),
        ("widened", f"tokens_used: {first['tokens_used']}", f"tokens_used: {last['tokens_used']}"),
        ("enum grew", _symbols(first), _symbols(last)),
        ("removed", _field(old, "scratchpad"), ""),
        *(("added", "", _field(new, name)) for name in ("tags", "retries", "parent_id")),
        ("", "", f"plan[0].{_field(new.plan[0], 'depends_on')}"),
    ]


def _field(state: Any, name: str) -> str:
    text = f"{name} = {_value(state, name)}"
    return text if len(text) <= _CELL else f"{text[: _CELL - 3]}..."


def _symbols(types: Mapping[str, Any]) -> str:
    return f"status: one of {len(types['status']['symbols'])}"


def save_some(stage: Stage) -> None:
    """The census before and after some states are saved by the new code."""
    heading("5. Only a save moves a state to the new version")
    code(
        f'with repo.edit("{_SAVED[0]}") as state:',
        "    state.retries += 1",
        "",
        "repo.census()",
    )
    with Repository(stage.new, stage.folder.url) as repo:
        before = _by_version(repo.census(stage.registry.owners))
        for key in _SAVED:
            with repo.edit(key) as state:
                state.retries += 1
        after = _by_version(repo.census(stage.registry.owners))
    kinds = sorted(before.keys() | after.keys())
    rows = [(*kind, str(before.get(kind, 0)), str(after.get(kind, 0))) for kind in kinds]
    columns = ("subject", "version", "format", "blobs before", f"after {len(_SAVED)} saves")
    table(columns, rows, right=("version", *columns[3:]))


def _by_version(census: Census) -> dict[tuple[str, str, str], int]:
    return {(row.subject or "?", str(row.version), row.format): row.count for row in census.rows}


def show_guards(stage: Stage) -> None:
    """What an older reader sees of a newer state, and what becomes of a flipped bit."""
    heading("6. Older readers, and damaged bytes")
    with Repository(stage.new, stage.folder.url) as repo:
        loaded = repo.load_entry(_SAVED[0])
    blob, state = loaded.blob, loaded.state
    code(
        f'blob = repo.load_entry("{_SAVED[0]}").blob    # of version {stage.new.version} now',
        "new.decode(blob, version=2).model",
    )
    model = stage.new.decode(blob, version=2).model
    say(f"{model!r}, joined again from {state.provider!r} and {state.model_name!r}")
    line()
    code(
        "damaged = bytearray(blob)",
        f"damaged[{len(blob) // 2}] ^= 8    # one bit",
        "new.decode(damaged)",
    )
    say(_refusal(stage.new, blob))


def _refusal(codec: Codec[Any], blob: bytes) -> str:
    damaged = bytearray(blob)
    damaged[len(blob) // 2] ^= 8
    try:
        codec.decode(damaged)
    except InstarError as error:
        return f"{type(error).__name__}: {error}"
    return "It was read as if it were whole: this is a fault of instar's, please report it."
