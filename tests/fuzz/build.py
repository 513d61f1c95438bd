"""Builds the kernel with coverage marks, and the explorer: ``build.py FOLDER [--sanitize]``."""

from __future__ import annotations

import argparse
import subprocess
import sysconfig
from pathlib import Path

HERE = Path(__file__).resolve().parent
KERNEL = HERE.parents[1] / "codec" / "kernel" / "core.pyx"
SANITIZE = ["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"]


def translated(source: Path, folder: Path) -> Path:
    """The C of a Cython file."""
    target = folder / f"{source.stem}.c"
    subprocess.run(["cython", "-3", source, "-o", target], check=True)
    return target


def compiled(folder: Path, name: str, sources: list[Path], *flags: str) -> None:
    """The extension module of C files."""
    include = f"-I{sysconfig.get_paths()['include']}"
    target = folder / f"{name}{sysconfig.get_config_var('EXT_SUFFIX')}"
    # Assertions in Python's own headers stay on.
    fixed = ["gcc", "-g", "-O1", "-w", "-fPIC", "-shared", include, "-o", target]
    subprocess.run([*fixed, *flags, *sources], check=True)


def build(folder: Path, *, sanitize: bool, cover: bool = True) -> None:
    """Build both modules into ``folder``."""
    folder.mkdir(parents=True, exist_ok=True)
    sanitizers = SANITIZE if sanitize else []
    core = translated(KERNEL, folder)
    mark = folder / "cover.o"
    subprocess.run(["gcc", "-O2", "-fPIC", "-c", HERE / "cover.c", "-o", mark], check=True)
    marks = ["-fsanitize-coverage=trace-pc"] if cover else []
    compiled(folder, "core", [core, mark], *sanitizers, *marks)
    compiled(folder, "explore", [translated(HERE / "explore.pyx", folder)], "-O2")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sanitize", action="store_true", help="with Address- and UBSan")
    found = parser.parse_args()
    build(found.folder, sanitize=found.sanitize)
