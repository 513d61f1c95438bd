"""The process of one lot: a task as JSON on standard input, what it found on standard output."""

from __future__ import annotations

import os
import sys
from typing import BinaryIO

import msgspec

from ...errors import ConfigError, InstarError
from .failure import FAILED, Failure
from .lot import run_lot
from .task import Lot, Task


def main() -> int:
    """Do one task. Returns the exit code."""
    # What a peer prints, its library in C too, must not get into the answer.
    with os.fdopen(os.dup(1), "wb") as answer:
        os.dup2(2, 1)
        return _answer(answer)


def _answer(answer: BinaryIO) -> int:
    try:
        found: Lot | Failure = run_lot(msgspec.json.decode(sys.stdin.buffer.read(), type=Task))
    except InstarError as error:
        misuse = isinstance(error, ConfigError)
        found = Failure(error.what, str(error.where), error.mend or "", misuse)
    answer.write(msgspec.json.encode(found))
    return FAILED if isinstance(found, Failure) else 0


if __name__ == "__main__":
    sys.exit(main())
