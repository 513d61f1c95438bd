"""A whole run: all parts of a result, how a state grows, cold starts, and what is told in words."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from schema_strategies import schemas

from instar.bench.catalogue import Entry, find_entry
from instar.bench.environment import environment
from instar.bench.measure import FEWEST_ROUNDS, Spread
from instar.bench.memory import footprint
from instar.bench.payload import Chosen, made_up
from instar.bench.payload.maker import Maker
from instar.bench.peers import Peer, Versions
from instar.bench.result import LeftOut, Method, PeerNote, Result, Row
from instar.bench.result_file import from_json, to_json
from instar.bench.suite import Effort, Task
from instar.bench.suite.cold import PHASES, cold_starts
from instar.bench.suite.contenders import Checks, field
from instar.bench.suite.findings import defects, notes
from instar.bench.suite.scale import exponent, is_worse, scales
from instar.bench.whole_run import Asked, run_bench, scale_payloads, steps
from instar.codec.compatibility.heights import heights
from instar.codec.engines import engine
from instar.codec.types import build_types
from instar.errors import ConfigError
from instar.schemas.model import Array, Field, Record, Reference, Schema

ROOT = Path(__file__).resolve().parents[2]
OURS = f"instar avro, {engine().name}"
BASE = "msgspec json"
pytestmark = pytest.mark.usefixtures("few_objects")


@pytest.fixture(scope="module")
def task(versions: Versions) -> Task:
    return Task(
        schemas=str(ROOT / "schemas"),
        migrations=str(ROOT / "migrations"),
        subject="agent_state",
        version=3,
        older=(2,),
        payloads=tuple(made_up(versions, [1, 20])),
        peers=(OURS, BASE),
        paths=("id",),
        base=BASE,
        rounds=FEWEST_ROUNDS,
        sample=0.0,
    )


def asked(**options: Any) -> Asked:
    return Asked(Effort(1), "a test", "instar bench", cold=False, **options)


def test_result(versions: Versions, task: Task) -> None:
    """A result has rows, sizes and memory of each payload, and says how it was found."""
    told: list[str] = []
    found = run_bench(versions, task, asked(), told.append)
    assert len(told) == steps(asked()) == 1
    assert [(one.label[:2], one.items) for one in found.payloads] == [("1 ", 1), ("20", 20)]
    assert {row.payload for row in found.rows} == {one.label for one in task.payloads}
    assert len(found.sizes) == len(found.memory) == 4
    assert found.method.rounds == FEWEST_ROUNDS
    assert 0 < found.method.overhead < 1e-5
    assert found.subject.versions == (1, 2, 3)
    assert found.environment.engine == engine().name
    assert (found.cold, found.scales, found.findings) == ((), (), ())
    assert from_json(to_json(found)) == found


def test_own_peer_that_is_unfit(
    versions: Versions, task: Task, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A peer of the user's own that is refused is a finding."""
    source = (
        "from dataclasses import replace\n"
        "from instar.bench.catalogue import Entry, find_entry\n"
        "def make(versions):\n"
        "    return replace(find_entry('json').peer(versions), gives='dicts')\n"
        "PEER = Entry('mine', 'own', make)\n"
    )
    (tmp_path / "unfit_peer_of_a_test.py").write_text(source)
    monkeypatch.chdir(tmp_path)
    small = replace(task, own=("unfit_peer_of_a_test:PEER",), payloads=task.payloads[:1])
    found = run_bench(versions, small, asked())
    (finding,) = found.findings
    assert finding.startswith("mine was not timed on 1 items")
    assert "claims dicts" in finding


def test_exponent() -> None:
    """What doubles with the state has the exponent 1, what quadruples has 2."""
    sizes = [10, 100, 1000, 10_000]
    assert exponent(sizes, [50 + size for size in sizes]) == pytest.approx(1, abs=0.1)
    assert exponent(sizes, [size**2 for size in sizes]) == pytest.approx(2)
    assert exponent([10], [1]) == 0
    assert is_worse(Spread(1.6, 1.5, 1.7), 1.0)
    assert is_worse(Spread(1.0, 0.9, 1.1), 1.5)
    assert not is_worse(Spread(1.3, 1.0, 1.5), 1.0)


def square(versions: Versions) -> Peer:
    """A peer whose loading grows with the square of what it loads."""
    peer = find_entry(BASE).peer(versions)

    def load(blob: bytes) -> Any:
        state = peer.load(blob)
        # Far more than the loading, so that the growth shows on the busiest machine.
        for _ in state.messages:
            sum(number for number in range(4 * len(state.messages)))
        return state

    return replace(peer, load=load)


def test_growth_worse_than_linear(versions: Versions, task: Task) -> None:
    """A peer whose time grows with the square is found, and one that is linear is not."""
    payloads = made_up(versions, [10, 50, 250])
    entries = [Entry("square", "own", square), find_entry(BASE)]
    found = {one.peer: one for one in scales(task, versions, payloads, entries)}
    assert found["square"].worse
    assert [point.items for point in found["square"].points] == [10, 50, 250]
    assert found[BASE].memory == pytest.approx(1, abs=0.2)
    texts = defects(found.values(), (), ())
    assert [text.partition(":")[0] for text in texts if text.startswith("square")] == ["square"]


