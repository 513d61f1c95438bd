"""Objects of one version become those of another by the kernel: by way of an Avro payload.

Beside it are the values that Avro has fewer digits of than Python and other formats.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from ...migrations.conversion import Graph
from ..engines import engine
from ..library.format import Reading
from ..limits import Limits
from ..subject import Subject

Transit: TypeAlias = Callable[[Any], Any]
"""Gives the object of the other version, or ``NotImplemented`` where the general way has to say
what is wrong.
"""


def make_transit(  # noqa: PLR0913 - from where to where, by what, and what is passed over
    subject: Subject, source: int, target: int, graph: Graph, limits: Limits, *, leaves: bool
) -> Transit | None:
    """The way from one version to another by ``graph``; ``None`` where the kernel has none.

    A state with residue is passed on without it if ``leaves`` says so, and else refused.
    """
    if engine().name != "kernel":
        return None
    from ..kernel import avro_reading, avro_writing, core  # noqa: PLC0415 - may not be there
    from ..kernel.draft import NotPlainError  # noqa: PLC0415
    from ..kernel.format import DEEPEST  # noqa: PLC0415

    if limits.depth > DEEPEST:
        return None
    types = subject.types
    reading = Reading(types(source), graph, types(target), types)
    try:
        writing = avro_writing.compile_carried(types(source), limits)
        program = avro_reading.compile_carried(reading, limits)
    except (NotPlainError, RecursionError):
        return None
    write, decode = core.Encoder(writing, 1, 0, 0).payload, core.decode_payload
    residue = 1 if leaves else 0

    def transit(state: Any) -> Any:
        carried: list[Any] = []
        payload = write(state, residue, carried)
        return payload if payload is NotImplemented else decode(program, payload, 0, carried)

    return transit
