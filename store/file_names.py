"""The file name of a key: the same on file systems that fold case or reserve names."""

from __future__ import annotations

import re
from hashlib import sha256
from typing import Final
from urllib.parse import unquote

SUFFIX: Final = ".blob"

_STEM_LIMIT: Final = 128
_HEAD_LENGTH: Final = 60
_PLAIN: Final = re.compile(rb"[a-z0-9_-]")
# Windows opens a device under these names, whatever suffix follows.
_DEVICES: Final = re.compile(r"con|prn|aux|nul|com[0-9]|lpt[0-9]")


def stem_of(key: str) -> str:
    """The file name of ``key`` without suffix, in ``[a-z0-9_%~-]`` and at most 128 characters.

    Every byte of its UTF-8 outside ``[a-z0-9_-]`` becomes ``%`` and two hex digits in lower case.
    A longer result keeps its first 60 characters, then ``~`` and the SHA-256 of the key.
    """
    raw = key.encode()
    stem = "".join(chr(byte) if _PLAIN.match(bytes((byte,))) else f"%{byte:02x}" for byte in raw)
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
