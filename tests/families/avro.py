"""Histories of real Avro schemas as one subject each."""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from families.family import Blob, Family
from material import material
from suites.avro_cases import cases, plain, untag
from suites.test_avro_cross_version import document_of, payload_of

from instar import Registry
from instar.codec.codec import Codec
from instar.codec.engines import engine
from instar.schemas.avro import parse_avro
from instar.schemas.model import Schema
from instar.schemas.numbering import number_fields


@dataclass
class AvroHistory:
    """One Avro history; its forms are records as Avro libraries for Python show them."""

    family: Family
    _codecs: dict[tuple[str, int], Codec[Any]] = field(
        default_factory=dict[tuple[str, int], "Codec[Any]"]
    )

    @cached_property
    def last(self) -> int:
        return len(list(material("histories", self.family.FAMILY).glob("v*[0-9].avsc")))

    @cached_property
    def registry(self) -> Registry:
        schemas = [self._schema(version) for version in range(1, self.last + 1)]
        return Registry.of(number_fields(schemas), self.family.MIGRATIONS)

    def _schema(self, version: int) -> Schema:
        text = json.dumps(document_of(self.family.FAMILY, version))
        where = f"{self.family.FAMILY} v{version}"
        return parse_avro(text, subject=self.family.SUBJECT, version=version, where=where)

    def codec(self, version: int) -> Codec[Any]:
        """The codec of a version by the engine in use; it keeps what that compiled."""
        key = (engine().name, version)
        if key not in self._codecs:
            opened = self.registry
            self._codecs[key] = opened.codec(self.family.SUBJECT, version=version)
        return self._codecs[key]

    def blobs(self) -> Iterator[Blob]:
        """The blobs of the suite, those of both directions."""
        family = self.family.FAMILY
        for index, case in enumerate(cases("cross-version-avro", "handout", f"{family}.jsonl")):
            payload = payload_of(family, case["from"], bytes.fromhex(case["blob_hex"]))
            suite = untag(case["reader_view"]) if case["outcome"] == "ok" else None
            form = untag(case["writer_view"])
            yield Blob(f"line {index + 1}", case["from"], case["to"], payload, form, suite)

    def form(self, state: Any, version: int) -> Any:
        """A state as the suite shows records."""
        return plain(state, self.registry.subject(self.family.SUBJECT).types(version))

    def raised(self, form: Any, target: int) -> Any:
        """What a record is one version later, at ``target``."""
        found = deepcopy(form)
        step = self.family.HOPS.get(target - 1)
        if step is not None:
            step(found)
        return found
