"""Vectors over versions: from lists, to lists, and of other numbers."""

from __future__ import annotations

import json
from array import array
from itertools import pairwise
from typing import Any

import pytest
from same import same
from vector_samples import FORMATS, LIMIT, plain, registry, vector

from instar import Registry
from instar.codec.tag.header import Format
from instar.errors import NewerVersion, NotExpressible
from instar.migrations.compute import compute
from instar.migrations.migration import Migration
from instar.schemas.avro.reader import parse_avro
from instar.schemas.numbering import number_fields

LINES: list[tuple[list[Any], list[Any]]] = [
    ([plain(), vector()], [[0.5, -1.0], array("f", [0.5, -1.0])]),
    ([vector(), plain()], [array("f", [0.5]), [0.5]]),
    ([vector(), vector("double")], [array("f", [0.5]), array("d", [0.5])]),
    ([vector(), plain("double")], [array("f", [0.5]), [0.5]]),
    ([plain(), vector("double")], [[0.5], array("d", [0.5])]),
    ([plain("int"), vector()], [[1, 2], array("f", [1, 2])]),
    ([plain("int"), vector("double"), plain("double")], [[1], array("d", [1]), [1.0]]),
    ([vector(), ["null", vector()]], [array("f", [0.5]), array("f", [0.5])]),
    ([plain(), ["string", vector()]], [[0.5], array("f", [0.5])]),
    ([plain(vector()), plain(plain("double"))], [[array("f", [0.5])], [[0.5]]]),
    ([plain(), vector(), plain(), vector("double")], [[2], array("f", [2]), [2], array("d", [2])]),
]


@pytest.mark.parametrize("format_", FORMATS)
@pytest.mark.parametrize(("kinds", "values"), LINES, ids=str)
@pytest.mark.usefixtures("engine_in_use")
def test_the_mark_comes_and_goes(format_: Format, kinds: list[Any], values: list[Any]) -> None:
    """A list becomes a vector and a vector a list, upwards and downwards, without a migration."""
    opened = registry(*({"x": kind} for kind in kinds))
    for writer, value in enumerate(values, 1):
        codec = opened.codec("sample", format=format_, version=writer)
        blob = codec.encode(codec.type(x=value))
        for reader, wanted in enumerate(values, 1):
            found: Any = opened.codec("sample", version=reader).decode(blob)
            assert found.x == wanted
            assert type(found.x) is type(wanted)


@pytest.mark.usefixtures("engine_in_use")
def test_a_vector_that_is_too_wide_is_not_expressible() -> None:
    """A double beyond 32 bits stops a downgrade, at its index, and does not become infinite."""
    opened = registry({"x": vector()}, {"x": vector("double")})
    new, old = opened.codec("sample"), opened.codec("sample", version=1)
    assert old.decode(new.encode(new.type(x=array("d", [0.1, LIMIT])))).x == array(
        "f", [0.1, LIMIT]
    )
    wide = new.encode(new.type(x=array("d", [1.0, 1e39])))
    with pytest.raises(NewerVersion) as refused:
        old.decode(wide)
    assert isinstance(refused.value.because, NotExpressible)
    assert refused.value.because.path == "x[1]"
    with pytest.raises(NotExpressible) as caught:
        new.decode(wide, version=1)
    assert caught.value.where == "sample.x[1]"


ROUNDED = [
    [plain(), vector(), plain()],
    [plain(), vector(), plain("double")],
    [plain(), vector(), vector("double")],
    [plain(), vector(), plain(), plain("double")],
    [plain("int"), plain(), vector(), vector("double")],
    [plain(), plain("double"), vector("double")],
]


@pytest.mark.parametrize("format_", FORMATS)
@pytest.mark.parametrize("kinds", ROUNDED, ids=str)
@pytest.mark.usefixtures("engine_in_use")
def test_versions_at_once_round_as_one_after_the_other(format_: Format, kinds: list[Any]) -> None:
    """A vector between two lists rounds what passes through it, in one pass or in several."""
    opened = registry(*({"x": kind} for kind in kinds))
    codecs = [
        opened.codec("sample", format=format_, version=number)
        for number in range(1, len(kinds) + 1)
    ]
    number = 3 if kinds[0]["items"] == "int" else 0.1
    upwards, downwards = codecs, codecs[::-1]
    for line in (upwards, downwards):
        first = line[0].from_builtins({"x": [number]})
        blob = line[0].encode(first)
        stepwise = first
        for before, after in pairwise(line):
            stepwise = after.decode(before.encode(stepwise))
        assert same(line[-1].decode(blob), stepwise)


def test_functions_get_and_give_vectors() -> None:
    """A compute gets the array itself, and may give an array or a plain list."""
    given_: list[Any] = []

    def up(x: Any) -> Any:
        given_.append(x)
        return list(x)

    op = compute(reads="x", writes="y", up=up, down=lambda y: array("f", y))
    opened = registry(
        {"x": vector()}, {"y": vector("double")}, migrations=(Migration("sample", 1, 2, op),)
    )
    old, new = opened.codec("sample", version=1), opened.codec("sample")
    blob = old.encode(old.type(x=array("f", [0.5])))
    assert new.decode(blob).y == array("d", [0.5])
    assert given_ == [array("f", [0.5])]
    assert old.decode(new.encode(new.type(y=array("d", [0.25])))).x == array("f", [0.25])


@pytest.mark.usefixtures("engine_in_use")
def test_a_default_is_filled_by_an_upgrade() -> None:
    """A state from before the field was there gets its vector, whichever engine reads it."""
    field = {"name": "x", "type": vector(), "default": []}
    versions = [
        parse_avro(
            json.dumps({"type": "record", "name": "Sample", "fields": fields}),
            subject="sample",
            version=number,
            where="test",
        )
        for number, fields in enumerate(([], [field]), 1)
    ]
    opened = Registry.of(number_fields(versions))
    old = opened.codec("sample", version=1)
    found = [opened.codec("sample").decode(old.encode(old.type())) for _ in range(2)]
    assert found[0].x == array("f")
    assert found[0].x is not found[1].x
