from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from verify import faults

import instar
from instar.codec import subject as subjects
from instar.codec.codec import Codec
from instar.codec.library import json as json_format
from instar.codec.library.format import Decode, Encode, FormatEngine, Reading
from instar.codec.limits import Limits
from instar.codec.subject import Subject
from instar.codec.types import SchemaTypes
from instar.codec.verify import Outcome, Settings, prepare, verify
from instar.codec.verify.lab import Lab
from instar.codec.verify.run import LAWS
from instar.errors import ConfigError
from instar.migrations.compose import compose
from instar.migrations.conversion import Fill, Graph
from instar.schemas.model import Default, Schema

ROOT = Path(__file__).resolve().parents[2]
FEW = Settings(examples=20)


def broken(outcomes: list[Outcome]) -> list[Outcome]:
    return [outcome for outcome in outcomes if outcome.broken is not None]


def only(outcomes: list[Outcome]) -> Any:
    """What breaks the one case that is broken."""
    (outcome,) = broken(outcomes)
    return outcome.broken


@pytest.mark.parametrize("name", ["agent_state", "agent_command"])
def test_reference_subjects(name: str) -> None:
    """The laws hold for the subjects that instar ships."""
    registry = instar.Registry.open(ROOT / "schemas", ROOT / "migrations")
    outcomes = verify(registry.subject(name), Settings(examples=6))
    assert broken(outcomes) == []
    assert all(outcome.examples >= 6 for outcome in outcomes)


@pytest.mark.parametrize("make", [faults.sound, faults.structural])
def test_sound_migrations(make: Callable[[], Subject]) -> None:
    """Migrations that lose nothing break no law, and every law has something to run."""
    outcomes = verify(make(), Settings(examples=20, replay=lambda _: []))
    assert broken(outcomes) == []
    assert {outcome.law for outcome in outcomes} == {law.id for law in LAWS}


@pytest.mark.parametrize(
    ("make", "law", "path", "what"),
    [
        (
            faults.not_total_up,
            "upgrade-total",
            "1 -> 2",
            "refused: job 1 -> 2, title: raises_on_slash(str) raised ValueError: a slash; make it",
        ),
        (
            faults.not_total_down,
            "downgrade-total",
            "2 -> 1",
            "raised KeyError: ''; make it total: every value of the schema has to pass",
        ),
        (faults.not_inverse, "round-trip", "1 -> 2 -> 1", "name: expected '0', found ''"),
        (
            faults.forgets,
            "edit",
            "2 -> 1 -> 2",
            "is edited at version 1, another part is lost: origin: expected '",
        ),
    ],
)
def test_a_fault_breaks_its_law_alone(
    make: Callable[[], Subject], law: str, path: str, what: str
) -> None:
    """A migration with one fault breaks the law that it is about, and no other."""
    (outcome,) = broken(verify(make(), FEW))
    assert (outcome.law, outcome.path) == (law, path)
    assert outcome.broken is not None
    assert what in outcome.broken.what


def test_a_function_that_writes_into_its_argument_breaks_nothing() -> None:
    """What it is given is its own copy, so that no state and no law is touched."""
    assert not broken(verify(faults.mutates(), FEW))


def test_example_is_simple() -> None:
    """What breaks a law is shrunk, and shown with what was expected and found."""
    found = only(verify(faults.not_total_up(), FEW, ["upgrade-total"]))
    assert found.example == {"name": "/", "log": []}
    assert found.expected == "a state of version 2"
    assert "a slash" in found.found


def test_states_are_shown() -> None:
    """A state that comes back another is shown beside what it was."""
    found = only(verify(faults.not_inverse(), FEW, ["round-trip"]))
    assert found.example == found.expected == {"name": "0"}
    assert found.found == {"name": ""}


def test_function_that_counts() -> None:
    """A function whose value depends on more than its arguments is not deterministic."""
    found = only(verify(faults.counts(), FEW, ["deterministic"]))
    assert found.what.startswith("the second read gives another state: number: expected ")
    assert found.found["number"] == found.expected["number"] + 1


class Stale:
    """A codec of older code that writes back what it read, without the edit."""

    def __init__(self, codec: Codec[Any]) -> None:
        self.inner = codec
        self.read = b""

    def decode(self, blob: bytes) -> Any:
        self.read = blob
        return self.inner.decode(blob)

    def encode(self, state: Any) -> bytes:
        return self.inner.encode(state) if self.inner.version > 1 else self.read


class Scribbles(Stale):
    """A codec that writes into the blob that it is given."""

    def decode(self, blob: Any) -> Any:
        state = self.inner.decode(bytes(blob))
        if isinstance(blob, bytearray):
            blob[0] = 0
        return state

    def encode(self, state: Any) -> bytes:
        return self.inner.encode(state)


