"""What one process does: checks the peers, and times every work on every payload."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

from ...codec.extras import import_zstandard
from ...codec.registry import Registry
from ...errors import ConfigError, MissingExtra
from ..catalogue import Entry, find_entry
from ..catalogue.rows import ENTRIES
from ..memory import footprint
from ..peers import Versions
from ..result import LeftOut, Memory, Size
from .contenders import Checks, Contender, Field, field
from .findings import OURS
from .rounds import overhead
from .task import Lot, Task, Timed
from .works import timed_works


def run_lot(task: Task, advance: Callable[[], None] = lambda: None) -> Lot:
    """Measure ``task`` in this process; ``advance`` is called after each payload.

    Raises ``ConfigError`` for a base that is not fit, and what opening the schemas raises.
    """
    versions = _versions(task)
    entries = [*(find_entry(name) for name in task.peers), *own_entries(task.own)]
    extra, fields, timed = overhead(task), list[Field](), list[Timed]()
    for payload in task.payloads:
        names = None if task.fit is None else [n for n, label in task.fit if label == payload.label]
        found = field(entries, versions, payload, Checks(names, task.named))
        _check_base(task, found)
        timed += timed_works(task, found)
        fields.append(found)
        advance()
    return _lot(task, fields, timed, extra)


def _versions(task: Task) -> Versions:
    folder = None if task.migrations is None else Path(task.migrations)
    registry = Registry.open(Path(task.schemas), folder, subjects=[task.subject])
    return Versions(registry, task.subject, task.version)


def _lot(task: Task, fields: list[Field], timed: list[Timed], extra: Any) -> Lot:
    first = task.fit is None
    notes = {one.entry.name: one.note() for found in fields for one in found.contenders}
    return Lot(
        timed=tuple(timed),
        fit=tuple((one.entry.name, f.payload.label) for f in fields for one in f.contenders),
        peers=tuple(notes.values()),
        left_out=tuple(_left_out(fields)),
        sizes=tuple(_size(f, one) for f in fields for one in f.contenders if first),
        memory=tuple(_memory(f, one) for f in fields for one in f.contenders if first),
        overhead=extra,
    )


def _left_out(fields: list[Field]) -> Iterator[LeftOut]:
    """What was left out; a peer that is not installed is named once, for all payloads."""
    seen: set[str] = set()
    for one in (one for found in fields for one in found.left_out):
        if one.installed:
            yield one
        elif one.peer not in seen:
            seen.add(one.peer)
            yield LeftOut(peer=one.peer, why=one.why, installed=False)


def _check_base(task: Task, found: Field) -> None:
    if any(one.entry.name == task.base for one in found.contenders):
        return
    why = next((one.why for one in found.left_out if one.peer == task.base), "it was not chosen")
    raise ConfigError(
        f"the base {task.base} cannot be measured on {found.payload.label}: {why}",
        mend="name another with --base",
    )


def own_entries(names: tuple[str, ...]) -> list[Entry]:
    """The peers of a user's, each an ``Entry`` that ``module:NAME`` holds; modules in the
    working folder are found. Raises ``ConfigError``.
    """
    with _working_folder():
        found = [_own_entry(name) for name in names]
    taken = {entry.name for entry in ENTRIES}
    for name, entry in zip(names, found, strict=True):
        _check_name(name, entry.name, taken)
        taken.add(entry.name)
    return found


def _check_name(own: str, name: str, taken: set[str]) -> None:
    """Rows are told apart by the names of peers, and instar's own are known by theirs."""
    mend = "give the Entry another name"
    if name in taken:
        raise ConfigError(f"there is a peer called {name} already", where=own, mend=mend)
    if name.startswith(OURS):
        raise ConfigError(f"{name} would be taken for one of instar's own", where=own, mend=mend)
    if not name.strip() or not name.isprintable():
        raise ConfigError(f"{name!r} is no name to print", where=own, mend=mend)


def _own_entry(name: str) -> Entry:
    module, _, attribute = name.partition(":")
    try:
        found: Any = getattr(import_module(module), attribute)
    except (ImportError, AttributeError, ValueError) as error:
        raise ConfigError(f"there is no peer {name}: {error}", mend="write module:NAME") from error
    except (Exception, SystemExit) as error:
        raise ConfigError(
            f"importing it raises {type(error).__name__}: {error}", where=name, mend="mend it"
        ) from error
    if not isinstance(found, Entry):
        raise ConfigError(
            f"{name} is no peer but {type(found).__name__}",
            mend="make it an instar.bench.catalogue.Entry",
        )
    return found


@contextmanager
def _working_folder() -> Generator[None]:
    """Let modules in the working folder be imported, as ``python -m`` does."""
    before = sys.path.copy()
    sys.path.insert(0, str(Path.cwd()))
    try:
        yield
    finally:
        sys.path[:] = before


def _size(found: Field, one: Contender) -> Size:
    return Size(
        peer=one.entry.name,
        payload=found.payload.label,
        raw=len(one.blob),
        zstd=zstd_size(one.blob),
    )


def zstd_size(blob: bytes) -> int | None:
    """The size of ``blob`` under zstd at its usual level; None where zstandard is missing."""
    try:
        zstandard = import_zstandard()
    except MissingExtra:
        return None
    return len(zstandard.ZstdCompressor().compress(blob))


def _memory(found: Field, one: Contender) -> Memory:
    taken = footprint(one.hydrate().run)
    return Memory(
        peer=one.entry.name,
        payload=found.payload.label,
        held=taken.held,
        extra=taken.extra,
        blocks=taken.blocks,
    )
