"""Programs of the simulated fleet in this process, and one that loses what it should keep."""

from __future__ import annotations

import sys
from typing import Any

import msgspec

from instar.codec.verify.walk import bare
from instar.fleet.simulate.wire import Answer, Create, Failed, Request, Start
from instar.fleet.simulate.worker import Worker, serve


class Lossy(Worker):
    """Saves states without their residue, as a program without instar would."""

    def saved(self, state: Any) -> Any:
        return bare(state)


class Colleague:
    """A process that is none: what it is told and answers still goes through JSON."""

    worker: type[Worker] = Worker

    def __init__(self, name: str, start: Start, command: object = ()) -> None:
        self.name, self.version, self.written = name, start.version, start.written
        self._worker = self.worker(start)

    def ask(self, request: Request) -> Answer:
        told = msgspec.json.decode(msgspec.json.encode(request), type=Request)
        answer: Answer = msgspec.json.decode(
            msgspec.json.encode(self._worker.answer(told)), type=Answer
        )
        return answer

    def kill(self) -> None:
        self.close()

    def close(self) -> None:
        self._worker.close()


class LossyColleague(Colleague):
    """One that saves without residue."""

    worker = Lossy


class Broken(Worker):
    """Fails when it should save."""

    def answer(self, request: Request) -> Answer:
        if isinstance(request, Create):
            return Failed("KeyError", "'lost'", is_typed=False)
        return super().answer(request)


class Crashing(Colleague):
    """One that has a bug."""

    worker = Broken


if __name__ == "__main__":
    serve(sys.stdin.buffer, sys.stdout.buffer, Lossy)
