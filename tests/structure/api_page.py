"""Renders docs/reference/python-api.md from the docstrings of what ``instar`` exports."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from structure.tree import is_public, modules

import instar

_HEAD = """\
# Python API

Everything that `import instar` offers, from its docstrings. Names that are not here may change in
any release. Errors have [a page of their own](errors.md).

This page is rendered by `tests/structure/api_page.py`. After a change of a docstring run
`uv run pytest tests/structure --rewrite-golden` and review the difference.
"""


def render() -> str:
    """The page as Markdown."""
    parts = [part for name in instar.__all__ for part in _entry(name)]
    return "\n".join([_HEAD, *parts])


def _entry(name: str) -> Iterator[str]:
    node = _definition(name)
    match node:
        case ast.ClassDef():
            yield f"## {name}\n"
            yield from _text(node)
            yield from _class(node)
        case ast.FunctionDef():
            yield f"## {name}\n"
            yield f"`{_signature(node)}`\n"
            yield from _text(node)
        case _:
            yield f"## {name}\n"
            yield f"`{node.value}`\n"


class _Alias:
    """A type alias, with its value as source."""

    def __init__(self, value: ast.expr | None) -> None:
        text = value.value if isinstance(value, ast.Constant) else ast.unparse(value or ast.Pass())
        self.value = str(text).replace("'", '"')


def _definition(name: str) -> ast.ClassDef | ast.FunctionDef | _Alias:
    """Where ``name`` is defined, in whatever module the facade has it from."""
    home = getattr(getattr(instar, name), "__module__", "instar")
    # An alias does not know its module, and its name is unique.
    homes = [m for m in modules() if m.name == home] if home.startswith("instar.") else modules()
    for module in homes:
        for node in ast.walk(module.tree):
            match node:
                case ast.ClassDef() | ast.FunctionDef() if node.name == name:
                    return node
                case ast.AnnAssign(target=ast.Name(id=found), annotation=ast.Name(id="TypeAlias")):
                    if found == name:
                        return _Alias(node.value)
                case _:
                    pass
    raise AssertionError(f"{name} is defined nowhere")


def _class(node: ast.ClassDef) -> Iterator[str]:
    yield from _constructor(node)
    fields = [part for part in node.body if isinstance(part, ast.AnnAssign)]
    if fields:
        yield "".join(f"- `{ast.unparse(field)}`\n" for field in fields)
    for part in node.body:
        if isinstance(part, ast.FunctionDef) and is_public(part.name):
            yield f"### {node.name}.{part.name}\n"
            yield f"`{_signature(part)}`\n"
            yield from _text(part)


def _constructor(node: ast.ClassDef) -> Iterator[str]:
    """How to make one, unless the docstring names what makes it."""
    if "made by" in (ast.get_docstring(node) or "").lower():
        return
    for part in node.body:
        if isinstance(part, ast.FunctionDef) and part.name == "__init__":
            yield f"`{node.name}({_arguments(part)})`\n"


def _signature(node: ast.FunctionDef) -> str:
    marks = {ast.unparse(mark) for mark in node.decorator_list}
    result = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    if "property" in marks:
        return f"{node.name}{result.replace(' -> ', ': ')}"
    return f"{node.name}({_arguments(node)}){result}"


def _arguments(node: ast.FunctionDef) -> str:
    text = re.sub(r"(?<=[\w\])])=", " = ", ast.unparse(node.args)).replace("'", '"')
    # Bound methods are called without their first argument.
    first, _, others = text.partition(",")
    return others.strip() if first in {"self", "cls"} else text


def _text(node: ast.ClassDef | ast.FunctionDef) -> Iterator[str]:
    text = ast.get_docstring(node) or ""
    text = re.sub(r":\w+:`~?([^`]+)`", r"`\1`", text)
    if text:
        yield f"{text.replace('``', '`')}\n"
