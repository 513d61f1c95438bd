"""The kernel's JSON against msgspec: the values it reads, and the text it writes."""

from __future__ import annotations

import json
import math
from typing import Any

import msgspec
import pytest
from examples import examples
from hypothesis import example, given, settings
from hypothesis import strategies as st
from kernel_pair import Refused, alike, field_of, pair_of, with_field, zigzag
from material import material

from instar.errors import ValueMismatch
from instar.schemas.model import Json

PAIR = pair_of(Json())
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
JSON = st.recursive(
    st.one_of(
        *(st.none(), st.booleans(), st.integers(-(2**63), 2**64 - 1), TEXT),
        st.floats(allow_nan=False, allow_infinity=False),
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(TEXT, inner, max_size=3)),
    max_leaves=6,
)


def sized(text: bytes) -> bytes:
    """JSON text as a payload."""
    return zigzag(len(text)) + text


def check(text: bytes) -> None:
    """The kernel gives msgspec's value, or refuses where the library engine does."""
    wanted, found = PAIR.wanted(sized(text)), PAIR.state(sized(text))
    if isinstance(wanted, Refused):
        assert found is NotImplemented
    else:
        assert alike(found, wanted)
        assert alike(field_of(found), msgspec.json.decode(text))


@settings(max_examples=examples(300))
@given(JSON)
def test_any_value_is_written_as_msgspec_writes_it(value: Any) -> None:
    """The text is msgspec's to the byte, and gives the value back."""
    payload = PAIR.payload(with_field(PAIR, value))
    assert payload == sized(msgspec.json.encode(value))
    assert alike(field_of(PAIR.state(payload)), msgspec.json.decode(msgspec.json.encode(value)))


@settings(max_examples=examples(300))
@given(
    JSON, st.sampled_from([None, 1]), st.booleans(), st.sampled_from([(",", ":"), (" , ", " :")])
)
def test_text_of_other_writers_is_read_as_msgspec_reads_it(
    value: Any, indent: int | None, ascii_only: bool, marks: tuple[str, str]
) -> None:
    """Escapes, white space, line breaks and long numbers change nothing of the value."""
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only, separators=marks)
    check(text.encode("utf-8", "surrogatepass"))


@settings(max_examples=examples(600))
@given(st.text(alphabet='{}[]",:\\u0d8eE+-.1 \n\ttrufalsn\x00\x1fé😀', max_size=24))
@example('{"a":1,"a":2}')
@example('{"a":1,"b":2,"a":3}')
@example('["\\ud800"]')
@example('["\\ud83d\\ude00"]')
@example("-0")
@example("[-0,-0.0,0.0,-0e1]")
@example("[1.]")
@example("[.5]")
@example("[01]")
@example("[1e5,1E5,1e+5,1e-5]")
@example("[1e308,1e309]")
@example("[4.9e-324,2e-324,5e-400]")
@example("[123456789012345678,1234567890123456789,18446744073709551615,18446744073709551616]")
@example("[-9223372036854775808,-9223372036854775809]")
@example("[0.1000000000000000055511151231257827021181583404541015625]")
@example("[9007199254740993.0,2.2250738585072011e-308]")
@example('{"":{"":[]}}')
@example("[1,]")
@example('{"a":1,}')
@example("[] []")
def test_any_text_is_read_as_msgspec_reads_it(text: str) -> None:
    """What looks like JSON and is not is refused; what is JSON is the value."""
    check(text.encode("utf-8", "surrogatepass"))


@pytest.mark.parametrize(
    "text",
    [
        b'"\xff"',
        b'"\xed\xa0\x80"',
        b'"\xc0\x80"',
        b'"\xf4\x90\x80\x80"',
        b"\xef\xbb\xbf1",
        b'{"\xff":1}',
    ],
)
def test_text_that_is_no_utf8_is_refused(text: bytes) -> None:
    """Bytes beyond UTF-8 are refused in values and in keys."""
    check(text)
    assert PAIR.state(sized(b"[" + text + b"]")) is NotImplemented


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_any_float_is_written_as_msgspec_writes_it(number: float) -> None:
    """Digits, point and exponent are the same, and lead back to the same float."""
    check_float(number)


def check_float(number: float) -> None:
    payload = PAIR.payload(with_field(PAIR, [number]))
    assert payload == sized(msgspec.json.encode([number]))
    assert repr(field_of(PAIR.state(payload))) == repr([number])


@pytest.mark.parametrize("number", [1e15, 1e16, 1e17, 1e-4, 1e-5, 1e21, 1e22, 123456789012345680.0])
def test_where_an_exponent_begins_is_msgspecs(number: float) -> None:
    """Around the sizes at which writers turn to exponents, the text is msgspec's."""
    check_float(number)


@given(st.text(st.characters(), max_size=80))
def test_any_text_is_escaped_as_msgspec_escapes_it(text: str) -> None:
    """Quotes, control characters and letters of every width; lone surrogates are refused."""
    found = PAIR.encoder.payload
    for value in (text, [text], {text: text}):
        if any("\ud800" <= letter <= "\udfff" for letter in text):
            with pytest.raises(ValueMismatch, match="surrogate"):
                PAIR.write(with_field(PAIR, value))
            assert found(with_field(PAIR, value)) is NotImplemented
        else:
            assert found(with_field(PAIR, value)) == sized(msgspec.json.encode(value))


@pytest.mark.parametrize("size", [0, 61, 62, 63, 64, 127, 128, 8189, 8190, 8191, 8192, 1 << 20])
def test_the_length_before_the_text_is_right_at_every_size(size: int) -> None:
    """The text is moved to make room for its length, and no byte is lost."""
    for letter in ("a", "\n", "é", "\x01"):
        value = letter * size
        payload = PAIR.payload(with_field(PAIR, value))
        assert payload == sized(msgspec.json.encode(value))
        assert field_of(PAIR.state(payload)) == value


@pytest.mark.parametrize(
    "value",
    [
        math.nan,
        math.inf,
        2**64,
        -(2**63) - 1,
        {1: "a"},
        {"a": b""},
        (1, 2),
        {"a": {1}},
        object(),
        [10**400],
    ],
)
def test_what_is_no_json_value_is_refused_by_both(value: Any) -> None:
    """Nothing is coerced, at any depth."""
    for held in (value, [value], {"k": [value]}):
        with pytest.raises(ValueMismatch):
            PAIR.write(with_field(PAIR, held))
        assert PAIR.payload(with_field(PAIR, held)) is NotImplemented


def test_nesting_is_bounded_alike_on_both_sides() -> None:
    """The deepest value that the library engine takes is the deepest that the kernel takes."""
    value: Any = []
    for depth in range(1, 130):
        text = b"[" * depth + b"]" * depth
        check(text)
        check(b'{"a":' * depth + b"1" + b"}" * depth)
        written = PAIR.payload(with_field(PAIR, value))
        assert (written == sized(text)) == (not isinstance(PAIR.wanted(sized(text)), Refused))
        value = [value]


def test_a_list_that_holds_itself_is_refused() -> None:
    """A cycle ends at the limit of depth."""
    value: list[Any] = []
    value.append(value)
    assert PAIR.payload(with_field(PAIR, value)) is NotImplemented


def test_the_json_test_suite() -> None:
    """Each file of JSONTestSuite is read as msgspec reads it, or refused by both."""
    lines = material("suites", "json-test-suite", "handout.jsonl").read_text().splitlines()
    cases = [json.loads(line) for line in lines]
    for case in cases:
        check(bytes.fromhex(case["hex"]) if "hex" in case else case["text"].encode())
    assert len(cases) > 200
