"""One process of the simulated fleet: a program that was released with one version.

It is told what to do by lines on its standard input, and answers each on its standard output.
Of schemas after its own version it knows only those that the store has.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, BinaryIO

import msgspec

from ...codec.registry import Registry
from ...codec.verify.walk import bare
from ...errors import InstarError
from ...store.repository import Loaded, Repository
from .cutoff import cut_off
from .edits import apply
from .wire import (
    Answer,
    Create,
    Delete,
    Done,
    Failed,
    Load,
    Request,
    Rewrite,
    Rewritten,
    Save,
    Seen,
    Start,
)


class Worker:
    """A program with a repository, and the states that it has at hand."""

    def __init__(self, start: Start) -> None:
        opened = Registry.open(start.schemas, start.migrations, subjects=[start.subject])
        registry = cut_off(opened, start.subject, start.version)
        codec = registry.codec(start.subject, format=start.format, write_version=start.written)
        # In the format that keeps every value, and never with residue.
        self._talk = registry.codec(start.subject, format="msgpack")
        self._repository: Repository[Any] = Repository(codec, start.store)
        self._loaded: dict[str, Loaded[Any]] = {}

    def answer(self, request: Request) -> Answer:
        """Do one thing. Whatever goes wrong becomes a Failed."""
        try:
            return self._do(request)
        except InstarError as error:
            return Failed(type(error).__name__, str(error), is_typed=True)
        except Exception as error:  # noqa: BLE001 - the simulation reports it as a finding
            return Failed(type(error).__name__, str(error), is_typed=False)

    def close(self) -> None:
        """Close the store."""
        self._repository.close()

    def _do(self, request: Request) -> Answer:
        match request:
            case Create(key, state):
                return Done(self._repository.create(key, self._talk.decode(state)))
            case Load(key):
                loaded = self._loaded[key] = self._repository.load_entry(key)
                return Seen(loaded.revision, self._talk.encode(bare(loaded.state)))
            case Save():
                return Done(self._save(request))
            case Delete(key):
                self._repository.delete(key, expected=self._loaded.pop(key).revision)
                return Done()
            case Rewrite():
                report = self._repository.rewrite()
                named = (*report.unreadable, *report.failures)
                wrong = {each.key: type(each.error).__name__ for each in named}
                return Rewritten(wrong)
            case Start():
                raise InstarError("the process has started already")

    def _save(self, request: Save) -> int:
        loaded = self._loaded.pop(request.key)
        if request.edit is not None:
            apply(request.edit, loaded.state, self._talk.decode(request.donor))
        return self._repository.save(
            request.key, self.saved(loaded.state), expected=loaded.revision
        )

    def saved(self, state: Any) -> Any:
        """What is saved of an edited state: itself."""
        return state


def serve(lines: BinaryIO, answers: BinaryIO, worker: Callable[[Start], Worker] = Worker) -> None:
    """Answer each line until they end. The first has to be a Start, and is not answered."""
    encode = msgspec.json.Encoder().encode
    decode = msgspec.json.Decoder(Request).decode
    first = decode(lines.readline())
    if not isinstance(first, Start):
        raise InstarError("the first line to a process has to start it")
    program = worker(first)
    for line in lines:
        answers.write(encode(program.answer(decode(line))) + b"\n")
        answers.flush()
    program.close()


if __name__ == "__main__":
    serve(sys.stdin.buffer, sys.stdout.buffer)
