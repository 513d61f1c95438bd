"""A long run of turns, by hand: ``.venv/bin/python tests/fleet/long_turns.py --steps 100000``.

It goes round the subjects, those of ``--subjects`` or all; one visit takes its seed from the
run's and its own number. It prints how much of each subject was tried, and the first state that
is not what it has to be, with the two numbers that it takes to see it again.
"""

from __future__ import annotations

import argparse
import sys
import traceback
from collections import Counter
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests")]

import pytest  # noqa: E402 - found by the line above
from evolve import FORMATS  # noqa: E402
from fleet.turn_subjects import SUBJECTS  # noqa: E402
from fleet.turns import Turns  # noqa: E402
from hypothesis import HealthCheck, Phase, given, seed, settings  # noqa: E402

from instar.codec.engines import engines  # noqa: E402
from instar.errors import InstarError  # noqa: E402

TURNS = 50
"""Turns that one state takes."""
SLOW = [
    HealthCheck.too_slow,
    HealthCheck.data_too_large,
    HealthCheck.large_base_example,
    HealthCheck.filter_too_much,
]
"""States of real histories are large."""
MOST = 4
"""Versions in a fleet at once. It has two formats: what is compiled for a pair is kept."""
POOL = 15
"""States of a version that edits take their parts from."""


def drawn(strategy: Any, number: int, many: int) -> list[Any]:
    """So many values of a strategy, by a seed; fewer where it has no more."""
    found: list[Any] = []

    @seed(number)
    @settings(
        max_examples=many,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=SLOW,
    )
    @given(strategy)
    def collect(value: Any) -> None:
        found.append(value)

    collect()
    return found


def visits(names: list[str], first: int) -> Iterator[tuple[int, str, Any]]:
    """Each subject in turn, without an end, with the number of the visit and a strategy."""
    opened: dict[str, Any] = {}
    for name in names:
        try:
            opened[name] = SUBJECTS[name]()
        except pytest.skip.Exception as skipped:
            print(f"{name}: {skipped}")  # noqa: T201
    kept = [name for name in names if name in opened]
    for number in count(first) if kept else ():
        name = kept[number % len(kept)]
        yield number, name, opened[name]


def go(turns: Turns, number: int, many: int) -> None:
    """Take turns with so many states of one subject."""
    random = Random(number)  # noqa: S311 - to be repeated
    known = list(turns.subject.schemas)
    versions = sorted({turns.high, *random.sample(known, min(len(known), random.randint(1, MOST)))})
    formats = random.sample(FORMATS, 2)
    pools: dict[int, list[Any]] = {}

    def one(version: int) -> Any:
        if version not in pools:
            pools[version] = drawn(turns.values(version), number, POOL)
        return random.choice(pools[version])

    for _ in range(many):
        try:
            turns.start(one(turns.high), engines()[0], "msgpack")
        except InstarError:
            continue
        for _ in range(TURNS):
            version = random.choice(versions)
            donor = one(version) if random.random() < 0.7 else None
            way = random.choice(engines()), random.choice(formats)
            written = random.choice([each for each in versions if each <= version])
            edit = random.randrange(1 << 20)
            turns.turn(version, written, way, donor, edit, copied=random.random() < 0.2)


COUNTED = ("steps", "edits", "unjudged", "by_way", "refused")


def visit(number: int, strategy: Any, given_: argparse.Namespace, counts: Counter[str]) -> str:
    """Why a visit failed, or nothing."""
    turns: Turns = drawn(strategy, given_.seed + number, 3)[-1]
    before = {what: getattr(turns, what) for what in COUNTED}
    try:
        go(turns, given_.seed + number, given_.states)
    except Exception as error:  # noqa: BLE001 - whatever it is, it is to be seen
        last = "".join(traceback.format_tb(error.__traceback__)[-3:])
        where = f"turn {turns.steps - before['steps']}"
        return f"{where}: {type(error).__name__}: {error}\n{last}"
    finally:
        counts.update({what: getattr(turns, what) - before[what] for what in COUNTED})
    return ""


def told(counts: dict[str, Counter[str]]) -> str:
    lines = [f"{sum(each['steps'] for each in counts.values())} steps"]
    for name, each in counts.items():
        found = (f"{each[what]} {what}" for what in (*COUNTED, "failed"))
        lines.append(f"  {name}: {', '.join(found)}")
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--states", type=int, default=20, help="of one subject before the next")
    parser.add_argument("--first", type=int, default=0, help="the number of the first visit")
    parser.add_argument("--subjects", nargs="+", choices=list(SUBJECTS), default=list(SUBJECTS))
    parser.add_argument("--keep-going", action="store_true", help="after a failure, too")
    given_ = parser.parse_args()
    counts: dict[str, Counter[str]] = {}
    for number, name, strategy in visits(given_.subjects, given_.first):
        found = visit(number, strategy, given_, counts.setdefault(name, Counter()))
        if found:
            counts[name]["failed"] += 1
            print(f"seed {given_.seed}, visit {number} ({name}), {found}", flush=True)  # noqa: T201
        enough = sum(each["steps"] for each in counts.values()) >= given_.steps
        print(told(counts), flush=True)  # noqa: T201
        if enough or (found and not given_.keep_going):
            break
    return any(each["failed"] for each in counts.values())


if __name__ == "__main__":
    sys.exit(main())
