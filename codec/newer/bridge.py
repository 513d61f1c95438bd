"""Leads a state from any version to any other, so that what is not expressed is kept."""

from __future__ import annotations

from typing import Any

from ...errors import NewerVersion, NotExpressible, UnknownFingerprint, ValueMismatch
from ..limits import Limits
from ..loss_report import loses_nothing
from ..subject import Subject
from .checks import Checks
from .crossing import Crossing
from .prune import prune
from .token import NOTHING, Found, Token, kept_in


class Bridge:
    """The ways between the versions of one subject, each compiled when first gone."""

    def __init__(self, subject: Subject, limits: Limits) -> None:
        self._subject, self._limits = subject, limits
        self._crossings: dict[tuple[int, int], Crossing] = {}
        self._checked: dict[int, Checks] = {}
        self._lossless: dict[tuple[int, int], bool] = {}

    def is_lossless(self, high: int, low: int) -> bool:
        """Whether every state without residue comes back as it was from an older version."""
        if (high, low) not in self._lossless:
            self._lossless[high, low] = self._loses_nothing(high, low)
        return self._lossless[high, low]

    def check_way(self, source: int, target: int) -> None:
        """Raise MigrationMismatch where nothing leads from one version to the other."""
        for way in ((source, target), (target, source)):
            self._subject.plan(*way)

    def lead(self, state: Any, source: int, target: int, found: Found = NOTHING) -> Any:
        """A state of ``source`` as one of ``target``; ``found`` are its tokens, for a newer one.

        Raises ``NotExpressible`` where an older version cannot hold it, ``LimitExceeded``
        where it keeps too much, ``NewerVersion`` or ``UnknownFingerprint`` where it keeps what a
        version that is not here has to read, ``NewerVersion`` too where it keeps what ``target``
        cannot hold, ``ValueMismatch`` where that does not read.
        """
        at = source
        if source < target:
            state, at = self._rise(state, source, target, found)
            if at > target:
                # What was overtaken further down shows here, and no more once it is down again.
                prune(state, self._checks(at))
        try:
            if at > target:
                state = self._crossing(target, at).lower(state)
        except NotExpressible as error:
            if source > target:
                raise
            # The blob is no newer one, but what it keeps is.
            raise NewerVersion(self._subject.name, at, target, because=error) from None
        return state

    def raise_at_once(self, state: Any, source: int, target: int) -> Any:
        """The same for a state of an older version, of which it is not known what it keeps.

        ``NotImplemented`` where that cannot be told at once, or is wrong, or nothing.
        """
        return self._crossing(source, target).raise_at_once(state)

    def _rise(self, state: Any, at: int, target: int, found: Found) -> tuple[Any, int]:
        """A state at ``target``, or at the newer version that must be read first."""
        while at < target or any(each.token.is_settled for each in found.tokens):
            for each in found.tokens:
                self._check(each.token, at)
            stop = min([each.token.version for each in found.tokens], default=target)
            state, at = self._crossing(at, stop).raise_(state, found), stop
            found = kept_in(state) if _stays(found, at) else NOTHING
        return state, at

    def _check(self, token: Token, at: int) -> None:
        name = self._subject.name
        if token.version > self._subject.latest:
            raise NewerVersion(
                name, token.version, self._subject.latest, fingerprint=token.fingerprint
            )
        is_known = token.version in self._subject.chain.versions
        if not is_known or self._subject.fingerprint(token.version) != token.fingerprint:
            raise UnknownFingerprint(name, token.version, token.fingerprint)
        if token.version <= at:
            raise ValueMismatch(
                f"the residue is of version {token.version}, and of a state of version {at}"
            )

    def _checks(self, version: int) -> Checks:
        if version not in self._checked:
            self._checked[version] = Checks(self._subject.types(version))
        return self._checked[version]

    def _crossing(self, low: int, high: int) -> Crossing:
        if (low, high) not in self._crossings:
            self._crossings[low, high] = Crossing(self._subject, low, high, self._limits)
        return self._crossings[low, high]

    def _loses_nothing(self, high: int, low: int) -> bool:
        segments = self._subject.plan(high, low).segments
        if any(record.calls for each in segments for record in each.graph.records.values()):
            return False  # What a function loses need not be what it is declared to.
        return loses_nothing(self._subject, high, low)


def _stays(found: Found, version: int) -> bool:
    """Whether there may be residue once tokens are read that are of ``version``."""
    return not found.is_all or any(
        token.version != version or token.inner or any(each.residue for each in token.entries)
        for _, _, token in found.tokens
    )
