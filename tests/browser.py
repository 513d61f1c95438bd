"""Drives a headless Chromium over a pipe, in the DevTools protocol; needs nothing but Chromium."""

from __future__ import annotations

import json
import os
import select
import shutil
import signal
from collections.abc import Generator
from contextlib import contextmanager, suppress
from fcntl import F_DUPFD_CLOEXEC, fcntl
from pathlib import Path
from time import monotonic
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome")
PATIENCE = 60.0
"""Seconds that a browser may take for one answer on a busy machine."""


def find_browser() -> str | None:
    """The path of a Chromium, if there is one."""
    return next((found for name in NAMES if (found := shutil.which(name))), None)


class Browser:
    """One page of a running Chromium. ``events`` are all that it told unasked."""

    def __init__(self, write: int, read: int) -> None:
        self._write, self._read = write, read
        self._rest = b""
        self._number = 0
        self._session: str | None = None
        self.events: list[dict[str, Any]] = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        attached = self.call("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **arguments: Any) -> dict[str, Any]:
        """The result of one command."""
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": arguments}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == self._number:
                assert "error" not in answer, answer["error"]
                return answer["result"]
            self.events.append(answer)

    def open(self, file: Path) -> None:
        """Load a file, and wait until it is there."""
        self.call("Page.navigate", url=file.as_uri())
        while not self.told("Page.loadEventFired"):
            self.events.append(self._next())

    def told(self, method: str) -> list[dict[str, Any]]:
        """The parameters of all events of one kind."""
        return [event["params"] for event in self.events if event.get("method") == method]

    def run(self, script: str) -> Any:
        """The value of a JavaScript expression."""
        found = self.call("Runtime.evaluate", expression=script, returnByValue=True)
        assert "exceptionDetails" not in found, found
        return found["result"].get("value")

    def press(self, key: str) -> None:
        """Press a key and let it go."""
        for kind in ("keyDown", "keyUp"):
            text = "\r" if key == "Enter" else ""
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key, text=text,
                      windowsVirtualKeyCode=13 if key == "Enter" else 0)  # fmt: skip

    def _next(self) -> dict[str, Any]:
        until = monotonic() + PATIENCE
        while b"\0" not in self._rest:
            ready = select.select([self._read], [], [], max(0.0, until - monotonic()))[0]
            part = os.read(self._read, 1 << 16) if ready else b""
            assert part, "the browser ended, or did not answer"
            self._rest += part
        first, _, self._rest = self._rest.partition(b"\0")
        return json.loads(first)


@contextmanager
def browser(path: str, folder: Path) -> Generator[Browser]:
    """Start a Chromium that keeps its profile in ``folder``, and end it in the end."""
    (their_read, write), (read, their_write) = _pipe(), _pipe()
    arguments = [
        path, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
        "--no-first-run", "--disable-background-networking", "--disable-extensions",
        "--hide-scrollbars", "--remote-debugging-pipe", f"--user-data-dir={folder}", "about:blank",
    ]  # fmt: skip
    silent = [(os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_RDWR, 0) for number in (0, 1, 2)]
    # Chromium reads commands from its file 3 and answers on 4.
    pipes = [(os.POSIX_SPAWN_DUP2, their_read, 3), (os.POSIX_SPAWN_DUP2, their_write, 4)]
    process = os.posix_spawn(path, arguments, os.environ, file_actions=[*silent, *pipes])
    os.close(their_read)
    os.close(their_write)
    try:
        yield Browser(write, read)
    finally:
        os.close(write)
        os.close(read)
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGTERM)
        os.waitpid(process, 0)


def _pipe() -> tuple[int, int]:
    """A pipe whose numbers are none of those that the browser uses."""
    first = os.pipe()
    high = [fcntl(number, F_DUPFD_CLOEXEC, 10) for number in first]
    for number in first:
        os.close(number)
    return high[0], high[1]
