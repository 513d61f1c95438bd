"""One subject, opened: its versions, how they are linked, and the types of each."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise

from ..errors import InstarError, NoSuchSubject, SchemaError
from ..migrations.chain import Chain, check_chain
from ..migrations.compose import compose
from ..migrations.conversion import Graph
from ..migrations.derive import derive
from ..migrations.migration import Migration
from ..migrations.unfusable import Unfusable
from ..schemas.arguments import check_items
from ..schemas.fingerprint import fingerprint, wire_fingerprint
from ..schemas.model import Record, Schema
from ..schemas.stack import stack_errors
from .plan import Plan, Segment
from .types import SchemaTypes, bind_types, build_types

_BAD_KEY = re.compile(r'["\\\\\x00-\x1f\ud800-\udfff]')


class Subject:
    """The versions of one subject, in one line.

    Opening it derives every upgrade, so that what cannot be linked is found now and not at
    the first unlucky read. Types, fingerprints and plans are made when first asked for.
    """

    def __init__(
        self,
        schemas: Sequence[Schema],
        migrations: Sequence[Migration] = (),
        classes: Mapping[int, Mapping[str, type]] | None = None,
    ) -> None:
        self.schemas = {schema.version: schema for schema in schemas}
        self.name = schemas[0].subject
        self.chain = Chain(self.name, tuple(self.schemas), migrations)
        self._classes = classes or {}
        self._base: Subject | None = None
        self._types: dict[int, SchemaTypes] = {}
        self._fingerprints: dict[int, int] = {}
        self._wire_fingerprints: dict[int, int] = {}
        for schema in schemas:
            check_keys(schema)
        self._last: Plan | None = None
        self._graphs = {hop: self._derive(*hop) for hop in self.chain.hops(1, self.latest)}

    def extended(self, schemas: Sequence[Schema], migrations: Sequence[Migration] = ()) -> Subject:
        """The same with versions after the latest; the classes of the others stay the same.

        Raises SchemaError or MigrationError where they cannot be linked to what is here.
        """
        check_items("schemas", schemas, Schema, "a list of schemas")
        check_items("migrations", migrations, Migration, "a list of migrations")
        for schema in schemas:
            if schema.version in self.schemas:
                raise SchemaError(
                    f"version {schema.version} is here already, and is another one",
                    where=self.name,
                    mend="bring the versions into one line",
                )
        wider = Subject(
            [*self.schemas.values(), *schemas], [*self.chain.migrations, *migrations], self._classes
        )
        wider._base = self
        return wider

    @property
    def latest(self) -> int:
        """The newest version."""
        return self.chain.head

    def schema(self, version: int) -> Schema:
        """The schema of a version; ``NoSuchSubject`` where there is none."""
        found = self.schemas.get(version) if type(version) is int else None
        if found is None:
            raise NoSuchSubject(
                f"there is no version {version}",
                where=self.name,
                mend=f"versions here are 1 to {self.latest}",
            )
        return found

    def types(self, version: int) -> SchemaTypes:
        """The Python types of a version: the generated ones where they were bound."""
        if type(version) is not int:
            self.schema(version)  # Raises: what cannot be hashed is no version either.
        if self._base is not None and version in self._base.schemas:
            return self._base.types(version)
        if version not in self._types:
            schema, classes = self.schema(version), self._classes.get(version)
            self._types[version] = (
                build_types(schema) if classes is None else bind_types(schema, classes)
            )
        return self._types[version]

    def fingerprint(self, version: int) -> int:
        """The fingerprint of a version's schema."""
        if type(version) is not int:
            self.schema(version)
        if version not in self._fingerprints:
            self._fingerprints[version] = fingerprint(self.schema(version))
        return self._fingerprints[version]

    def wire_fingerprint(self, version: int) -> int:
        """The CRC-64-AVRO of a version's schema."""
        if version not in self._wire_fingerprints:
            self._wire_fingerprints[version] = wire_fingerprint(self.schema(version))
        return self._wire_fingerprints[version]

    def plan(self, source: int, target: int) -> Plan:
        """How a state written at ``source`` becomes one of ``target``, up or down.

        All hops are fused into one pass, but for the few that cannot be. Raises
        ``MigrationMismatch`` where a downgrade cannot be derived.
        """
        segments, at = self._begun(source, target)
        for hop in self.chain.hops(at, target):
            segment = Segment(*hop, self._graph(*hop))
            fused = self._fuse(segments[-1], segment) if segments else None
            if fused is not None:
                segments[-1] = fused
            else:
                segments.append(segment)
        self._last = Plan(source, target, tuple(segments))
        return self._last

    def _begun(self, source: int, target: int) -> tuple[list[Segment], int]:
        """The part of the way that the plan before this one went, and where it ended.

        Whoever reads one version at all others asks for longer and longer plans.
        """
        last = self._last
        if last is None or last.source != source:
            return [], source
        between = source < last.target <= target or source > last.target >= target
        return (list(last.segments), last.target) if between else ([], source)

    def _fuse(self, first: Segment, second: Segment) -> Segment | None:
        try:
            graph = compose(first.graph, second.graph, self.schema(second.source))
        except Unfusable:
            return None
        return Segment(first.source, second.target, graph)

    def _graph(self, source: int, target: int) -> Graph:
        if (source, target) not in self._graphs:
            self._graphs[source, target] = self._derive(source, target)
        return self._graphs[source, target]

    def _derive(self, source: int, target: int) -> Graph:
        step = self.chain.step(source, target)
        return _derive(self.schema(source), self.schema(target), step)


