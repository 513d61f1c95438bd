"""A rule that takes one text apart into several fields, and puts them together again."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, TypeAlias

from ...errors import MigrationError, NotExpressible
from ...schemas.arguments import check_argument
from ...schemas.model import Enum, Primitive
from ..arguments import check_constants, check_flags, check_text
from .cast import Cast
from .pattern import MOST_TEXT, compiled
from .rule import BaseRule, Change, Scalar
from .template import fields, parsed
from .values import Constant, fit, form, from_json, refuse, unrelated

Scalars: TypeAlias = tuple[Scalar, ...]
Values: TypeAlias = tuple[Any, ...]

_TEXT = Primitive("string")


class Split(BaseRule, frozen=True, tag="split"):
    """``pattern`` is a regular expression with one group for each field, ``template`` the text
    that the fields make on the way back, with ``{0}``, ``{1}`` for them.

    A part of the template in brackets, as ``[{0}/]{1}``, is left out where its fields are
    empty; a group that took no part in the match is an empty text. Fields that are no text are
    cast (see :class:`Cast`). ``otherwise`` holds the fields, in JSON form, for a text that does
    not match; without it that is refused. Where ``exact``, so is what would not come back: a
    text that its fields do not give again, and fields that their text does not give.
    """

    pattern: str
    template: str
    exact: bool = True
    otherwise: tuple[Constant, ...] | None = None

    def __post_init__(self) -> None:
        groups = compiled(self.pattern).groups
        if not groups:
            raise MigrationError(f"the pattern {self.pattern!r} has no group", mend="write (...)")
        named = fields(parsed(self.template))
        if sorted(named) != list(range(groups)):
            raise MigrationError(
                f"the template {self.template!r} does not have each of the {groups} fields once",
                mend="write {0} for the first group, {1} for the second, and so on",
            )
        if self.otherwise is not None and len(self.otherwise) != groups:
            raise MigrationError(
                f"otherwise has {len(self.otherwise)} values for {groups} groups",
                mend="give one for each group",
            )

    def check_fields(self, reads: int, writes: int) -> None:
        """Raise MigrationError unless one field becomes as many as there are groups."""
        groups = compiled(self.pattern).groups
        if (reads, writes) != (1, groups):
            raise MigrationError(
                f"the pattern {self.pattern!r} makes {groups} fields from 1, not {writes} from"
                f" {reads}",
                mend="write one group for each field, and (?:...) for groups that are none",
            )

    def bind(self, source: Scalar, target: Scalar, forward: bool) -> Change:
        """The function where the pattern has one group; see :class:`BaseRule`.

        Raises MigrationError where it has more: :meth:`bind_fields` is for all.
        """
        change = self.bind_fields((source,), (target,), forward)
        return lambda value: change((value,))[0]

    def bind_fields(
        self, sources: Scalars, targets: Scalars, forward: bool
    ) -> Callable[[Values], Values]:
        """The function from the values of the fields read to those of the fields written.

        Raises MigrationError where the types are not one text and as many as there are
        groups that text can be cast to; the function raises ``NotExpressible``.
        """
        text, parts = self._sides(sources, targets, forward)
        if forward:
            return self._apart(text, parts)
        return self._together(text, parts)

    def _sides(self, sources: Scalars, targets: Scalars, forward: bool) -> tuple[Scalar, Scalars]:
        """The type of the text, and those of the fields."""
        one, several = (sources, targets) if forward else (targets, sources)
        self.check_fields(len(one), len(several))
        if form(one[0]) != "text" or isinstance(one[0], Enum):
            raise unrelated("split(...)", sources[0], targets[0], "it takes text apart")
        return one[0], several

    def _apart(self, text: Scalar, parts: Scalars) -> Callable[[Values], Values]:
        casts = [_cast(_TEXT, part) for part in parts]
        spare = self._spare(parts)
        back = self._loose(text, parts)
        split = compiled(self.pattern)

        def change(values: Values) -> Values:
            try:
                groups = _groups(split, values[0])
                found = tuple(cast(part) for cast, part in zip(casts, groups, strict=True))
                if self.exact and back(found)[0] != values[0]:
                    refuse(values[0], "would not come back as it is written")
            except NotExpressible:
                if spare is None:
                    raise
                return spare
            return found

        return change

    def _spare(self, parts: Scalars) -> Values | None:
        if self.otherwise is None:
            return None
        pairs = zip(parts, self.otherwise, strict=True)
        return tuple(from_json(part, value) for part, value in pairs)

    def _loose(self, text: Scalar, parts: Scalars) -> Callable[[Values], Values]:
        """Fields put together, whatever they would give when they are taken apart again."""
        casts = [_cast(part, _TEXT) for part in parts]
        template, held = parsed(self.template), fit(text)

        def change(values: Values) -> Values:
            texts = [cast(value) for cast, value in zip(casts, values, strict=True)]
            return (held("".join(part.text(texts) for part in template)),)

        return change

    def _together(self, text: Scalar, parts: Scalars) -> Callable[[Values], Values]:
        together = self._loose(text, parts)
        if not self.exact:
            return together
        casts = [_cast(_TEXT, part) for part in parts]
        split = compiled(self.pattern)

        def change(values: Values) -> Values:
            found = together(values)
            groups = _groups(split, found[0])
            again = tuple(cast(part) for cast, part in zip(casts, groups, strict=True))
            if again != values:
                refuse(found[0], f"would come apart as {', '.join(map(repr, groups))}")
            return found

        return change

    def losses(self, source: Scalar, target: Scalar, forward: bool) -> str:
        """What is not exact, and texts that do not match; see :class:`BaseRule`."""
        del source, target
        lost = "" if self.exact else _INEXACT[forward]
        replaced = ""
        if forward and self.otherwise is not None:
            given = ", ".join(map(repr, self.otherwise))
            replaced = f"{given} stands for text that does not match"
        return "; ".join(part for part in (lost, replaced) if part)

    def refuses(self, source: Scalar, target: Scalar, forward: bool) -> str:
        """What does not match or would not come back; see :class:`BaseRule`."""
        del source, target
        if forward:
            return "" if self.otherwise is not None else "text that does not match"
        return "fields that their text would not give again" if self.exact else ""


_INEXACT = {
    True: "what of the text is in none of the fields",
    False: "where one field ends and the next begins",
}


def _cast(source: Scalar, target: Scalar) -> Change:
    if form(source) == form(target) == "text":
        return fit(target)
    return Cast().bind(source, target, forward=True)


def _groups(split: re.Pattern[str], text: str) -> tuple[str, ...]:
    found = split.fullmatch(text) if len(text) <= MOST_TEXT else None
    if found is None:
        refuse(text, "does not match the pattern")
    return found.groups("")


def split(
    pattern: str,
    template: str,
    *,
    exact: bool = True,
    otherwise: tuple[Constant, ...] | None = None,
) -> Split:
    """A rule for ``convert(one, ..., into=several)``, and for ``join``:
    ``split("([^/]*)/(.*)", "{0}/{1}")``.

    The pattern has one group for each field and matches the whole text; the template makes it
    again. Without ``exact`` what would not come back is let through. ``otherwise`` gives the
    fields for a text that does not match. Raises MigrationError for a pattern that could take
    very long, and where pattern and template do not agree.
    """
    check_text("split", pattern=pattern, template=template)
    check_flags("split", exact=exact)
    if otherwise is not None:
        check_argument(
            "otherwise of split(...)",
            otherwise,
            (list, tuple),
            "a tuple of values",
            MigrationError,
        )
        check_constants("an item of otherwise of split(...)", otherwise)
    spare = None if otherwise is None else tuple(otherwise)
    return Split(pattern, template, exact, spare)
