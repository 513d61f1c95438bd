from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from instar.schemas.levels import levels, most_levels
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
from instar.schemas.references import parts


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


def all_in_all(count: int, *more: Type) -> Schema:
    """So many records, each of which may hold any of them."""
    every: list[Type] = [Optional(Array(Reference(f"R{n}"))) for n in range(count)]
    return schema({f"R{n}": [*every, *more] for n in range(count)})


def test_records_that_all_hold_each_other() -> None:
    """The longest way is through all; where it cannot be looked for it is taken for that."""
    assert levels(all_in_all(5)) == every_way(all_in_all(5), Reference("R0")) == 2 * 5
    assert levels(all_in_all(40)) == 2 * 40
    below: dict[str, list[Type]] = {"Z": [Array(Primitive("int"))]}
    types = {name: [*(f.type for f in r.fields), Reference("Z")] for name, r in records(40).items()}
    assert levels(schema({**types, **below})) == 2 * 40 + 2


def records(count: int) -> dict[str, Record]:
    found = all_in_all(count).types
    return {name: record for name, record in found.items() if isinstance(record, Record)}


@given(st.fixed_dictionaries({name: st.lists(TYPES, max_size=3) for name in NAMES}))
def test_the_bound_is_no_less(types: dict[str, list[Type]]) -> None:
    """What stands for the longest way is never shorter."""
    found = schema(types)
    assert most_levels(found) >= levels(found)
