"""The lock of a folder of schemas: read from ``instar.lock``, looked up, and written back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

from ...errors import InstarError, LockError
from ..numbered import Part
from .facts import Fact, Number, Release, Removal, fact_line, read_fact

LOCK_NAME: Final = "instar.lock"
"""The name of the file, in the folder of schemas."""

_HEAD: Final = (
    "# What was released, and the numbers and names that are taken for ever.\n"
    "# Written by `instar release`: commit it, and change no line of it.\n"
)
_CONFLICT_BEGINS: Final = "<<<<<<<"
_CONFLICT_ENDS: Final = ">>>>>>>"
_CONFLICT_MARKS: Final = (_CONFLICT_BEGINS, "|||||||", "=======", _CONFLICT_ENDS)


@dataclass(frozen=True)
class Lock:
    """The facts of one lock, each with the line of ``path`` that it stands on (0: on none)."""

    path: Path
    facts: Mapping[Fact, int]

    @cached_property
    def releases(self) -> Mapping[str, Mapping[int, Release]]:
        """The released versions of each subject."""
        found: dict[str, dict[int, Release]] = {}
        for fact in self.facts:
            if isinstance(fact, Release):
                found.setdefault(fact.subject, {}).setdefault(fact.version, fact)
        return found

    @cached_property
    def numbers(self) -> Mapping[str, Mapping[Part, Mapping[int, int]]]:
        """The numbers of each subject's parts, by the version since which they hold."""
        found: dict[str, dict[Part, dict[int, int]]] = {}
        for fact in self.facts:
            if isinstance(fact, Number):
                parts = found.setdefault(fact.subject, {})
                parts.setdefault(fact.part, {}).setdefault(fact.since, fact.number)
        return found

    @cached_property
    def removals(self) -> Mapping[str, Mapping[str, int]]:
        """The version that last removed each part, by subject and the part's text."""
        found: dict[str, dict[str, int]] = {}
        for fact in self.facts:
            if isinstance(fact, Removal):
                parts = found.setdefault(fact.subject, {})
                parts[fact.part] = max(fact.version, parts.get(fact.part, 0))
        return found

    @cached_property
    def mentions(self) -> Mapping[str, Mapping[int, Fact]]:
        """Of each subject, the first number or removal of each version that one names."""
        found: dict[str, dict[int, Fact]] = {}
        for fact in self.facts:
            if not isinstance(fact, Release):
                found.setdefault(fact.subject, {}).setdefault(_version(fact), fact)
        return found

    @property
    def subjects(self) -> tuple[str, ...]:
        """The subjects that any fact names, sorted."""
        return tuple(sorted({fact.subject for fact in self.facts}))

    def is_released(self, subject: str, version: int) -> bool:
        """Whether the version was released."""
        return version in self.releases.get(subject, {})

    def number(self, subject: str, version: int, part: Part) -> int | None:
        """The number that was frozen for ``part`` of a released version.

        None where the version was not released, or the part is not known.
        """
        known = self.numbers.get(subject, {}).get(part)
        if known is None or not self.is_released(subject, version):
            return None
        since = max((since for since in known if since <= version), default=None)
        return None if since is None else known[since]

    def place(self, fact: Fact) -> str:
        """``file:line`` of a fact."""
        return f"{self.path}:{self.facts[fact]}"

    def text(self, more: Iterable[Fact] = ()) -> str:
        """The text of the file, with ``more`` facts in it."""
        lines = sorted({fact_line(fact) for fact in (*self.facts, *more)})
        return _HEAD + "".join(f"{line}\n" for line in lines)


def read_lock(folder: Path, problems: list[InstarError]) -> Lock:
    """The lock of the schemas in ``folder``; one without facts where there is no file.

    What does not read, or contradicts what stands before it, is added to ``problems`` as
    LockError and left out.
    """
    path = folder / LOCK_NAME
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return Lock(path, {})
    except (OSError, UnicodeDecodeError) as error:
        problems.append(LockError(f"the file does not read: {error}", where=str(path)))
        return Lock(path, {})
    return _Reading(path, problems).lock(text)


class _Reading:
    """One reading of a lock, line by line."""

    def __init__(self, path: Path, problems: list[InstarError]) -> None:
        self._path = path
        self._problems = problems
        self._facts: dict[Fact, int] = {}
        self._claims: dict[object, int] = {}
        self._is_in_conflict = False

    def lock(self, text: str) -> Lock:
        for line, content in enumerate(text.splitlines(), start=1):
            if content.startswith(_CONFLICT_MARKS):
                self._conflict(content, line)
            elif content and not content.startswith("#"):
                self._fact(content, line)
        return Lock(self._path, self._facts)

    def _conflict(self, content: str, line: int) -> None:
        if content.startswith(_CONFLICT_BEGINS):
            mend = "keep the lines of both sides, each once, and delete the marks"
            self._problem("a merge was left unresolved here", line, mend)
        elif not self._is_in_conflict:
            mend = "see that the lines of both sides are there, each once, and delete the mark"
            self._problem(f"a mark of a merge was left here: {content[:80]!r}", line, mend)
        self._is_in_conflict = not content.startswith(_CONFLICT_ENDS) and (
            self._is_in_conflict or content.startswith(_CONFLICT_BEGINS)
        )

    def _fact(self, content: str, line: int) -> None:
        fact = read_fact(content)
        if fact is None:
            mend = "restore the line; if a newer instar wrote it, upgrade"
            self._problem(f"this states no fact: {content[:80]!r}", line, mend)
        elif fact in self._facts:
            pass  # git doubles lines when it takes both sides of a merge
        elif self._claims.setdefault(_claim(fact), line) != line:
            self._contradiction(fact, line)
        else:
            self._facts[fact] = line

    def _contradiction(self, fact: Fact, line: int) -> None:
        other, version = self._claims[_claim(fact)], _version(fact)
        what = f"line {other} states another {'fingerprint' if isinstance(fact, Release) else ''}"
        self._problem(
            f"{what.rstrip()}: {fact_line(fact)}",
            line,
            f"if two branches released version {version} of {fact.subject}, make one of them the "
            f"next version, delete all lines of {fact.subject} that are of version {version} or "
            "later, and run instar release again",
        )

    def _problem(self, what: str, line: int, mend: str) -> None:
        self._problems.append(LockError(what, where=f"{self._path}:{line}", mend=mend))


def _version(fact: Fact) -> int:
    return fact.since if isinstance(fact, Number) else fact.version


def _claim(fact: Fact) -> object:
    """What a fact speaks of: two that speak of the same contradict each other."""
    match fact:
        case Release():
            return fact.subject, fact.version
        case Number():
            return fact.subject, fact.part, fact.since
        case Removal():
            return fact
