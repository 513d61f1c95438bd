"""Parts of payloads in the kernel, walked wholly, and whole objects in the same form."""

from __future__ import annotations

import random
import zlib
from typing import Any

import msgspec
import pytest
from same import same

pytest.importorskip("instar.codec.kernel.core", reason="no kernel was built")

from instar.codec import exact
from instar.codec.kernel import core
from instar.codec.types import SchemaTypes
from instar.codec.views.built import BuiltPart


def walk(part: Any, chance: random.Random | None = None) -> Any:
    """All that is in a part, looked at piece by piece; records as dicts by attribute.

    ``chance`` shuffles the order. ``NotImplemented`` stands for whatever was refused.
    """
    if not isinstance(part, core.Part | BuiltPart):
        return part
    if part.kind == "list":
        count = part.count()
        if count is NotImplemented:
            return count
        items = {at: walk(part.item(at), chance) for at in _shuffled(range(count), chance)}
        return [items[at] for at in range(count)]
    keys: Any = part.names if part.kind == "record" else part.keys()
    if keys is NotImplemented:
        return keys
    touch = part.field if part.kind == "record" else part.value
    found = {key: walk(touch(keys[key]), chance) for key in _shuffled(keys, chance)}
    return {key: found[key] for key in keys}


def _shuffled(items: Any, chance: random.Random | None) -> list[Any]:
    found = list(items)
    if chance is not None:
        chance.shuffle(found)
    return found


def as_dicts(value: Any, boxes: tuple[type, ...]) -> Any:
    """A whole object in the same form."""
    if isinstance(value, boxes) or not isinstance(value, msgspec.Struct | list | dict):
        return value
    if isinstance(value, msgspec.Struct):
        names = value.__struct_fields__
        return {name: as_dicts(getattr(value, name), boxes) for name in names}
    if isinstance(value, list):
        return [as_dicts(item, boxes) for item in value]
    return {key: as_dicts(item, boxes) for key, item in value.items()}


def holds_refusal(value: Any) -> bool:
    """Whether some piece was refused."""
    if isinstance(value, dict):
        return any(map(holds_refusal, value.values()))
    if isinstance(value, list):
        return any(map(holds_refusal, value))
    return value is NotImplemented


def hydrates(part: Any, value: Any, boxes: tuple[type, ...]) -> bool:
    """Whether every part in a part hydrates to what stands in its place in a value, which is in
    the form of ``as_dicts``.
    """
    if not isinstance(part, core.Part | BuiltPart):
        return True
    if not same(as_dicts(part.hydrate(), boxes), value):
        return False
    if part.kind == "list":
        inner = [(part.item(at), value[at]) for at in range(part.count())]
    else:
        indexes = part.names if part.kind == "record" else part.keys()
        touch = part.field if part.kind == "record" else part.value
        inner = [(touch(at), value[key]) for key, at in indexes.items()]
    return all(hydrates(*each, boxes) for each in inner)


def decode_in_parts(program: core.Program, types: SchemaTypes, payload: bytes) -> Any:
    """The state of a payload, if it is accepted, after all of its parts were looked at.

    ``types`` are the reader's. Raises AssertionError where a part is not what stands in the
    state, and crashes where the kernel does.
    """
    boxes = (*types.boxes.values(), exact.Duration)
    chance = random.Random(zlib.crc32(payload))  # noqa: S311 - only an order
    found = walk(core.part_of_payload(program, payload), chance)
    whole = core.decode_payload(program, payload)
    if whole is NotImplemented:
        return whole
    wanted, part = as_dicts(whole, boxes), core.part_of_payload(program, payload)
    assert same(found, wanted), payload.hex()
    assert hydrates(part, wanted, boxes), payload.hex()
    assert same(as_dicts([*part.values(tuple(part.names))], boxes), [wanted[n] for n in part.names])
    return whole
