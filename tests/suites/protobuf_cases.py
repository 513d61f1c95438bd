"""What the suites of Protobuf share: the counts, the real families, what Python cannot hold."""

from __future__ import annotations

import json
import re
import shutil
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from google.protobuf import descriptor_pool, message_factory, text_format
from google.protobuf.descriptor_pb2 import FileDescriptorSet
from material import material

from instar import Registry
from instar.codec.codec import Codec
from instar.schemas.protobuf import compile_proto, read_proto
from instar.schemas.reading import TimeUnit

# Each file is compiled once, however many of its messages are read as roots.
compiled = cache(compile_proto)

FAMILIES = (
    *("a2a-early", "akka-persistence", "cadence-history", "cline-models", "cline-task"),
    *("cline-ui-message", "durabletask-orchestrator", "flyte-event", "ga4gh-reads-proto"),
    *("onnx-model", "otel-logs", "otel-metrics", "temporal-workflow"),
)
_EARLIEST, _LATEST = -62135596800, 253402300799  # years 1 and 9999, in seconds since 1970


@dataclass
class Tally:
    """The outcome of each case of a suite; what did not pass has its reason, by id."""

    suite: str
    passed: int = 0
    failed: dict[str, str] = field(default_factory=dict[str, str])
    other: Counter[str] = field(default_factory=Counter[str])

    def check(self, case: str, problem: str | None) -> None:
        if problem is None:
            self.passed += 1
        else:
            self.failed[case] = problem

    def pass_over(self, reason: str) -> None:
        self.other[reason] += 1

    def report(self) -> None:
        """Print the counts: they are what a suite shows; pytest -s lets them through."""
        parts = [f"{self.passed} passed", f"{len(self.failed)} failed"]
        parts += [f"{count} not applicable: {reason}" for reason, count in self.other.items()]
        print(f"{self.suite}: " + "; ".join(parts))  # noqa: T201 - as above


@dataclass
class Families:
    """The Protobuf histories, each version laid beside its imports."""

    folder: Path

    def versions(self) -> Iterator[tuple[str, int]]:
        for family in FAMILIES:
            found = material("histories", family).glob("v*.proto")
            numbers = [int(re.findall(r"\d+", path.name)[0]) for path in found]
            yield from ((family, number) for number in sorted(numbers))

    def path(self, family: str, version: int) -> Path:
        """The main file of a version; its imports are beside it, where protoc looks."""
        source = material("histories", family)
        folder = self.folder / family / f"v{version}"
        if not folder.exists():
            folder.mkdir(parents=True)
            for imports in (source / "common.deps", source / f"v{version}.deps"):
                if imports.is_dir():
                    _lay(imports, folder)
            shutil.copy(source / f"v{version}.proto", folder)
        return folder / f"v{version}.proto"


def _lay(source: Path, folder: Path) -> None:
    """Link to all in ``source``, in the place of what is there; folders become one.

    Copies of thousands of files take longer than reading the schemas.
    """
    for entry in source.iterdir():
        at = folder / entry.name
        if at.is_dir() and entry.is_dir():
            if at.is_symlink():
                before = at.resolve()
                at.unlink()
                at.mkdir()
                _lay(before, at)
            _lay(entry, at)
        else:
            at.unlink(missing_ok=True)
            at.symlink_to(entry)


@pytest.fixture(scope="module")
def families(tmp_path_factory: pytest.TempPathFactory) -> Families:
    return Families(tmp_path_factory.mktemp("families"))


@pytest.fixture(scope="module", autouse=True)
def compile_once() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("instar.schemas.protobuf.reader.compile_proto", compiled)
        yield


@cache
def pool_of(path: Path) -> Any:
    """A pool with what protoc makes of the file or folder, as its own code would have it."""
    files: FileDescriptorSet = compiled(path)
    pool = descriptor_pool.DescriptorPool()
    for file in files.file:
        pool.AddSerializedFile(file.SerializeToString())
    return pool


@cache
def message_class(path: Path, name: str) -> Any:
    """The class that protoc's own code has for the message."""
    return message_factory.GetMessageClass(pool_of(path).FindMessageTypeByName(name))


@cache
def codec_of(path: Path, name: str, times: TimeUnit = "micros") -> Codec[Any]:
    """Our codec of the same message."""
    schema = read_proto(path, "case", 1, root=name, times=times)
    return Registry.of([schema]).codec("case", format="protobuf")


def lines(path: Path) -> list[tuple[str, dict[str, Any]]]:
    """The cases of a file of JSON lines, each with a stable id."""
    texts = path.read_text(encoding="utf-8").splitlines()
    return [(f"{path.stem}:{place}", json.loads(text)) for place, text in enumerate(texts)]


def shown(message: Any) -> str:
    """A message with its unknown fields, as text, since a NaN is never equal to itself."""
    return text_format.MessageToString(message, print_unknown_fields=True)


FINER = "nanoseconds that are no whole microseconds"
BEYOND_64_BITS = "nanoseconds that 64 bits do not hold"


def beyond_python(message: Any, times: TimeUnit = "micros") -> str | None:
    """Why our types hold no such message, found by protobuf's own reading of it."""
    name = message.DESCRIPTOR.full_name
    if name in {"google.protobuf.Timestamp", "google.protobuf.Duration"}:
        if times == "nanos":
            nanos = message.seconds * 10**9 + message.nanos
            return None if -(2**63) <= nanos < 2**63 else BEYOND_64_BITS
        if message.nanos % 1000:
            return FINER
        if name.endswith("Timestamp") and not _EARLIEST <= message.seconds <= _LATEST:
            return "a timestamp outside the years 1 to 9999"
    for field_, value in message.ListFields():
        for reason in (beyond_python(part, times) for part in messages_in(field_, value)):
            if reason is not None:
                return reason
        if _unknown_symbols(field_, value):
            return "an unknown number of an open enum"
    return None


def messages_in(field_: Any, value: Any) -> list[Any]:
    """The messages of one field."""
    if field_.message_type is None:
        return []
    if field_.message_type.GetOptions().map_entry:
        is_message = field_.message_type.fields_by_name["value"].message_type is not None
        return list(value.values()) if is_message else []
    return list(value) if field_.is_repeated else [value]


def _unknown_symbols(field_: Any, value: Any) -> bool:
    # Where there is presence, there is null, and the number is residue.
    if field_.enum_type is None or field_.enum_type.is_closed or field_.has_presence:
        return False
    numbers = list(value) if field_.is_repeated else [value]
    return any(number not in field_.enum_type.values_by_number for number in numbers)
