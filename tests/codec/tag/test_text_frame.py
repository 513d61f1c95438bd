"""The tag of JSON and YAML blobs."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from instar.codec.limits import Limits
from instar.codec.tag import read_tag, unpack
from instar.codec.tag.header import LARGEST_VERSION
from instar.codec.tag.text_frame import pack_json, pack_yaml
from instar.codec.yaml_text import dump_yaml
from instar.errors import (
    ChecksumMismatch,
    CorruptPayload,
    InstarError,
    LimitExceeded,
    MalformedTag,
    TruncatedBlob,
    Untagged,
)

FINGERPRINT = 0x00112233445566FF
LABEL = "agent_state/3#00112233445566ff"
STATE = {"id": "7", "memory": {"$schema": "user data", "n": 1}, "tags": ["a", "b"]}
JSON = pack_json("agent_state", 3, FINGERPRINT, msgspec.json.encode(STATE))
YAML = pack_yaml("agent_state", 3, FINGERPRINT, dump_yaml(STATE))

KEYS = st.text(alphabet="abc$ é", min_size=1, max_size=5).map(lambda key: "k" + key)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=8,
)
STATES = st.dictionaries(KEYS, VALUES, max_size=4)


def reordered(text: str, **changes: Any) -> bytes:
    """The JSON blob as another tool would write it: indented, its tag last."""
    document = json.loads(text)
    tail = {key: document.pop(key) for key in ("$schema", "$sum")}
    kept = {key: value for key, value in (tail | changes).items() if value is not None}
    return json.dumps(document | kept, indent=2).encode()


def test_json_layout() -> None:
    """The tag is the first key, the checksum the second, the state's fields follow."""
    document = json.loads(JSON)
    assert JSON.startswith(b'{"$schema":"agent_state/3#00112233445566ff","$sum":"')
    assert list(document) == ["$schema", "$sum", "id", "memory", "tags"]


def test_yaml_layout() -> None:
    """A YAML blob is YAML, with the same two keys first."""
    document = yaml.safe_load(YAML)
    assert list(document)[:2] == ["$schema", "$sum"]
    assert document["$schema"] == LABEL


@given(state=STATES, version=st.integers(1, LARGEST_VERSION), number=st.integers(0, 2**64 - 1))
def test_json_round_trip(state: dict[str, Any], version: int, number: int) -> None:
    """What is packed is unpacked byte for byte, and the tag says what was packed."""
    body = msgspec.json.encode(state)
    tag, payload = unpack(pack_json("agent_state", version, number, body))
    assert payload == body
    assert (tag.format, tag.subject, tag.version) == ("json", "agent_state", version)
    assert (tag.fingerprint, tag.verified) == (number, True)


@given(state=STATES, number=st.integers(0, 2**64 - 1))
def test_yaml_round_trip(state: dict[str, Any], number: int) -> None:
    """A YAML body is unpacked as the same document."""
    body = dump_yaml(state)
    tag, payload = unpack(pack_yaml("agent_state", 1, number, body))
    assert isinstance(payload, bytes)
    assert yaml.safe_load(payload) == state
    assert (tag.format, tag.fingerprint, tag.verified) == ("yaml", number, True)


@given(state=STATES)
def test_reformatted_json(state: dict[str, Any]) -> None:
    """A document that another tool reordered is read as the same document, unverified."""
    blob = pack_json("agent_state", 3, FINGERPRINT, msgspec.json.encode(state))
    tag, payload = unpack(reordered(blob.decode()))
    assert payload == state
    assert (tag.subject, tag.version, tag.verified) == ("agent_state", 3, False)


@given(state=STATES.filter(bool))
def test_reformatted_yaml(state: dict[str, Any]) -> None:
    """The same for YAML: the document is the same whoever laid it out."""
    document = {**state, "$schema": LABEL}
    tag, payload = unpack(b"# edited\n" + dump_yaml(document))
    assert payload == state
    assert (tag.format, tag.version, tag.verified) == ("yaml", 3, False)