def test_reader_that_writes(monkeypatch: pytest.MonkeyPatch) -> None:
    """A read that changes the blob breaks the law."""
    make = Lab.codec
    monkeypatch.setattr(Lab, "codec", lambda lab, version: Scribbles(make(lab, version)))
    outcomes = broken(verify(faults.structural(), Settings(examples=2), ["deterministic"]))
    assert {outcome.broken.what for outcome in outcomes if outcome.broken} == {
        "reading changes the blob"
    }


def test_wrong_fusion(monkeypatch: pytest.MonkeyPatch) -> None:
    """A read over two versions that differs from its hops breaks the law of fusion."""

    def forgetful(first: Graph, second: Graph, middle: Schema) -> Graph:
        fused = compose(first, second, middle)
        whole = fused.records[fused.root]
        takes = tuple(take for take in whole.takes if take.target != "log")
        wrong = replace(whole, takes=takes, fills=(*whole.fills, Fill("log", Default([]))))
        return Graph(fused.root, {**fused.records, fused.root: wrong})

    monkeypatch.setattr(subjects, "compose", forgetful)
    outcomes = broken(verify(faults.structural(), FEW, ["fused"]))
    assert [outcome.path for outcome in outcomes] == ["1 -> 3", "3 -> 1"]
    found = outcomes[0].broken
    assert found is not None
    assert found.what == "read at once it differs from hop by hop: log: expected [''], found []"
    assert (found.expected["log"], found.found["log"]) == ([""], [])


@dataclass
class Shouts:
    """A format whose readers get names in capitals."""

    inner: FormatEngine

    def encoder(self, types: SchemaTypes, limits: Limits) -> Encode:
        return self.inner.encoder(types, limits)

    def decoder(self, reading: Reading, limits: Limits) -> Decode:
        decode = self.inner.decoder(reading, limits)

        def shout(payload: Any) -> Any:
            state = decode(payload)
            state.name = state.name.upper()
            return state

        return shout


def test_format_that_differs(monkeypatch: pytest.MonkeyPatch) -> None:
    """A format that gives another state than the others is named."""
    monkeypatch.setattr(json_format, "ENGINE", Shouts(json_format.ENGINE))
    outcomes = broken(verify(faults.structural(), FEW, ["pairs"]))
    assert [outcome.path for outcome in outcomes] == ["1 -> 1", "2 -> 1", "3 -> 1"]
    found = outcomes[0].broken
    assert found is not None
    assert found.what == (
        "json (library) gives something else than avro (library): name: expected 'a', found 'A'"
    )
    assert (found.expected["name"], found.found["name"]) == ("a", "A")


def test_pairs_has_every_format() -> None:
    """Every pair is read in all formats."""
    outcomes = verify(faults.structural(), Settings(examples=1), ["pairs"])
    assert {outcome.format for outcome in outcomes} == {"avro, protobuf, msgpack, json, yaml"}


def test_lost_edit(monkeypatch: pytest.MonkeyPatch) -> None:
    """An edit that does not come back up breaks the law of edits."""
    make, made = Lab.codec, dict[int, Any]()

    def codec(lab: Lab, version: int) -> Any:
        return made.setdefault(version, Stale(make(lab, version)))

    monkeypatch.setattr(Lab, "codec", codec)
    found = only(verify(faults.structural(), FEW, ["edit"]))
    assert " is edited at version 1, the edit is lost: " in found.what


@dataclass(frozen=True)
class Wrong:
    where: str = "schemas/job/golden/v1/plain.avro"
    what: str = "it hydrates to another value"
    mend: str = "restore the file"


def test_goldens() -> None:
    """What the replay of recorded blobs finds breaks their law."""
    found = only(verify(faults.sound(), Settings(replay=lambda _: [Wrong()]), ["goldens"]))
    assert found.what == "schemas/job/golden/v1/plain.avro: it hydrates to another value"


def test_longer_routes_are_passed_over() -> None:
    """Where a hop breaks a law, routes over it are not run: they would say the same again."""
    fields = [faults.text("name")], [faults.text("title")], [faults.text("title"), faults.LOG]
    step = instar.Migration("job", 1, 2, faults.retitled(faults.raises_on_slash, faults.same))
    outcomes = verify(faults.subject(*fields, steps=[step]), FEW, ["upgrade-total"])
    assert [(outcome.path, outcome.passed_over) for outcome in outcomes] == [
        ("1 -> 2", ""),
        ("2 -> 3", ""),
        ("1 -> 3", "a hop of it breaks the law"),
    ]


def test_seed_repeats() -> None:
    """The same seed finds the same, and so the same number of states is tried."""
    first, second = (verify(faults.forgets(), Settings(20, seed=5)) for _ in range(2))
    assert first == second


def test_unknown_law() -> None:
    """An id that no law has is refused, with those that there are."""
    with pytest.raises(ConfigError, match="no law 'round'; laws are upgrade-total, "):
        prepare(faults.sound(), laws=["round"])
