"""Makes a task of the bench out of what a user asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from ..bench.catalogue import Entry, find_entry
from ..bench.catalogue.rows import ENTRIES, FAMILIES
from ..bench.measure import FEWEST_ROUNDS, check_rounds
from ..bench.payload import Chosen, from_files, from_store, made_up
from ..bench.payload.made import ITEMS
from ..bench.peers import FORMATS, Versions
from ..bench.suite import Effort, Task
from ..bench.suite.lot import own_entries
from ..bench.suite.parts import simple_paths
from ..bench.whole_run import Asked
from ..codec.codec import check_choice
from ..codec.project import find_settings
from ..codec.registry import Registry
from ..errors import ConfigError
from .bench_wanted import Wanted
from .project import find_workplace
from .sources import check_files, open_existing

_SAMPLE, _QUICK_SAMPLE = 0.002, 0.001
_PROCESSES, _QUICK_PROCESSES = 5, 3
_QUICK_ITEMS: Final = ITEMS[:2]
_REFERENCE: Final = "agent_state"
_NONE = "none"
_SUFFIXES: Final = (".json", ".jsonl", ".ndjson")


@dataclass(frozen=True, slots=True)
class _Ground:
    """The folders of a subject, and how its states are spoken of."""

    schemas: Path
    migrations: Path | None
    subject: str
    source: str


def ready(
    wanted: Wanted, schemas: Path | None, migrations: Path | None
) -> tuple[Versions, Task, Asked]:
    """All that a run needs. Raises ``ConfigError`` for what does not fit together."""
    check_rounds(FEWEST_ROUNDS if wanted.effort.rounds is None else wanted.effort.rounds)
    ground = _ground(wanted, schemas, migrations)
    registry = Registry.open(ground.schemas, ground.migrations, subjects=[ground.subject])
    chain = registry.subject(ground.subject).chain
    version = wanted.version or registry.subject(ground.subject).latest
    types = registry.subject(ground.subject).types(version)
    versions = Versions(registry, ground.subject, version)
    names = _names(wanted)
    task = Task(
        schemas=str(ground.schemas.resolve()),
        migrations=None if ground.migrations is None else str(ground.migrations.resolve()),
        subject=ground.subject,
        version=version,
        older=tuple(one for one in chain.versions if one < version),
        payloads=tuple(_payloads(wanted, versions)),
        peers=names,
        own=tuple(wanted.peers.own),
        named=wanted.peers.others is not None,
        paths=tuple(wanted.paths) or simple_paths(types),
        base=_base(wanted, names),
        rounds=FEWEST_ROUNDS if wanted.effort.rounds is None else wanted.effort.rounds,
        sample=_QUICK_SAMPLE if wanted.effort.quick else _SAMPLE,
    )
    return versions, task, _asked(wanted, ground)


def _asked(wanted: Wanted, ground: _Ground) -> Asked:
    usual = (
        _QUICK_PROCESSES if wanted.effort.quick or wanted.effort.seconds is not None else _PROCESSES
    )
    processes = usual if wanted.effort.processes is None else wanted.effort.processes
    return Asked(
        Effort(processes, wanted.effort.seconds),
        ground.source,
        wanted.command,
        cold=wanted.effort.cold,
        scale=wanted.effort.scale,
    )


def _ground(wanted: Wanted, schemas: Path | None, migrations: Path | None) -> _Ground:
    file, _ = find_settings(Path.cwd())
    if schemas is None and file is None and not Path("schemas").is_dir():
        return _reference(wanted.subject)
    place = find_workplace(schemas, migrations)
    subject = wanted.subject or _only(place.open().subjects)
    return _Ground(place.schemas, place.migrations, subject, str(place.schemas))


def _reference(subject: str | None) -> _Ground:
    """The subject that comes with instar, for whoever has none yet."""
    from .. import migrations, schemas  # noqa: PLC0415 - only their folders are of use

    if subject not in {None, _REFERENCE}:
        raise ConfigError(
            f"there is no subject {subject}: this is no project",
            mend="name its folder with --schemas",
        )
    folders = [Path(str(module.__file__)).parent for module in (schemas, migrations)]
    return _Ground(folders[0], folders[1], _REFERENCE, "the sample that comes with instar")


def _only(subjects: Sequence[str]) -> str:
    if len(subjects) == 1:
        return subjects[0]
    known = ", ".join(subjects) or "none"
    raise ConfigError("which subject is to be measured?", mend=f"name one of: {known}")


def _payloads(wanted: Wanted, versions: Versions) -> list[Chosen]:
    given = [
        bool(wanted.payloads.files),
        wanted.payloads.store is not None,
        bool(wanted.payloads.generated),
    ]
    if sum(given) > 1:
        raise ConfigError(
            "payloads are given in more than one way",
            mend="give --payload, --store or --generated",
        )
    if wanted.payloads.files:
        files = [file for path in wanted.payloads.files for file in _files(path)]
        check_files(files)
        return from_files(versions, files)
    if wanted.payloads.store is not None:
        with open_existing(wanted.payloads.store) as store:
            return from_store(versions, store, wanted.payloads.store)
    return made_up(
        versions, wanted.payloads.generated or (_QUICK_ITEMS if wanted.effort.quick else ITEMS)
    )


def _files(path: Path) -> list[Path]:
    """A file itself, or the documents in a folder."""
    if not path.is_dir():
        return [path]
    found = sorted(file for file in path.iterdir() if file.suffix in _SUFFIXES)
    if not found:
        raise ConfigError("there are no .json or .jsonl files in it", where=str(path))
    return found


def _names(wanted: Wanted) -> tuple[str, ...]:
    """The names of the catalogue that are to be measured, in its order, the base among them."""
    formats = wanted.peers.formats or FORMATS
    for name in formats:
        check_choice("format", name, FORMATS)
    others = _others(wanted.peers.others)

    def is_wanted(entry: Entry) -> bool:
        if entry.ours:
            return _has_format(entry, formats) and not _is_slow(entry, wanted)
        return not _is_slow(entry, wanted) if others is None else entry.name in others

    return tuple(e.name for e in ENTRIES if e.name == wanted.peers.base or is_wanted(e))


def _has_format(entry: Entry, formats: Sequence[str]) -> bool:
    return any(entry.family == one for one in formats)


def _is_slow(entry: Entry, wanted: Wanted) -> bool:
    """Whether the row is left out of a quick run, in which YAML would take most of the time."""
    return wanted.effort.quick and entry.family == "yaml" and "yaml" not in wanted.peers.formats


def _others(given: Sequence[str] | None) -> set[str] | None:
    """The names that ``--peers`` gives, kinds of bytes among them; None for all."""
    if given is None:
        return None
    names: set[str] = set()
    for one in given:
        if one == _NONE:
            continue
        if one in FAMILIES:  # of which some are names too: yaml, json
            names |= {entry.name for entry in ENTRIES if entry.family == one}
        else:
            names.add(find_entry(one).name)
    return names


def _base(wanted: Wanted, names: Sequence[str]) -> str:
    known = [*names, *(entry.name for entry in own_entries(tuple(wanted.peers.own)))]
    if wanted.peers.base in known:
        return wanted.peers.base
    raise ConfigError(
        f"the base {wanted.peers.base!r} is none of the peers",
        mend=f"name one of: {'; '.join(known)}",
    )
