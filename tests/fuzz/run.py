"""Fuzzes the decoders of a format: ``run.py FORMAT FOLDER --executions N``; see the README."""

from __future__ import annotations

import argparse
import ctypes
import importlib.util
import sys
import time
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

SLICE = 50_000
"""Executions of one target before the next has its turn."""


def loaded(folder: Path, file: str, name: str) -> ModuleType:
    """The module of a built file, imported under a name of ours."""
    path = next(folder.glob(f"{file}.*.so"))
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def places(core: ModuleType) -> tuple[int, ...]:
    """The addresses of the tables of ``cover.c`` in the kernel."""
    library = ctypes.CDLL(str(core.__file__))
    names = ("instar_passed", "instar_edges", "instar_edge_count")
    return tuple(ctypes.addressof(ctypes.c_char.in_dll(library, name)) for name in names)


def main() -> None:
    """Run all targets in turn until each has had its share."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("format", help="a format, residue or carried")
    parser.add_argument("folder", type=Path, help="what build.py was given")
    parser.add_argument("--executions", type=int, default=10_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--check-every", type=int, default=100)
    parser.add_argument("--keep", type=int, default=0, help="write so many payloads as corpus")
    parser.add_argument("--only", default="", help="targets whose name has this in it")
    parser.add_argument("--parts", action="store_true", help="look at parts of each payload too")
    options = parser.parse_args()
    explore = loaded(options.folder, "explore", "explore")
    core = loaded(options.folder, "core", "instar.codec.kernel.core")
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
    # After the kernel is chosen.
    from fuzz.carried_targets import carried_targets  # noqa: PLC0415 - as said
    from fuzz.residue_targets import residue_targets  # noqa: PLC0415 - as said
    from fuzz.targets import corpus_file, part_targets, targets  # noqa: PLC0415 - as said

    chosen = part_targets if options.parts else targets
    others: dict[str, Any] = {"residue": residue_targets, "carried": carried_targets}
    every: list[Any] = others.get(options.format, partial(chosen, options.format))()
    found = [t for t in every if options.only in t.name]
    explorers: list[Any] = [
        explore.Explorer(t.decode, t.check, t.seeds or [b""], options.seed, places(core))
        for t in found
    ]
    begun = time.monotonic()
    for _ in range(-(-options.executions // (SLICE * len(found)))):
        for explorer in explorers:
            explorer.explore(SLICE, options.check_every)
        report(found, explorers, time.monotonic() - begun)
    for target, explorer in zip(found, explorers, strict=True):
        if options.keep:
            # The shortest show the most for their size; at least half are to be accepted ones.
            short = sorted(explorer.fruitful, key=len)[: options.keep // 2]
            kept = [*short, *sorted(explorer.corpus, key=len)][: options.keep]
            corpus_file(target.name).write_text("".join(f"{p.hex()}\n" for p in kept))


def report(targets: list[Any], explorers: list[Any], seconds: float) -> None:
    """Say what was done so far."""
    total = sum(explorer.executions for explorer in explorers)
    parts = [
        f"{target.name} {len(explorer.corpus)} ({explorer.accepted / explorer.executions:.0%})"
        for target, explorer in zip(targets, explorers, strict=True)
    ]
    print(  # noqa: T201 - progress
        f"{total} executions, {total / seconds:.0f}/s; corpus (accepted): {', '.join(parts)}",
        flush=True,
    )


if __name__ == "__main__":
    main()