def test_edited_json() -> None:
    """An edit by hand is found, and the error says which key to delete."""
    with pytest.raises(ChecksumMismatch, match=r"delete the \$sum key"):
        unpack(JSON.replace(b'"7"', b'"8"'))


def test_edited_json_without_sum() -> None:
    """Without the key of the checksum an edited document is read, unverified."""
    edited = reordered(JSON.decode(), **{"$sum": None}).replace(b'"7"', b'"8"')
    tag, payload = unpack(edited)
    assert payload == STATE | {"id": "8"}
    assert not tag.verified


def test_compact_json_without_sum() -> None:
    """Only the key has to go: the rest may stay as our writer laid it out."""
    start, stop = JSON.index(b',"$sum"'), JSON.index(b',"id"')
    tag, payload = unpack(JSON[:start] + JSON[stop:])
    assert (payload, tag.verified) == (STATE, False)


def test_edited_yaml_without_sum() -> None:
    """The same for YAML."""
    lines = [line for line in YAML.splitlines(keepends=True) if not line.startswith(b"$sum")]
    tag, payload = unpack(b"".join(lines))
    assert (payload, tag.verified) == (STATE, False)


def test_user_data_that_looks_like_a_tag() -> None:
    """A deeper $schema is user data, and a document with only that has no tag."""
    with pytest.raises(Untagged, match=r"no \$schema key at its top level"):
        unpack(json.dumps({"memory": {"$schema": LABEL}}).encode())


@pytest.mark.parametrize(
    "label",
    ["", "agent_state", "agent_state/3", "agent_state/0#00112233445566ff", f"{LABEL} ", 3, None,
     "agent_state/3#00112233445566FF", "agent_state/03#00112233445566ff", f"/{LABEL}",
     "agent_state/2147483648#00112233445566ff", ["agent_state"]],
)  # fmt: skip
def test_malformed_label(label: object) -> None:
    """A $schema that is not subject/version#fingerprint is refused."""
    with pytest.raises(MalformedTag):
        unpack(json.dumps({"id": "7", "$schema": label}).encode())


@pytest.mark.parametrize("found", ["", "1234", "1234567g", 12345678, None])
def test_malformed_sum(found: object) -> None:
    """A $sum that is not eight hex digits is refused where it cannot be verified either."""
    with pytest.raises(MalformedTag, match=r"\$sum"):
        unpack(json.dumps({"$schema": LABEL, "$sum": found, "id": "7"}).encode())


def test_reserved_key() -> None:
    """A key that begins with one $ is ours, so an unknown one is refused."""
    with pytest.raises(MalformedTag, match="reserved"):
        unpack(json.dumps({"$schema": LABEL, "$sun": "12345678"}).encode())


def test_escaped_key() -> None:
    """A key with two $ is a field whose name begins with $; $type is the type's."""
    document = {"$type": "AgentState", "$$ref": 1}
    assert unpack(json.dumps({"$schema": LABEL} | document).encode())[1] == document


@pytest.mark.parametrize(
    "text",
    [
        '{"id":1,"id":2,"$schema":"%s"}',
        '{"a":{"id":1,"id":1},"$schema":"%s"}',
        '{"$schema":"%s","$schema":"%s"}',
        '{"id":NaN,"$schema":"%s"}',
        '{"id":"\\ud800","$schema":"%s"}',
        '{"id":1,"$schema":"%s"} {}',
        '{"id":1,"$schema":"%s"',
    ],
)
def test_json_that_loses_something(text: str) -> None:
    """Repeated keys, NaN, lone surrogates, tails and cuts are refused."""
    with pytest.raises(CorruptPayload):
        unpack(text.replace("%s", LABEL).encode())


@pytest.mark.parametrize("depth", [101, 100_000])
def test_deep_json(depth: int) -> None:
    """Nesting beyond the limit is refused, however deep."""
    text = f'{{"$schema": "{LABEL}", "a": ' + "[" * depth + "]" * depth + "}"
    with pytest.raises(LimitExceeded, match="nests"):
        unpack(text.encode())


def test_depth_at_the_limit() -> None:
    """Nesting at the limit is read."""
    text = f'{{"$schema": "{LABEL}", "a": ' + "[" * 99 + "]" * 99 + "}"
    assert unpack(text.encode())[0].version == 3


