"""Which engine runs plans: the compiled kernel where it is there, else the library engine."""

from __future__ import annotations

import os
from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Final, Literal, TypeAlias

from ..errors import ConfigError

EngineName: TypeAlias = Literal["kernel", "library"]

VARIABLE = "INSTAR_ENGINE"
"""The environment variable that forces an engine."""

_FORCED: Final[ContextVar[EngineName | None]] = ContextVar("instar-engine", default=None)


@dataclass(frozen=True, slots=True)
class Engine:
    """The engine in use, and why it is that one."""

    name: EngineName
    why: str

    def __str__(self) -> str:
        return f"{self.name} ({self.why})"


def engine() -> Engine:
    """The engine that codecs made from now on use.

    ``INSTAR_ENGINE`` forces ``kernel`` or ``library``. Raises ``ConfigError`` where it asks
    for another one, or for a kernel that is not there.
    """
    forced = _FORCED.get()
    if forced is not None:
        return Engine(forced, "this run asks for it")
    wanted, missing = os.environ.get(VARIABLE, ""), missing_kernel()
    match wanted:
        case "":
            return Engine("library", missing) if missing else Engine("kernel", "it is installed")
        case "library":
            return Engine("library", f"{VARIABLE} asks for it")
        case "kernel" if not missing:
            return Engine("kernel", f"{VARIABLE} asks for it")
        case "kernel":
            raise ConfigError(
                f"the kernel cannot be used: {missing}",
                where=VARIABLE,
                mend="install instar where there is a C compiler, or unset the variable",
            )
        case _:
            raise ConfigError(
                f"there is no engine {wanted!r}", where=VARIABLE, mend="known are kernel, library"
            )


def uses_kernel() -> bool:
    """Whether codecs use the kernel here: what :func:`engine` says, for what is asked often."""
    return (_FORCED.get() or os.environ.get(VARIABLE)) != "library" and _has_kernel()


@cache
def _has_kernel() -> bool:
    return not missing_kernel()


@contextmanager
def forced_engine(name: EngineName) -> Generator[None]:
    """Let codecs that are made and used meanwhile, by this thread or task, have one engine.

    A codec compiles a reader when it first meets a writer, so all of its work belongs inside.
    Raises ``ConfigError`` for a kernel that is not there.
    """
    if name == "kernel" and (missing := missing_kernel()):
        raise ConfigError(f"the kernel cannot be used: {missing}")
    token = _FORCED.set(name)
    try:
        yield
    finally:
        _FORCED.reset(token)


def engines() -> tuple[EngineName, ...]:
    """The engines that are installed here."""
    return ("library",) if missing_kernel() else ("kernel", "library")


def missing_kernel() -> str:
    """Why there is no kernel; empty where there is one."""
    try:
        import_module(".kernel.core", __package__)
    except ImportError as error:
        return f"no kernel was built when instar was installed: {error}"
    return ""
