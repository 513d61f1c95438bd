"""The elements of an HTML page, to look at in tests."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser


@dataclass
class Node:
    """An element of a page: ``text`` is all that stands in it."""

    name: str
    attributes: dict[str, str | None]
    children: list[Node] = field(default_factory=list["Node"])
    text: str = ""

    def all(self, name: str, class_: str = "") -> list[Node]:
        """The elements below it of one name, and of one class."""
        found = [self] if self.name == name and class_ in self.classes else []
        return found + [node for child in self.children for node in child.all(name, class_)]

    @property
    def classes(self) -> list[str]:
        return ["", *(self.attributes.get("class") or "").split()]

    def value(self) -> float | None:
        """The number that an element stands for."""
        found = self.attributes.get("data-value")
        return None if found is None else float(found)

    def section(self, heading: str) -> Node:
        """The section under a heading."""
        return next(s for s in self.all("section") if heading in [h.text for h in s.all("h2")])


class _Parser(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open = [Node("page", {})]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        node = Node(tag, dict(attrs))
        self.open[-1].children.append(node)
        if tag != "meta":
            self.open.append(node)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop().name == tag

    def handle_data(self, data: str) -> None:
        for node in self.open:
            node.text += data


def parse(text: str) -> Node:
    """The elements of a page, each of which is closed where it was opened."""
    parser = _Parser()
    parser.feed(text)
    parser.close()
    assert len(parser.open) == 1
    return parser.open[0]
