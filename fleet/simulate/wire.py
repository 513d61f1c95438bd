"""What the simulation and its processes say to each other: a line of JSON each way."""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from ...codec.tag.header import Format
from .edits import Edit


class Start(msgspec.Struct, tag=True):
    """Work as code of ``version``, which writes ``written``; the first line to a process."""

    schemas: str
    migrations: str | None
    subject: str
    version: int
    written: int
    format: Format
    store: str


class Create(msgspec.Struct, tag=True):
    """Save the state in ``state``, a blob of the process's version, under a new key."""

    key: str
    state: bytes


class Load(msgspec.Struct, tag=True):
    """Load a state, keep it at hand, and say what it is."""

    key: str


class Save(msgspec.Struct, tag=True):
    """Save the state that was loaded from ``key``, after an edit with parts of ``donor``."""

    key: str
    edit: Edit | None = None
    donor: bytes = b""


class Delete(msgspec.Struct, tag=True):
    """Remove the state that was loaded from ``key``."""

    key: str


class Rewrite(msgspec.Struct, tag=True):
    """Write the whole store at the version that the process writes."""


class Done(msgspec.Struct, tag=True):
    """It was done; the state is at ``revision`` now."""

    revision: int = 0


class Seen(msgspec.Struct, tag=True):
    """The state as it was loaded, without residue: a blob of the process's version."""

    revision: int
    state: bytes


class Failed(msgspec.Struct, tag=True):
    """An error, by its class. ``is_typed`` where it is one of instar's own."""

    error: str
    message: str
    is_typed: bool


class Rewritten(msgspec.Struct, tag=True):
    """The store was written, but for these keys; the class of the error of each."""

    unreadable: dict[str, str]


Request: TypeAlias = Start | Create | Load | Save | Delete | Rewrite
Answer: TypeAlias = Done | Seen | Failed | Rewritten
