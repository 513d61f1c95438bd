"""The packages of the project as they lie on disk, and the modules in them."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
FACADE = ROOT / "src" / "instar"
_BUILT = {"__pycache__", "build", "dist"}


@dataclass(frozen=True)
class Module:
    """One source file: its import name, its place and whether it is a package's own file."""

    name: str
    path: Path

    @property
    def is_package(self) -> bool:
        return self.path.name == "__init__.py"

    @property
    def tree(self) -> ast.Module:
        return parsed(self.path)

    @property
    def place(self) -> str:
        return str(self.path.relative_to(ROOT))


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def settings() -> dict[str, Any]:
    """All of pyproject.toml."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def components() -> dict[str, Path]:
    """The folder of each component, by its import name."""
    folders: dict[str, str] = settings()["tool"]["setuptools"]["package-dir"]
    return {name: ROOT / folder for name, folder in folders.items() if name}


def packages() -> dict[str, Path]:
    """The folder of each package on disk, by its import name."""
    tops = {"instar": FACADE, **components()}
    return {
        ".".join((name, *folder.relative_to(top).parts)): folder
        for name, top in tops.items()
        for folder in _folders(top)
        if (folder / "__init__.py").is_file()
    }


def _folders(top: Path) -> Iterator[Path]:
    yield top
    for child in sorted(top.iterdir()):
        if child.is_dir() and not child.is_symlink() and child.name not in _BUILT:
            yield from _folders(child)


def modules() -> list[Module]:
    """Every module of every package."""
    return [
        Module(package if path.stem == "__init__" else f"{package}.{path.stem}", path)
        for package, folder in sorted(packages().items())
        for path in sorted(folder.glob("*.py"))
    ]


def is_public(name: str) -> bool:
    return not name.startswith("_")
