"""The file name of a key: the same on file systems that fold case or reserve names."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from hashlib import sha256
from typing import Final
from urllib.parse import unquote

from ..errors import InvalidKey
from .store import check_key

SUFFIX: Final = ".blob"

_STEM_LIMIT: Final = 128
_HEAD_LENGTH: Final = 60
_CUT: Final = re.compile(r"(?P<head>.{60})(?P<rest>~[0-9a-f]{64})")
# An escape that the cut went through.
_PART: Final = re.compile(r"%[0-9a-f]?$")
_OTHER: Final = re.compile(rb"[^a-z0-9_-]")
# Windows opens a device under these names, whatever suffix follows.
_DEVICES: Final = re.compile(r"con|prn|aux|nul|com[0-9]|lpt[0-9]")


def stem_of(key: str) -> str:
    """The file name of ``key`` without suffix, in ``[a-z0-9_%~-]`` and at most 128 characters.

    Every byte of its UTF-8 outside ``[a-z0-9_-]`` becomes ``%`` and two hex digits in lower case.
    A longer result keeps its first 60 characters, then ``~`` and the SHA-256 of the key.
    """
    raw = key.encode()
    stem = _OTHER.sub(lambda found: b"%%%02x" % found[0][0], raw).decode()
    if _DEVICES.fullmatch(stem):
        stem = f"%{raw[0]:02x}{stem[1:]}"
    if len(stem) > _STEM_LIMIT:
        stem = f"{stem[:_HEAD_LENGTH]}~{sha256(raw).hexdigest()}"
    return stem


def spelled_key(stem: str) -> str | None:
    """The key that ``stem`` spells out, or None where only the file itself knows its key.

    A stem that no key has gives a key that has another stem.
    """
    return None if "~" in stem else unquote(stem)


def names(stem: str, key: str) -> bool:
    """Whether ``stem`` is the file name of ``key``, and that a key that a store can hold."""
    try:
        return stem_of(check_key(key)) == stem
    except InvalidKey:
        return False


def in_key_order(
    stems: Iterable[str], written_key: Callable[[str], str | None], prefix: str
) -> list[tuple[str, str]]:
    """Pairs of a key and a stem, in the order in which a scan of ``prefix`` meets them.

    ``written_key`` gives the key in the file of a stem that does not spell it out, or None. A
    stem that is that of no key stands where its name leads one to look, under a text that no
    other has, and that it does not name.
    """
    placed: dict[str, str] = {}
    strays: list[str] = []
    for stem in sorted(stems):
        key = written_key(stem) if "~" in stem else spelled_key(stem)
        if key is not None and names(stem, key):
            placed[key] = stem
        else:
            strays.append(stem)
    for stem in strays:
        key = _likely_key(stem, prefix)
        while key in placed:
            # No key holds a NUL, so this takes the place of none.
            key += "\0"
        placed[key] = stem
    return sorted(placed.items())


def _likely_key(stem: str, prefix: str) -> str:
    """What the name spells; a cut one may be of any prefix that its head is the beginning of."""
    cut = _CUT.fullmatch(stem)
    if cut is None:
        # A name that the system gave undecoded holds lone surrogates, which no scan begins after.
        return unquote(stem).encode(errors="replace").decode() or SUFFIX
    head = unquote(_PART.sub("", cut["head"])).rstrip("\ufffd")
    return (prefix if prefix.startswith(head) else head) + cut["rest"]
