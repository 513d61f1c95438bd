"""Keeps the last states of each run, and deletes older ones: only what can be read.

States of one run lie under keys such as ``thread-7/0001``: those with the same text before the
last separator are one group. A group is as far as memory goes: a scan meets its keys together,
but for those of groups within it, so that it can be settled as soon as the scan is past it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from ..errors import ConfigError, Conflict, InstarError, StoreError
from ..schemas.arguments import wrong_argument
from .every_entry import Unreadable, bare, every_entry
from .key_order import in_order
from .retries import persist
from .store import Entry, Store, check_scan, new_write_id


@dataclass(frozen=True, slots=True)
class PrunedGroup:
    """What became of one group. ``name`` is what its keys begin with, the separator included.

    ``kept`` states stay, the newest of them under ``newest``; ``deleted`` ones went, ``bytes``
    in all, or would go.
    """

    name: str
    newest: str
    kept: int
    deleted: int
    bytes: int


@dataclass(frozen=True, slots=True)
class PruneReport:
    """Every entry is counted once: ``kept``, ``deleted`` or ``left``, or it is named.

    ``deleted`` are those that went, or would go in a dry run; their blobs had ``bytes``. ``left``
    can be read, and stayed because the key has no separator, because the order of its group
    cannot be told (``unordered`` has the groups), or because the store stopped before its group
    was whole. ``unreadable`` cannot be read, so they stayed. ``conflicts`` has the keys that
    somebody else saved or deleted meanwhile, ``failures`` those that the store could not read or
    delete. ``stopped`` is why nothing after it was looked at.
    """

    kept: int
    deleted: int
    bytes: int
    left: int
    unreadable: tuple[Unreadable, ...]
    conflicts: tuple[str, ...]
    failures: tuple[Unreadable, ...]
    unordered: tuple[str, ...]
    stopped: StoreError | None

    @property
    def count(self) -> int:
        """Entries that were met."""
        named = len(self.unreadable) + len(self.conflicts) + len(self.failures)
        return self.kept + self.deleted + self.left + named

    @property
    def is_clean(self) -> bool:
        """Whether all was read, in order, and nothing failed; conflicts are no fault."""
        return not (self.unreadable or self.failures or self.unordered or self.stopped)


class _State(NamedTuple):
    """What is kept of an entry that can be read: never its blob."""

    key: str
    revision: int
    size: int


def prune(  # noqa: PLR0913 - each is one independent choice
    store: Store,
    read: Callable[[Entry], object],
    *,
    keep: int,
    prefix: str = "",
    separator: str = "/",
    dry_run: bool = False,
    on_group: Callable[[PrunedGroup], object] | None = None,
) -> PruneReport:
    """Keep the last ``keep`` states that ``read`` can read of each group, and delete those before.

    ``read`` raises InstarError for what it cannot read. ``on_group`` is called as each group that
    has a readable state is settled. Raises ConfigError, and InvalidKey for a bad ``prefix``; what
    the store raises is in the report.
    """
    _check(keep, separator)
    if on_group is not None and not callable(on_group):
        raise wrong_argument("on_group", on_group, "a function of a group")
    check_scan(prefix, "")
    run = _Run(store, keep, dry_run=dry_run, on_group=on_group)
    for entry in run.entries(prefix):
        run.settle(entry.key)
        if isinstance(entry, Unreadable):
            run.failures.append(entry)
        elif run.can_read(read, entry):
            run.add(entry, separator)
    if run.stopped is None:
        run.settle(None)
    return run.report()


def _check(keep: object, separator: object) -> None:
    if not isinstance(keep, int) or isinstance(keep, bool) or keep < 1:
        raise ConfigError(f"{keep!r} states cannot be kept", mend="keep 1 or more of each group")
    if not isinstance(separator, str) or not separator:
        raise ConfigError(
            f"{separator!r} separates nothing", mend="give the text before the last part of a key"
        )


@dataclass(slots=True)
class _Run:
    """A report while it grows, and the groups that the scan is in: each within the one before."""

    store: Store
    keep: int
    dry_run: bool = field(kw_only=True)
    on_group: Callable[[PrunedGroup], object] | None = field(kw_only=True)
    groups: dict[str, list[_State]] = field(default_factory=dict[str, list[_State]])
    kept: int = 0
    deleted: int = 0
    bytes: int = 0
    left: int = 0
    unreadable: list[Unreadable] = field(default_factory=list[Unreadable])
    conflicts: list[str] = field(default_factory=list[str])
    failures: list[Unreadable] = field(default_factory=list[Unreadable])
    unordered: list[str] = field(default_factory=list[str])
    stopped: StoreError | None = None

    def entries(self, prefix: str) -> Iterator[Entry | Unreadable]:
        try:
            yield from every_entry(self.store, prefix)
        except StoreError as error:
            self.stopped = bare(error)

    def can_read(self, read: Callable[[Entry], object], entry: Entry) -> bool:
        try:
            read(entry)
        except InstarError as error:
            self.unreadable.append(Unreadable.of(entry.key, error))
            return False
        return True

    def add(self, entry: Entry, separator: str) -> None:
        before, found, _ = entry.key.rpartition(separator)
        if found:
            state = _State(entry.key, entry.revision, len(entry.blob))
            self.groups.setdefault(before + found, []).append(state)
        else:
            self.left += 1

    def settle(self, key: str | None) -> None:
        """Keep and delete in the groups that are over where a scan is at ``key``, or at its end."""
        over = [name for name in self.groups if key is None or not key.startswith(name)]
        for name in over:
            self._settle(name, self.groups.pop(name))

    def _settle(self, name: str, states: list[_State]) -> None:
        order = in_order(states, lambda state: state.key.removeprefix(name))
        if order is None and len(states) > self.keep:
            self.left += len(states)
            self.unordered.append(name)
            return
        newest_last = order or states
        gone = [state.size for state in newest_last[: -self.keep] if self._delete(state)]
        kept = newest_last[-self.keep :]
        self.kept += len(kept)
        self.deleted += len(gone)
        self.bytes += sum(gone)
        if self.on_group is not None:
            self.on_group(PrunedGroup(name, kept[-1].key, len(kept), len(gone), sum(gone)))

    def _delete(self, state: _State) -> bool:
        if self.dry_run:
            return True
        write_id = new_write_id()
        try:
            persist(
                lambda: self.store.delete(state.key, expected=state.revision, write_id=write_id)
            )
        except Conflict:
            self.conflicts.append(state.key)
        except StoreError as error:
            self.failures.append(Unreadable.of(state.key, error))
        else:
            return True
        return False

    def report(self) -> PruneReport:
        waiting = sum(len(states) for states in self.groups.values())
        return PruneReport(
            self.kept,
            self.deleted,
            self.bytes,
            self.left + waiting,
            tuple(self.unreadable),
            tuple(self.conflicts),
            tuple(self.failures),
            tuple(self.unordered),
            self.stopped,
        )
