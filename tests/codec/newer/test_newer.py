"""What older code keeps of a newer state: how it travels, what beats it, what is refused."""

from __future__ import annotations

import copy
from typing import Any

import msgspec
import pytest
from evolve import FORMATS, field, record, registry
from evolve import enum as symbols
from mixed_fleet import fleet

from instar import Limits, Registry, read_residue, read_tag, strip_residue
from instar.codec.library.residue_section import put_section
from instar.codec.newer.token import Entry, Token, set_token, write_token
from instar.codec.tag.binary_frame import pack_binary
from instar.codec.tag.header import Format
from instar.errors import (
    CarriesResidue,
    ConfigError,
    CorruptPayload,
    LimitExceeded,
    MigrationMismatch,
    NewerVersion,
    NoSuchSubject,
    NotExpressible,
    UnknownFingerprint,
    ValueMismatch,
)
from instar.migrations import compute, rename

STEP = field("steps", {"type": "array", "items": record("Step", field("key", "string"))})
COSTED = record("Step", field("key", "string"), field("cost", "int", default=0))
COSTED_STEP = field("steps", {"type": "array", "items": COSTED})
BUDGET, OWNER = field("budget", "int", default=0), field("owner", "string", default="")
THREE = [[STEP], [COSTED_STEP, BUDGET], [COSTED_STEP, BUDGET, OWNER]]


def three(latest: int = 3) -> Registry:
    """The registry of code of some version, of three."""
    return registry(THREE[:latest])


def costed(codec: Any, **more: Any) -> Any:
    step = codec.schema_types().record("Step")
    return codec.type(steps=[step(key="a", cost=1), step(key="b", cost=2)], **more)


STUCK: dict[str, Any] = {
    "title": "",
    "first": "",
    "last": "",
    "status": "STUCK",
    "budget": 0,
    "mood": None,
    "pick": None,
    "owner": None,
    "notes": {},
    "named": {},
    "steps": [],
    "parts": [],
    "goal": [],
}
COPIES = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "replace": lambda state: state.__replace__(),
}


@pytest.mark.parametrize("how", COPIES)
def test_copies_take_it_along(how: str) -> None:
    """A copied state is written as the state itself would be."""
    new, old = three().codec("state", version=2), three().codec("state", version=1)
    state = costed(new, budget=9)
    loaded = COPIES[how](old.decode(new.encode(state)))
    assert new.decode(old.encode(loaded)) == state


def test_it_is_out_of_sight() -> None:
    """Equality, text and JSON form are those of a state that nobody newer wrote."""
    new, old = three().codec("state", version=2), three().codec("state", version=1)
    loaded = old.decode(new.encode(costed(new, budget=9)))
    plain = old.from_builtins({"steps": [{"key": "a"}, {"key": "b"}]})
    assert loaded == plain
    assert repr(loaded) == repr(plain)
    assert old.to_builtins(loaded) == old.to_builtins(plain)
    assert set(read_residue(loaded)) == {"", "steps[0]", "steps[1]"}
    strip_residue(loaded)
    assert old.encode(loaded) == old.encode(plain)


def test_where_nothing_differs_nothing_is_kept() -> None:
    """Fields that have what an upgrade gives anyway cost no byte."""
    new, old = three().codec("state", version=2), three().codec("state", version=1)
    loaded = old.decode(
        new.encode(new.from_builtins({"steps": [{"key": "a", "cost": 0}], "budget": 0}))
    )
    assert read_residue(loaded) == {}
    assert not read_tag(old.encode(loaded)).residue


@pytest.mark.parametrize("format_", FORMATS)
@pytest.mark.parametrize("low", [1, 2])
def test_write_version(format_: Format, low: int) -> None:
    """The tag says what the bytes are; a newer reader gets all of it, an older one its part."""
    opened = three()
    codec = opened.codec("state", format=format_, write_version=low)
    state = costed(codec, budget=9, owner="me")
    blob = codec.encode(state)
    tag = read_tag(blob)
    assert (tag.version, tag.fingerprint) == (low, opened.subject("state").fingerprint(low))
    assert (codec.version, codec.write_version, codec.fingerprint) == (3, low, tag.fingerprint)
    assert codec.decode(blob) == state
    assert codec.project(blob, "owner") == ("me",)
    assert codec.view(blob).steps[1].cost == 2
    aged = three(low).codec("state", format=format_)
    loaded = aged.decode(blob)
    assert loaded == aged.from_builtins(aged.to_builtins(loaded))
    loaded.steps.reverse()
    state.steps.reverse()
    assert codec.decode(aged.encode(loaded)) == state


