"""What the chains of ten versions need beside structure: fields, and the ops that change them.

There is one hop for each op. The hops of a kind leave alone what the structure of the long
list changes, so that a peer's function never goes through the list twice in one hop.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from dataclasses import field as attribute
from random import Random
from types import MappingProxyType
from typing import Any, Final, Literal, TypeAlias, get_args

from ..migrations import add, compute, convert, hoist, rename, within, wrap
from ..migrations.ops import Op
from .migration_fields import Row, enum, field, record
from .migration_functions import join_model, join_usage, split_model, split_usage
from .words import MODELS

Kind: TypeAlias = Literal["structure", "data", "root", "list"]
"""What the hops of a chain are: only structure; ops that are data too; a Python function at
the root, or in each record of the long list, too.
"""

KINDS: Final[tuple[Kind, ...]] = get_args(Kind)

LIST: Final = "messages[]"


def _nothing(_: Random) -> dict[str, Any]:
    return {}


@dataclass(frozen=True, slots=True)
class Changed:
    """The ops of a kind by the version that they start from, and the fields they work on.

    ``first_root`` and ``first_message`` give those fields as version 1 has them. A message's
    body has so many ``words``, that states are of about one size whatever else is in them.
    """

    ops: Mapping[int, Op] = attribute(default_factory=dict[int, Op])
    root: tuple[Row, ...] = ()
    message: tuple[Row, ...] = ()
    first_root: Callable[[Random], dict[str, Any]] = _nothing
    first_message: Callable[[Random], dict[str, Any]] = _nothing
    words: int = 36


def _first_model(source: Random) -> dict[str, Any]:
    return {"model": join_model(*source.choice(MODELS))}


def _first_usage(source: Random) -> dict[str, Any]:
    return {"usage": join_usage(source.randrange(2000), source.randrange(500))}


def _first_data(source: Random) -> dict[str, Any]:
    name = f"report-{source.randrange(100):02d}.pdf"
    return {
        "author": f"agent-{source.randrange(8):03d}",
        "delivery": source.choice(("SENT", "DONE", "FAILED")),
        "files": source.choice((None, name)),
        "origin": {"device": source.choice(("web", "phone")), "lang": source.choice(("en", "de"))},
    }


_DEVICE, _LANG = {"name": "device", "type": "string"}, {"name": "lang", "type": "string"}

_DATA = Changed(
    ops={
        1: within(LIST, rename("author", "sender")),
        3: within(LIST, add("priority", default=3)),
        4: within(LIST, convert("delivery", {"DONE": "COMPLETED"})),
        7: within(LIST, wrap("files")),
        8: within(LIST, hoist("origin.lang")),
    },
    message=(
        field("author", "string", until=1),
        field("sender", "string", since=2),
        field("priority", "int", since=4),
        field("delivery", enum("Delivery", "SENT", "DONE", "FAILED"), until=4),
        field("delivery", enum("Delivery", "SENT", "COMPLETED", "FAILED"), since=5),
        field("files", ["null", "string"], until=7),
        field("files", {"type": "array", "items": "string"}, since=8),
        field("origin", record("Origin", _DEVICE, _LANG), until=8),
        field("origin", record("Origin", _DEVICE), since=9),
        field("lang", "string", since=9),
    ),
    first_message=_first_data,
    words=20,
)

_ROOT = Changed(
    ops={
        5: compute(
            reads="model", writes=("provider", "model_name"), up=split_model, down=join_model
        )
    },
    root=(
        field("model", "string", until=5),
        field("provider", "string", since=6),
        field("model_name", "string", since=6),
    ),
    first_root=_first_model,
)

_LIST = Changed(
    ops={
        5: within(
            LIST,
            compute(
                reads="usage", writes=("tokens_in", "tokens_out"), up=split_usage, down=join_usage
            ),
        )
    },
    message=(
        field("usage", "string", until=5),
        field("tokens_in", "int", since=6),
        field("tokens_out", "int", since=6),
    ),
    first_message=_first_usage,
)

CHANGED: Final[Mapping[Kind, Changed]] = MappingProxyType(
    {"structure": Changed(), "data": _DATA, "root": _ROOT, "list": _LIST}
)
"""What each kind has beside structure."""
