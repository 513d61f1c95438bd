"""What is timed of migrations is the whole work: old blobs and peers give the right states."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

import instar
from instar.bench import migration_runs
from instar.bench.measure import FEWEST_ROUNDS, Spread
from instar.bench.measures import Effort, Finding, Found, Ground, findings
from instar.bench.migration_dicts import OPS, STRUCTURE, hops
from instar.bench.migration_kinds import CHANGED, KINDS, Kind
from instar.bench.migration_peers import (
    MakeReader,
    check_reader,
    dicts_pydantic,
    fastavro_dicts,
)
from instar.bench.migration_runs import less
from instar.bench.migration_states import Chain
from instar.bench.migrations import FORMATS, engines, main, measures
from instar.bench.report import HEADINGS, cells, line
from instar.bench.same import same
from instar.bench.states import LABELS
from instar.bench.ten_versions import LATEST, MESSAGES, SUBJECT, schema_document
from instar.codec.tag import Format
from instar.errors import ValueMismatch

TINY = Effort(FEWEST_ROUNDS, 0.0)
NO_GROUND = Ground((), (), "")


def structure_of(old: dict[str, Any]) -> dict[str, Any]:
    """A state of version 1 as version 10 has it, where there are no ops."""
    same_at_root = {name: old[name] for name in ("id", "tokens", "score")}
    messages = [
        {
            **{name: message[name] for name in ("id", "role", "seconds")},
            "text": message["body"],
            "pinned": False,
        }
        for message in old["messages"]
    ]
    return {**same_at_root, "agent_name": old["agent"], "tags": [], "messages": messages}


def expected(kind: Kind, old: dict[str, Any]) -> dict[str, Any]:
    """The same with the ops of a kind, written down once more."""
    new = structure_of(old)
    if kind == "root":
        new["provider"], new["model_name"] = old["model"].split("/")
    for before, after in zip(old["messages"], new["messages"], strict=True):
        if kind == "list":
            after["tokens_in"], after["tokens_out"] = map(int, before["usage"].split("+"))
        if kind == "data":
            after["sender"], after["priority"] = before["author"], 3
            after["delivery"] = {"DONE": "COMPLETED"}.get(before["delivery"], before["delivery"])
            after["files"] = [before["files"]] if before["files"] else []
            after["origin"] = {"device": before["origin"]["device"]}
            after["lang"] = before["origin"]["lang"]
    return new


@pytest.fixture(scope="module", params=KINDS)
def chain(request: pytest.FixtureRequest) -> Chain:
    return Chain.open(request.param)


@pytest.mark.parametrize("format_", FORMATS)
def test_oldest_blob(chain: Chain, format_: Format) -> None:
    """A blob of version 1 gives every value that version 10 has, by hand or by instar."""
    old = chain.oldest(20)
    state = old.state(format_)
    assert chain.codec(format_).to_builtins(state) == expected(chain.kind, old.document)
    read_old, read_new = old.loads(format_)
    assert same(read_old(), state)
    assert same(read_new(), state)


def test_every_op_has_work(chain: Chain) -> None:
    """The states hold what an op changes: every symbol, files and none, several languages."""
    messages = chain.oldest(40).document["messages"]
    if chain.kind == "data":
        assert {message["delivery"] for message in messages} == {"SENT", "DONE", "FAILED"}
        assert {message["files"] is None for message in messages} == {True, False}
        assert {message["origin"]["lang"] for message in messages} == {"en", "de"}
    if chain.kind == "list":
        assert len({message["usage"] for message in messages}) > 30


def test_ten_versions_of_every_kind(chain: Chain) -> None:
    """Each version differs from the one before, and each kind has its own ops."""
    documents = [schema_document(n, chain.kind) for n in range(1, LATEST + 1)]
    assert all(old != new for old, new in pairwise(documents))
    assert list(chain.registry.subject(SUBJECT).schemas) == list(range(1, LATEST + 1))
    assert CHANGED[chain.kind].ops.keys() == OPS[chain.kind].keys()
    assert len(hops(chain.kind)) == len(STRUCTURE) + len(OPS[chain.kind])


@pytest.mark.parametrize(("label", "messages"), [*zip(LABELS, MESSAGES, strict=True)])
def test_sizes(chain: Chain, label: str, messages: int) -> None:
    """States are of about one size, whatever kind they are of."""
    size = len(chain.oldest(messages).blob("json")) / 1000
    wanted = float(label.removesuffix(" KB"))
    assert 0.75 * wanted <= size <= 1.3 * wanted


@pytest.mark.parametrize("make", [dicts_pydantic, fastavro_dicts])
def test_readers(chain: Chain, make: MakeReader) -> None:
    """The other ways to read an old state give all that instar gives."""
    check_reader(make(chain), chain)


@pytest.mark.parametrize("make", [dicts_pydantic, fastavro_dicts])
def test_lazy_readers_are_refused(make: MakeReader) -> None:
    """A reader that leaves something out, or gives one object twice, is not timed."""
    chain = Chain.open("list")
    reader = make(chain)
    once = reader.load(reader.dump(chain.oldest(3)))
    with pytest.raises(ValueMismatch, match="gave before"):
        check_reader(replace(reader, load=lambda _: once), chain)

    def forgetful(blob: bytes) -> Any:
        state = reader.load(blob)
        state.messages[-1].tokens_out += 1
        return state

    with pytest.raises(ValueMismatch, match="not give the state"):
        check_reader(replace(reader, load=forgetful), chain)


def test_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bare calls are as many as a read makes: one at the root, or one for each message."""
    called: list[str] = []
    for name in ("split_model", "split_usage"):
        monkeypatch.setattr(f"instar.bench.migration_states.{name}", called.append)
    counts: dict[Kind, int] = {"structure": 0, "data": 0, "root": 1, "list": 7}
    for kind, count in counts.items():
        called.clear()
        old = Chain.open(kind).oldest(7)
        old.calls()()
        assert len(called) == count
        if kind == "list":
            assert called == [message["usage"] for message in old.document["messages"]]


