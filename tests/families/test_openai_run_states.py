"""The run states of a real agent SDK: read at the newest version, and back at their own."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from evolve import FORMATS
from families.run_states import FOLDER, SUBJECT, documents, registry, version_of
from material import material

from instar import strip_residue
from instar.codec.codec import Codec
from instar.codec.documents import DocumentCodec, differences
from instar.codec.engines import VARIABLE
from instar.codec.tag.header import Format
from instar.errors import InstarError, NewerVersion

MERGED = "a key with null and no key are one value where documents have both"
SAYS = "the document says its version"


@pytest.fixture(params=["library", "kernel"], autouse=True)
def _engine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    material(*FOLDER)
    if request.param == "kernel":
        pytest.importorskip("instar.codec.kernel.core", reason="no kernel was built")
    monkeypatch.setenv(VARIABLE, request.param)
    blobs_of.cache_clear()  # A codec keeps what the engine compiled.


@cache
def codec_of(version: int) -> DocumentCodec:
    return DocumentCodec(registry().subject(SUBJECT).types(version))


@cache
def blobs_of(version: int, format_: Format) -> Codec[Any]:
    return registry().codec(SUBJECT, format=format_, version=version)


def carried(state: Any, source: int, target: int, format_: Format) -> Any:
    blob = blobs_of(source, format_).encode(state)
    return blobs_of(target, format_).decode(blob)


def changed(before: Any, after: Any) -> dict[str, str]:
    """Each path that differs, with the reason. A difference without one is a failure."""
    found: dict[str, str] = {}
    for change in differences(before, after):
        if change.place == "$schemaVersion":
            found[change.place] = SAYS
        else:
            assert change.kind == "absent-null-merged", change
            found[change.place] = MERGED
    return found


POLICY = {"reasoning_item_id_policy": MERGED}
KEY = {"generated_prompt_cache_key": MERGED}
# What differs at the newest version besides the version, and back at a document's own.
UP = {
    "minimal/v1_0": POLICY,
    "minimal/v1_1": POLICY,
    "features/v1_7_duplicate_agent_identity_and_sandbox": KEY,
    "features/v1_9_custom_tool_call_and_tool_origin": KEY,
    "minimal/v1_9": KEY,
    "minimal/v1_10": KEY,
    "minimal/v1_11": KEY,
}
BACK = {
    "minimal/v1_2": POLICY,
    "features/v1_7_duplicate_agent_identity_and_sandbox": KEY,
    "features/v1_9_custom_tool_call_and_tool_origin": KEY,
    "minimal/v1_9": KEY,
    "minimal/v1_10": KEY,
    "minimal/v1_11": KEY,
}


def loaded() -> Iterator[tuple[str, dict[str, Any], int, Any]]:
    """Each document with its version and its state."""
    for name, document in documents().items():
        version = version_of(document)
        state, _ = codec_of(version).load(document)
        yield name, document, version, state


@pytest.mark.parametrize("format_", FORMATS)
def test_read_at_the_newest_and_back(format_: Format) -> None:
    """Nothing differs but what is listed, and nothing is refused."""
    newest = registry().subject(SUBJECT).latest
    for name, document, version, state in loaded():
        raised = carried(state, version, newest, format_)
        says = {} if version == newest else {"$schemaVersion": SAYS}
        after = codec_of(newest).dump(raised)
        assert after["$schemaVersion"] == f"1.{newest - 1}"
        assert changed(document, after) == {**UP.get(name, {}), **says}, name
        lowered = codec_of(version).dump(carried(raised, newest, version, format_))
        assert changed(document, lowered) == BACK.get(name, {}), name


def test_minimal_documents_are_each_other() -> None:
    """A minimal document of one version is that of any other, up and down."""
    minimal = {v: d for n, d, v, _ in loaded() if n.startswith("minimal/")}
    for source, document in minimal.items():
        state, _ = codec_of(source).load(document)
        for target, wanted in minimal.items():
            found = codec_of(target).dump(carried(state, source, target, "avro"))
            assert set(changed(wanted, found)) <= {*POLICY, *KEY}


# What some older version has no place for: it goes with a downgrade to that, and comes back null.
DROPPED: dict[str, set[str]] = {
    "features/v1_2_reasoning_item_id_policy": {"reasoning_item_id_policy"},
    "features/v1_7_duplicate_agent_identity_and_sandbox": {"sandbox", "current_agent.identity"},
    "features/v1_8_prompt_cache_key": {"generated_prompt_cache_key"},
    "features/v1_9_custom_tool_call_and_tool_origin": {
        *("generated_items[].output", "generated_items[].raw_item.input"),
        *("generated_items[].raw_item.output", "generated_items[].tool_name"),
        "generated_items[].tool_origin",
    },
}
# The newest of the older versions that refuse a document, and the place that they refuse it for:
# up to 1.4 every item was a reasoning item, which has an id.
REFUSED = {
    "features/v1_5_tool_search_and_display_metadata": (5, "generated_items[0].raw_item.id"),
    "features/v1_9_custom_tool_call_and_tool_origin": (5, "generated_items[0].raw_item.id"),
}


def test_older_versions_hold_what_they_can() -> None:
    """Every document at every older version: all of it, or what that version knows of it and the
    rest as residue, or a refusal that names the place.
    """
    for name, document, version, state in loaded():
        refusing, place = REFUSED.get(name, (0, ""))
        dropped: set[str] = set()
        for target in range(1, version):
            if target <= refusing:
                with pytest.raises(NewerVersion, match=re.escape(f"cannot hold it: {place}: ")):
                    carried(state, version, target, "avro")
                continue
            found = carried(state, version, target, "avro")
            whole = codec_of(version).dump(carried(found, target, version, "avro"))
            back = {change.place for change in differences(document, whole)}
            assert back <= {*BACK.get(name, ())}, name
            strip_residue(found)
            again = codec_of(version).dump(carried(found, target, version, "avro"))
            dropped |= {change.place for change in differences(document, again)}
        kept = {*BACK.get(name, ())}
        assert dropped - kept == DROPPED.get(name, set()), name


def test_a_document_without_a_version_is_refused() -> None:
    """The malformed one is no document of any version."""
    text = material(*FOLDER, "negative", "missing_version.json").read_text()
    for version in range(1, registry().subject(SUBJECT).latest + 1):
        with pytest.raises(InstarError):
            codec_of(version).load(json.loads(text))
