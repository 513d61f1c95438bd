from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from infer.json_documents import named, objects, values

from instar.schemas.avro import avsc_text, parse_avro
from instar.schemas.infer import infer_schema
from instar.schemas.infer.shape import Shape, merged


@given(st.lists(values(), max_size=6))
def test_shapes_are_a_lattice(samples: list[Any]) -> None:
    """Merging the shapes of single values equals observing the values one by one."""
    together = Shape()
    shapes: list[Shape] = []
    for sample in samples:
        together.observe(sample)
        shapes.append(Shape())
        shapes[-1].observe(sample)
    assert merged(shapes) == together
    assert merged(shapes[::-1]) == together


@given(st.lists(objects(), min_size=1, max_size=6), st.booleans())
def test_inferred_schemas_are_written_as_avro(samples: list[Any], enums: bool) -> None:
    """An inferred schema, written as an .avsc file and read back, is the same schema."""
    schema = infer_schema(named(samples), subject="agent_state", enums=enums, namespace="n")
    text = avsc_text(schema)
    assert parse_avro(text, subject="agent_state", version=1, where="v1.avsc") == schema
