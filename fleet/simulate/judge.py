"""Says whether what a process saw, was refused or stored is what it had to be."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ...codec.codec import Codec
from ...codec.tag import read_tag
from ...codec.verify.lab import Lab, Refused
from ...codec.verify.losses import NOTHING
from ...codec.verify.paths import written
from ...codec.verify.walk import Difference, bare
from ...errors import InstarError
from ...migrations.data import is_data
from ...store.repository import Repository
from ...store.store import Store
from .edits import Edit
from .expect import Older, plain
from .process import Process


@dataclass(frozen=True, slots=True)
class Wrong:
    """What is wrong, in words, and the place in the state where that can be said."""

    what: str
    path: str = ""
    expected: str = ""
    found: str = ""

    @classmethod
    def of(cls, what: str, difference: Difference) -> Wrong:
        """That two states differ."""
        path = written(difference.path)
        return cls(what, path, repr(difference.expected), repr(difference.found))


@dataclass(slots=True)
class Kept:
    """What has to be under a key: a state of the newest version, and its revision.

    ``older`` is what older code wrote, where nobody has saved since.
    """

    state: Any
    revision: int
    older: Any = None


@dataclass(slots=True)
class Judge:
    """Compares with the states that have to be there, which are plain objects without residue.

    ``codec`` is of the newest version that the fleet knows; ``kept`` has every key but those
    that are ``given_up``: what was wrong with them is told once, and they are left in the store.
    """

    codec: Codec[Any]
    lab: Lab
    store: Store
    kept: dict[str, Kept] = field(default_factory=dict[str, Kept])
    given_up: set[str] = field(default_factory=set[str])
    _repository: Repository[Any] = field(init=False)

    def __post_init__(self) -> None:
        self._repository = Repository(self.codec, self.store)

    @property
    def newest(self) -> int:
        """The version of the states that are kept."""
        return self.codec.version

    def as_version(self, state: Any, version: int) -> Any:
        """A state of the newest version at another one, or that it is Refused."""
        return plain(self.lab, state, self.newest, version)

    def as_newest(self, state: Any, version: int) -> Any:
        """A state of ``version`` at the newest one, or that it is Refused."""
        return plain(self.lab, state, version, self.newest)

    def after(self, version: int, key: str, seen: Any, edit: Edit, donor: Any) -> Any:
        """What has to be there once ``edit`` is saved. Raises UnjudgedError."""
        older = Older(self.lab, version, self.newest, self.kept[key].state, seen)
        return older.after(edit, donor)

    def seen(self, version: int, key: str, state: Any) -> Wrong | None:
        """What is wrong with a state that a process of ``version`` has loaded."""
        kept, lost = self.kept[key], NOTHING
        wanted = kept.state if version == self.newest else kept.older
        if wanted is None:
            wanted, lost = self.as_version(kept.state, version), self.lab.lost(version, self.newest)
        if isinstance(wanted, Refused):
            return None  # what can be said of it is said by what it saves
        first = self.lab.walk(version).first_difference(wanted, state, lost)
        what = f"version {version} reads another value"
        return None if first is None else Wrong.of(what, first)

    def refused(self, process: Process, key: str, message: str) -> Wrong | None:
        """What is wrong with that a process cannot read a state, if it should."""
        wanted = self.as_version(self.kept[key].state, process.version)
        entry = self.store.get(key)
        if isinstance(wanted, Refused) or entry is None:
            return None
        version = read_tag(entry.blob).version
        if version is not None and not self._is_data(process.version, version):
            return None  # Python does not travel to older code
        return Wrong(f"version {process.version} cannot read it: {message}")

    def _is_data(self, low: int, high: int) -> bool:
        steps = self.lab.subject.chain.migrations
        return all(is_data(step) for step in steps if low < step.target <= high)

    def unsaved(self, state: Any, process: Process, message: str) -> Wrong | None:
        """What is wrong with that a state cannot be saved, if it should be."""
        if isinstance(self.as_version(state, process.written), Refused):
            return None
        return Wrong(f"version {process.written} cannot be written: {message}")

    def stored(self, key: str) -> Wrong | None:
        """What is wrong with what is stored under ``key``, as the newest version reads it.

        Whatever it is, it is what has to be there from now on.
        """
        kept = self.kept[key]
        try:
            loaded = self._repository.load_entry(key)
        except InstarError as error:
            del self.kept[key]
            self.given_up.add(key)
            return Wrong(f"version {self.newest} cannot read it: {error}")
        first = self.lab.walk(self.newest).first_difference(kept.state, loaded.state)
        self.kept[key] = Kept(bare(loaded.state), loaded.revision, kept.older)
        return None if first is None else Wrong.of("a value is lost", first)

    def strays(self) -> Iterator[str]:
        """Keys that are there and should not be, or the other way round."""
        found = {entry.key for entry in self.store.scan()} - self.given_up
        yield from sorted(found ^ set(self.kept))
