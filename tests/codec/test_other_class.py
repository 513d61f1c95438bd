"""A state of another version is refused in words that tell the two apart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from instar.codec.codec import Codec
from instar.codec.engines import VARIABLE, engines
from instar.codec.other_class import other_class
from instar.codec.registry import Registry
from instar.codec.tag import Format
from instar.errors import ValueMismatch
from instar.schemas.model import (
    Array,
    Branch,
    Default,
    Enum,
    Field,
    Primitive,
    Record,
    Reference,
    Schema,
    Symbol,
    Union,
)

TEXT = Primitive("string")
PLAIN: Any = {"name": "a", "mood": "CALM", "crew": [{"name": "b"}], "any": "c"}


def schema(version: int, *more: Field, subject: str = "crew") -> Schema:
    either = Union((Branch("Member", Reference("Member")), Branch("string", TEXT)))
    fields = (
        Field("name", TEXT, 1),
        Field("mood", Reference("Mood"), 2),
        Field("crew", Array(Reference("Member")), 3),
        Field("any", either, 4),
    )
    types = {
        "Crew": Record("Crew", (*fields, *more)),
        "Member": Record("Member", (Field("name", TEXT, 1),)),
        "Mood": Enum("Mood", (Symbol("CALM", 0),)),
    }
    return Schema(subject, version, "avro", "Crew", types)


V1 = schema(1)
V2 = schema(2, Field("deck", TEXT, 5, default=Default("")))
FORMATS: list[Format] = ["avro", "msgpack", "json", "yaml"]


def refusal(codec: Codec[Any], state: object) -> str:
    with pytest.raises(ValueMismatch) as caught:
        codec.encode(state)
    return str(caught.value)


@pytest.mark.parametrize("engine", engines())
@pytest.mark.parametrize("format_", FORMATS)
def test_a_state_of_another_version(
    format_: Format, engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The root, a record, an enum and a branch say which version each is of, in both engines."""
    monkeypatch.setenv(VARIABLE, engine)
    registry = Registry.of([V1, V2])
    new = registry.codec("crew", format=format_)
    old = registry.codec("crew", format=format_, version=1)
    before, after = old.from_builtins(PLAIN), new.from_builtins(PLAIN)
    words = "of version 2, found one of version 1; use the classes of version 2"
    assert refusal(new, before).startswith(f"crew: expected a Crew {words}")
    assert "a Crew of version 1, found one of version 2" in refusal(old, after)
    after.crew = before.crew
    assert refusal(new, after).startswith(f"crew.crew[0]: expected a Member {words}")
    after.crew, after.mood = [], before.mood
    assert refusal(new, after).startswith(f"crew.mood: expected a Mood {words}")
    after = new.from_builtins(PLAIN)
    after.any = before.crew[0]
    assert refusal(new, after).startswith(f"crew.any: expected a Member {words}")


def test_to_builtins_and_a_pinned_codec_say_so_too() -> None:
    """A pinned codec takes states of its own version, whatever it writes."""
    registry = Registry.of([V1, V2])
    before = registry.codec("crew", version=1).from_builtins(PLAIN)
    assert "found one of version 1" in refusal(registry.codec("crew", write_version=1), before)
    with pytest.raises(ValueMismatch, match="Crew of version 2, found one of version 1"):
        registry.codec("crew").to_builtins(before)


def test_states_of_other_subjects_and_registries() -> None:
    """Where versions do not tell them apart, the subjects or modules are named."""
    here = Registry.of([V1]).codec("crew")
    ship = Registry.of([schema(2, subject="x"), schema(1, subject="x")]).codec("x")
    words = refusal(here, ship.from_builtins(PLAIN))
    assert "a Crew of crew, version 1, found one of x, version 2" in words
    again = Registry.of([V1]).codec("crew").from_builtins(PLAIN)
    assert "a Crew of crew.v1, found another class of that name" in refusal(here, again)


def test_classes_without_versions() -> None:
    """Of classes that no schema is known for, the modules are named."""

    @dataclass
    class Crew:
        pass

    made = type("Crew", (), {"__module__": "elsewhere"})
    expected = f"expected a Crew of elsewhere, found one of {__name__}"
    assert other_class(made, Crew()).what == expected
    assert other_class(made, 5).what == "expected a Crew, found int 5"
