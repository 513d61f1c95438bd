"""Lines of three versions that ops join: each step takes some of the changes below."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from hypothesis import strategies as st
from msgspec.structs import replace

from instar.codec.subject import Subject
from instar.migrations import (
    Migration,
    cast,
    compute,
    convert,
    head,
    hoist,
    null_if,
    or_else,
    plunge,
    remove,
    rename,
    scale,
    split,
    within,
    wrap,
)
from instar.schemas.model import (
    Array,
    Branch,
    Default,
    Enum,
    Field,
    Map,
    NamedType,
    Optional,
    Primitive,
    Record,
    Reference,
    Schema,
    Symbol,
    Type,
    Union,
)
from instar.schemas.numbering import number_fields

Types: TypeAlias = dict[str, NamedType]
Change: TypeAlias = Callable[[Types], list[Any]]

TEXT, INT, LONG, DOUBLE = map(Primitive, ("string", "int", "long", "double"))


def field(name: str, kind: Type, *default: Any) -> Field:
    return Field(name, kind, default=Default(default[0]) if default else None)


def record(name: str, *fields: Field) -> Record:
    return Record(name, fields)


FIRST: Types = {
    found.name: found
    for found in (
        record(
            "State",
            field("title", TEXT),
            field("note", TEXT, "none"),
            field("tag", TEXT),
            field("hint", Optional(TEXT)),
            field("labels", Array(TEXT)),
            field("address", Reference("Address")),
            field("home", Optional(Reference("Home"))),
            field("zip", TEXT, ""),
            field("floor", Optional(INT)),
            field("mood", Reference("Mood")),
            field("word", TEXT),
            field("name", TEXT),
            field("count", INT),
            field("size", LONG),
            field("messages", Array(Reference("Message"))),
            field("memory", Map(Reference("Message"))),
            field("event", Union((Branch("string", TEXT), Branch("Node", Reference("Node"))))),
            field("node", Optional(Reference("Node"))),
        ),
        record("Address", field("street", TEXT), field("city", TEXT, "")),
        record("Home", field("street", TEXT, ""), field("city", TEXT, "")),
        record("Message", field("content", TEXT), field("role", TEXT, "user")),
        record(
            "Node",
            field("value", INT),
            field("mark", TEXT, ""),
            field("next", Optional(Reference("Node")), None),
        ),
        Enum("Mood", tuple(Symbol(name, n) for n, name in enumerate(("GLAD", "SAD", "MAD")))),
    )
}


def _of(types: Types, name: str) -> Record:
    found = types[name]
    assert isinstance(found, Record)
    return found


def retype(types: Types, place: str, kind: Type) -> None:
    """Give a field another type."""
    name, _, wanted = place.rpartition(".")
    name = name or "State"
    old = _of(types, name)
    fields = tuple(
        replace(f, type=kind, default=None) if f.name == wanted else f for f in old.fields
    )
    types[name] = replace(old, fields=fields)


def swap(types: Types, name: str, old: str, *new: Field) -> None:
    """Put other fields in the place of one."""
    found = _of(types, name)
    at = [f.name for f in found.fields].index(old)
    types[name] = replace(found, fields=(*found.fields[:at], *new, *found.fields[at + 1 :]))


def append(types: Types, new: Field) -> None:
    """Put a field behind those of the root."""
    old = _of(types, "State")
    types["State"] = replace(old, fields=(*old.fields, new))


def rename_title(types: Types) -> list[Any]:
    swap(types, "State", "title", field("heading", TEXT))
    return [rename("title", "heading")]


def remove_note(types: Types) -> list[Any]:
    swap(types, "State", "note")
    return [remove("note", default="gone")]


def add_extra(types: Types) -> list[Any]:
    append(types, field("extra", TEXT, "new"))
    return []


def wrap_tag(types: Types) -> list[Any]:
    retype(types, "tag", Array(TEXT))
    return [wrap("tag")]


def wrap_hint(types: Types) -> list[Any]:
    retype(types, "hint", Array(TEXT))
    return [wrap("hint")]


def head_labels(types: Types) -> list[Any]:
    retype(types, "labels", Optional(TEXT))
    return [head("labels")]


def hoist_city(types: Types) -> list[Any]:
    swap(types, "Address", "city")
    append(types, field("city", TEXT))
    return [hoist("address.city")]


def hoist_home(types: Types) -> list[Any]:
    swap(types, "Home", "city")
    append(types, field("town", Optional(TEXT)))
    return [hoist("home.city", "town")]


def plunge_zip(types: Types) -> list[Any]:
    types["Place"] = record("Place", field("zip", TEXT))
    swap(types, "State", "zip", field("place", Reference("Place")))
    return [plunge("zip", "place")]


def plunge_floor(types: Types) -> list[Any]:
    types["Flat"] = record("Flat", field("floor", Optional(INT)))
    swap(types, "State", "floor", field("flat", Optional(Reference("Flat"))))
    return [plunge("floor", "flat")]


def merge_moods(types: Types) -> list[Any]:
    types["Mood"] = Enum("Mood", (Symbol("GLAD", 0), Symbol("LOW", 1)))
    return [convert("mood", {"SAD": "LOW", "MAD": "LOW"})]


def swap_words(types: Types) -> list[Any]:
    del types
    return [convert("word", {"a": "0", "0": "a"})]


def reversed_text(text: str) -> str:
    return text[::-1]


def cut(text: str) -> tuple[str, str]:
    return text[:1], text[1:]


def paste(first: str, rest: str) -> str:
    return first + rest


def first_letter(text: str) -> str:
    return text[:1]


def turn_name(types: Types) -> list[Any]:
    swap(types, "State", "name", field("eman", TEXT))
    return [compute(reads="name", writes="eman", up=reversed_text, down=reversed_text)]


def split_name(types: Types) -> list[Any]:
    swap(types, "State", "name", field("first", TEXT), field("rest", TEXT))
    lossy = ("first", "rest")
    return [compute(reads="name", writes=lossy, up=cut, down=paste, lossy=lossy)]


def shorten_name(types: Types) -> list[Any]:
    swap(types, "State", "name", field("initial", TEXT))
    lossy = ("name", "initial")
    up = down = first_letter
    return [compute(reads="name", writes="initial", up=up, down=down, lossy=lossy)]


def cut_word(types: Types) -> list[Any]:
    swap(types, "State", "word", field("head", TEXT), field("tail", TEXT))
    rule = split("([^/]*)/(.*)", "{0}/{1}", exact=False, otherwise=("", ""))
    return [convert("word", rule, into=("head", "tail"))]


def spell_size(types: Types) -> list[Any]:
    retype(types, "size", TEXT)
    return [convert("size", cast())]


def fill_floor(types: Types) -> list[Any]:
    retype(types, "floor", INT)
    return [convert("floor", or_else(7))]


def fill_node(types: Types) -> list[Any]:
    retype(types, "node", Reference("Node"))
    return [convert("node", or_else({"value": 1, "mark": "m", "next": None}))]


def fill_home(types: Types) -> list[Any]:
    retype(types, "home", Reference("Home"))
    return [convert("home", or_else({"street": "", "city": ""}, null_again=True))]


def empty_labels(types: Types) -> list[Any]:
    retype(types, "labels", Optional(Array(TEXT)))
    return [convert("labels", null_if([]))]


def empty_memory(types: Types) -> list[Any]:
    retype(types, "memory", Optional(Map(Reference("Message"))))
    return [convert("memory", null_if({}))]


def no_event(types: Types) -> list[Any]:
    both = (Branch("string", TEXT), Branch("Node", Reference("Node")))
    retype(types, "event", Optional(Union(both)))
    return [convert("event", null_if(""))]


def no_tag(types: Types) -> list[Any]:
    retype(types, "tag", Optional(TEXT))
    return [convert("tag", null_if(""))]


def scale_count(types: Types) -> list[Any]:
    retype(types, "count", LONG)
    return [convert("count", scale(10))]


def widen_count(types: Types) -> list[Any]:
    retype(types, "count", LONG)
    return []


def widen_size(types: Types) -> list[Any]:
    retype(types, "size", DOUBLE)
    return []


def drop_role(types: Types) -> list[Any]:
    swap(types, "Message", "role")
    return []


def rename_content(types: Types) -> list[Any]:
    swap(types, "Message", "content", field("text", TEXT))
    return [within("messages[]", rename("content", "text"))]


def grow_event(types: Types) -> list[Any]:
    node = Branch("Node", Reference("Node"))
    retype(
        types,
        "event",
        Union((Branch("boolean", Primitive("boolean")), node, Branch("string", TEXT))),
    )
    return []


def drop_mark(types: Types) -> list[Any]:
    swap(types, "Node", "mark")
    return []


CHANGES: Sequence[Change] = (
    rename_title,
    remove_note,
    add_extra,
    wrap_tag,
    wrap_hint,
    head_labels,
    hoist_city,
    hoist_home,
    plunge_zip,
    plunge_floor,
    merge_moods,
    swap_words,
    turn_name,
    split_name,
    shorten_name,
    cut_word,
    spell_size,
    fill_floor,
    fill_node,
    fill_home,
    empty_labels,
    empty_memory,
    no_event,
    no_tag,
    scale_count,
    widen_count,
    widen_size,
    drop_role,
    rename_content,
    grow_event,
    drop_mark,
)
"""Each may be made once."""
RIVALS: Sequence[set[Change]] = (
    {turn_name, split_name, shorten_name},
    {swap_words, cut_word},
    {spell_size, widen_size},
    {fill_floor, plunge_floor},
    {fill_home, hoist_home},
    {fill_node, drop_mark},
    {empty_labels, head_labels},
    {no_event, grow_event},
    {no_tag, wrap_tag},
    {scale_count, widen_count},
)
"""Changes of one field, of which a line has one."""


@st.composite
def op_lines(
    draw: st.DrawFn,
    versions: int = 3,
    changes: Sequence[Change] = CHANGES,
    rivals: Sequence[set[Change]] = RIVALS,
) -> Subject:
    """A subject of so many versions; ``rivals`` cannot be in one line."""
    wanted = list(draw(st.permutations(changes)))[: draw(st.integers(1, 8))]
    for group in rivals:
        found = [change for change in wanted if change in group]
        wanted = [change for change in wanted if change not in found[1:]]
    steps: list[list[Change]] = [[] for _ in range(versions - 1)]
    for change in wanted:
        draw(st.sampled_from(steps)).append(change)
    return made(steps)


def made(steps: Sequence[Sequence[Change]]) -> Subject:
    """The subject whose steps make these changes."""
    types = dict(FIRST)
    schemas = [Schema("state", 1, "avro", "State", types)]
    migrations: list[Migration] = []
    for version, changes in enumerate(steps, start=1):
        types = dict(types)
        ops = [op for change in changes for op in change(types)]
        schemas.append(Schema("state", version + 1, "avro", "State", types))
        if ops:
            migrations.append(Migration("state", version, version + 1, *ops))
    return Subject(number_fields(schemas), migrations)
