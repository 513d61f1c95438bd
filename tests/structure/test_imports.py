from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Iterator

from structure.tree import Module, components, modules

FLOORS = ("errors", "schemas", "migrations", "codec", "store", "fleet", "facade", "bench", "cli")
LAZY = frozenset(
    {
        "fastavro",
        "google.protobuf",
        "grpc_tools",
        "hypothesis",
        "pytest",
        "rich",
        "typer",
        "yaml",
        "zstandard",
    }
)


def imports(module: Module) -> Iterator[tuple[int, str]]:
    """Line and full name of whatever a module imports of instar, wherever in the file."""
    for node in ast.walk(module.tree):
        match node:
            case ast.Import():
                yield from ((node.lineno, alias.name) for alias in node.names)
            case ast.ImportFrom():
                base = anchor(module, node)
                # What is imported from the top may be a component or a name of the facade.
                names = [f"instar.{alias.name}" for alias in node.names]
                yield from ((node.lineno, name) for name in (names if base == "instar" else [base]))
            case _:
                pass


def anchor(module: Module, node: ast.ImportFrom) -> str:
    """The full name of what an import is from."""
    if not node.level:
        return node.module or ""
    parts = module.name.split(".")
    kept = len(parts) - node.level + module.is_package
    return ".".join([*parts[:kept], *([node.module] if node.module else [])])


def floor(name: str) -> int:
    part = name.split(".")[1] if "." in name else "facade"
    return FLOORS.index(part if part in FLOORS else "facade")


def names_instar(node: ast.AST) -> bool:
    """Whether a node is an import that spells out the name instar."""
    match node:
        case ast.Import():
            return any(is_ours(alias.name) for alias in node.names)
        case ast.ImportFrom(level=0):
            return is_ours(node.module or "")
        case _:
            return False


def is_ours(name: str) -> bool:
    return name == "instar" or name.startswith("instar.")


def test_imports_never_point_up() -> None:
    """A module imports from its own floor and from those below it."""
    up = [
        f"{module.place}:{line} imports {name}"
        for module in modules()
        for line, name in imports(module)
        if is_ours(name) and floor(name) > floor(module.name)
    ]
    assert up == []


def test_imports_within_components_are_relative() -> None:
    """A component never names instar in an import, so that its folder can be read on its own.

    The benchmark files are no part of their package: pytest runs them by path.
    """
    absolute = [
        f"{module.place}: {ast.unparse(node)}"
        for module in modules()
        if module.name.startswith(tuple(components())) and not module.path.match("test_*.py")
        for node in ast.walk(module.tree)
        if names_instar(node)
    ]
    assert absolute == []


def test_import_is_lazy() -> None:
    """``import instar`` loads no library that only some calls need."""
    code = "import instar, json, sys; print(json.dumps(sorted(sys.modules)))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert LAZY.isdisjoint(json.loads(run.stdout))
