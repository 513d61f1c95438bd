from __future__ import annotations

import pytest
from bench_results import make_result
from html_nodes import Node, parse

from instar.bench.page import render
from instar.bench.result import Result


@pytest.fixture(scope="session")
def result() -> Result:
    """A result with something of everything, in which names are hostile."""
    return make_result()


@pytest.fixture(scope="session")
def text(result: Result) -> str:
    return render(result)


@pytest.fixture(scope="session")
def page(text: str) -> Node:
    return parse(text)
