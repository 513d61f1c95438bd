"""What a result depends on: the machine, Python, the engine and the libraries."""

from __future__ import annotations

import datetime as dt
import os
import platform
from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final

from ..codec.engines import engine
from .result import Environment

_LIBRARIES: Final = (
    "instar",
    "msgspec",
    "fastavro",
    "protobuf",
    "orjson",
    "msgpack",
    "ormsgpack",
    "pydantic",
    "pyyaml",
    "zstandard",
    "langgraph-checkpoint",
    "betterproto2",
)
_CPU_INFO: Final = Path("/proc/cpuinfo")


def environment() -> Environment:
    """The environment of this process, now."""
    used = engine()
    return Environment(
        cpu=_cpu(),
        cores=os.cpu_count() or 1,
        system=f"{platform.system()} {platform.release()} {platform.machine()}",
        python=f"{platform.python_implementation()} {platform.python_version()}",
        engine=used.name,
        why=used.why,
        versions=dict(_versions(_LIBRARIES)),
        taken=dt.datetime.now(dt.UTC).isoformat(timespec="seconds"),
    )


def _versions(names: Iterable[str]) -> Iterable[tuple[str, str]]:
    for name in names:
        try:
            yield name, version(name)
        except PackageNotFoundError:
            continue


def _cpu() -> str:
    """The processor's name, as the system gives it."""
    try:
        text = _CPU_INFO.read_text(encoding="utf-8", errors="replace")
    except OSError:
        text = ""
    named = (line for line in text.splitlines() if line.startswith("model name"))
    found = next(named, "").partition(":")[2].strip()
    return found or platform.processor() or platform.machine()
