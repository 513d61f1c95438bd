"""A rule between times and text: ISO 8601, or a format of digits."""

from __future__ import annotations

from ...schemas.model import Primitive
from ..arguments import check_flags, check_spares, check_text
from .fallback import Fallback
from .iso import iso
from .linear import Linear
from .moments import moment, sort
from .quantity import Quantity
from .rounding import Rounding, check_rounding
from .rule import Change, Scalar
from .time_format import check_format, formatted
from .values import Constant, unrelated


class TimeText(Fallback, frozen=True, tag="time_text"):
    """Text of ISO 8601 (RFC 3339 on the way back, in UTC), or of ``format``.

    ``utc`` says that a text without an offset is in UTC; it is refused otherwise. Which of
    the two is the text, the types say. What the target cannot hold exactly, as a text without
    seconds, is refused, or rounded by ``rounding``.
    """

    format: str | None = None
    utc: bool = False
    rounding: Rounding | None = None

    def __post_init__(self) -> None:
        if self.format is not None:
            check_format(self.format)
        check_rounding(self.rounding)

    def _strict(self, source: Scalar, target: Scalar, forward: bool) -> Change:
        del forward
        return self._linear(source, target).change()

    def _strict_losses(self, source: Scalar, target: Scalar, forward: bool) -> str:
        del forward
        return self._linear(source, target).losses()

    def _strict_refuses(self, source: Scalar, target: Scalar, forward: bool) -> str:
        del forward
        refused = self._linear(source, target).refuses()
        if not isinstance(source, Primitive):
            return refused
        return f"text that is no {sort(target)}{f', {refused}' if refused else ''}"

    def _linear(self, source: Scalar, target: Scalar) -> Linear:
        text = Primitive("string")
        old = self._text(target) if _plain(source) == text else moment(source)
        new = self._text(source) if _plain(target) == text else moment(target)
        if old is None or new is None or _plain(source) == _plain(target):
            mend = "it joins text and a timestamp, date, time or duration"
            raise unrelated("time_text(...)", source, target, mend)
        return Linear(old, new, rounding=self.rounding)

    def _text(self, type_: Scalar) -> Quantity | None:
        kind = sort(type_)
        if kind is None:
            return None
        return (
            iso(kind, self.utc) if self.format is None else formatted(self.format, kind, self.utc)
        )


def _plain(type_: Scalar) -> Scalar:
    return Primitive(type_.kind) if isinstance(type_, Primitive) else type_


def time_text(
    format: str | None = None,  # noqa: A002 - what it is called everywhere
    *,
    utc: bool = False,
    rounding: Rounding | None = None,
    otherwise: Constant | None = None,
    otherwise_down: Constant | None = None,
) -> TimeText:
    """A rule between times and text, in either order: ``time_text()`` is ISO 8601.

    ``format`` has the directives ``%Y %m %d %H %M %S %f %z %j %%`` of ``strftime``; those
    whose text depends on the language of the machine are refused with MigrationError. ``utc``
    takes text without an offset as UTC. ``otherwise`` stands for text that is no time.
    """
    check_text("time_text", **({} if format is None else {"format": format}))
    check_flags("time_text", utc=utc)
    check_spares("time_text", otherwise, otherwise_down)
    return TimeText(
        otherwise=otherwise,
        otherwise_down=otherwise_down,
        format=format,
        utc=utc,
        rounding=rounding,
    )
