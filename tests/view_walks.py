"""Views, walked wholly and in any order, and both engines to walk them with."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any, get_args
from unittest import mock

import pytest
from same import same

from instar.codec.codec import Codec
from instar.codec.engines import VARIABLE, EngineName, engine
from instar.codec.settings import Settings
from instar.codec.subject import Subject
from instar.codec.tag.header import Format
from instar.codec.views import ListView, MapView, RecordView
from instar.errors import InstarError
from instar.schemas.model import Field, NamedType, Schema, Type
from instar.schemas.model import Record as RecordType
from instar.schemas.numbering import number_fields

FORMATS: tuple[Format, ...] = get_args(Format)
HAS_KERNEL = engine().name == "kernel"
ENGINES = [
    pytest.param("kernel", marks=pytest.mark.skipif(not HAS_KERNEL, reason="no kernel is in use")),
    pytest.param("library"),
]
PRESENT: list[EngineName] = ["kernel", "library"] if HAS_KERNEL else ["library"]
"""For tests that draw once for all engines: to draw takes longer than to run."""


@contextmanager
def forced(name: EngineName) -> Generator[None]:
    """Codecs that are made and used meanwhile have this engine."""
    with mock.patch.dict(os.environ, {VARIABLE: name}):
        yield


def outcome(run: Callable[[], Any]) -> Any:
    """What it gives, or the class of its error, which has to be instar's."""
    try:
        return run()
    except InstarError as error:
        return type(error)


def rebuilt(found: Any, chance: random.Random | None = None) -> Any:
    """An object of all that a view gives when each part of it is touched.

    ``chance`` shuffles the order, and takes attributes by name and as items in turn.
    """
    match found:
        case RecordView():
            names = [name for name in dir(found) if name != "hydrate"]
            names += ["hydrate"] if "hydrate" in found.__class__.__struct_fields__ else []
            parts = {name: found[name] for name in shuffled(names, chance)}
            made = {name: rebuilt(part, chance) for name, part in parts.items()}
            return found.__class__(**made)
        case ListView():
            items = {at: rebuilt(found[at], chance) for at in shuffled(range(len(found)), chance)}
            return [items[at] for at in range(len(found))]
        case MapView():
            made = {key: rebuilt(found[key], chance) for key in shuffled(found, chance)}
            return {key: made[key] for key in found}
        case _:
            return found


def shuffled(items: Any, chance: random.Random | None) -> list[Any]:
    """The items in another order, if there is a chance."""
    found = list(items)
    if chance is not None:
        chance.shuffle(found)
    return found


def kinds(found: Any) -> Any:
    """Which parts of a view are views themselves."""
    match found:
        case RecordView():
            return {name: kinds(found[name]) for name in sorted(found.__class__.__struct_fields__)}
        case ListView():
            return [kinds(item) for item in found]
        case MapView():
            return {key: kinds(part) for key, part in found.items()}
        case _:
            return type(found).__name__


def hydrates(found: Any, value: Any) -> bool:
    """Whether every view in a view hydrates to what stands in its place in a value."""
    if not isinstance(found, RecordView | ListView | MapView):
        return same(found, value)
    if not same(found.hydrate(), value):
        return False
    if isinstance(found, RecordView):
        names = value.__struct_fields__
        return all(hydrates(found[name], getattr(value, name)) for name in names)
    steps = range(len(value)) if isinstance(found, ListView) else value
    return all(hydrates(found[step], value[step]) for step in steps)


def subject_of(kind: Type, *named: NamedType) -> Subject:
    """A subject whose root has one field, ``f``, of a type."""
    types = {"State": RecordType("State", (Field("f", kind),)), **{n.name: n for n in named}}
    return Subject(number_fields([Schema("state", 1, "avro", "State", types)]))


def codec_of(subject: Subject, format_: Format = "avro", **settings: Any) -> Codec[Any]:
    """A codec of the newest version."""
    return Codec[Any](subject, Settings(subject.latest, format_, **settings))
