"""String literals and docstrings, the same on every Python version."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from typing import NamedTuple

from .source import INDENT, WIDTH


class Section(NamedTuple):
    """A list in a docstring, below a line that says what is in it."""

    title: str
    items: tuple[str, ...]


def quote(text: str) -> str:
    """``text`` as a string literal, in the quotes that need fewer escapes."""
    mark = "'" if text.count('"') > text.count("'") else '"'
    return f"{mark}{_escaped(text).replace(mark, chr(92) + mark)}{mark}"


def quote_bytes(data: bytes) -> str:
    """``data`` as a bytes literal."""
    text = quote(data.decode("latin-1"))
    return "b" + "".join(char if char.isascii() else _code(char) for char in text)


def docstring(text: str, level: int = 0, sections: Sequence[Section] = ()) -> str:
    """``text`` as a docstring, its paragraphs wrapped, indented by ``level``; then lists."""
    indent = INDENT * level
    lines = _paragraphs(text, WIDTH - len(indent) - 3)
    for section in sections:
        lines += ["", *_listed(section, WIDTH - len(indent))]
    single = f'{indent}"""{lines[0]}"""'
    if len(lines) == 1 and len(single) <= WIDTH and not lines[0].endswith("\\"):
        return single
    body = "\n".join(f"{indent}{line}".rstrip() for line in lines[1:])
    return f'{indent}"""{lines[0]}\n{body}{chr(10) if body else ""}{indent}"""'


def _paragraphs(text: str, width: int) -> list[str]:
    paragraphs = (" ".join(part.split()) for part in re.split(r"\n\s*\n", text.strip()))
    lines: list[str] = []
    for part in filter(None, paragraphs):
        lines += ["", *_wrapped(part, width)]
    return lines[1:] or [""]


def _listed(section: Section, width: int) -> list[str]:
    lines = [*_wrapped(section.title, width), ""]
    for item in section.items:
        first, *others = _wrapped(" ".join(item.split()), width - 2) or [""]
        lines += [f"- {first}", *(f"  {line}" for line in others)]
    return lines


def _wrapped(text: str, width: int) -> list[str]:
    # A quotation mark must not join the docstring's own, nor two others.
    safe = re.sub(r'"(?="")|^"|"$', r"\"", _escaped(text))
    return textwrap.wrap(safe, width, break_long_words=False, break_on_hyphens=False)


def _escaped(text: str) -> str:
    return _UNSAFE.sub(lambda found: _code(found[0]), text)


# Named here, not taken from str.isprintable, which differs between Python versions.
_UNSAFE = re.compile(
    "[\\\\\x00-\x1f\x7f-\xa0\xad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff]"
)
_SHORT = {"\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def _code(char: str) -> str:
    if char in _SHORT:
        return _SHORT[char]
    return (
        char.encode("ascii", "backslashreplace").decode()
        if not char.isascii()
        else f"\\x{ord(char):02x}"
    )
