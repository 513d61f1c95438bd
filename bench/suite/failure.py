"""How a process of the bench tells an error to the one that started it."""

from __future__ import annotations

from typing import Final

import msgspec

from ...errors import ConfigError, InstarError

FAILED: Final = 3
"""The exit code of a process that met an ``InstarError``, which it then writes in a lot's place."""


class Failure(msgspec.Struct, frozen=True):
    """An error that ended a lot; ``misuse`` says that the call is at fault."""

    what: str
    where: str
    mend: str
    misuse: bool

    def error(self) -> InstarError:
        """The error, to be raised where the process was started."""
        kind = ConfigError if self.misuse else InstarError
        return kind(self.what, where=self.where, mend=self.mend)
