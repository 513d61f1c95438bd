"""What the tests of real Avro suites share: cases, their values, and a tally."""

from __future__ import annotations

import datetime as dt
import io
import json
import math
import uuid
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from enum import Enum
from typing import Any

import fastavro
import msgspec
from material import material

from instar.codec.library.avro import ENGINE
from instar.codec.library.avro_scalars import reader
from instar.codec.library.check_sink import CheckSink
from instar.codec.library.dump import compile_type
from instar.codec.library.format import Reading
from instar.codec.limits import DEFAULT_LIMITS
from instar.codec.types import SchemaTypes, build_types
from instar.errors import ValueMismatch
from instar.migrations.derive import derive
from instar.schemas import model
from instar.schemas.avro import parse_avro
from instar.schemas.model import Schema

WRAPPER = "Wrapper__"
UNTAG: Mapping[str, Any] = {
    "$bytes": bytes.fromhex,
    "$int": int,
    "$float": lambda text: float.fromhex(text) if "x" in text else float(text),
    "$date": dt.date.fromisoformat,
    "$time": dt.time.fromisoformat,
    "$datetime": dt.datetime.fromisoformat,
    "$decimal": Decimal,
    "$uuid": uuid.UUID,
    "$tuple": lambda items: tuple(untag(item) for item in items),
}


@dataclass
class Tally:
    """Counts of one suite: what passed, what failed and why, and what does not apply."""

    name: str
    passed: int = 0
    failed: dict[str, str] = field(default_factory=dict[str, str])
    inapplicable: Counter[str] = field(default_factory=Counter[str])

    def check(self, id_: str, found: object, wanted: object) -> None:
        """A case that passes where the two are equal."""
        if alike(found, wanted):
            self.passed += 1
        else:
            self.failed[id_] = f"{found!r} is not {wanted!r}"[:200]

    def report(self, inapplicable: Mapping[str, int] | None = None) -> None:
        """Print the counts; nothing fails, and exactly what is known does not apply."""
        reasons = "; ".join(f"{count} {why}" for why, count in sorted(self.inapplicable.items()))
        print(  # noqa: T201 - the counts are what these tests show
            f"{self.name}: {self.passed} passed, {len(self.failed)} failed, "
            f"{self.inapplicable.total()} not applicable" + (f" ({reasons})" if reasons else "")
        )
        assert self.passed
        assert self.failed == {}
        # A fault must not hide among what does not apply.
        assert self.inapplicable == Counter(inapplicable or {})


def cases(*parts: str) -> list[dict[str, Any]]:
    """The cases of a file of JSON Lines."""
    text = material("suites", *parts).read_text(encoding="utf-8")
    return [json.loads(line) for line in text.split("\n") if line]


def bare_payload(schema: Any, record: Any) -> bytes:
    """A record as fastavro encodes it, without a container around it."""
    buffer = io.BytesIO()
    fastavro.schemaless_writer(buffer, schema, record)
    return buffer.getvalue()


def untag(value: Any) -> Any:
    """The Python value of a value of a case."""
    if isinstance(value, list):
        return [untag(item) for item in value]
    if not isinstance(value, dict):
        return value
    if len(value) == 1:
        tag, held = next(iter(value.items()))
        if tag in UNTAG:
            return UNTAG[tag](held)
    return {key: untag(item) for key, item in value.items()}


def alike(left: Any, right: Any) -> bool:
    """Equality in which a NaN equals itself, and a UUID the text that some libraries give."""
    if isinstance(left, float) and isinstance(right, float):
        return left == right or (math.isnan(left) and math.isnan(right))
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(alike(left[key], right[key]) for key in left)
    if isinstance(left, list | tuple) and isinstance(right, list | tuple):
        return len(left) == len(right) and all(map(alike, left, right))
    if isinstance(left, uuid.UUID) and isinstance(right, str):
        return left == uuid.UUID(right)
    return bool(left == right) and isinstance(left, bool) == isinstance(right, bool)


def wrapped(node: Any, version: int = 1) -> Schema:
    """The schema of a record whose one field is of the type: its bytes are the type's own."""
    document = {"type": "record", "name": WRAPPER, "fields": [{"name": "value", "type": node}]}
    return parse_avro(json.dumps(document), subject="case", version=version, where="case.avsc")


