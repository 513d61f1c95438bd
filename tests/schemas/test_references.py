from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from instar.schemas.model import (
    Array,
    Field,
    Map,
    Optional,
    Primitive,
    Record,
    Reference,
    Schema,
    Type,
)
from instar.schemas.references import levels, parts


def schema(types: dict[str, list[Type]]) -> Schema:
    """Records with fields of these types; the first by name is the root."""
    records = {
        name: Record(name, tuple(Field(f"f{n}", kind) for n, kind in enumerate(kinds)))
        for name, kinds in types.items()
    }
    return Schema("s", 1, "avro", min(types), dict(records))


def every_way(given: Schema, kind: Type, outer: tuple[str, ...] = ()) -> int:
    """The levels of a type, by going every way there is."""
    if isinstance(kind, Reference):
        named = given.types[kind.name]
        if not isinstance(named, Record) or kind.name in outer:
            return 0
        ways = (every_way(given, field.type, (*outer, kind.name)) for field in named.fields)
        return 1 + max(ways, default=0)
    own = 1 if isinstance(kind, Array | Map) else 0
    return own + max((every_way(given, part, outer) for part in parts(kind)), default=0)


NAMES = [f"R{n}" for n in range(5)]
TYPES: st.SearchStrategy[Type] = st.recursive(
    st.sampled_from([Primitive("int"), *map(Reference, NAMES)]),
    lambda inner: st.builds(Array, inner) | st.builds(Optional, inner),
    max_leaves=3,
)


@given(st.fixed_dictionaries({name: st.lists(TYPES, max_size=3) for name in NAMES}))
def test_levels_are_those_of_the_longest_way(types: dict[str, list[Type]]) -> None:
    """However records use each other, the longest way through them is counted."""
    found = schema(types)
    assert levels(found) == every_way(found, Reference("R0"))


def test_many_ways_are_not_gone_one_by_one() -> None:
    """Records that are used in two places each have more ways than could ever be gone."""
    last = 100
    types: dict[str, list[Type]] = {
        f"R{n}": [Reference(f"R{n + 1}"), Array(Reference(f"R{n + 1}"))] for n in range(last)
    }
    assert levels(schema({**types, f"R{last}": []})) == 2 * last + 1