@pytest.mark.parametrize("format_", FORMATS)
def test_a_look_at_a_blob_does_not_change_how_it_is_read(format_: Format) -> None:
    """Views keep nothing, since they are not saved; what is decoded after one does."""
    new, old = (three().codec("state", version=v, format=format_) for v in (2, 1))
    state = costed(new, budget=9)
    blob = new.encode(state)
    assert old.view(blob).steps[1].key == "b"
    assert old.project(blob, "steps[0].key") == ("a",)
    assert new.decode(old.encode(old.decode(blob))) == state


def test_by_way_of_the_version_between() -> None:
    """Version 2 sees what version 3 wrote as version 1, where it has the schema of version 3."""
    latest = three().codec("state", write_version=1)
    state = costed(latest, budget=9, owner="me")
    middle = three().codec("state", version=2)
    loaded = middle.decode(latest.encode(state))
    assert (loaded.budget, loaded.steps[0].cost) == (9, 1)
    loaded.budget = 10
    found = latest.decode(middle.encode(loaded))
    assert (found.budget, found.owner, found.steps[1].cost) == (10, "me", 2)


def test_what_has_to_be_upgraded_and_cannot_be_is_refused() -> None:
    """Version 2 does not show defaults in place of what version 3 wrote as version 1."""
    latest = three().codec("state", write_version=1)
    blob = latest.encode(costed(latest, budget=9))
    with pytest.raises(NewerVersion) as caught:
        three(2).codec("state").decode(blob)
    assert (caught.value.have, caught.value.want) == (3, 2)


def test_residue_within_residue() -> None:
    """Version 2 without version 3 hands on to version 1, and all comes back in the end."""
    latest = three().codec("state", write_version=2)
    state = costed(latest, budget=9, owner="me")
    middle = three(2).codec("state", write_version=1)
    aged = three(1).codec("state")
    blob = aged.encode(aged.decode(middle.encode(middle.decode(latest.encode(state)))))
    assert read_tag(blob).version == 1
    assert latest.decode(middle.encode(middle.decode(blob))) == state
    assert latest.decode(blob) == state


def test_records_of_several_newer_versions_in_one_state() -> None:
    """A record that is moved to another state keeps what its own writer knew."""
    middle, latest = (three().codec("state", write_version=1, version=v) for v in (2, 3))
    aged = three(1).codec("state")
    first = aged.decode(latest.encode(costed(latest, owner="me")))
    second = aged.decode(middle.encode(costed(middle, budget=9)))
    first.steps.append(second.steps[1])
    found = latest.decode(aged.encode(first))
    assert [step.cost for step in found.steps] == [1, 2, 2]
    assert found.owner == "me"


def test_an_edit_that_was_saved_is_for_good() -> None:
    """What was overtaken does not return when a later edit brings the old value back."""
    new, old = fleet().codec("state"), fleet().codec("state", version=1)
    state = old.decode(new.encode(new.from_builtins(STUCK)))
    seen = state.status
    state.status = type(seen)("DONE")
    old.encode(state)
    state.status = seen
    assert new.to_builtins(new.decode(old.encode(state)))["status"] == "OPEN"


def test_refused_with_its_path() -> None:
    """What an older version must hold and cannot is told: on read and on write."""
    kinds = [symbols("Kind", "A"), symbols("Kind", "A", "B")]
    opened = registry([[field("kind", kind), field("steps", "string")] for kind in kinds])
    new = opened.codec("state")
    state = new.from_builtins({"kind": "B", "steps": ""})
    blob = new.encode(state)
    with pytest.raises(
        NewerVersion, match="version 1 cannot hold it: kind: the symbol B"
    ) as caught:
        opened.codec("state", version=1).decode(blob)
    assert (caught.value.have, caught.value.want) == (2, 1)
    assert isinstance(caught.value.because, NotExpressible)
    with pytest.raises(NotExpressible) as refused:
        opened.codec("state", write_version=1).encode(state)
    assert refused.value.where == "state.kind"


def test_what_the_newer_version_cannot_hold_is_not_written_as_an_older_one() -> None:
    """A wrong value is refused though the older version has no such field."""
    codec = three().codec("state", write_version=1)
    state = costed(codec)
    state.budget = "many"
    with pytest.raises(ValueMismatch, match="budget"):
        codec.encode(state)


@pytest.mark.parametrize("format_", FORMATS)
def test_there_is_a_limit(format_: Format) -> None:
    """Too much residue is refused where it arises and where it is written or read."""
    few = Limits(residue_bytes=60)
    new, old = three().codec("state", version=2), three().codec("state", version=1, format=format_)
    blob = new.encode(costed(new, budget=9))
    with pytest.raises(LimitExceeded, match="residue"):
        three().codec("state", version=1, limits=few).decode(blob)
    with pytest.raises(LimitExceeded, match="residue"):
        three(1).codec("state", limits=few).decode(old.encode(old.decode(blob)))


