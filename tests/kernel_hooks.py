"""Programs of the kernel that call functions in Python, and threads to run them in."""

from __future__ import annotations

import gc
import sys
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from types import FrameType
from typing import Any

import pytest

pytest.importorskip("instar.codec.kernel.core", reason="no kernel was built")

from instar.codec.kernel import core
from instar.codec.kernel.spec import Spec


@contextmanager
def collector(*, enabled: bool) -> Generator[None]:
    """The collector on or off meanwhile."""
    before = gc.isenabled()
    (gc.enable if enabled else gc.disable)()
    try:
        yield
    finally:
        (gc.enable if before else gc.disable)()


def program_of(hook: Callable[[Any], Any], kind: Any = core.STRING) -> core.Program:
    """Reads an array of texts, each given to a function."""
    specs = [Spec(kind), Spec(core.CALL, (0,), object=hook), Spec(core.ARRAY, (1,))]
    return core.Program(1, specs, 2, 100)


def in_threads(work: Callable[[], None], count: int = 4) -> None:
    """Run the same in several threads; the first error is raised here."""
    errors: list[BaseException] = []

    def run() -> None:
        try:
            work()
        except BaseException as error:  # noqa: BLE001 - it is raised again
            errors.append(error)

    threads = [threading.Thread(target=run) for _ in range(count)]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    sys.setswitchinterval(interval)
    if errors:
        raise errors[0]


def encoder_of(hook: Callable[[Any], Any], container: int) -> core.Encoder:
    """Writes an array of texts, or a map of them, each given to a function."""
    call = Spec(core.CALL, (0,), object=hook)
    nodes = (1,) if container == core.ARRAY else (0, 1)
    program = core.Program(1, [Spec(core.STRING), call, Spec(container, nodes)], 2, 100)
    return core.Encoder(program, 1, 1, 1 << 30)


def functions_called(run: Callable[[], Any]) -> list[str]:
    """The names of the functions in Python that a call runs, itself left out."""
    names: list[str] = []

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            names.append(frame.f_code.co_name)

    sys.setprofile(note)
    try:
        run()
    finally:
        sys.setprofile(None)
    return names[1:]
