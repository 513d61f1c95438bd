"""The process of one lot: a task as JSON on standard input, what it found on standard output."""

from __future__ import annotations

import sys

import msgspec

from ...errors import ConfigError, InstarError
from .failure import FAILED, Failure
from .lot import run_lot
from .task import Lot, Task


def main() -> int:
    """Do one task. Returns the exit code."""
    try:
        found: Lot | Failure = run_lot(msgspec.json.decode(sys.stdin.buffer.read(), type=Task))
    except InstarError as error:
        misuse = isinstance(error, ConfigError)
        found = Failure(error.what, str(error.where), error.mend or "", misuse)
    sys.stdout.buffer.write(msgspec.json.encode(found))
    return FAILED if isinstance(found, Failure) else 0


if __name__ == "__main__":
    sys.exit(main())
