"""Real agent payloads, all the way: infer, generate, adopt into SQLite, read back, compare."""

from __future__ import annotations

import importlib.util
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from infer.payloads import FOLDERS, payload_files

from instar import Registry, Repository
from instar.codec.documents import DocumentCodec, differences
from instar.codec.generate import generate, write_generated
from instar.codec.subject import Subject
from instar.codec.tag.header import Format
from instar.codec.types import bind_types
from instar.schemas.avro import avsc_text
from instar.schemas.infer import infer_schema, read_documents
from instar.store.adopt import adopt

FORMATS: tuple[Format, ...] = ("avro", "protobuf", "msgpack", "json", "yaml")


@pytest.fixture
def imported() -> Iterator[Any]:
    """Imports a generated package from a folder, and forgets it afterwards."""
    names: list[str] = []

    def load(name: str, folder: Path) -> ModuleType:
        spec = importlib.util.spec_from_file_location(name, folder / "__init__.py")
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        names.append(name)
        spec.loader.exec_module(module)
        return module

    yield load
    for known in [module for module in sys.modules if module.split(".")[0] in names]:
        del sys.modules[known]


@pytest.mark.parametrize("folder", FOLDERS)
def test_real_documents_survive_every_format(folder: str, tmp_path: Path, imported: Any) -> None:
    """Each document, stored through generated code in any format, comes back as the source.

    What could not be kept exactly is just what adopt reports, by path.
    """
    subject = folder.replace("-", "_")
    documents = list(read_documents(payload_files(folder)))
    target = tmp_path / "schemas" / subject / "v1.avsc"
    target.parent.mkdir(parents=True)
    target.write_text(avsc_text(infer_schema(documents, subject=subject)), encoding="utf-8")
    schema = Registry.open(tmp_path / "schemas").subject(subject).schema(1)
    write_generated(generate(Subject([schema]), {}), tmp_path / "state")
    package = imported(subject, tmp_path / "state" / subject)
    documented = DocumentCodec(bind_types(schema, package.v1))

    sizes: dict[str, int] = {"JSON": sum(len(json.dumps(d.value)) for d in documents)}
    changed: set[tuple[str, str, int]] = set()
    for format_ in FORMATS:
        codec = Registry.of([schema], classes={subject: {1: package.v1.TYPES}}).codec(
            subject, format=format_
        )
        assert codec.type is package.codec.type
        with Repository(codec, f"sqlite:///{tmp_path / format_}.db") as repository:
            report = adopt(documents, repository.create, documented)
            assert not report.refused
            assert not report.conflicts
            assert len(report.adopted) == len(documents)
            for key, document in zip(report.adopted, documents, strict=True):
                found = documented.dump(repository.load(key))
                expected = documented.load(document.value)[1]
                assert tuple(differences(document.value, found)) == expected
            sizes[format_] = sum(len(repository.load_entry(key).blob) for key in report.adopted)
        changed.update((c.place, c.kind, c.count) for c in report.changes)
    print(  # noqa: T201 - the table is what this test is for
        f"\n{folder}: {len(documents)} documents; bytes "
        + ", ".join(f"{name} {size:,}" for name, size in sizes.items())
        + "".join(f"\n    {kind} at {place}: {n}" for place, kind, n in sorted(changed))
    )
