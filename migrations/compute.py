"""The one op that is no data: fields that Python functions compute."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias, cast

from ..errors import ComputeError, MigrationError
from .arguments import Names, names_of

Function: TypeAlias = Callable[..., object]


@dataclass(frozen=True, slots=True)
class Compute:
    """Fields of a record made from other fields of it by Python functions.

    ``reads`` are fields of the older version and ``writes`` of the newer one. A direction
    that is ``None`` cannot be computed; ``lossy`` then names the fields that are lost.
    """

    reads: tuple[str, ...]
    writes: tuple[str, ...]
    up: Function | None
    down: Function | None
    lossy: tuple[str, ...] = ()

    def upgrade(self, values: Sequence[object]) -> tuple[object, ...]:
        """Values for ``writes`` from values of ``reads``, in their order.

        Raises ComputeError where the function raises or returns another number of values.
        """
        return _call(self.up, values, self.writes)

    def downgrade(self, values: Sequence[object]) -> tuple[object, ...]:
        """Values for ``reads`` from values of ``writes``, in their order.

        Raises ComputeError where the function raises or returns another number of values.
        """
        return _call(self.down, values, self.reads)

    def turned(self) -> Compute:
        """The same in the other direction."""
        return Compute(self.writes, self.reads, self.down, self.up, self.lossy)


def compute(
    *,
    reads: Names,
    writes: Names,
    up: Function | None,
    down: Function | None,
    lossy: Names = (),
) -> Compute:
    """Declare fields that Python functions compute, in both directions.

    A function takes the values of the fields it reads, in order, and returns one value, or a
    tuple in order where it writes several. A direction that does not exist is ``None``, and
    ``lossy`` names the fields that are lost by that. Raises MigrationError.
    """
    op = Compute(
        names_of("compute", "reads", reads),
        names_of("compute", "writes", writes),
        up,
        down,
        names_of("compute", "lossy", lossy),
    )
    _check_names("reads", op.reads)
    _check_names("writes", op.writes)
    _check_directions(op)
    _check_lossy(op)
    _check_function("up", op.up, op.reads)
    _check_function("down", op.down, op.writes)
    return op


def _check_names(role: str, names: tuple[str, ...]) -> None:
    if not names:
        raise MigrationError(f"compute {role} no field", mend=f"name the fields it {role}")
    for name in names:
        if names.count(name) > 1:
            raise MigrationError(f"compute {role} {name!r} twice", mend="name each field once")


def _check_directions(op: Compute) -> None:
    if op.up is None and op.down is None:
        raise MigrationError(
            "compute has neither up nor down",
            mend="give a function, or remove the op: fields that come and go need none",
        )
    if (op.up is None or op.down is None) and not op.lossy:
        missing = "up" if op.up is None else "down"
        raise MigrationError(
            f"compute has no {missing}",
            mend=f"give {missing}=, or declare the lost fields with lossy=",
        )


def _check_lossy(op: Compute) -> None:
    for name in op.lossy:
        if name not in (*op.reads, *op.writes):
            raise MigrationError(
                f"lossy names {name!r}, which compute neither reads nor writes",
                mend="name only fields of this op",
            )


def _check_function(role: str, function: Function | None, arguments: tuple[str, ...]) -> None:
    if function is None:
        return
    if not callable(function):
        raise MigrationError(f"{role}= is {function!r}, which is not a function")
    try:
        inspect.signature(function).bind(*arguments)
    except TypeError as error:
        takes = f"{len(arguments)} positional values: {', '.join(arguments)}"
        raise MigrationError(f"{role}= cannot be called with {takes} ({error})") from error
    except ValueError:
        return  # Some built-ins have no signature to look at; calling them will tell.


def _call(
    function: Function | None, values: Sequence[object], names: tuple[str, ...]
) -> tuple[object, ...]:
    if function is None:
        raise ComputeError("this direction is declared lossy", path=", ".join(names))
    try:
        result = function(*values)
    except Exception as error:
        given = ", ".join(type(value).__name__ for value in values)
        raise ComputeError(
            f"{_title(function)}({given}) raised {type(error).__name__}: {error}",
            path=", ".join(names),
            mend="make it total: every value of the schema has to pass",
        ) from error
    return (result,) if len(names) == 1 else _several(function, result, names)


def _several(function: Function, result: object, names: tuple[str, ...]) -> tuple[object, ...]:
    values = cast("tuple[object, ...]", result) if isinstance(result, tuple) else ()
    if len(values) != len(names):
        raise ComputeError(
            f"{_title(function)} returned {result!r}",
            path=", ".join(names),
            mend=f"return a tuple of {len(names)} values",
        )
    return values


def _title(function: Function) -> str:
    return getattr(function, "__qualname__", repr(function))
