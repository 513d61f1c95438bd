"""YAML as plain values, read and written."""

from __future__ import annotations

import math
import sys
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from instar.codec.limits import Limits
from instar.codec.yaml_text import dump_yaml, load_yaml
from instar.errors import (
    CorruptPayload,
    InstarError,
    LimitExceeded,
    MissingExtra,
    ValueMismatch,
)

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(max_size=20)
    | st.sampled_from(["yes", "1e5", "0o7", "0777", "1:30", "2024-01-01", "~", ".5", "=", "<<"]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3)
    ),
    max_leaves=10,
)


@given(value=VALUES)
def test_round_trip(value: Any) -> None:
    """What is dumped is loaded as the same values, types included."""
    assert repr(load_yaml(dump_yaml(value))) == repr(value)


@given(text=st.text(alphabet=" \n\t#:-'\"|>é\x85\u2028\ufeff\U0001f600\x00a", max_size=12))
def test_awkward_text(text: str) -> None:
    """Text keeps its white space, line ends and control characters, as value and as key."""
    value = {"a": {text: [text]}}
    assert load_yaml(dump_yaml(value)) == value


@given(value=VALUES)
def test_other_readers(value: Any) -> None:
    """Another YAML 1.1 reader sees the same values."""
    assert yaml.safe_load(dump_yaml(value)) == value


def test_readable() -> None:
    """Long text is laid out in lines and letters of all languages stand as they are."""
    text = dump_yaml({"b": "é\nline", "a": ["x"]}).decode()
    assert text == "b: |-\n  é\n  line\na:\n- x\n"


def test_same_value_twice() -> None:
    """A value that occurs twice is written twice: aliases are never used."""
    shared = [1]
    assert b"&" not in dump_yaml({"a": shared, "b": shared})


def test_value_that_yaml_cannot_hold() -> None:
    """A value of another type is refused, as is a lone surrogate."""
    for value in (object(), {"a": "\ud800"}):
        with pytest.raises(ValueMismatch, match="YAML cannot hold it"):
            dump_yaml(value)


def test_depth_on_write_as_on_read() -> None:
    """The depth that is refused on write is the depth that is refused on read."""
    limits = Limits(depth=2)
    assert load_yaml(dump_yaml({"a": [1]}, limits), limits) == {"a": [1]}
    with pytest.raises(LimitExceeded):
        dump_yaml({"a": [[]]}, limits)


@pytest.mark.parametrize(
    ("text", "value"),
    [("yes", "yes"), ("1e5", "1e5"), ("0777", "0777"), ("0x1f", "0x1f"), ("1_000", "1_000"),
     ("2024-01-01", "2024-01-01"), ("12:30:00", "12:30:00"), ("null", None), ("", None),
     ("True", True), ("-7", -7), ("1.5", 1.5), ("1.0e+3", 1000.0), ("-.inf", -math.inf)],
)  # fmt: skip
def test_plain_scalar(text: str, value: object) -> None:
    """A plain scalar is a number, boolean or null only where both YAML versions say so."""
    assert repr(load_yaml(f"a: {text}".encode())) == repr({"a": value})


def test_nan() -> None:
    """NaN is read as NaN."""
    assert math.isnan(load_yaml(b"[.nan]")[0])


def test_keys_are_text() -> None:
    """A key is text as it stands, so numbers and booleans as keys are not reinterpreted."""
    assert load_yaml(b"1: a\ntrue: b\n<<: c\n") == {"1": "a", "true": "b", "<<": "c"}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("a: &x 1\nb: *x\n", "line 1 holds an anchor"),
        ("a: *x\n", "line 1 holds an alias"),
        ("a: 1\nb: 2\na: 3\n", "line 3 holds the key 'a' twice"),
        ("a: !!python/object:os.system x\n", "line 1 holds the tag"),
        ("a: !!binary aGk=\n", "line 1 holds the tag"),
        ("a: 1\n---\nb: 2\n", "a second document"),
        ("? [a]\n: 1\n", "a key that is not text"),
        ("a: [1\n", "not YAML"),
        ("a: \x00", "not YAML"),
        ("a: 1.0e+999\n", "too large for a double"),
        ("a: " + "1" * 5000, "5000 digits"),
    ],
)
def test_refused(text: str, reason: str) -> None:
    """What JSON could not say is refused, with its line."""
    with pytest.raises(CorruptPayload, match=reason):
        load_yaml(text.encode())


def test_bytes_that_are_not_text() -> None:
    """Text is UTF-8 and nothing else."""
    with pytest.raises(CorruptPayload, match="UTF-8"):
        load_yaml("a: 1".encode("utf-16"))


@pytest.mark.parametrize("depth", [101, 3000])
def test_depth(depth: int) -> None:
    """Nesting beyond the limit is refused, however deep."""
    with pytest.raises((LimitExceeded, CorruptPayload)):
        load_yaml(b"[" * depth + b"]" * depth)


def test_depth_at_the_limit() -> None:
    """The limit is counted in lists and mappings."""
    limits = Limits(depth=3)
    assert load_yaml(b"a: [{}]", limits) == {"a": [{}]}
    with pytest.raises(LimitExceeded):
        load_yaml(b"a: [{b: []}]", limits)


@given(text=st.text(alphabet="ab:-? \n[]{}&*!|>'\"%#,1.", max_size=40))
def test_any_text(text: str) -> None:
    """Any text is read as plain values or refused."""
    try:
        value = load_yaml(text.encode())
    except InstarError:
        return
    assert isinstance(value, (dict, list, str, int, float, type(None)))


def test_missing_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without PyYAML the error says which extra to install."""
    monkeypatch.setitem(sys.modules, "yaml", None)
    with pytest.raises(MissingExtra, match=r"instar\[yaml\]"):
        load_yaml(b"a: 1")