def test_scale_payloads(versions: Versions) -> None:
    """Sizes are of the user's own largest state, cut or repeated, or made up."""
    made = scale_payloads(versions, made_up(versions, [3]))
    assert [one.items for one in made] == [1, 10, 100, 1000, 10_000]
    own = Chosen("a", "1 documents of 1 files", 2, {"list": [{"n": 1}, {"n": 2}]}, {})
    cut: Any = scale_payloads(versions, [own])[1].document
    assert len(cut["list"]) == 10
    assert scale_payloads(versions, [Chosen("a", "a file", 0, {"n": 1}, {})]) == []


def test_cold_start(versions: Versions, task: Task) -> None:
    """A cold start is what a new process takes, phase by phase."""
    found = field([find_entry(OURS)], versions, task.payloads[0], Checks())
    (start,) = cold_starts(task, found, FEWEST_ROUNDS)
    assert [phase.name for phase in start.phases] == list(PHASES)
    assert all(phase.seconds.median > 0 for phase in start.phases)
    assert start.total.median > max(phase.seconds.median for phase in start.phases)
    with pytest.raises(ConfigError, match="say nothing of the spread"):
        cold_starts(task, found, 1)


def test_cold_start_fails(versions: Versions, task: Task) -> None:
    """A new process that cannot open the schemas is an error that says so."""
    found = field([find_entry(OURS)], versions, task.payloads[0], Checks())
    with pytest.raises(ConfigError, match=r"a new process cannot hydrate it: .*nowhere"):
        cold_starts(replace(task, schemas="/nowhere"), found, FEWEST_ROUNDS)


def test_footprint() -> None:
    """What a result holds and what it took beyond that are told apart, in bytes."""

    def run() -> list[bytes]:
        bytearray(500_000)  # gone before it ends
        return [bytes(100_000), *(bytes(100) for _ in range(50))]

    found = footprint(run)
    assert 100_000 < found.held < 120_000
    assert 350_000 < found.extra < 500_000
    assert 50 <= found.blocks < 60


def test_environment() -> None:
    """The environment names the processor, Python and libraries that are there, alone."""
    found = environment()
    assert found.cpu
    assert found.python.startswith("CPython ")
    assert "msgspec" in found.versions
    assert all(found.versions.values())


def row(peer: str, ratio: float, half: float = 0.01, **more: Any) -> Row:
    spread = Spread(ratio, ratio - half, ratio + half)
    kept: dict[str, Any] = {
        "work": "hydrate",
        "gives": "objects",
        "payload": "p",
        "base": BASE,
    } | more
    return Row(peer=peer, seconds=Spread(1e-5, 1e-5, 1e-5), ratio=spread, **kept)


@pytest.fixture(scope="module")
def sample() -> Result:
    return from_json(Path(__file__).with_name("sample_result.json").read_bytes())


def peers(*names: str) -> list[PeerNote]:
    return [PeerNote(name=n, gives="objects", family="json", ours=False) for n in names]


def said(rows: list[Row], method: Method) -> list[str]:
    return notes(rows, peers(*(one.peer for one in rows)), method)


def test_not_the_fastest(sample: Result) -> None:
    """Where another is faster than instar, a sentence says so and by how much; a tie is none."""
    quiet = replace(sample.method, left_over=0.0)
    texts = said([row("instar json, kernel", 1.5), row(BASE, 1.0)], quiet)
    assert texts[0].endswith("instar json, kernel takes 1.50 times as long.")
    assert said([row("instar json, kernel", 1.0), row(BASE, 1.0)], quiet) == []
    assert said([row("instar json, kernel", 0.5), row(BASE, 1.0)], quiet) == []


def test_other_notes(sample: Result) -> None:
    """Old blobs that cost much, parts that cost more than the whole, and the bench's own share."""
    quiet, loud = (replace(sample.method, left_over=share) for share in (0.0, 2e-7))
    old = row("instar json, kernel", 8, work="migrate", version=1)
    part = row("instar json, kernel", 2, work="project", paths=("id",))
    texts = said([old, part], quiet)
    assert "a blob of version 1 takes 8.0 times as long" in texts[0]
    assert "projecting id takes 2.00 times as long" in texts[1]
    assert "2.0% of the time may be the bench's own" in said([row(BASE, 1)], loud)[0]


def test_defects() -> None:
    """A peer of instar's that is left out is no defect, one of the user's is."""
    out = [LeftOut(peer="mine", why="no"), LeftOut(peer="yaml", why="slow", payload="p")]
    assert defects((), out, ["mine"]) == ["mine was not timed: no"]


def test_list_of_itself() -> None:
    """Of a record that holds a list of itself, only the outermost list is long."""
    items = Field("items", Array(Reference("a")), number=1)
    schema = Schema("a", 1, "avro", "a", {"a": Record("a", (items,))})
    state = Maker(build_types(schema), 5).state()
    assert len(state.items) == 5
    assert len(state.items[0].items) == 2


@settings(max_examples=25, phases=[Phase.explicit, Phase.generate])
@given(schemas())
def test_any_schema_has_states(schema: Schema) -> None:
    """States are made up for any schema, and are the same for the same seed."""
    types = build_types(schema)
    if heights(schema)[schema.root] == math.inf:
        with pytest.raises(ConfigError, match="without an end"):
            Maker(types, 3).state()
    else:
        state = Maker(types, 3).state()
        assert repr(state) == repr(Maker(types, 3).state())
