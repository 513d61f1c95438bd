"""A whole .proto file, with its imports, as one schema: a root with a field for each message."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from instar.schemas.model import Record, Schema
from instar.schemas.protobuf import compile_proto, read_proto

ROOT = "EveryMessage"
FOREIGN = ("google/",)


def whole(main: Path, numbers: dict[str, int], version: int) -> Schema:
    """The schema of ``main``. A message keeps its number in ``numbers``, which grows."""
    files = [file for file in compile_proto(main).file if not file.name.startswith(FOREIGN)]
    names = list(_messages(files))
    for name in names:
        numbers.setdefault(name, len(numbers) + 1)
    root = main.with_name("every_message.proto")
    # Only a lite file may import another one.
    head = ['syntax = "proto3";', "option optimize_for = LITE_RUNTIME;"]
    lines = [*head, *(f'import "{file.name}";' for file in files)]
    fields = (f"  .{name} f{numbers[name]} = {numbers[name]};" for name in names)
    root.write_text("\n".join([*lines, f"message {ROOT} {{", *fields, "}"]))
    return read_proto(root, "every_message", version)


def _messages(files: Iterable[Any]) -> Iterator[str]:
    """The full names of the top-level messages of some files."""
    for file in files:
        for message in file.message_type:
            yield f"{file.package}.{message.name}".strip(".")


def laid_out(family: Path, version: int, folder: Path) -> Path:
    """The main file of a version of a history, copied beside its imports."""
    for imports in (family / "common.deps", family / f"v{version}.deps"):
        if imports.is_dir():
            shutil.copytree(imports, folder, dirs_exist_ok=True)
    folder.mkdir(parents=True, exist_ok=True)
    return Path(shutil.copy(family / f"v{version}.proto", folder / f"v{version}.proto"))


def shared(schemas: Sequence[Schema]) -> Iterable[Schema]:
    """The schemas with only those messages that every one of them has."""
    names = set.intersection(*({f.name for f in s.record.fields} for s in schemas))
    for schema in schemas:
        record = schema.record
        kept = tuple(f for f in record.fields if f.name in names)
        types = {**schema.types, record.name: Record(record.name, kept)}
        yield replace(schema, types=types)
