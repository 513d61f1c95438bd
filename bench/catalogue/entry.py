"""A row of the catalogue: how a peer is made, and what has to be installed for it."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib.util import find_spec
from typing import Literal, TypeAlias

from ...codec.engines import EngineName, engines, forced_engine
from ...codec.tag import Format
from ...errors import ConfigError
from ..peers import Peer, Versions
from ..states import Make

Family: TypeAlias = Literal["json", "msgpack", "avro", "protobuf", "yaml", "pickle", "own"]
"""What kind of bytes a peer writes; ``own`` is that of a peer which a user adds."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One way to store a state, that may not be installed.

    ``needs`` are the modules that ``make`` imports; ``note`` says what must be known before the
    peer is chosen. ``engine`` and ``format`` are those of instar's own. Of a peer that only
    ``reads``, writing would say nothing: it writes what was made before.
    """

    name: str
    family: Family
    make: Make
    needs: tuple[str, ...] = ()
    note: str = ""
    engine: EngineName | None = None
    format: Format | None = None
    reads: bool = False

    @property
    def ours(self) -> bool:
        """Whether it is instar itself."""
        return self.engine is not None

    def missing(self) -> str:
        """Why the peer cannot run here; empty where it can."""
        lacking = [name for name in self.needs if not _is_there(name)]
        if lacking:
            return f"{', '.join(lacking)} is not installed"
        if self.engine is not None and self.engine not in engines():
            return f"the engine {self.engine} is not installed"
        return ""

    @contextmanager
    def circumstances(self) -> Generator[None]:
        """Where the peer has to be made and first used: with its engine, if it has one."""
        if self.engine is None:
            yield
            return
        with forced_engine(self.engine):
            yield

    def peer(self, versions: Versions) -> Peer:
        """The peer under the name of this row. Raises what its library raises of a schema."""
        return replace(_checked(self.make(versions)), name=self.name)


def _checked(made: object) -> Peer:
    """A user's own function may give anything."""
    if isinstance(made, Peer):
        return made
    raise ConfigError(f"what makes it gives {type(made).__name__}, and no Peer")


def _is_there(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except ImportError:  # the package that would hold the module is not there
        return False