def test_less(monkeypatch: pytest.MonkeyPatch) -> None:
    """A part is taken from the whole within each round."""
    now = 0

    def take(nanoseconds: int) -> None:
        nonlocal now
        now += nanoseconds

    monkeypatch.setattr(migration_runs, "CLOCK", lambda: now)
    trial = less("small", 1.1, lambda: take(90), lambda: take(300), lambda: take(200))
    found = trial.run(TINY)
    assert (found.ours, found.peer) == pytest.approx((210e-9, 200e-9))
    assert found.ratio == Spread(1.05, 1.05, 1.05)


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    """Measures nothing large."""
    monkeypatch.setattr(migration_runs, "MESSAGES", (1, 2, 3))


@pytest.mark.usefixtures("few_objects", "tiny")
def test_every_measure_runs() -> None:
    """Each measure has a row for each size, and only instar's own have a target."""
    found = list(findings([*measures()], NO_GROUND, TINY))
    assert sorted({row.measure.number for row in found}) == list(range(1, 7))
    assert [row.size for row in found] == [*LABELS] * len([*measures()])
    for row in found:
        assert row.found is not None
        assert (row.target is None) == (row.met is None)
        assert len(line(cells(row))) <= 100
        # No name runs into the next column.
        assert line(cells(row)).index(f"  {row.size} ") == line(HEADINGS).index("  size")
    aimed = {row.measure.ours for row in found if row.target is not None}
    assert {name.partition(", ")[2] for name in aimed} == {
        *("structure", "ops as data", "less calls"),
    }


def test_no_target() -> None:
    """A row without a target shows none, and is neither met nor missed."""
    row = Finding(next(measures()), "1.5 KB", None, Found(Spread(0.5, 0.4, 0.6)))
    assert cells(row)[-2:] == ("-", "-")


@pytest.mark.usefixtures("few_objects", "tiny")
def test_table(capsys: pytest.CaptureFixture[str]) -> None:
    """The command prints the rows that were asked for, and the engine of each kind."""
    main(["--quick", "--only", "1", "6"])
    text = capsys.readouterr().out
    rows = text[: text.index("\n\n")].splitlines()[1:]
    assert [row.split()[0] for row in rows] == ["1"] * 12 + ["6"] * 12
    assert f"engine {instar.engine().name}" in text
    assert "reads the oldest blob: structure" in " ".join(text.split())
    assert max(map(len, text.splitlines())) <= 100


@pytest.mark.usefixtures("few_objects", "tiny")
def test_json(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """JSON says the same, with the engine by kind and format."""
    monkeypatch.setenv("INSTAR_ENGINE", "library")
    main(["--quick", "--json", "--only", "3"])
    found = json.loads(capsys.readouterr().out)
    assert found["engine"] == "library"
    assert found["engines"] == {kind: dict.fromkeys(FORMATS, "library") for kind in KINDS}
    assert len(found["rows"]) == 36
    assert {row["target"] for row in found["rows"]} == {None, 1.1}


def test_engine() -> None:
    """Structure is read by the engine in use."""
    assert engines()["structure"] == dict.fromkeys(FORMATS, instar.engine().name)
