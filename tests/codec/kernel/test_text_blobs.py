"""The short way of JSON blobs: it reads what our writer lays out, and leaves all else."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("instar.codec.kernel.core", reason="no kernel was built")

from instar.codec.codec import Codec
from instar.codec.kernel.text import TextBlobs
from instar.codec.settings import Settings
from instar.codec.subject import Subject
from instar.codec.tag.text_frame import json_opening
from instar.errors import InstarError
from instar.schemas.model import Field, Primitive, Record, Schema

SUBJECT = Subject(
    [Schema("s", 1, "avro", "R", {"R": Record("R", (Field("a", Primitive("string"), number=1),))})]
)
CODEC: Codec[Any] = Codec(SUBJECT, Settings(1, "json"))
STATE = CODEC.type(a="some text, and é")
BLOB = CODEC.encode(STATE)
SHORT = TextBlobs(
    json_opening("s", 1, CODEC.fingerprint),
    CODEC._decoder(1, "json", 1, "ours"),  # pyright: ignore[reportPrivateUsage]
    1000,
)


def outcome(read: Any) -> Any:
    try:
        return read()
    except InstarError as error:
        return type(error), str(error)


def the_long_way(blob: bytes) -> Any:
    """What the codec makes of a blob of a class that the short way does not take."""
    return outcome(lambda: CODEC.decode(bytearray(blob)))


def test_an_ordinary_blob_takes_the_short_way() -> None:
    """And comes back as what was written."""
    assert SHORT.decode(BLOB) == STATE


@pytest.mark.parametrize(
    "blob",
    [
        BLOB + b"\n",
        b" " + BLOB,
        BLOB[:-1],
        BLOB.replace(b"some", b"sums"),
        BLOB.replace(b'"$sum":"', b'"$sum":"+'),
        BLOB.replace(b"s/1#", b"s/2#"),
        BLOB + b" " * 1000,
        b"",
        bytearray(BLOB),
        None,
    ],
)
def test_any_other_is_left(blob: Any) -> None:
    """White space, damage, another label, another class, too many bytes."""
    assert SHORT.decode(blob) is NotImplemented


def test_a_payload_that_does_not_fit_is_left() -> None:
    """The sum is right and the value is not: the long way says what is wrong with it."""
    other: Codec[Any] = Codec(
        Subject(
            [
                Schema(
                    "s",
                    1,
                    "avro",
                    "R",
                    {"R": Record("R", (Field("a", Primitive("int"), number=1),))},
                )
            ]
        ),
        Settings(1, "json"),
    )
    blob = other.encode(other.type(a=5))
    found = TextBlobs(json_opening("s", 1, other.fingerprint), SHORT.library, 1000).decode(blob)
    assert found is NotImplemented


@given(st.integers(0, len(BLOB) - 1), st.integers(1, 255), st.integers(0, 3))
def test_a_damaged_blob_is_read_alike(at: int, change: int, length: int) -> None:
    """Whichever bytes are changed or cut, both ways give one value or one error."""
    damaged = BLOB[:at] + bytes([BLOB[at] ^ change]) * length + BLOB[at + 1 :]
    found = SHORT.decode(damaged)
    if found is not NotImplemented:
        assert found == the_long_way(damaged)
    assert outcome(lambda: CODEC.decode(damaged)) == the_long_way(damaged)