def test_empty_body() -> None:
    """A record without fields is an empty object in both formats."""
    assert unpack(pack_json("agent_state", 1, 0, b"{}"))[1] == b"{}"
    assert unpack(pack_yaml("agent_state", 1, 0, b"{}\n"))[1] == b"{}\n"


def test_empty_body_is_valid_text() -> None:
    """A blob without fields is still a document of its format."""
    assert list(json.loads(pack_json("agent_state", 1, 0, b"{}"))) == ["$schema", "$sum"]
    assert list(yaml.safe_load(pack_yaml("agent_state", 1, 0, b"{}"))) == ["$schema", "$sum"]


@pytest.mark.parametrize("subject", ["", "3d", "agent/state", 'a"b', "a#b", "a b", "état"])
def test_subject_on_write(subject: str) -> None:
    """A subject that could not be read back is refused on write."""
    with pytest.raises(MalformedTag, match="subject"):
        pack_json(subject, 1, 0, b"{}")


def test_body_on_write() -> None:
    """A body that is no object, or no block mapping, is refused on write."""
    with pytest.raises(CorruptPayload):
        pack_json("agent_state", 1, 0, b"[]")
    with pytest.raises(CorruptPayload):
        pack_yaml("agent_state", 1, 0, b"{a: 1}\n")
    with pytest.raises(CorruptPayload):
        pack_yaml("agent_state", 1, 0, b"a: 1")


@pytest.mark.parametrize("blob", [JSON, YAML])
def test_cut(blob: bytes) -> None:
    """A text that was cut in its middle is told from one that was edited."""
    with pytest.raises(TruncatedBlob, match="cut"):
        unpack(blob[:-2])


def test_yaml_cut_after_its_tag() -> None:
    """A tag with nothing after it is a cut text, not a state without fields."""
    with pytest.raises(TruncatedBlob, match="nothing else"):
        unpack(f'$schema: "{LABEL}"\n'.encode())


def test_size_limit_on_write_as_on_read() -> None:
    """The size that is refused on write is the size that is refused on read."""
    less = Limits(blob_bytes=len(JSON) - 1)
    with pytest.raises(LimitExceeded):
        pack_json("agent_state", 3, FINGERPRINT, msgspec.json.encode(STATE), limits=less)
    with pytest.raises(LimitExceeded):
        unpack(JSON, less)


@given(text=st.text(alphabet='{}[]:,"\\$schemau0 \n#/3', max_size=60))
def test_any_text(text: str) -> None:
    """Any text that looks a little like a tag is read or refused, never anything else."""
    for start in ("", '{"$schema":"', f'{{"$schema":"{LABEL}"', "$schema: ", f'$schema: "{LABEL}"'):
        try:
            tag, payload = unpack((start + text).encode())
        except InstarError:
            continue
        assert isinstance(payload, dict)
        assert not tag.verified


def test_line_ends_of_another_system() -> None:
    """A YAML blob whose line ends were changed is read, unverified."""
    tag, payload = unpack(YAML.replace(b"\n", b"\r\n"))
    assert (payload, tag.verified) == (STATE, False)


def test_read_tag_of_both_layouts() -> None:
    """read_tag says the same of a document, verified or not."""
    found, again = read_tag(JSON), read_tag(reordered(JSON.decode()))
    assert (found.subject, found.version, found.fingerprint) == (
        again.subject,
        again.version,
        again.fingerprint,
    )


SPACE = st.binary(max_size=6).map(lambda raw: bytes(b" \t\r\n"[byte % 4] for byte in raw))
LINES = st.lists(st.sampled_from([b"\n", b"\r\n", b" \t\n"]), max_size=3).map(b"".join)


@given(state=STATES, before=SPACE, after=SPACE)
def test_white_space_around_json(state: dict[str, Any], before: bytes, after: bytes) -> None:
    """White space that a tool put around a JSON blob is no damage: it is read and verified."""
    blob = pack_json("agent_state", 3, FINGERPRINT, msgspec.json.encode(state))
    assert unpack(before + blob + after) == unpack(blob)
    assert unpack(blob)[0].verified


