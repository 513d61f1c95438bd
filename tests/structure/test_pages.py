from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from structure.api_page import render
from structure.tree import ROOT, settings

from instar import errors

DOCS = ROOT / "docs"
PAGES = sorted(DOCS.rglob("*.md"))
TEXTS = [*sorted(ROOT.glob("*.md")), *sorted(ROOT.glob("*/README.md")), *PAGES]
FIRST_SCREEN = 40
"""Lines of the README that a newcomer sees without scrolling."""


def links(page: Path) -> Iterator[str]:
    """The targets of a page's links, code aside."""
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    yield from re.findall(r"\]\(([^)\s]+)\)", text)


def anchors(page: Path) -> set[str]:
    """What can stand behind ``#`` in a link to a page."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def error_classes() -> dict[str, type[errors.InstarError]]:
    return {
        name: value
        for name, value in vars(errors).items()
        if inspect.isclass(value) and issubclass(value, errors.InstarError)
    }


def family(kind: type[errors.InstarError]) -> str:
    """The class right below the root that ``kind`` is, or comes from."""
    line = [step for step in kind.__mro__ if issubclass(step, errors.InstarError)]
    return line[max(0, len(line) - 2)].__name__


@pytest.mark.parametrize("page", TEXTS, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    """Every relative link leads to a file that exists, and to a heading in it."""
    broken: list[str] = []
    for link in links(page):
        target, _, anchor = link.partition("#")
        if "://" in target:
            continue
        file = (page.parent / target).resolve() if target else page
        if not file.exists() or (anchor and anchor not in anchors(file)):
            broken.append(link)
    assert broken == []


def test_index_lists_every_page() -> None:
    """docs/index.md links every page below docs."""
    index = DOCS / "index.md"
    linked = {(index.parent / link).resolve() for link in links(index)}
    assert {page for page in PAGES if page != index} - linked == set()


def test_python_api_page(golden: Callable[[Path, bytes], None]) -> None:
    """The page of the Python API says what the docstrings say."""
    golden(DOCS / "reference" / "python-api.md", render().encode())


def test_errors_page_is_complete() -> None:
    """The page of errors has one row for each class, under its family, and no other."""
    page = (DOCS / "reference" / "errors.md").read_text(encoding="utf-8")
    found: list[tuple[str, str]] = []
    heading = ""
    for line in page.splitlines():
        if line.startswith("## "):
            heading = line.removeprefix("## ")
        elif row := re.match(r"\| `(\w+)` \|", line):
            found.append((row[1], heading))
    assert sorted(found) == sorted((name, family(kind)) for name, kind in error_classes().items())


def test_error_tree_in_docstring_is_complete() -> None:
    """The tree in the docstring of instar.errors names every class once, under its parent."""
    lines = (inspect.getdoc(errors) or "").splitlines()
    parents: dict[int, str] = {}
    found: list[tuple[str, str]] = []
    for line in lines:
        if match := re.match(r"([│├└─ ]*)([A-Z]\w+)(?:\s{2,}|$)", line):
            depth = len(match[1]) // 4
            parents[depth] = match[2]
            found.append((match[2], parents.get(depth - 1, "Exception")))
    expected = [(name, kind.__mro__[1].__name__) for name, kind in error_classes().items()]
    assert sorted(found) == sorted(expected)


def test_changelog_has_this_version() -> None:
    """The changelog has an entry for the version in pyproject.toml."""
    version = settings()["project"]["version"]
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.search(rf"^## \[?{re.escape(version)}\b", text, flags=re.MULTILINE)


def test_readme_shows_both_commands_first() -> None:
    """The README's first screen has the command that shows instar and the one that tests it."""
    lines = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    first = "\n".join(lines[:FIRST_SCREEN])
    assert "pip install uv && uv run instar tour" in first
    assert "uv run pytest" in first
