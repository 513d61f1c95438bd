"""Names that collide with Python, with instar or with each other give code that works.

The names are not a list that somebody thought of: they are all that Python, msgspec and
enum define on their classes, and all that a generated module uses.
"""

from __future__ import annotations

import ast
import builtins
import enum
import importlib
import keyword
import re
import sys
import uuid
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, TypeAlias, get_args

import msgspec
import pytest
from examples import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from instar import Record as RecordClass
from instar.codec.codec import Codec, Settings
from instar.codec.generate import generate, write_generated
from instar.codec.generate.emit import version_module
from instar.codec.subject import Subject
from instar.codec.tag import Format
from instar.schemas.model import (
    Array,
    Branch,
    Enum,
    Field,
    Kind,
    NamedType,
    Primitive,
    Record,
    Reference,
    Schema,
    Symbol,
    Type,
    Union,
)
from instar.schemas.numbering import number_fields

INT, STRING = Primitive("int"), Primitive("string")
FORMATS: tuple[Format, ...] = ("avro", "protobuf", "msgpack", "json", "yaml")
Codecs: TypeAlias = Callable[[Format], Codec[Any]]


def schema_of(*types: NamedType) -> Schema:
    schema = Schema("collisions", 1, "avro", types[0].name, {type_.name: type_ for type_ in types})
    return number_fields([schema])[0]


def module_names() -> set[str]:
    """Every name in the source of a module that uses all that a module can use."""
    kinds: tuple[Kind, ...] = get_args(Kind)
    fields = [Field(f"f_{kind}", Array(Primitive(kind))) for kind in kinds]
    text = version_module(schema_of(Record("Plain", tuple(fields))))
    return {node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}


NAMES = sorted(
    name
    for name in {
        *keyword.kwlist,
        *keyword.softkwlist,
        *dir(builtins),
        *dir(RecordClass),
        *dir(enum.Enum),
        *dir(enum.EnumType),
        *dir(str),
        *dir(msgspec.Struct),
        *module_names(),
        *("self", "cls", "a_b", "aB", "AB", "Ab", "ab", "value", "StringValue", "codec", "bind"),
        *("v1", "V1", "TYPES", "SCHEMA", "residue", "tag", "exact", "dt", "Final", "Codec"),
    }
    if re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name)
)


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Generates the package of a schema, and imports it as a user would."""
    monkeypatch.syspath_prepend(tmp_path)
    name = f"generated_{uuid.uuid4().hex}"

    def load(schema: Schema) -> ModuleType:
        write_generated(generate(Subject([schema]), {}), tmp_path / name)
        importlib.invalidate_caches()
        return importlib.import_module(f"{name}.collisions")

    yield load
    for loaded in [loaded for loaded in sys.modules if loaded.startswith(name)]:
        del sys.modules[loaded]


def codecs(schema: Schema) -> Codecs:
    """Makes codecs of the schema, which share its classes."""
    subject = Subject([schema])
    return lambda format_: Codec[Any](subject, Settings(1, format_))


def round_trips(make: Codecs, values: dict[str, Any]) -> None:
    """A state of ``values`` comes back from every format, and gives them again."""
    state = make("json").from_builtins(values)
    for format_ in FORMATS:
        codec = make(format_)
        assert codec.decode(codec.encode(state)) == state
    assert make("json").to_builtins(state) == values


def test_every_name_is_an_attribute(package: Any) -> None:
    """A record with a field of every name imports, takes keywords, and keeps its values."""
    record = Record("All", tuple(Field(name, INT) for name in NAMES))
    module = package(schema_of(record))
    values = {name: number for number, name in enumerate(NAMES)}
    state = module.codec.from_builtins(values)
    attributes = type(state).__struct_fields__
    assert len(set(attributes)) == len(NAMES)
    assert type(state)(**{name: getattr(state, name) for name in attributes}) == state
    assert module.codec.to_builtins(state) == values
    round_trips(codecs(schema_of(record)), values)


def test_every_name_is_a_member(package: Any) -> None:
    """An enum with a symbol of every name imports, and each member has its symbol."""
    enum_ = Enum("E", tuple(Symbol(name, number) for number, name in enumerate(NAMES)))
    root = Record("Root", (Field("all", Array(Reference("E"))),))
    module = package(schema_of(root, enum_))
    assert [member.value for member in module.E] == NAMES
    state = module.codec.from_builtins({"all": NAMES})
    assert [member.value for member in state.all] == NAMES
    assert module.codec.decode(module.codec.encode(state)) == state


def test_every_name_is_a_class(package: Any) -> None:
    """Records of every name, each used by a field of its own name, import and are found."""
    records = [Record(name, (Field(name, STRING),)) for name in NAMES]
    root = Record("p.Root", tuple(Field(name, Reference(name)) for name in NAMES))
    schema = schema_of(root, *records)
    module = package(schema)
    values = {name: {name: "x"} for name in NAMES}
    state = module.codec.from_builtins(values)
    assert module.codec.to_builtins(state) == values
    assert module.codec.decode(module.codec.encode(state)) == state
    exported = [name for name in module.__all__ if name != "codec"]
    assert len(set(exported)) == len(NAMES) + 1
    assert all(isinstance(getattr(module, name), type) for name in exported)


def test_every_name_is_a_case(package: Any) -> None:
    """A union whose branches have every name as label gives each a box of its own."""
    union = Union(tuple(Branch(name, STRING) for name in NAMES))
    root = Record("Root", (Field("all", Array(union)),))
    module = package(schema_of(root))
    boxes = [name for name in module.__all__ if name not in ("Root", "codec")]
    assert len(boxes) == len(set(boxes)) == len(NAMES)
    state = module.Root(all=[getattr(module, name)(value=name) for name in boxes])
    assert module.codec.decode(module.codec.encode(state)) == state


COLLIDING: Sequence[Sequence[str]] = (
    ("from", "from_", "from__", "_from"),
    ("list", "list_", "tags"),
    ("a_b", "aB", "AB", "ab"),
    ("None", "None_", "none"),
    ("__init__", "init_", "_init"),
    ("_", "__", "___", "n_"),
    ("_1", "n1_", "n1"),
    ("Root", "Root_", "root"),
)


@pytest.mark.parametrize("names", COLLIDING, ids="-".join)
def test_fields_that_collide(names: Sequence[str]) -> None:
    """Fields whose escapes could be equal are kept apart, and round trip in every format."""
    root = Record("Root", tuple(Field(name, INT) for name in names))
    round_trips(codecs(schema_of(root)), {name: n for n, name in enumerate(names)})


@settings(max_examples=examples(60))
@given(
    st.lists(st.sampled_from(NAMES), min_size=1, max_size=4, unique=True),
    st.lists(st.sampled_from(NAMES), min_size=2, max_size=4, unique=True),
    st.sampled_from(NAMES),
)
def test_types_fields_and_symbols_share_names(
    fields: list[str], types: list[str], symbol: str
) -> None:
    """Whatever names fields, their types and their symbols share, values come back."""
    root, *others = types
    enum_ = Enum(others[0], (Symbol(symbol, 0), *((Symbol("Z", 1),) if symbol != "Z" else ())))
    leaf: list[Type] = [Reference(others[0]), Array(STRING), Reference(others[0])]
    members = tuple(Field(name, leaf[n % 3]) for n, name in enumerate(fields))
    schema = schema_of(Record(root, members), enum_, *(Record(n, ()) for n in others[1:]))
    compile(version_module(schema), "generated", "exec")
    values = {name: ["x"] if n % 3 == 1 else symbol for n, name in enumerate(fields)}
    round_trips(codecs(schema), values)
