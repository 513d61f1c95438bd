"""The sample states are of the size and kind that they claim, and always the same."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from instar.bench.peers import FORMATS, Versions
from instar.bench.same import same
from instar.bench.sample import SIZES, Size, agent_command, agent_state, state_document
from instar.codec.registry import Registry
from instar.codec.tag import Format

VERSIONS = (1, 2, 3)


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize(
    ("size", "least", "most"),
    [("small", 1_200, 2_200), ("medium", 25_000, 35_000), ("large", 500_000, 700_000)],
)
def test_sizes(registry: Registry, version: int, size: Size, least: int, most: int) -> None:
    """A state is about as large as its size says, at every version."""
    codec = registry.codec("agent_state", version=version, format="json")
    assert least <= len(codec.encode(agent_state(codec, size))) <= most


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("format_", FORMATS)
def test_every_format_takes_it(registry: Registry, version: int, format_: Format) -> None:
    """A state comes back from every format as it went in."""
    codec = registry.codec("agent_state", version=version, format=format_)
    state = agent_state(codec, "small")
    assert same(codec.decode(codec.encode(state)), state)


@pytest.mark.parametrize("version", [1, 2])
@pytest.mark.parametrize("format_", FORMATS)
def test_commands(registry: Registry, version: int, format_: Format) -> None:
    """A command comes back from every format, at both versions."""
    codec = registry.codec("agent_command", version=version, format=format_)
    command = agent_command(codec)
    assert same(codec.decode(codec.encode(command)), command)


def test_same_seed_same_state(versions: Versions) -> None:
    """One seed gives one state, and another seed another."""
    codec = versions.codec("avro")
    assert codec.encode(agent_state(codec, seed=5)) == codec.encode(agent_state(codec, seed=5))
    assert codec.encode(agent_state(codec, seed=5)) != codec.encode(agent_state(codec, seed=6))


@pytest.mark.parametrize("size", SIZES)
def test_messages(size: Size) -> None:
    """A size says how many messages there are."""
    assert len(state_document(3, size)["messages"]) == SIZES[size]


def test_kinds_of_content() -> None:
    """From version 2 on, a conversation has text, tool calls and their results."""
    messages = state_document(2)["messages"]
    assert {message["content"]["$type"] for message in messages} == {
        "TextPart",
        "ToolCall",
        "ToolResult",
    }


@pytest.mark.parametrize("version", VERSIONS)
def test_repeating_ids(version: int) -> None:
    """With so many ids there are no more, in messages and in calls, and all else is the same."""

    def ids(document: dict[str, Any]) -> tuple[set[str], set[str]]:
        messages = document["messages" if version > 1 else "msgs"]
        calls = {message["content"].get("call_id", "") for message in messages}
        return {message.pop("id") for message in messages}, calls - {""}

    def without_calls(document: dict[str, Any]) -> str:
        return re.sub(r"call_\d{5}", "call_id", json.dumps(document))

    plain, repeating = (state_document(version, ids=number) for number in (None, 8))
    assert len(json.dumps(plain)) == len(json.dumps(repeating))
    (unique, _), (few, few_calls) = ids(plain), ids(repeating)
    assert (len(unique), len(few)) == (100, 8)
    assert len(few_calls) == (8 if version > 1 else 0)
    assert without_calls(plain) == without_calls(repeating)


def test_tools_repeat_and_texts_do_not() -> None:
    """Tool names come again and again, as real ones do; texts are all different."""
    contents = [message["content"] for message in state_document(3)["messages"]]
    tools = [content["tool"] for content in contents if "tool" in content]
    texts = [content["text"] for content in contents if "text" in content]
    assert len(set(tools)) < len(tools) / 3
    assert len(set(texts)) == len(texts)
