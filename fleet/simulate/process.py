"""The simulation's end of a process: starts it, asks it, ends it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from tempfile import TemporaryFile
from types import TracebackType
from typing import Any, Final, Self, cast

import msgspec

from ...errors import InstarError
from .wire import Answer, Request, Start

WORKER: Final[Sequence[str]] = (sys.executable, "-m", f"{__package__}.worker")
"""What a process runs."""

_LAST_WORDS: Final = 2000


class Process:
    """A program of one version, in a process of its own.

    ``command`` is what it runs, ``folder`` where. Ends with the ``with`` block.
    """

    def __init__(self, name: str, start: Start, command: Sequence[str] = WORKER) -> None:
        self.name = name
        self.version = start.version
        self.written = start.written
        self._errors: Any = TemporaryFile()  # noqa: SIM115 - closed as the process is
        self._running = subprocess.Popen(  # noqa: S603 - this project's own program
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors
        )
        self._encode = msgspec.json.Encoder().encode
        self._decode = msgspec.json.Decoder(Answer).decode
        self._send(start)

    def ask(self, request: Request) -> Answer:
        """What the process answers. Raises InstarError where it has ended."""
        self._send(request)
        line = cast("Any", self._running.stdout).readline()
        if not line:
            raise self._ended()
        answer: Answer = self._decode(line)
        return answer

    def _send(self, request: Request) -> None:
        stream: Any = self._running.stdin
        try:
            stream.write(self._encode(request) + b"\n")
            stream.flush()
        except OSError as error:
            raise self._ended() from error

    def _ended(self) -> InstarError:
        code = self._running.wait()
        self._errors.seek(0)
        words = self._errors.read().decode("utf-8", "replace").strip()
        return InstarError(
            f"it has ended with exit code {code}: {words[-_LAST_WORDS:]}", where=self.name
        )

    def kill(self) -> None:
        """End it as a crash would, and wait until it is gone."""
        self._running.kill()
        self.close()

    def close(self) -> None:
        """Let it end by itself, and wait until it has."""
        for stream in (self._running.stdin, self._running.stdout):
            if stream is not None:
                # What is still to be written goes to a process that is gone.
                try:
                    stream.close()
                except OSError:
                    continue
        self._running.wait()
        self._errors.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
        /,
    ) -> None:
        self.close()
