"""Times of Protobuf in nanoseconds, which the project asks for."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from same import same

from instar import Registry
from instar.codec.codec import Codec
from instar.codec.compatibility import diff
from instar.codec.generate import generate
from instar.codec.library.format import Reading
from instar.codec.library.protobuf import ENGINE
from instar.codec.limits import DEFAULT_LIMITS
from instar.codec.subject import Subject
from instar.codec.tag import unpack
from instar.codec.tag.header import Format
from instar.codec.types import build_types
from instar.errors import CorruptPayload, MigrationMismatch, NotExpressible, ValueMismatch
from instar.migrations.derive import derive
from instar.schemas.avro import avsc_text, parse_avro
from instar.schemas.fingerprint import fingerprint
from instar.schemas.folder import load_subjects
from instar.schemas.model import Logical, Primitive, Schema
from instar.schemas.portable import schema_from_text, schema_to_text
from instar.schemas.protobuf import read_proto
from instar.schemas.reading import ReadSettings, TimeUnit

FORMATS: tuple[Format, ...] = ("avro", "protobuf", "msgpack", "json", "yaml")
JOB = """syntax = "proto3";
import "google/protobuf/duration.proto";
import "google/protobuf/timestamp.proto";
message Job {
  google.protobuf.Timestamp at = 1;
  google.protobuf.Duration took = 2;
  repeated google.protobuf.Timestamp all = 3;
  map<string, google.protobuf.Duration> named = 4;
  oneof one { google.protobuf.Duration span = 5; int64 number = 6; }
}
"""
# The wire's own words: a message of seconds (1) and nanos (2).
ODD = bytes.fromhex("0a02 1001")  # at: 1 ns after 1970
LEAST, MOST = -(2**63), 2**63 - 1


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("job") / "v1.proto"
    path.write_text(JOB)
    return path


@pytest.fixture(scope="module")
def nanos(path: Path) -> Registry:
    return Registry.of([read_proto(path, "job", 1, times="nanos")])


def codec_in(path: Path, times: TimeUnit) -> Codec[Any]:
    schema = read_proto(path, "job", 1, times=times)
    return Registry.of([schema]).codec("job", format="protobuf")


def both(path: Path) -> tuple[Schema, Schema]:
    return read_proto(path, "job", 1), read_proto(path, "job", 2, times="nanos")


@pytest.mark.parametrize("format_", FORMATS)
@given(number=st.integers(LEAST, MOST) | st.sampled_from([LEAST, -1, 0, 1, -(10**9), MOST]))
def test_every_number_comes_back(nanos: Registry, format_: Format, number: int) -> None:
    """All 64 bits of nanoseconds are kept in each format, wherever a time may stand."""
    codec = nanos.codec("job", format=format_)
    box: Any = nanos.subject("job").types(1).boxes["SpanValue"]
    state = codec.type(
        at=number, took=number, all=[number, 1], named={"a": number}, one=box(value=number)
    )
    assert same(codec.decode(codec.encode(state)), state)
    assert same(codec.from_builtins(codec.to_builtins(state)), state)


def test_the_bytes_are_those_of_the_well_known_messages(path: Path) -> None:
    """A negative duration has two parts of one sign; a timestamp counts its nanos upwards."""
    codec = codec_in(path, "nanos")
    time = codec.decode(ODD, legacy=1)
    assert (time.at, time.took) == (1, None)
    state = codec.type(at=-1, took=-1_000_000_001, all=[], named={}, one=None)
    back = codec.decode(payload := bytes(_payload(codec, state)), legacy=1)
    assert same(back, state)
    assert payload == bytes.fromhex(
        "0a11 08ffffffffffffffffff01 10ff93ebdc031216 08ffffffffffffffffff01 10ffffffffffffffffff01"
    )


def _payload(codec: Codec[Any], state: Any) -> Any:
    return unpack(codec.encode(state))[1]


def test_finer_than_a_microsecond_is_refused_by_default(path: Path) -> None:
    """Nothing is rounded: the error names the place and the setting that reads the time."""
    with pytest.raises(CorruptPayload, match="1 nanoseconds are no whole microseconds") as caught:
        codec_in(path, "micros").decode(ODD, legacy=1)
    assert caught.value.where == "job.at"
    assert "protobuf_times" in caught.value.mend


@pytest.mark.parametrize("seconds", [9_223_372_037, -9_223_372_037, 253_402_300_799])
def test_what_64_bits_do_not_hold_is_refused(path: Path, seconds: int) -> None:
    """A time beyond the years of 64 bits ends in an error with its place, and never wraps."""
    micros, codec = codec_in(path, "micros"), codec_in(path, "nanos")
    at = dt.datetime(1970, 1, 1, tzinfo=dt.UTC) + dt.timedelta(seconds=seconds)
    state = micros.type(at=at, took=None, all=[], named={}, one=None)
    with pytest.raises(CorruptPayload, match=r"from -\d+ to \d+") as caught:
        codec.decode(bytes(_payload(micros, state)), legacy=1)
    assert caught.value.where == "job.at"


@pytest.mark.parametrize("value", [2**63, 1.0, True, dt.datetime(2025, 1, 1, tzinfo=dt.UTC)])
def test_only_whole_numbers_are_written(path: Path, value: Any) -> None:
    """A datetime is no number of nanoseconds, nor is a float or what 64 bits do not hold."""
    codec = codec_in(path, "nanos")
    with pytest.raises(ValueMismatch, match=r"job\.at"):
        codec.encode(codec.type(at=value, took=None, all=[], named={}, one=None))


def test_the_unit_is_part_of_the_meaning(path: Path) -> None:
    """The fingerprint tells the units apart, and a schema that travels keeps its own."""
    micros, fine = both(path)
    assert fingerprint(micros) != fingerprint(fine)
    assert schema_from_text(schema_to_text(fine)) == fine


def test_a_difference_in_unit_is_told(path: Path) -> None:
    """The diff names both units, what becomes of the Python type, and whom it breaks."""
    change = diff(*both(path))[0]
    assert (change.path, change.what, change.source) == (
        "job.at",
        "it was timestamp in micros (Timestamp) and is timestamp in nanos (Timestamp)",
        "datetime became int in Python",
    )
    # To Protobuf it is the same message.
    assert {found.format for found in change.breaks} == {"avro", "json", "msgpack"}


def test_the_way_up_has_to_be_said(path: Path) -> None:
    """Not every datetime has a number of 64 bits, so the upgrade is refused, not half done."""
    with pytest.raises(MigrationMismatch, match="in nanos"):
        Registry.of(both(path))


@pytest.mark.parametrize(("number", "is_whole"), [(1_000, True), (-2_000, True), (1, False)])
def test_the_way_down_is_checked_value_by_value(path: Path, number: int, is_whole: bool) -> None:
    """Whole microseconds are read by a version that has those, and finer ones are refused."""
    older, newer = both(path)
    old, new = build_types(older), build_types(newer)
    root: Any = new.root
    payload = ENGINE.encoder(new, DEFAULT_LIMITS)(
        root(at=number, took=number, all=[], named={}, one=None)
    )
    read = ENGINE.decoder(Reading(new, derive(newer, older), old), DEFAULT_LIMITS)
    if is_whole:
        state = read(payload)
        span = dt.timedelta(microseconds=number // 1000)
        assert (state.at, state.took) == (dt.datetime(1970, 1, 1, tzinfo=dt.UTC) + span, span)
    else:
        with pytest.raises(NotExpressible, match="no whole microseconds"):
            read(payload)


def test_an_avro_version_may_follow(path: Path) -> None:
    """A duration in nanoseconds is an Avro type of ours, so what is written is read back."""
    schema = read_proto(path, "job", 1, times="nanos")
    again = parse_avro(avsc_text(schema), subject="job", version=2, where="v2.avsc")
    took = next(field.type for field in again.record.fields if field.name == "took")
    assert getattr(took, "item", took) == Logical("duration", Primitive("long"), unit="nanos")


def test_generated_types_are_numbers(path: Path) -> None:
    """The source that is generated says int of 64 bits, and carries the unit in its schema."""
    text = "".join(generate(Subject([read_proto(path, "job", 1, times="nanos")]), {}).values())
    assert "at: exact.Int64 | None" in text
    assert "all: list[exact.Int64]" in text


def test_the_setting_is_for_all_or_by_subject(tmp_path: Path) -> None:
    """A subject takes nanoseconds from a version on; what came before keeps its meaning."""
    for subject in ("job", "other"):
        for version in (1, 2):
            (tmp_path / subject).mkdir(exist_ok=True)
            text = JOB.replace("Job", subject.title())
            (tmp_path / subject / f"v{version}.proto").write_text(text)

    def units(settings: ReadSettings) -> list[object]:
        found = load_subjects(tmp_path, settings=settings)
        types: list[Any] = [s.record.fields[0].type for n in found.values() for s in n]
        return [type_.item.unit for type_ in types]

    assert units(ReadSettings()) == ["micros"] * 4
    assert units(ReadSettings(protobuf_times="nanos")) == ["nanos"] * 4
    assert units(ReadSettings(protobuf_times={"job": 2})) == ["micros", "nanos", "micros", "micros"]
