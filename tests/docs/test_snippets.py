"""The Python on every page of the documentation runs as it stands.

The blocks of a page run in order, in one namespace and in an empty working directory, as a reader
would try them. Three marks say more:

- A block whose first line is ``# file: path``, a comment of its language, is written to that file.
  So is a block of any language below a line ``<!-- file: path -->``, which the reader does not see.
- In a block that runs, lines that begin with ``#> `` are, together, what it prints.
- A page below a line ``<!-- not run: reason -->`` is left out, and the test says why.
"""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted(
    page.relative_to(ROOT).as_posix()
    for page in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    if "```python" in page.read_text(encoding="utf-8")
)
FENCE = re.compile(
    r"(?:<!-- file: (?P<above>\S+) -->\n+)?^```(?P<language>\w+)\n(?P<text>.*?)^```$",
    re.DOTALL | re.MULTILINE,
)
NOT_RUN = re.compile(r"<!-- not run: (.+?) -->")


@dataclass(frozen=True)
class Block:
    """One block, ``line`` of the page on; ``file`` is where it is written, empty if it runs."""

    line: int
    text: str
    file: str

    @property
    def printed(self) -> str | None:
        """What it says that it prints, or None where it says nothing."""
        lines = [line.strip() for line in self.text.splitlines()]
        marked = [line.removeprefix("#>").strip() for line in lines if line.startswith("#>")]
        return "\n".join(marked) or None


def blocks(page: str) -> Iterator[Block]:
    """The blocks of a page that are run or written."""
    for match in FENCE.finditer(page):
        text = match["text"]
        first = text.partition("\n")[0]
        line = page.count("\n", 0, match.start("text")) + 1
        if match["above"]:
            yield Block(line, text, match["above"])
        elif first.startswith("# file: "):
            yield Block(line, text, first.removeprefix("# file: ").strip())
        elif match["language"] == "python":
            yield Block(line, text, "")


def perform(block: Block, page: str, names: dict[str, object]) -> None:
    """Write a block, or run it with lines numbered as in its page."""
    if block.file:
        path = Path(block.file)
        assert not path.is_absolute()
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(block.text, encoding="utf-8")
        importlib.invalidate_caches()
    else:
        source = "\n" * (block.line - 1) + block.text
        # The page must not inherit this file's own __future__ imports.
        code = compile(source, page, "exec", dont_inherit=True)
        exec(code, names)  # noqa: S102 - the page is ours, and this is its test


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """A module for the page, in an empty working directory that imports are found in."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    before = set(sys.modules)
    page = ModuleType("page")
    monkeypatch.setitem(sys.modules, "page", page)
    yield page
    for name in set(sys.modules) - before:
        where = getattr(sys.modules[name], "__file__", None) or ""
        if where.startswith(str(tmp_path)):
            del sys.modules[name]


@pytest.mark.parametrize("page", PAGES)
def test_page(page: str, module: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    """Each block of the page runs, and prints what the page says."""
    text = (ROOT / page).read_text(encoding="utf-8")
    if reason := NOT_RUN.search(text):
        pytest.skip(f"{page}: {reason[1]}")
    for block in blocks(text):
        perform(block, page, vars(module))
        printed = "\n".join(line.strip() for line in capsys.readouterr().out.strip().splitlines())
        if block.printed is not None:
            assert printed == block.printed, f"{page}:{block.line}"


@pytest.mark.parametrize("page", PAGES)
def test_json_can_be_pasted(page: str) -> None:
    """A block of JSON is JSON, whole: a comment in it would be refused where it is pasted."""
    for block in FENCE.finditer((ROOT / page).read_text(encoding="utf-8")):
        if block["language"] == "json":
            assert not block["text"].lstrip().startswith("#")


PAGE = """\
# Title

<!-- file: data/one.json -->
```json
{"a": 1}
```

```python
# file: helper.py
A = 2
```

<!-- file: two.json -->

```json
{"a": 3}
```

```sh
this is no Python
```

```python
import json
from helper import A
from pathlib import Path
files = [json.loads(Path(name).read_text()) for name in ("data/one.json", "two.json")]
a = sum(file["a"] for file in files) + A
```

```python
print(a)
#> 6
```
"""


def test_blocks() -> None:
    """Files are found by both marks, and only Python without a mark runs."""
    found = [(block.line, block.file) for block in blocks(PAGE)]
    assert found == [(5, "data/one.json"), (9, "helper.py"), (16, "two.json"), (24, ""), (32, "")]


def test_blocks_share_names(module: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    """Later blocks see the files and names of earlier ones."""
    for block in blocks(PAGE):
        perform(block, "page", vars(module))
    assert capsys.readouterr().out == "6\n"
    assert [block.printed for block in blocks(PAGE)][-1] == "6"


def test_errors_point_into_the_page(module: ModuleType) -> None:
    """An error has the line of the page in its traceback."""
    (block,) = blocks("one\n\n```python\nx = 1\n1 / 0\n```\n")
    with pytest.raises(ZeroDivisionError) as caught:
        perform(block, "page.md", vars(module))
    assert (str(caught.traceback[-1].path), caught.traceback[-1].lineno) == ("page.md", 4)