class Case:
    """Decodes and encodes values of one type, bare as the suites have them."""

    def __init__(self, node: Any) -> None:
        self.schema = wrapped(node)
        self.types = build_types(self.schema)

    def decode(self, payload: bytes, target: Case | None = None) -> Any:
        """The value of a payload in plain Python, read as another type where one is given.

        Raises MigrationMismatch where the one does not lead to the other.
        """
        into = target or self
        graph = None
        if target is not None:
            newer = msgspec.structs.replace(target.schema, version=2)
            graph = derive(self.schema, newer)
        read = ENGINE.decoder(Reading(self.types, graph, into.types), DEFAULT_LIMITS)
        return plain(read(payload), into.types)["value"]

    def encode(self, value: Any) -> bytes:
        """The payload of a value as the suites have it."""
        kind = self.schema.record.fields[0].type
        root: Any = self.types.root
        state = root(value=self.build(kind, value))
        return ENGINE.encoder(self.types, DEFAULT_LIMITS)(state)

    def build(self, kind: model.Type, value: Any) -> Any:
        """The typed value of a plain one. Raises ValueMismatch where it does not fit."""
        match kind:
            case model.Optional():
                return None if value is None else self.build(kind.item, value)
            case model.Union():
                return self._branch(kind, value)
            case model.Array():
                return [self.build(kind.items, item) for item in _of(value, list | tuple)]
            case model.Map():
                items = _of(value, dict).items()
                return {key: self.build(kind.values, item) for key, item in items}
            case model.Logical():
                return self._logical(kind, value)
            case model.Primitive(kind="bytes"):
                return bytes(_of(value, bytes | bytearray))
            case model.Reference():
                return self._named(kind.name, value)
            case _:
                return value

    def _logical(self, logical: model.Logical, value: Any) -> Any:
        """The value, also where the suite has it as Avro carries it."""
        if not isinstance(value, int | bytes | str):
            return value
        read = reader(logical, self.schema)
        try:
            return value if read is None else read(value)
        except (TypeError, AttributeError) as error:
            raise ValueMismatch(str(error)) from None

    def _named(self, name: str, value: Any) -> Any:
        named = self.schema.types[name]
        if isinstance(named, model.Fixed):
            return value
        if isinstance(named, model.Enum):
            if value not in [symbol.name for symbol in named.symbols]:
                raise ValueMismatch(f"{value!r} is no symbol")
            return self.types.enum(name)(value)
        # fastavro takes a missing key for null, where null is allowed.
        given = {
            f.name: None
            for f in named.fields
            if isinstance(f.type, model.Optional) and f.default is None
        } | _of(value, dict)
        attributes = self.types.names.attributes[name]
        try:
            return self.types.record(name)(
                **{
                    attributes[f.name]: self.build(f.type, given[f.name])
                    for f in named.fields
                    if f.name in given
                }
            )
        except TypeError as error:
            raise ValueMismatch(str(error)) from None

    def _branch(self, union: model.Union, value: Any) -> Any:
        wanted = None
        if isinstance(value, tuple) and len(value) == 2:
            wanted, value = value
        elif isinstance(value, dict) and "-type" in value:
            wanted = value["-type"]
        for branch, box in zip(union.branches, self.types.names.box(union), strict=True):
            if wanted is not None and wanted not in {branch.label, branch.label.rpartition(".")[2]}:
                continue
            try:
                found = self.build(branch.type, value)
                compile_type(self.types, CheckSink(), branch.type)(found)
            except ValueMismatch:
                continue
            if box is None:
                return found
            boxed: Any = self.types.boxes[box]
            return boxed(value=found)
        raise ValueMismatch(f"{value!r} is of no branch")


def _of(value: Any, kind: Any) -> Any:
    if not isinstance(value, kind):
        raise ValueMismatch(f"{value!r} is no {kind}")
    return value


def plain(value: Any, types: SchemaTypes) -> Any:
    """A typed value as Avro libraries for Python show it: records as dicts, enums as text."""
    if isinstance(value, msgspec.Struct):
        if type(value) in types.boxes.values():
            return plain(getattr(value, "value"), types)  # noqa: B009 - no checker knows it
        for name, cls in types.classes.items():
            if cls is type(value):
                return {
                    key: plain(getattr(value, attribute), types)
                    for key, attribute in types.names.attributes[name].items()
                }
        return value
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, list):
        return [plain(item, types) for item in value]
    if isinstance(value, dict):
        return {key: plain(item, types) for key, item in value.items()}
    return value
