from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache

from structure.tree import FACADE, Module, is_public, modules, parsed

import instar

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
Function = ast.FunctionDef | ast.AsyncFunctionDef

MOST_LINES_OF_FILE = 500
MOST_LINES_OF_FUNCTION = 50


def test_facade_is_complete() -> None:
    """``instar.__all__`` is sorted and names exactly what the facade imports."""
    imported = [
        alias.asname or alias.name
        for node in parsed(FACADE / "__init__.py").body
        if isinstance(node, ast.ImportFrom) and node.module != "__future__"
        for alias in node.names
    ]
    assert instar.__all__ == sorted(imported)


def test_all_is_sorted() -> None:
    """Where a module has ``__all__``, it is sorted and without doubles, and the names exist."""
    for module in modules():
        names = listed(module)
        assert names == sorted(set(names)), module.place
        assert set(names) <= set(bound(module)), module.place


def test_modules_are_documented() -> None:
    """Every module has a docstring."""
    assert [module.place for module in modules() if not ast.get_docstring(module.tree)] == []


def test_public_names_are_documented() -> None:
    """Every public class, function and method has a docstring.

    A method that a protocol asks for may leave it to the protocol.
    """
    bare = [
        f"{module.place}:{node.lineno} {name}"
        for module in modules()
        for name, node in public(module.tree.body)
        if not ast.get_docstring(node)
    ]
    assert bare == []


def test_files_are_short() -> None:
    """No file has more than 500 lines."""
    lines = {m.place: len(m.path.read_text(encoding="utf-8").splitlines()) for m in modules()}
    assert {place for place, count in lines.items() if count > MOST_LINES_OF_FILE} == set()


def test_functions_are_short() -> None:
    """No function has more than 50 lines besides its docstring."""
    long = [
        f"{module.place}:{node.lineno} {node.name}"
        for module in modules()
        for node in ast.walk(module.tree)
        if isinstance(node, Function) and size(node) > MOST_LINES_OF_FUNCTION
    ]
    assert long == []


def listed(module: Module) -> list[str]:
    """What ``__all__`` of a module names; nothing where it has none."""
    for node in module.tree.body:
        match node:
            case ast.Assign(targets=[ast.Name(id="__all__")], value=value):
                names: list[str] = ast.literal_eval(value)
                return names
            case _:
                pass
    return []


def bound(module: Module) -> Iterator[str]:
    """The names that a module defines or imports."""
    for node in module.tree.body:
        match node:
            case ast.Import() | ast.ImportFrom():
                yield from (alias.asname or alias.name for alias in node.names)
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                yield node.name
            case ast.Assign():
                yield from (name.id for name in node.targets if isinstance(name, ast.Name))
            case ast.AnnAssign(target=ast.Name(id=name)):
                yield name
            case _:
                pass


def public(body: list[ast.stmt], owner: str = "") -> Iterator[tuple[str, Definition]]:
    """The public definitions of a body, methods of public classes included."""
    for node in body:
        # A protocol may ask for a constant of a module, which is all capitals.
        if not isinstance(node, Definition) or not is_public(node.name) or node.name.isupper():
            continue
        if not (owner and node.name in protocol_methods()) and not is_setter(node):
            yield f"{owner}{node.name}", node
        if isinstance(node, ast.ClassDef):
            yield from public(node.body, f"{owner}{node.name}.")


def is_setter(node: Definition) -> bool:
    return any(isinstance(mark, ast.Attribute) for mark in node.decorator_list)


@cache
def protocol_methods() -> frozenset[str]:
    """The documented methods of all protocols."""
    return frozenset(
        method.name
        for module in modules()
        for node in ast.walk(module.tree)
        if isinstance(node, ast.ClassDef) and is_protocol(node)
        for method in node.body
        if isinstance(method, Function) and ast.get_docstring(method)
    )


def is_protocol(node: ast.ClassDef) -> bool:
    names = (ast.unparse(base).partition("[")[0] for base in node.bases)
    return "Protocol" in names


def size(node: Function) -> int:
    """The lines of a function without its docstring."""
    lines = (node.end_lineno or node.lineno) - node.lineno + 1
    if not ast.get_docstring(node):
        return lines
    first = node.body[0]
    return lines - ((first.end_lineno or first.lineno) - first.lineno + 1)
