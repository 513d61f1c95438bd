"""More changes that ops make: in records of lists, maps, unions, and from several fields."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from migrations.changes import (
    CHANGES,
    DOUBLE,
    LONG,
    RIVALS,
    TEXT,
    Change,
    Types,
    append,
    cut,
    drop_mark,
    drop_role,
    empty_labels,
    empty_memory,
    field,
    fill_home,
    fill_node,
    first_letter,
    grow_event,
    head_labels,
    hoist_city,
    hoist_home,
    no_event,
    op_lines,
    paste,
    record,
    remove_note,
    rename_content,
    rename_title,
    retype,
    reversed_text,
    scale_count,
    spell_size,
    swap,
    widen_count,
    widen_size,
)

from instar.migrations import (
    compute,
    convert,
    head,
    hoist,
    join,
    move,
    plunge,
    scale,
    split,
    ticks,
    within,
    wrap,
)
from instar.schemas.model import Array, Logical, Optional, Reference

_BOTH = split("([^ ]*) (.*)", "{0} {1}", exact=False, otherwise=("", ""))


def join_title(types: Types) -> list[Any]:
    """Two texts become one, which may be cut elsewhere on the way back."""
    swap(types, "State", "title", field("full", TEXT))
    swap(types, "State", "note")
    return [join(("title", "note"), _BOTH, into="full")]


def move_city(types: Types) -> list[Any]:
    """A field goes from one record to another."""
    types["Region"] = record("Region", field("city", TEXT))
    swap(types, "Address", "city")
    append(types, field("region", Reference("Region")))
    return [move("address.city", "region.city")]


def total(count: int, size: int) -> int:
    return max(-(2**63), min(2**63 - 1, count + size))


def parts(found: int) -> tuple[int, int]:
    count = found % 7
    return count, max(-(2**63), found - count)


def add_up(types: Types) -> list[Any]:
    """Two numbers become one: which two they were is lost."""
    swap(types, "State", "count", field("total", LONG))
    swap(types, "State", "size")
    lossy = ("count", "size", "total")
    reads = ("count", "size")
    return [compute(reads=reads, writes="total", up=total, down=parts, lossy=lossy)]


def cut_content(types: Types) -> list[Any]:
    """Two fields of one, in the records of a list and of a map."""
    swap(types, "Message", "content", field("head", TEXT), field("rest", TEXT))
    lossy = ("head", "rest")
    cutting = compute(reads="content", writes=lossy, up=cut, down=paste, lossy=lossy)
    return [within("messages[]", cutting)]


def shorten_content(types: Types) -> list[Any]:
    """A text of which one letter goes down and up, under its own name."""
    del types
    up = down = first_letter
    op = compute(reads="content", writes="content", up=up, down=down, lossy=("content",))
    return [within("memory[*]", op)]


def plunge_role(types: Types) -> list[Any]:
    """A record of its own in each record of a list."""
    types["Author"] = record("Author", field("name", TEXT))
    swap(types, "Message", "role", field("by", Reference("Author")))
    return [within("memory[*]", plunge("role", "by", "name"))]


def hoist_mark(types: Types) -> list[Any]:
    """Out of a record that holds itself; those inside lose theirs."""
    swap(types, "Node", "mark")
    append(types, field("mark", Optional(TEXT)))
    return [hoist("node.mark", "mark")]


def turn_mark(types: Types) -> list[Any]:
    """In a record that stands in a union, in a field and in itself."""
    swap(types, "Node", "mark", field("kram", TEXT))
    up = down = reversed_text
    return [within("event<Node>", compute(reads="mark", writes="kram", up=up, down=down))]


def scale_value(types: Types) -> list[Any]:
    """The same by a rule that rounds."""
    retype(types, "Node.value", DOUBLE)
    return [within("node", convert("value", scale(0.1, rounding="floor")))]


def head_messages(types: Types) -> list[Any]:
    """Of a list of records only the first goes on."""
    retype(types, "messages", Optional(Reference("Message")))
    return [head("messages")]


def wrap_address(types: Types) -> list[Any]:
    """A record becomes the one item of a list."""
    retype(types, "address", Array(Reference("Address")))
    return [wrap("address")]


def wrap_home(types: Types) -> list[Any]:
    """The same of a record that may not be there."""
    retype(types, "home", Array(Reference("Home")))
    return [wrap("home")]


def turn_labels(types: Types) -> list[Any]:
    """A table of what a list holds."""
    del types
    return [convert("labels", {"a": "0", "0": "a"})]


def time_size(types: Types) -> list[Any]:
    """A count of milliseconds becomes a time."""
    retype(types, "size", Logical("timestamp", LONG, "millis"))
    return [convert("size", ticks("millis"))]


MORE: Sequence[Change] = (
    join_title, move_city, add_up, cut_content, shorten_content, plunge_role, hoist_mark,
    turn_mark, scale_value, head_messages, wrap_address, wrap_home, turn_labels, time_size,
)  # fmt: skip
MORE_RIVALS: Sequence[set[Change]] = (
    *RIVALS,
    {join_title, rename_title},
    {join_title, remove_note},
    {move_city, hoist_city},
    {move_city, wrap_address},
    {hoist_city, wrap_address},
    {wrap_home, hoist_home, fill_home},
    {add_up, scale_count, widen_count},
    {add_up, spell_size, widen_size, time_size},
    {cut_content, shorten_content, rename_content},
    {plunge_role, drop_role},
    {hoist_mark, turn_mark, drop_mark},
    {hoist_mark, fill_node},
    {turn_mark, fill_node},
    {turn_labels, empty_labels, head_labels},
    # In one step, an op within a field cannot follow one that changes the field.
    {empty_memory, shorten_content},
    {empty_memory, plunge_role},
    {head_messages, cut_content},
    {head_messages, rename_content},
    {scale_value, fill_node},
    {scale_value, hoist_mark},
    {turn_mark, no_event},
    {turn_mark, grow_event},
)


def turn_lines(versions: int = 4) -> Any:
    """A strategy of subjects of so many versions, by all changes."""
    return op_lines(versions, (*CHANGES, *MORE), MORE_RIVALS)