def _derive(old: Schema, new: Schema, migration: Migration | None) -> Graph:
    return derive(old, new, () if migration is None else migration.ops)


def link_findings(
    schemas: Sequence[Schema],
    migrations: Sequence[Migration] = (),
    unknown: Collection[int] = (),
) -> list[InstarError]:
    """Everything that keeps ``schemas``, in order, from being linked, each to the next.

    Steps that begin at a version in ``unknown`` are not judged. Whether the migrations make
    one line is for :func:`check_chain` to say.
    """
    steps = {(step.source, step.target): step for step in migrations}
    findings: list[InstarError] = []
    for schema in schemas:
        try:
            check_keys(schema)
        except SchemaError as error:
            findings.append(error)
    for old, new in pairwise(schemas):
        if old.version in unknown:
            continue
        try:
            with stack_errors(old.subject):
                _derive(old, new, steps.get((old.version, new.version)))
        except InstarError as error:
            findings.append(error)
    return findings


def check_keys(schema: Schema) -> None:
    """Raise SchemaError for a key that msgspec, which writes them unescaped, cannot hold."""
    for named in schema.types.values():
        for field in named.fields if isinstance(named, Record) else ():
            if _BAD_KEY.search(field.key):
                raise SchemaError(
                    f"the key {field.key!r} cannot be one of JSON form",
                    where=f"{schema.subject} v{schema.version}, {named.name}.{field.name}",
                    mend="leave out quotes, backslashes, control characters and surrogates",
                )


def open_subjects(
    schemas: Mapping[str, Sequence[Schema]],
    migrations: Mapping[str, Sequence[Migration]],
    classes: Mapping[str, Mapping[int, Mapping[str, type]]] | None = None,
) -> tuple[dict[str, Subject], list[InstarError]]:
    """Open each subject; what cannot be linked is collected, not raised."""
    subjects: dict[str, Subject] = {}
    findings: list[InstarError] = []
    for name, versions in schemas.items():
        steps = migrations.get(name, ())
        try:
            with stack_errors(name):
                subjects[name] = Subject(versions, steps, (classes or {}).get(name))
        except InstarError as error:
            chain = check_chain(name, [schema.version for schema in versions], steps)
            findings += chain or link_findings(versions, steps) or [error]
    return subjects, findings
