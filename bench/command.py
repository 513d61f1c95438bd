"""What the two tables of measures have in common when they are run with ``python -m``."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from ..codec.engines import engine
from .measures import FULL, QUICK, Effort, Ground, Measure, findings
from .report import circumstances, plain, print_table


@dataclass(frozen=True, slots=True)
class Table:
    """A table of measures: ``ground`` makes what they run on out of the options.

    ``more`` is what JSON has beside the rows, and ``notes`` are lines below the printed table;
    both are asked for when they are needed.
    """

    prog: str
    about: str
    measures: Callable[[], Iterable[Measure]]
    ground: Callable[[argparse.Namespace], Ground]
    notes: Callable[[], Sequence[str]]
    more: Callable[[], dict[str, Any]] = dict

    def options(self) -> argparse.ArgumentParser:
        """The options that every table has."""
        parser = argparse.ArgumentParser(prog=self.prog, description=self.about)
        parser.add_argument("--json", action="store_true", help="print JSON, seconds included")
        parser.add_argument("--quick", action="store_true", help="fewer and shorter rounds")
        parser.add_argument(
            "--only",
            type=int,
            nargs="+",
            metavar="N",
            default=(),
            help="only the measures of these numbers",
        )
        return parser

    def run(self, options: argparse.Namespace) -> None:
        """Measure, and print the table or JSON."""
        effort: Effort = QUICK if options.quick else FULL
        every = self.measures()
        chosen = [one for one in every if not options.only or one.number in options.only]
        rows = findings(chosen, self.ground(options), effort)
        facts = circumstances(engine().name) | {"rounds": str(effort.rounds)}
        if options.json:
            found = {**facts, **self.more(), "rows": [plain(row) for row in rows]}
            print(json.dumps(found, indent=2))
        else:
            print_table(rows, facts, self.notes())
