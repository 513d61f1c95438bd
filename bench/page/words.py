"""Numbers and kinds in the words that the page uses for them."""

from __future__ import annotations

from typing import Final

from ..measure import Spread
from ..payload.chosen import size_text
from ..peers import Gives
from ..result import PeerNote
from ..table import time_text

UNSAFE: Final = "UNSAFE"
"""What the note of a peer begins with whose reading can run code."""

GIVES: Final[dict[Gives, str]] = {
    "objects": "typed objects",
    "models": "a library's own models",
    "dicts": "plain dicts, untyped and unchecked",
    "message": "a message nobody has read",
}
"""What hydrating gives, in the order in which the page shows it."""


SHORT: Final[dict[Gives, str]] = {
    "objects": "typed objects",
    "models": "own models",
    "dicts": "dicts",
    "message": "unread message",
}
"""The same where there is little room."""

FAMILIES: Final = {
    "json": "JSON",
    "msgpack": "MessagePack",
    "avro": "Avro",
    "protobuf": "Protobuf",
    "yaml": "YAML",
    "pickle": "Pickle",
    "own": "Peers of your own",
}
"""Kinds of bytes, as titles."""


def family_text(family: str) -> str:
    """The title of a kind of bytes."""
    return FAMILIES.get(family, family)


def is_unsafe(peer: PeerNote) -> bool:
    """Whether reading what the peer wrote can run code."""
    return peer.note.startswith(UNSAFE)


def times_text(ratio: float) -> str:
    """A ratio as people say it: ``1.4 times``."""
    digits = 0 if ratio >= 100 else 1 if ratio >= 10 else 2  # noqa: PLR2004 - three digits
    return f"{ratio:,.{digits}f}"


def interval_text(spread: Spread) -> str:
    """The two ends of a ratio's interval: ``1.73 to 1.92``."""
    return f"{times_text(spread.lower)} to {times_text(spread.upper)}"


def ends_of(spread: Spread) -> tuple[float, float, float]:
    """All that an axis has to hold of a spread."""
    return spread.lower, spread.median, spread.upper


def quartiles_text(spread: Spread) -> str:
    """The two quartiles of a time: ``26.1 µs to 28.0 µs``."""
    return f"{time_text(spread.lower)} to {time_text(spread.upper)}"


def rank_text(rank: tuple[int, int] | None) -> str:
    """A place, or the places that no difference was shown between."""
    if rank is None:
        return "-"
    best, worst = rank
    return str(best) if best == worst else f"{best} to {worst}"


def time_tick(seconds: float) -> str:
    """A time as short as an axis needs it: ``10 µs``."""
    if not seconds:
        return "0"
    for unit, name in ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs")):
        if seconds >= unit * 0.999:
            return f"{seconds / unit:,.3g} {name}"
    return f"{seconds * 1e9:,.3g} ns"


def size_tick(size: float) -> str:
    """A size as short as an axis needs it: ``10 KB``."""
    if not size:
        return "0"
    for unit, name in ((1e9, "GB"), (1e6, "MB"), (1e3, "KB")):
        if size >= unit * 0.999:
            return f"{size / unit:,.3g} {name}"
    return f"{size:,.3g} B"


def ratio_tick(ratio: float) -> str:
    """A ratio as an axis has it: ``2x``."""
    return f"{ratio:,.3g}x"


def sizes_text(raw: int, zstd: int | None) -> str:
    """A size, and the same compressed: ``31 KB, 7.2 KB with zstd``."""
    return size_text(raw) if zstd is None else f"{size_text(raw)}, {size_text(zstd)} with zstd"


def cut(text: str, most: int) -> str:
    """The text, or its beginning where there is no room for all of it."""
    return text if len(text) <= most else f"{text[: most - 1]}…"
