"""Prints every measure of hydration in one table: run it with ``python -m``.

Each row is a ratio to a peer that does the same work in the same run, with what is aimed at.
Nothing fails where a target is missed: a time depends on the machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from .. import migrations, schemas
from ..codec.registry import Registry
from ..errors import ConfigError
from .command import Table
from .measures import Ground
from .measures_table import MEASURES
from .peers import Versions
from .real_states import real_states
from .states import REPEATING, sample_states

REAL: Final = Path(__file__).resolve().parents[2] / "shared/material/payloads/swe-agent-traj/v1.0.0"
"""Where real payloads lie if they are at hand: beside the checkout."""

NOTES: Final = (
    "Ratios are medians, ours to the peer's in the same round; less is better.",
    "3: a deep copy makes each record, list, dict, str, bytes, int, float and datetime anew;",
    "   shared are enum members, decimals, and integers beyond 64 bits.",
    "16: no ratio but KiB; seen by tracemalloc, which misses what C code takes from malloc.",
)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, and print the table or JSON."""
    table = Table(
        "python -m instar.bench.hydration",
        str(__doc__),
        lambda: MEASURES,
        lambda options: ground(options.real),
        lambda: NOTES,
    )
    parser = table.options()
    parser.add_argument(
        "--real", type=Path, default=REAL, metavar="FOLDER", help="a folder of .traj documents"
    )
    table.run(parser.parse_args(arguments))


def ground(real: Path) -> Ground:
    """The states to measure on: those of the reference subject, and real ones if there are any."""
    versions = reference_versions()
    try:
        found: Any = real_states(real)
    except ConfigError as error:
        found = error.what
    return Ground(sample_states(versions), sample_states(versions, ids=REPEATING), found)


def reference_versions() -> Versions:
    """The latest version of the reference subject, which is part of the package."""
    folders = (Path(str(module.__file__)).parent for module in (schemas, migrations))
    registry = Registry.open(*folders, subjects=["agent_state"])
    return Versions.latest(registry, "agent_state")


if __name__ == "__main__":
    main()
