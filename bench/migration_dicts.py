"""The chains of ten versions as people write them: functions from dict to dict, one for a hop.

Each changes the dict that it is given, which is the fastest way, and does only what its hop
asks for. What ops say is in functions of its own, by kind.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from .migration_fields import LATEST
from .migration_functions import split_model, split_usage
from .migration_kinds import Kind

Hop: TypeAlias = Callable[[dict[str, Any]], None]
"""Makes a dict of one version one of the next, in place."""

_COMPLETED: Final = {"DONE": "COMPLETED"}


def v1_to_v2(state: dict[str, Any]) -> None:
    """States have tags."""
    state["tags"] = []


def v2_to_v3(state: dict[str, Any]) -> None:
    """The body of a message is called its text."""
    for message in state["messages"]:
        message["text"] = message.pop("body")


def v3_to_v4(state: dict[str, Any]) -> None:
    """The agent is called agent_name."""
    state["agent_name"] = state.pop("agent")


def v4_to_v5(state: dict[str, Any]) -> None:
    """Tokens are a long, which a dict does not show."""


def v5_to_v6(state: dict[str, Any]) -> None:
    """The scratch is gone."""
    del state["scratch"]


def v6_to_v7(state: dict[str, Any]) -> None:
    """Messages can be pinned."""
    for message in state["messages"]:
        message["pinned"] = False


def v7_to_v8(state: dict[str, Any]) -> None:
    """Seconds are a long, which a dict does not show."""


def v8_to_v9(state: dict[str, Any]) -> None:
    """The score is a double, which a dict does not show."""


def v9_to_v10(state: dict[str, Any]) -> None:
    """Traces are gone."""
    for message in state["messages"]:
        del message["trace"]


def name_sender(state: dict[str, Any]) -> None:
    """The author of a message is called its sender."""
    for message in state["messages"]:
        message["sender"] = message.pop("author")


def add_priority(state: dict[str, Any]) -> None:
    """Messages have a priority."""
    for message in state["messages"]:
        message["priority"] = 3


def complete_delivery(state: dict[str, Any]) -> None:
    """What was done is completed."""
    for message in state["messages"]:
        delivery = message["delivery"]
        message["delivery"] = _COMPLETED.get(delivery, delivery)


def list_files(state: dict[str, Any]) -> None:
    """A message can have several files."""
    for message in state["messages"]:
        file = message["files"]
        message["files"] = [] if file is None else [file]


def hoist_lang(state: dict[str, Any]) -> None:
    """The language is the message's own, and no longer that of its origin."""
    for message in state["messages"]:
        message["lang"] = message["origin"].pop("lang")


def part_model(state: dict[str, Any]) -> None:
    """The model is a provider and a name."""
    state["provider"], state["model_name"] = split_model(state.pop("model"))


def count_tokens(state: dict[str, Any]) -> None:
    """The usage of a message is two numbers."""
    for message in state["messages"]:
        message["tokens_in"], message["tokens_out"] = split_usage(message.pop("usage"))


STRUCTURE: Final[tuple[Hop, ...]] = (
    v1_to_v2, v2_to_v3, v3_to_v4, v4_to_v5, v5_to_v6, v6_to_v7, v7_to_v8, v8_to_v9, v9_to_v10,
)  # fmt: skip
"""What each hop changes in all kinds."""

OPS: Final[Mapping[Kind, Mapping[int, Hop]]] = MappingProxyType(
    {
        "structure": {},
        "data": {
            1: name_sender,
            3: add_priority,
            4: complete_delivery,
            7: list_files,
            8: hoist_lang,
        },
        "root": {5: part_model},
        "list": {5: count_tokens},
    }
)
"""What the ops of a kind change, by the version that the hop starts from."""


def hops(kind: Kind) -> tuple[Hop, ...]:
    """All functions from version 1 to the latest, in order."""
    extra = OPS[kind]
    found: list[Hop] = []
    for version in range(1, LATEST):
        found.append(STRUCTURE[version - 1])
        if version in extra:
            found.append(extra[version])
    return tuple(found)


def run_hops(functions: tuple[Hop, ...], state: dict[str, Any]) -> dict[str, Any]:
    """The state after all of them, which is the same dict."""
    for hop in functions:
        hop(state)
    return state
