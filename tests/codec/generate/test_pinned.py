"""The codec of a generated package can be pinned to an older version, and write otherwise."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from instar.codec.bind import bind
from instar.codec.codec import Codec
from instar.codec.generate import generate
from instar.codec.limits import Limits
from instar.codec.registry import Registry
from instar.codec.subject import Subject
from instar.codec.tag import read_tag
from instar.errors import ConfigError, InstarError, LimitExceeded
from instar.migrations import Migration
from instar.migrations.ops import rename
from instar.schemas.model import Default, Field, Primitive, Record, Schema

TEXT, NUMBER = Primitive("string"), Primitive("int")
STEP = """\
from instar.migrations import Migration, rename

migration = Migration("pinned_ticket", 1, 2, rename("note", "text"))
"""


def schema(version: int, *fields: Field) -> Schema:
    record = Record("Ticket", fields)
    return Schema("pinned_ticket", version, "avro", "Ticket", {"Ticket": record})


V1 = schema(1, Field("note", TEXT))
V2 = schema(2, Field("text", TEXT), Field("budget", NUMBER, default=Default(0)))
MIGRATION = Migration("pinned_ticket", 1, 2, rename("note", "text"))


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """The package as `instar generate` writes it, imported."""
    for name, text in generate(Subject([V1, V2], [MIGRATION]), {"v1_v2.py": STEP}).items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    yield importlib.import_module("pinned_ticket")
    for name in [name for name in sys.modules if name.split(".")[0] == "pinned_ticket"]:
        del sys.modules[name]


def check_pinned(package: ModuleType, pinned: Codec[object]) -> None:
    """New classes, old blobs, and nothing lost on the way through old code."""
    state = package.Ticket(text="cannot log in", budget=12)
    blob = pinned.encode(state)
    assert read_tag(blob).version == pinned.write_version == 1
    old = Registry.of([V1]).codec("pinned_ticket")
    seen = old.decode(blob)
    assert seen.note == "cannot log in"
    seen.note = "since Monday"
    found = pinned.decode(old.encode(seen))
    assert type(found) is package.Ticket
    assert found == package.Ticket(text="since Monday", budget=12)


def test_a_generated_codec_is_pinned(package: ModuleType) -> None:
    """``replace`` gives one that writes what old code reads, and leaves that of the package."""
    check_pinned(package, package.codec.replace(write_version=1))
    assert package.codec.write_version == 2


def test_a_package_is_bound_pinned(package: ModuleType) -> None:
    """``bind`` takes ``write_version`` as ``Registry.codec`` does."""
    versions, migrations = (package.v1, package.v2), (package.v1_v2.migration,)
    pinned: Codec[object] = bind(versions, migrations, "avro", package.Ticket, write_version=1)
    check_pinned(package, pinned)


def test_a_pin_is_taken_away(package: ModuleType) -> None:
    """Other settings keep a pin, and the codec's own version ends it."""
    pinned = package.codec.replace(write_version=1)
    assert pinned.replace(compress=True).write_version == 1
    assert pinned.replace(write_version=None).write_version == 1
    free = pinned.replace(write_version=pinned.version)
    state = package.Ticket(text="a", budget=1)
    assert free.encode(state) == package.codec.encode(state)


def test_a_codec_writes_otherwise(package: ModuleType) -> None:
    """Format, framing, compression and limits are told too, and each is that of a registry's."""
    state = package.Ticket(text="abc " * 1000, budget=1)
    registry = Registry.of([V1, V2], [MIGRATION])
    like = registry.codec("pinned_ticket").from_builtins({"text": state.text, "budget": 1})
    told_otherwise: list[dict[str, Any]] = [
        {"format": "json"},
        {"framing": "avro-single-object"},
        {"compress": True},
        {"format": "msgpack", "write_version": 1},
    ]
    for settings in told_otherwise:
        told = package.codec.replace(**settings)
        assert told.encode(state) == registry.codec("pinned_ticket", **settings).encode(like)
        assert told.decode(told.encode(state)) == state
    with pytest.raises(LimitExceeded):
        package.codec.replace(limits=Limits(blob_bytes=100)).encode(state)


@pytest.mark.parametrize("version", [3, 0, -1])
def test_no_such_write_version(package: ModuleType, version: int) -> None:
    """A version that cannot be written is refused when the codec is made."""
    with pytest.raises(InstarError, match=str(version)):
        package.codec.replace(write_version=version)


def test_settings_that_do_not_agree(package: ModuleType) -> None:
    """A framing that the format cannot have is refused."""
    with pytest.raises(ConfigError, match="avro-single-object"):
        package.codec.replace(format="json", framing="avro-single-object")
