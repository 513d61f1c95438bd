"""A rule that looks values up: renamed, merged and split symbols, codes, flags."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from ...errors import MigrationError
from ...schemas.arguments import check_argument
from ...schemas.model import Enum, Logical, Primitive
from ..arguments import check_constants, check_spares
from .fallback import Fallback
from .rule import Change, Scalar
from .values import Constant, covers, fit, form, from_json, refuse, unrelated, words

Entry: TypeAlias = Constant

_FORMS = {"bool", "int", "float", "text"}


class Table(Fallback, frozen=True, tag="table"):
    """What stands in the table becomes what stands beside it.

    Anything else is ``otherwise``; where that is not given it stays as it is if the other
    type has it too, and is refused if not. On the way back the first entry with a value counts.
    """

    entries: tuple[tuple[Entry, Entry], ...]

    def __post_init__(self) -> None:
        """Raise MigrationError for a key that stands in the table twice."""
        # True and 1 are one key to Python, and are not one entry.
        keys = [(isinstance(old, bool), old) for old, _ in self.entries]
        twice = [old for at, (is_bool, old) in enumerate(keys) if (is_bool, old) in keys[:at]]
        if twice:
            raise MigrationError(
                f"the key {twice[0]!r} stands twice in the table", mend="leave one of the entries"
            )

    @classmethod
    def of(
        cls,
        entries: Mapping[Any, Any],
        otherwise: Entry | None = None,
        otherwise_down: Entry | None = None,
    ) -> Table:
        """The table of a dict. Raises MigrationError for what is none."""
        check_argument("entries of table(...)", entries, Mapping, "a dict", MigrationError)
        check_constants("a key of table(...)", entries)
        check_constants("a value of table(...)", entries.values())
        return cls(tuple(entries.items()), otherwise=otherwise, otherwise_down=otherwise_down)

    def lookup(self, forward: bool) -> dict[Entry, Entry]:
        """The table in one direction, where the first entry for a value counts."""
        pairs = self.entries if forward else tuple((new, old) for old, new in self.entries)
        return dict(reversed(pairs))

    def _strict(self, source: Scalar, target: Scalar, forward: bool) -> Change:
        found = self._checked(source, target, forward)
        if self._keeps(source, target, forward):
            held = fit(target)
            return lambda value: found[value] if value in found else held(value)
        return lambda value: found[value] if value in found else refuse(value, "is in no table")

    def _checked(self, source: Scalar, target: Scalar, forward: bool) -> dict[Any, Any]:
        """The lookup in Python values. Raises MigrationError for an entry of another type."""
        for type_ in (source, target):
            if form(type_) not in _FORMS or isinstance(type_, Logical):
                mend = f"it is for enums, text, bool and numbers, and not for {words(type_)}"
                raise unrelated("table(...)", source, target, mend)
        pairs = self.lookup(forward).items()
        return {_entry(source, old): _entry(target, new) for old, new in pairs}

    def _keeps(self, source: Scalar, target: Scalar, forward: bool) -> bool:
        return self.spare(forward) is None and form(source) == form(target)

    def _strict_losses(self, source: Scalar, target: Scalar, forward: bool) -> str:
        found = self._checked(source, target, forward)
        becomes: dict[Any, list[Any]] = {}
        for value in _values(source) or [*found, *found.values()]:
            image = found.get(value, value if self._keeps(source, target, forward) else None)
            if image is not None and value not in becomes.setdefault(image, []):
                becomes[image].append(value)
        merged = [f"{_listed(old)} become {new}" for new, old in becomes.items() if len(old) > 1]
        return "; ".join(merged)

    def _strict_refuses(self, source: Scalar, target: Scalar, forward: bool) -> str:
        found, keeps = self._checked(source, target, forward), self._keeps(source, target, forward)
        values = _values(source)
        if not values:
            if keeps:
                return "" if covers(source, target) else f"what is beyond {words(target)}"
            return "what is not in the table"
        kept: set[Any] = set(_values(target)) if keeps else set()
        if keeps and not isinstance(target, Enum):
            kept = set(values)
        return _listed([value for value in values if value not in found and value not in kept])


def _entry(type_: Scalar, value: Entry) -> Any:
    try:
        return from_json(type_, value)
    except MigrationError as error:
        raise MigrationError(f"in the table {error.what}", mend="correct the entry") from None


def _values(type_: Scalar) -> list[Any]:
    """All values, where they are few."""
    match type_:
        case Enum():
            return [symbol.name for symbol in type_.symbols]
        case Primitive(kind="boolean"):
            return [False, True]
        case _:
            return []


def _listed(values: list[Any]) -> str:
    return ", ".join(map(str, values))


def table(
    entries: Mapping[Any, Any],
    *,
    otherwise: Entry | None = None,
    otherwise_down: Entry | None = None,
) -> Table:
    """A rule by table: ``table({"DONE": "COMPLETED"})``.

    For enums (by symbol), text, whole numbers, floats and bool, also from one to another.
    ``otherwise`` is the value for whatever is not in the table, on the way up, and
    ``otherwise_down`` on the way down; without them it stays as it is where the other type
    has it, and is refused where not.
    """
    check_spares("table", otherwise, otherwise_down)
    return Table.of(entries, otherwise, otherwise_down)
