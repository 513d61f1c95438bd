"""From shapes to types: what each place of the documents becomes in the schema."""

from __future__ import annotations

from dataclasses import dataclass

from ..model import (
    Array,
    Branch,
    Default,
    Field,
    Json,
    Map,
    Optional,
    Primitive,
    Reference,
    Type,
    Union,
)
from .draft import Drafts
from .objects import is_map, is_open, shares_little
from .shape import Shape, Texts, merged
from .thresholds import (
    ENUM_REPEATS,
    RECORD_DEPTH,
    REPEATS_OF_KEY,
    SYMBOL_LENGTH,
    UNION_BRANCHES,
)
from .words import field_names, is_name, singular


@dataclass(frozen=True, slots=True)
class Place:
    """Where a value stands: the keys that lead to it, and the word for it."""

    keys: tuple[str, ...]
    word: str

    def at(self, key: str) -> Place:
        """Return the place of a field."""
        return Place((*self.keys, key), key)

    def within(self) -> Place:
        """Return the place of an array's items or a map's values."""
        return Place(self.keys, singular(self.word))


@dataclass(frozen=True, slots=True)
class Decider:
    """Chooses the types. Records and enums become ``drafts``.

    ``narrow`` takes 32 bits for whole numbers where all that were seen fit.
    """

    drafts: Drafts
    enums: bool
    narrow: bool = False

    def type_of(self, shape: Shape, place: Place) -> Type:
        """Return the type that holds every value seen, null among them."""
        item = self._item(shape, place)
        # ``json`` holds null itself.
        return Optional(item) if shape.nulls and not isinstance(item, Json) else item

    def record(self, shape: Shape, place: Place) -> Reference:
        """Propose a record of all keys seen."""
        names = field_names(shape.fields)
        return self.drafts.add_record(
            place.word,
            tuple(self._field(names[key], key, shape, place) for key in shape.fields),
        )

    def _field(self, name: str, key: str, shape: Shape, place: Place) -> Field:
        seen = shape.fields[key]
        type_ = self.type_of(seen, place.at(key))
        json_name = None if name == key else key
        missing = shape.objects - seen.count
        if not missing:
            return Field(name, type_, json_name=json_name)
        return Field(
            name,
            type_ if isinstance(type_, Optional) else Optional(type_),
            default=Default(None),
            doc=f"In {seen.count} of {shape.objects} samples.",
            json_name=json_name,
            # Where both were seen one must stand for the other: the rarer one is rewritten.
            absent=missing >= seen.nulls,
        )

    def _item(self, shape: Shape, place: Place) -> Type:
        kinds = shape.kinds
        if not 0 < len(kinds) <= UNION_BRANCHES:
            return Json()
        if kinds == ("string",):
            return self._text(shape.texts, place)
        branches = [self._branch(kind, shape, place) for kind in kinds]
        if any(isinstance(branch.type, Json) for branch in branches):
            return Json()
        return branches[0].type if len(branches) == 1 else Union(tuple(branches))

    def _branch(self, kind: str, shape: Shape, place: Place) -> Branch:
        match kind:
            case "number":
                number = _number(shape, narrow=self.narrow)
                return Branch(number.kind if isinstance(number, Primitive) else kind, number)
            case "array":
                items = self.type_of(shape.items, place.within()) if shape.items else Json()
                return Branch(kind, Array(items))
            case "object":
                type_ = self._object(shape, place)
                return Branch("map", type_)
            case _:
                return Branch(kind, Primitive("boolean" if kind == "boolean" else "string"))

    def _text(self, texts: Texts, place: Place) -> Type:
        if texts.forms:
            return texts.forms[0].logical
        symbols = tuple(sorted(texts.distinct or ()))
        if self.enums and _is_enum(symbols, texts.count):
            return self.drafts.add_enum(place.word, symbols)
        return Primitive("string")

    def _object(self, shape: Shape, place: Place) -> Type:
        if not shape.fields:
            return Map(Json())
        if is_open(shape):
            values = merged(list(shape.fields.values()))
            return Map(self.type_of(values, place.within())) if is_map(shape) else Json()
        if shares_little(shape) or _is_too_deep(place):
            return Json()
        return self.record(shape, place)


def _number(shape: Shape, *, narrow: bool) -> Primitive | Json:
    numbers = shape.numbers
    if not numbers.floats and narrow and numbers.fits_int:
        return Primitive("int")
    if not numbers.floats:
        return Primitive("long") if numbers.fits_long else Json()
    return Primitive("double") if numbers.fits_double else Json()


def _is_enum(symbols: tuple[str, ...], count: int) -> bool:
    if not symbols or count < ENUM_REPEATS * len(symbols):
        return False
    return all(is_name(symbol) and len(symbol) <= SYMBOL_LENGTH for symbol in symbols)


def _is_too_deep(place: Place) -> bool:
    if len(place.keys) > RECORD_DEPTH:
        return True
    return bool(place.keys) and place.keys.count(place.keys[-1]) >= REPEATS_OF_KEY
