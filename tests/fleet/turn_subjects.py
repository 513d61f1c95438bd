"""The subjects that programs take turns with: our own, generated ones, and real histories."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from evolutions import lines
from families import run_states
from families.lines import AVRO, PROTOBUF, opened
from fleet.turn_changes import turn_lines
from fleet.turns import Turns
from hypothesis import strategies as st
from material import material
from mixed_fleet import fleet
from moving import documents, moving
from op_lines import op_lines
from suites.protobuf_cases import Families

from instar import Registry

ROOT = Path(__file__).resolve().parents[2]


def _one(turns: Turns) -> Any:
    return st.just(turns)


@cache
def reference(name: str) -> Any:
    """A subject of this repository."""
    return _one(Turns(Registry.open(ROOT / "schemas", ROOT / "migrations").subject(name)))


@cache
def _files() -> tuple[Families, TemporaryDirectory[str]]:
    folder = TemporaryDirectory()  # goes with the process
    return Families(Path(folder.name)), folder


@cache
def family(name: str) -> Any:
    """A real history with its migrations; skips, with a reason, where there is no material."""
    line = opened(name, _files()[0])
    return _one(Turns(line.registry.subject(line.family.SUBJECT)))


@cache
def agents() -> Any:
    """The run states of a real agent SDK; skips, with a reason, where there is no material."""
    material(*run_states.FOLDER)
    return _one(Turns(run_states.registry().subject(run_states.SUBJECT)))


@cache
def every_op() -> Any:
    """Every op at once; its functions take only what its documents have."""

    def of(version: int) -> Any:
        codec = moving().codec("state", version=version)
        return st.sampled_from([codec.from_builtins(each) for each in documents(version)])

    return _one(Turns(moving().subject("state"), of))


def generated() -> Any:
    """Lines of versions that need no op."""
    return lines().map(lambda line: Turns(Registry.of(line).subject("state")))


def nested() -> Any:
    """Lines of up to four versions whose ops meet in the records that they make."""
    return op_lines().map(lambda made: Turns(made.subject("state")))


def changed() -> Any:
    """Lines of four versions with up to eight ops of any kind, losses among them."""
    return turn_lines().map(Turns)


OWN: Mapping[str, Callable[[], Any]] = {
    "agent_state": partial(reference, "agent_state"),
    "agent_command": partial(reference, "agent_command"),
    "everything": cache(lambda: _one(Turns(fleet().subject("state")))),
    "every-op": every_op,
    "generated": generated,
    "generated-nested-ops": nested,
    "generated-ops": changed,
}
REAL: Mapping[str, Callable[[], Any]] = {
    **{name: partial(family, name) for name in (*PROTOBUF, *AVRO)},
    "openai-run-state": agents,
}
SUBJECTS: Mapping[str, Callable[[], Any]] = {**OWN, **REAL}
"""For each name what makes a strategy of subjects, ready to take turns with."""
