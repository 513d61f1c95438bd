"""Programs of several versions take turns with one state, and a plain model says what is in it."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any, TypeAlias

from instar import read_tag
from instar.codec.codec import Codec
from instar.codec.compatibility.values import states
from instar.codec.engines import EngineName, forced_engine
from instar.codec.settings import Settings
from instar.codec.subject import Subject
from instar.codec.tag.header import Format
from instar.codec.verify.lab import Lab, Refused, attempt
from instar.codec.verify.walk import Difference, bare
from instar.errors import ComputeError, InstarError, MigrationMismatch, NewerVersion, NotExpressible
from instar.fleet.simulate.edits import apply, choose
from instar.fleet.simulate.expect import Older, UnjudgedError, plain

Way: TypeAlias = tuple[EngineName, Format]

REFUSALS = (NewerVersion, NotExpressible, MigrationMismatch, ComputeError)
"""What a program may be told instead of a state, or of what it saved."""


@dataclass
class Turns:
    """``state`` is what has to be there, at the newest version; ``blob`` is what is stored."""

    subject: Subject
    of: Callable[[int], Any] | None = None
    """Makes a strategy of the states of a version, where functions do not take them all."""
    steps: int = 0
    edits: int = 0
    unjudged: int = 0
    refused: int = 0
    by_way: int = 0
    _values: dict[int, Any] = field(default_factory=dict[int, Any], repr=False)
    _codecs: dict[Any, Codec[Any]] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        self.lab = Lab(self.subject)
        self.high = self.subject.latest

    def values(self, version: int) -> Any:
        """A strategy of the states of a version."""
        if version not in self._values:
            self._values[version] = (self.of or self._any)(version)
        return self._values[version]

    def _any(self, version: int) -> Any:
        return states(self.subject.types(version))

    def codec(self, engine: EngineName, format_: Format, version: int, written: int) -> Codec[Any]:
        key = engine, format_, version, written
        if key not in self._codecs:
            settings = Settings(version, format_, write_version=written)
            self._codecs[key] = Codec(self.subject, settings)
        return self._codecs[key]

    def start(self, state: Any, engine: EngineName, format_: Format) -> None:
        self.state = bare(state)
        self.authors: set[int] = set()
        with forced_engine(engine):
            self.blob = self.codec(engine, format_, self.high, self.high).encode(state)

    def turn(  # noqa: PLR0913 - all that there is to one turn
        self,
        version: int,
        written: int,
        way: Way,
        donor: Any,
        seed: int,
        *,
        copied: bool = False,
    ) -> None:
        """Code of ``version`` loads, edits where there is a donor, and saves at ``written``."""
        self.steps += 1
        with forced_engine(way[0]):
            try:
                codec = self.codec(*way, version, written)
                loaded = codec.decode(self.blob)
            except REFUSALS as error:
                self._refuse(error, [(self.high, self.state)], version, written)
                return
            before = self.blob
            wanted = self._edited(version, loaded, donor, seed)
            if copied:
                loaded = copy.deepcopy(loaded)
            try:
                self.blob = codec.encode(loaded)
            except REFUSALS as error:
                self._refuse(error, [(self.high, wanted), (version, bare(loaded))], written)
                return
            if self._made and self._difference(way, wanted):
                try:
                    wanted = self._by_way(way, before) or wanted
                except UnjudgedError:
                    self.blob = before
                    self.unjudged += 1
                    return
            self.state = wanted
            self.authors.add(version)
            self.check(way)

    def _refuse(self, error: InstarError, states: list[tuple[int, Any]], *versions: int) -> None:
        """What is refused must be what migrations alone cannot bring to one of the versions.

        That is the newest state, or what code of a version that saved sees in its place: null
        where the way up makes a default of it, which stays one on the way down.
        """
        seen = ((each, self._seen(each)) for each in sorted(self.authors))
        found = [*states, *(each for each in seen if not isinstance(each[1], Refused))]
        plainly = [plain(self.lab, state, at, to) for at, state in found for to in versions]
        assert any(isinstance(each, Refused) for each in plainly), error
        self.refused += 1

    def _seen(self, version: int) -> Any:
        """What code of a version sees in the blob."""
        return attempt(self.lab.codec(version).decode, self.blob)

    def _edited(self, version: int, loaded: Any, donor: Any, seed: int) -> Any:
        """Edit what was loaded; what the newest version of it has to be."""
        seen, self._made = bare(loaded), None
        edit = None if donor is None else choose(seen, donor, Random(seed).randrange)  # noqa: S311 - to be repeated
        if edit is None:
            return self.state
        try:
            wanted = self._older(version, self.high, self.state, seen).after(edit, donor)
        except UnjudgedError:
            self.unjudged += 1
            return self.state
        self._made = version, seen, edit, donor
        apply(edit, loaded, donor)
        self.edits += 1
        return wanted

    def _older(self, low: int, high: int, newer: Any, older: Any) -> Older:
        return Older(self.lab, low, high, newer, older)

    def _by_way(self, way: Way, before: bytes) -> Any:
        """What the newest state comes to by way of a version between. Raises UnjudgedError.

        Where that has a value twice, and the edit was of one of the two, it is for the way up
        from there to say which of them counts.
        """
        assert self._made is not None
        version, seen, edit, donor = self._made
        unjudged: UnjudgedError | None = None
        for between in self._between(version, before):
            try:
                y = self.codec(*way, between, between).decode(before)
                changed = self._older(version, between, y, seen).after(edit, donor)
                found = self._older(between, self.high, self.state, y).laid(changed)
            except UnjudgedError as error:
                unjudged = error
                continue
            except REFUSALS:
                continue
            if not self._difference(way, found):
                self.by_way += 1
                return found
        if unjudged is not None:
            raise unjudged
        return None

    def _between(self, version: int, blob: bytes) -> list[int]:
        """Versions that wrote the blob or a part of it."""
        writers = {read_tag(blob).version, *self.authors}
        return [each for each in range(version + 1, self.high) if each in writers]

    def check(self, way: Way) -> None:
        difference = self._difference(way, self.state)
        assert difference is None, str(difference)

    def _difference(self, way: Way, state: Any) -> Difference | None:
        found = self.codec(*way, self.high, self.high).decode(self.blob)
        return self.lab.walk(self.high).first_difference(state, found)
