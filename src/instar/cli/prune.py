"""``instar prune``: keep the last states of each run, and delete those before."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Annotated, Any, Final, TypeVar

import typer

from ..store.every_entry import Unreadable
from ..store.prune import PrunedGroup, PruneReport
from ..store.prune import prune as prune_store
from ..store.store import Entry
from .options import ExistingStore, Json, Migrations, Schemas
from .output import count, error_json, heading, line, print_json, progress, table
from .project import find_registry
from .sources import open_existing
from .state_reader import StateReader

EXAMPLE: Final = """\b
Example:
  instar prune --store sqlite:///agents.db --keep 5
  instar prune --store sqlite:///agents.db --keep 5 --prefix run-7/ --delete
"""

_SHOWN: Final = 20
T = TypeVar("T")


@dataclass(slots=True)
class _Groups:
    """The groups of which something goes: all of them, or the first few."""

    wanted: float
    first: list[PrunedGroup] = field(default_factory=list[PrunedGroup])
    count: int = 0

    def add(self, group: PrunedGroup) -> None:
        if group.deleted:
            self.count += 1
            if len(self.first) < self.wanted:
                self.first.append(group)


def prune(  # noqa: PLR0913 - each is one option
    *,
    store: ExistingStore,
    keep: Annotated[
        int, typer.Option(min=1, metavar="N", help="How many states of each group stay.")
    ],
    prefix: Annotated[
        str, typer.Option(metavar="TEXT", help="Look only at keys that begin so.")
    ] = "",
    separator: Annotated[
        str, typer.Option(metavar="TEXT", help="What stands before the last part of a key.")
    ] = "/",
    delete: Annotated[
        bool, typer.Option("--delete", help="Delete. Without it, only tell what would go.")
    ] = False,
    schemas: Schemas = None,
    migrations: Migrations = None,
    json: Json = False,
) -> None:
    """Keep the last N states of each run, and delete those before.

    A run is a group of keys with the same text before the last `/`, as run-7/0001 and
    run-7/0002; the last is the newest, by its number or by code points. A key without
    `/` is left. What cannot be read is never deleted, nor counted as kept, and is told
    with the reason. Exit code 1 if anything could not be read, put in order or deleted.
    """
    registry = find_registry(schemas, migrations)
    groups = _Groups(float("inf") if json else _SHOWN)
    with open_existing(store) as opened, progress("Reading states") as advance:
        report = prune_store(
            opened,
            _counted(StateReader(opened, registry).read, advance),
            keep=keep,
            prefix=prefix,
            separator=separator,
            dry_run=not delete,
            on_group=groups.add,
        )
    if json:
        print_json(_to_json(report, groups.first, dry_run=not delete))
    else:
        _tell(report, groups, dry_run=not delete)
    if not report.is_clean:
        raise typer.Exit(1)


def _counted(
    read: Callable[[Entry], object], advance: Callable[[], None]
) -> Callable[[Entry], object]:
    def counted(entry: Entry) -> object:
        advance()
        return read(entry)

    return counted


def _tell(report: PruneReport, groups: _Groups, *, dry_run: bool) -> None:
    if groups.first:
        columns = ("group", "kept", "would go" if dry_run else "deleted", "bytes", "newest kept")
        table(columns, [_row(group) for group in groups.first], right=columns[1:4])
        _tell_rest(groups.count - len(groups.first), "group")
    _tell_named("Unreadable, and left", report.unreadable)
    _tell_named("The store failed", report.failures)
    _tell_keys("Left, because their order cannot be told: pad the numbers", report.unordered)
    _tell_keys("Left, because somebody else saved meanwhile", report.conflicts)
    if report.stopped is not None:
        heading("Stopped: the store failed")
        line(f"  {report.stopped}")
    if groups.first or report.conflicts or not report.is_clean:
        line()
    _tell_sum(report, dry_run=dry_run)


def _row(group: PrunedGroup) -> tuple[str, ...]:
    newest = group.newest.removeprefix(group.name)
    return (group.name, f"{group.kept:,}", f"{group.deleted:,}", f"{group.bytes:,}", newest)


def _tell_named(title: str, named: Sequence[Unreadable]) -> None:
    def tell(each: Unreadable) -> None:
        line(f"  {each.key}: {type(each.error).__name__}")
        line(f"      {each.error}")

    _tell_first(title, named, tell)


def _tell_keys(title: str, keys: Sequence[str]) -> None:
    _tell_first(title, keys, lambda key: line(f"  {key}"))


def _tell_first(title: str, items: Sequence[T], tell: Callable[[T], None]) -> None:
    if items:
        heading(f"{title} ({len(items):,})")
        for item in items[:_SHOWN]:
            tell(item)
        _tell_rest(len(items) - _SHOWN, "")


def _tell_rest(rest: int, word: str) -> None:
    if rest > 0:
        what = f"{count(rest, f'more {word}')}" if word else f"{rest:,} more"
        line(f"  ... and {what}: --json lists them all")


def _tell_sum(report: PruneReport, *, dry_run: bool) -> None:
    left = report.left + len(report.conflicts) + len(report.failures) + len(report.unreadable)
    deleted = "would be deleted" if dry_run else "deleted"
    line(
        f"{count(report.count, 'state')}: {report.kept:,} kept, {left:,} left, "
        f"{report.deleted:,} {deleted} ({count(report.bytes, 'byte')})"
    )
    if dry_run and report.deleted:
        line("nothing was deleted: repeat it with --delete")


def _to_json(
    report: PruneReport, groups: Sequence[PrunedGroup], *, dry_run: bool
) -> dict[str, Any]:
    return {
        "dry_run": dry_run,
        "count": report.count,
        "kept": report.kept,
        "deleted": report.deleted,
        "bytes": report.bytes,
        "left": report.left,
        "groups": [_group_json(group) for group in groups],
        "unreadable": [_named_json(each) for each in report.unreadable],
        "conflicts": list(report.conflicts),
        "failures": [_named_json(each) for each in report.failures],
        "unordered": list(report.unordered),
        "stopped": None if report.stopped is None else error_json(report.stopped),
    }


def _group_json(group: PrunedGroup) -> dict[str, Any]:
    return {"group": group.name, **{k: v for k, v in asdict(group).items() if k != "name"}}


def _named_json(each: Unreadable) -> dict[str, str]:
    return {"key": each.key, **error_json(each.error)}
