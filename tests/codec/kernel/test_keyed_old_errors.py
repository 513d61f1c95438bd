"""Old blobs in JSON and MessagePack that are not ours: both engines read them, or say the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Literal, TypeAlias

import msgspec
import pytest
from evolve import enum, field, optional, record, registry

pytest.importorskip("instar.codec.kernel.core", reason="no kernel was built")

from instar import Codec, InstarError, Registry
from instar.codec.engines import forced_engine
from instar.codec.tag import unpack
from instar.codec.tag.binary_frame import pack_binary
from instar.codec.tag.text_frame import pack_json
from instar.migrations import convert

Name: TypeAlias = Literal["json", "msgpack"]
FORMATS: tuple[Name, ...] = ("json", "msgpack")


class Both:
    """Codecs of each engine for one subject of three versions."""

    def __init__(self, format_: Name) -> None:
        self.format: Name = format_
        self.codecs: dict[str, tuple[Codec[Any], Codec[Any]]] = {}
        for engine in ("kernel", "library"):
            with forced_engine(engine):
                opened = _opened()
                old = opened.codec("state", version=1, format=format_)
                new = opened.codec("state")
                new.decode(old.encode(old.from_builtins(DOCUMENT)))
                self.codecs[engine] = (old, new)

    @property
    def payload(self) -> bytes:
        """The payload of an old blob."""
        old, _ = self.codecs["library"]
        payload = unpack(old.encode(old.from_builtins(DOCUMENT)))[1]
        assert isinstance(payload, bytes)
        return payload

    def outcomes(self, payload: bytes) -> list[tuple[Any, ...]]:
        """What each engine gives for it, or the error as a user sees it."""
        mark = self.codecs["library"][0].fingerprint
        if self.format == "json":
            blob = pack_json("state", 1, mark, payload)
        else:
            blob = pack_binary("msgpack", 1, mark, payload)
        return [_outcome(new.decode, blob) for _, new in self.codecs.values()]


DOCUMENT: dict[str, Any] = {
    "name": 'é "quoted"\n',
    "gone": {"any": [1, "two", None]},
    "status": "DONE",
    "items": [{"n": 1, "kind": "A"}, {"n": 2, "kind": "B"}],
    "choice": {"$type": "Item", "n": 3, "kind": "A"},
    "counts": {"a": 1, "b": 2},
}


def _opened() -> Registry:
    def item(kind: str, *more: Any) -> dict[str, Any]:
        return record("Item", field("n", kind), field("kind", enum("Kind", "A", "B")), *more)

    gone = field("gone", {"type": "bytes", "logicalType": "json"})
    counts = field("counts", {"type": "map", "values": "int"})

    def version(status: str, items: Any, *more: Any) -> list[Any]:
        listed = field("items", {"type": "array", "items": items})
        symbols = field("status", enum("Status", "RUNNING", status))
        return [symbols, listed, field("choice", ["string", "Item"]), counts, *more]

    label = field("label", optional("string"), default=None, aliases=["name"])
    extra = field("extra", "int", default=4)
    tags = field("tags", {"type": "array", "items": "string"}, default=["t"])
    return registry(
        [
            [field("name", "string"), gone, *version("DONE", item("int"))],
            version("COMPLETED", item("long", extra), label),
            version("COMPLETED", item("long", extra), label, tags),
        ],
        [convert("status", {"DONE": "COMPLETED"})],
        [],
    )


def _outcome(run: Callable[[bytes], Any], blob: bytes) -> tuple[Any, ...]:
    try:
        return "fine", repr(run(blob))
    except InstarError as error:
        return type(error), error.where, error.what, error.mend


@pytest.fixture(scope="module", params=FORMATS)
def both(request: pytest.FixtureRequest) -> Both:
    return Both(request.param)


def _changes(plain: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The document of another hand: keys in another order, missing, unknown; values that no
    schema has.
    """
    yield dict(reversed(plain.items()))
    yield plain | {"unknown": 1}
    yield from ({k: v for k, v in plain.items() if k != name} for name in plain)
    for name in plain:
        for value in (None, 1, -1.5, "x", [], {}, [1], {"$type": "Item"}, 2**40, True, b"\xff"):
            yield plain | {name: value}
    item = plain["items"][0]
    for wrong in ({"n": 2**31}, {"n": "1"}, {"kind": "C"}, {"kind": 1}, {"more": 1}):
        yield plain | {"items": [item, item | wrong]}
        yield plain | {"choice": plain["choice"] | wrong}
    yield plain | {"items": [dict(reversed(item.items())), {"$type": "Item"} | item]}
    yield plain | {"choice": "text"}
    yield plain | {"choice": item}
    yield plain | {"choice": item | {"$type": "Item"}}
    yield plain | {"choice": item | {"$type": "Other"}}
    yield plain | {"status": "COMPLETED"}
    yield plain | {"counts": {"a": 2**31}}


def test_what_another_hand_wrote_is_read_or_named_alike(both: Both) -> None:
    """The same object, or the same error with the same path, of whatever is not our layout."""
    module: Any = getattr(msgspec, both.format)
    plain: dict[str, Any] = module.decode(both.payload)
    fine = 0
    for changed in _changes(plain):
        kernel, library = both.outcomes(module.encode(changed))
        assert kernel == library
        fine += kernel[0] == "fine"
    assert fine > 15


def test_keys_that_stand_twice_are_judged_alike(both: Both) -> None:
    """In a record, in a map, and in what is passed over."""
    payload = both.payload
    assert [found[0] for found in both.outcomes(payload)] == ["fine", "fine"]
    twice = {
        "json": [
            (b'"a":1', b'"a":1,"a":2'),
            (b'"any":', b'"any":1,"any":'),
            (b'"n":1', b'"n":7,"n":1'),
        ],
        "msgpack": [
            (b"\x82\xa1a\x01", b"\x83\xa1a\x01\xa1a\x02"),
            (b"\x81\xa3any", b"\x82\xa3any\x01\xa3any"),
            (b"\x83\xa5$type\xa4Item\xa1n\x01", b"\x84\xa5$type\xa4Item\xa1n\x07\xa1n\x01"),
        ],
    }[both.format]
    for old, new in twice:
        assert payload.count(old) >= 1
        kernel, library = both.outcomes(payload.replace(old, new, 1))
        assert kernel == library


def test_every_damaged_byte_is_named_alike(both: Both) -> None:
    """Each byte of an old payload changed and each cut, with a sound tag around it."""
    payload, fine = both.payload, 0
    for at in range(1, len(payload) - 1):
        for flip in (1, 0x10, 0x80):
            changed = payload[:at] + bytes([payload[at] ^ flip]) + payload[at + 1 :]
            kernel, library = both.outcomes(changed)
            assert kernel == library
            fine += kernel[0] == "fine"
    for end in range(1, len(payload), 3):
        # The end has to be there for the tag to find its place.
        cut = payload[:end] + (b"}" if both.format == "json" else b"")
        kernel, library = both.outcomes(cut)
        assert kernel == library
    assert fine > 30


def test_the_default_of_a_list_is_fresh(both: Both) -> None:
    """Two states that were filled with it share nothing."""
    old, new = both.codecs["kernel"]
    blob = old.encode(old.from_builtins(DOCUMENT))
    first, second = new.decode(blob), new.decode(blob)
    first.tags.append("u")
    assert second.tags == ["t"]
