"""The step between two versions of one subject."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..errors import MigrationError
from ..schemas.arguments import check_argument
from .compute import Compute
from .ops import Op, check_ops


@dataclass(frozen=True, init=False, slots=True)
class Migration:
    """What changes from version ``source`` of a subject to version ``target``.

    Only what instar cannot derive from the two schemas is an op. Raises MigrationError where
    the declaration contradicts itself.
    """

    subject: str
    source: int
    target: int
    ops: tuple[Op, ...]

    def __init__(self, subject: str, source: int, target: int, *ops: Op) -> None:
        check_argument("subject of Migration(...)", subject, str, "text", MigrationError)
        _check_version(subject, source)
        _check_version(subject, target)
        _check_ops(subject, ops)
        object.__setattr__(self, "subject", subject)
        object.__setattr__(self, "source", source)
        object.__setattr__(self, "target", target)
        object.__setattr__(self, "ops", ops)

    @property
    def name(self) -> str:
        """The step as messages name it: ``agent_state 2 -> 3``."""
        return f"{self.subject} {self.source} -> {self.target}"


def _check_version(subject: str, version: object) -> None:
    if isinstance(version, bool) or not isinstance(version, int) or version < 1:
        raise MigrationError(
            f"{version!r} is not a version", where=subject, mend="versions are 1, 2, 3, ..."
        )


def _check_ops(subject: str, ops: Sequence[object]) -> None:
    check_ops(ops, subject)
    computes = [op for op in ops if isinstance(op, Compute)]
    _check_once(subject, "up", [op.writes for op in computes if op.up])
    _check_once(subject, "down", [op.reads for op in computes if op.down])


def _check_once(subject: str, direction: str, outputs: list[tuple[str, ...]]) -> None:
    names = [name for output in outputs for name in output]
    for name in names:
        if names.count(name) > 1:
            raise MigrationError(
                f"two ops compute {name!r} on the way {direction}",
                where=subject,
                mend="make them one op",
            )
