"""The store of the how-to page is a store."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from instar.store.conformance import StoreContract

PAGE = Path(__file__).resolve().parents[2] / "docs" / "how-to" / "write-a-store.md"
BEHAVIOURS = sorted(name for name in vars(StoreContract) if name.startswith("test_"))


@pytest.fixture(scope="module")
def suite() -> type[StoreContract]:
    names: dict[str, Any] = {"__name__": "page"}
    for block in re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL):
        exec(block, names)  # noqa: S102 - the page is ours, and this is its test
    found: type[StoreContract] = names["TestDictStore"]
    return found


@pytest.mark.parametrize("behaviour", BEHAVIOURS)
def test_the_store_on_the_page_keeps_the_contract(
    suite: type[StoreContract], behaviour: str
) -> None:
    """The code on the page runs, and its store passes the suite that the page names."""
    getattr(suite(), behaviour)()
