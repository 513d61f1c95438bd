"""Reads every golden as each later version and each engine reads it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, cast

from ...errors import InstarError
from ..codec import Codec
from ..engines import EngineName, engines, forced_engine
from ..settings import Settings
from ..subject import Subject
from .finding import ENGINES, UPGRADE, VALUE, Finding, Rule
from .layout import Golden, read_folder
from .record import released_versions

_LONGEST: Final = 120
"""Characters of a value that are shown."""
_NOTHING: Final = object()


def find_goldens(subject: Subject, schemas: Path) -> list[Golden]:
    """The goldens of each released version, in order. Raises OSError."""
    return [
        golden
        for version in released_versions(subject, schemas)
        for golden in read_folder(schemas, subject.name, version).goldens()
    ]


def replay(subject: Subject, schemas: Path) -> list[Finding]:
    """What is wrong with any golden of ``subject`` below ``schemas``, the folder of schemas.

    Each is read at its own version, where it must give the recorded value, and at every later
    one, in each engine that is installed: :func:`~instar.codec.engines.missing_kernel` says
    why that is not both.
    """
    player = Replay(subject)
    return [found for golden in find_goldens(subject, schemas) for found in player.play(golden)]


class Replay:
    """Plays goldens of one subject; what it compiles for one serves the others."""

    def __init__(self, subject: Subject) -> None:
        self._subject = subject
        self._codecs: dict[tuple[EngineName, int], Codec[Any]] = {}

    def play(self, golden: Golden) -> list[Finding]:
        """What is wrong with one golden."""
        try:
            blob, expected = golden.path.read_bytes(), json.loads(golden.expected.read_bytes())
        except (OSError, ValueError) as error:
            what, mend = f"the golden does not read: {error}", "restore it from its history"
            return [Finding(VALUE, str(golden.path), what, mend)]
        found = list(self._own(golden, blob, expected))
        for version in range(golden.version + 1, self._subject.latest + 1):
            # What is wrong already is wrong at later versions too.
            found += [] if found else self._later(golden, blob, version)
        return found

    def _own(self, golden: Golden, blob: bytes, expected: Any) -> Iterator[Finding]:
        for result, who in _grouped(self._read(golden.version, blob)):
            if isinstance(result, InstarError):
                yield _finding(VALUE, golden, f"{who}: {result}")
            elif difference := _difference(expected, result):
                yield _finding(VALUE, golden, f"{who}: {difference}")

    def _later(self, golden: Golden, blob: bytes, version: int) -> Iterator[Finding]:
        results = _grouped(self._read(version, blob))
        for result, who in results:
            if isinstance(result, InstarError):
                yield _finding(UPGRADE, golden, f"read at version {version}, {who}: {result}")
        values = [result for result, _ in results if not isinstance(result, InstarError)]
        if len(values) > 1:
            what = f"read at version {version}, {results[0][1]} and {results[1][1]} differ: "
            yield _finding(ENGINES, golden, what + _difference(*values))

    def _read(self, version: int, blob: bytes) -> Mapping[EngineName, Any]:
        """What each engine gives, in JSON form, or the error that it raises."""
        results: dict[EngineName, Any] = {}
        for name in engines():
            with forced_engine(name):
                try:
                    codec = self._codec(name, version)
                    results[name] = codec.to_builtins(codec.decode(blob))
                except InstarError as error:
                    results[name] = error
        return results

    def _codec(self, name: EngineName, version: int) -> Codec[Any]:
        if (name, version) not in self._codecs:
            self._codecs[name, version] = Codec(self._subject, Settings(version))
        return self._codecs[name, version]


def _grouped(results: Mapping[EngineName, Any]) -> list[tuple[Any, str]]:
    """Each different result, with the engines that give it."""
    groups: dict[str, tuple[Any, list[str]]] = {}
    for name, result in results.items():
        told = str(result) if isinstance(result, InstarError) else _text(result)
        groups.setdefault(told, (result, []))[1].append(name)
    return [(result, " and ".join(names)) for result, names in groups.values()]


def _finding(rule: Rule, golden: Golden, what: str) -> Finding:
    mend = (
        "mend the migration that its blobs need"
        if rule is UPGRADE
        else "if no file of the golden was edited, report it: stored blobs are read as this one is"
    )
    return Finding(rule, str(golden.path), what, mend)


def _difference(expected: Any, found: Any, path: str = "") -> str:
    """Where and how two values in JSON form differ; nothing where they do not."""
    parts = _parts(expected, found)
    if parts is None:
        if _text(expected) == _text(found):
            return ""
        place = path.removeprefix(".") or "the state"
        return f"{place} was {_short(expected)}, and is {_short(found)}"
    return next(filter(None, (_difference(a, b, path + step) for a, b, step in parts)), "")


def _parts(expected: Any, found: Any) -> Iterator[tuple[Any, Any, str]] | None:
    """What two values hold at each step below them; None where they hold nothing alike."""
    if isinstance(expected, dict) and isinstance(found, dict):
        old, new = _keys(expected), _keys(found)
        keys = dict.fromkeys([*old, *new])
        return ((old.get(key, _NOTHING), new.get(key, _NOTHING), f".{key}") for key in keys)
    if isinstance(expected, list) and isinstance(found, list):
        before, after = _items(expected), _items(found)
        if len(before) == len(after):
            pairs = enumerate(zip(before, after, strict=True))
            return ((first, second, f"[{index}]") for index, (first, second) in pairs)
    return None


def _items(value: Any) -> list[Any]:
    return cast("list[Any]", value)


def _keys(value: Any) -> dict[str, Any]:
    return cast("dict[str, Any]", value)


def _text(value: Any) -> str:
    """A value as text that tells 1 from 1.0 and from true."""
    return "absent" if value is _NOTHING else json.dumps(value, sort_keys=True, ensure_ascii=False)


def _short(value: Any) -> str:
    text = _text(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."