def test_settings_that_cannot_be() -> None:
    """A write version is one of the older ones, with a way to it; some framings have no room."""
    with pytest.raises(ConfigError, match="write_version"):
        three().codec("state", version=1, write_version=2)
    with pytest.raises(NoSuchSubject):
        three().codec("state", write_version=0)
    gone = registry([[STEP, field("old", "string")], [STEP]])
    with pytest.raises(MigrationMismatch):
        gone.codec("state", write_version=1)
    with pytest.raises(NewerVersion) as caught:
        gone.codec("state", version=1).decode(
            gone.codec("state").encode(gone.codec("state").type(steps=[]))
        )
    assert isinstance(caught.value.because, MigrationMismatch)
    framed = three().codec("state", write_version=1, framing="avro-single-object")
    with pytest.raises(CarriesResidue):
        framed.encode(costed(framed))


def test_another_schema_of_the_same_number() -> None:
    """Residue of a schema that is not the one known here is not guessed at."""
    latest = three().codec("state", write_version=1)
    blob = latest.encode(costed(latest, budget=9))
    other = registry([[STEP], [COSTED_STEP], [COSTED_STEP, field("other", "int", default=0)]])
    with pytest.raises(UnknownFingerprint):
        other.codec("state").decode(blob)


@pytest.mark.parametrize("data", [b"\x91\x01", b"\xc1"])
def test_damaged_residue(data: bytes) -> None:
    """Residue that does not read is an error of the state, and of the blob."""
    old, new = three().codec("state", version=1), three().codec("state")
    state = old.type(steps=[])
    payload = bytes(old.encode(state))[read_tag(old.encode(state)).header_size :]
    set_token(state, data)
    with pytest.raises(ValueMismatch):
        old.encode(state)
    section = put_section("avro", payload, state, Limits())
    assert section is not None
    blob = pack_binary("avro", 1, old.fingerprint, section, residue=True)
    with pytest.raises(CorruptPayload):
        new.decode(blob)


def test_a_token_of_another_record() -> None:
    """Residue names what it is made of; where that is not there, it is of something else."""
    old, new = three().codec("state", version=1), three().codec("state", version=2)
    state = old.decode(new.encode(costed(new, budget=9)))
    entry = Entry(("budget",), "v", (("gone",),), b"12345678", msgspec.Raw(b"\x01"))
    set_token(state, write_token(Token(2, new.fingerprint, "State", (entry,))))
    with pytest.raises(ValueMismatch, match="not there"):
        old.encode(state)


def test_a_rename_needs_no_residue() -> None:
    """Where nothing can be lost, older code reads as it always did, whatever was renamed."""
    opened = registry(
        [[field("msgs", "string")], [field("messages", "string")]], [rename("msgs", "messages")]
    )
    new, old = opened.codec("state"), opened.codec("state", version=1)
    loaded = old.decode(new.encode(new.type(messages="hello")))
    assert (loaded.msgs, read_residue(loaded)) == ("hello", {})


def test_a_function_that_does_not_say_what_it_loses() -> None:
    """What a compute op does not bring back is kept, though it is not declared as lossy."""
    upper = compute(reads="name", writes="label", up=str.upper, down=str.lower)
    opened = registry([[field("name", "string")], [field("label", "string")]], [upper])
    new, old = opened.codec("state"), opened.codec("state", version=1)
    state = new.type(label="Ada")
    loaded = old.decode(new.encode(state))
    assert loaded.name == "ada"
    assert new.decode(old.encode(loaded)) == state
    loaded.name = "eve"
    assert new.decode(old.encode(loaded)).label == "EVE"


@pytest.mark.parametrize("format_", FORMATS)
def test_what_is_kept_and_a_version_between_cannot_hold(format_: Format) -> None:
    """The blob is an older one, and what it keeps is newer: that is what the error says."""
    id_, number = field("id", "int"), field("n", "int", default=0)
    opened = registry([[id_], [id_, number], [id_, field("n", ["null", "int"], default=None)]])
    new = opened.codec("state", format=format_, write_version=1)
    blob = new.encode(new.type(id=1, n=None))
    assert read_tag(blob).version == 1
    assert new.decode(blob) == new.type(id=1, n=None)
    with pytest.raises(
        NewerVersion, match=r"written at version 3, .* cannot hold it: n: null"
    ) as e:
        opened.codec("state", version=2).decode(blob)
    assert (e.value.have, e.value.want) == (3, 2)
    assert isinstance(e.value.because, NotExpressible)