@given(state=STATES, text=VALUES, before=LINES, after=SPACE)
def test_white_space_around_yaml(
    state: dict[str, Any], text: Any, before: bytes, after: bytes
) -> None:
    """Blank lines before a YAML blob and white space after it are no damage either.

    That holds for a last value that ends with line ends of its own, too.
    """
    body = dump_yaml({**state, "klast": [text, "a\n\n"]})
    blob = pack_yaml("agent_state", 3, FINGERPRINT, body)
    assert unpack(before + blob + after) == unpack(blob)
    assert unpack(blob)[0].verified


@pytest.mark.parametrize("blob", [JSON, YAML], ids=["json", "yaml"])
def test_damage_within_white_space(blob: bytes) -> None:
    """White space around a text hides no edit and no cut."""
    with pytest.raises(ChecksumMismatch):
        unpack(b"\n" + blob.replace(b"user", b"USER") + b"\n")
    with pytest.raises(TruncatedBlob):
        unpack(b"\n" + blob[:-1])
    with pytest.raises(ChecksumMismatch, match="damaged"):
        unpack(b"\n" + blob.replace(b"$sum", b"$sun") + b"\n")


@pytest.mark.parametrize("blob", [JSON, YAML], ids=["json", "yaml"])
@pytest.mark.parametrize("gap", [b"", b"\n", b"\n---\n", b"\0", b"\xc2\xa0", b"\x0b"])
def test_more_than_white_space(blob: bytes, gap: bytes) -> None:
    """Two blobs in a row are no blob, and other characters are no white space."""
    with pytest.raises(ChecksumMismatch):
        unpack(blob + gap + blob)
    if gap.strip(b"\n-"):
        with pytest.raises((ChecksumMismatch, TruncatedBlob)):
            unpack(blob + gap)


def test_white_space_that_was_written() -> None:
    """White space at the end of the body itself is part of the text, and verified with it."""
    tag, payload = unpack(pack_yaml("agent_state", 3, FINGERPRINT, b"a: 1\n\n"))
    assert (payload, tag.verified) == (b"a: 1\n\n", True)


@pytest.mark.parametrize("blob", [b" ", b"\n\n", b"\t{ "])
def test_white_space_alone(blob: bytes) -> None:
    """White space holds no blob."""
    with pytest.raises(Untagged):
        unpack(blob)


MARK = b"\xef\xbb\xbf"


@pytest.mark.parametrize("blob", [JSON, YAML], ids=["json", "yaml"])
def test_byte_order_mark(blob: bytes) -> None:
    """A mark that an editor put first is another layout: read, and not verified."""
    tag, payload = unpack(MARK + blob)
    assert payload == STATE
    assert (tag.subject, tag.version, tag.verified) == ("agent_state", 3, False)
    assert read_tag(MARK + blob) == tag
    assert tag.header_size + tag.payload_size == len(MARK + blob)


@pytest.mark.parametrize("blob", [JSON, YAML], ids=["json", "yaml"])
def test_edit_behind_a_byte_order_mark(blob: bytes) -> None:
    """Where nothing but the mark changed the layout, an edit is found all the same."""
    with pytest.raises(ChecksumMismatch, match=r"delete the \$sum key"):
        unpack(MARK + blob.replace(b"7", b"8", 1).replace(b"user", b"USER"))


def test_reformatted_text_behind_a_byte_order_mark() -> None:
    """The mark changes nothing about text that was laid out anew."""
    assert unpack(MARK + reordered(JSON.decode()))[1] == STATE
    assert unpack(MARK + b"# edited\n" + dump_yaml({**STATE, "$schema": LABEL}))[1] == STATE


@pytest.mark.parametrize("rest", [b"", b"text", MARK + JSON], ids=["none", "text", "twice"])
def test_byte_order_mark_without_a_tag(rest: bytes) -> None:
    """The mark alone says nothing, and stands once."""
    with pytest.raises(Untagged):
        unpack(MARK + rest)
