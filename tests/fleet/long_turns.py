"""A long run of turns, by hand: ``.venv/bin/python tests/fleet/long_turns.py --steps 100000``.

One run takes one seed; it prints how much of each kind of subject was tried, and the first state
that is not what it has to be, with the seed and the turn that it takes to see it again.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests")]

from evolutions import lines  # noqa: E402 - found by the line above
from evolve import FORMATS  # noqa: E402
from fleet.turns import Turns  # noqa: E402
from hypothesis import HealthCheck, Phase, given, seed, settings  # noqa: E402
from mixed_fleet import fleet  # noqa: E402

from instar import Registry  # noqa: E402
from instar.codec.compatibility.values import states  # noqa: E402
from instar.codec.engines import engines  # noqa: E402
from instar.errors import InstarError  # noqa: E402

TURNS = 50
"""Turns that one state takes."""
STATES = 20
"""States of one subject before the next."""


def drawn(strategy: Any, number: int, many: int) -> list[Any]:
    """So many values of a strategy, by a seed."""
    found: list[Any] = []

    @seed(number)
    @settings(
        max_examples=many,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
    )
    @given(strategy)
    def collect(value: Any) -> None:
        found.append(value)

    collect()
    return found


def subjects(number: int) -> Iterator[tuple[str, Callable[[], Turns]]]:
    """Reference subjects, one of everything, and generated lines of versions, without an end."""
    opened = Registry.open(ROOT / "schemas", ROOT / "migrations")
    fixed = [
        ("agent_state", Turns(opened, "agent_state")),
        ("agent_command", Turns(opened, "agent_command")),
        ("one of everything", Turns(fleet(), "state")),
    ]
    while True:
        for line in drawn(lines(), number, 20):
            yield "generated", lambda line=line: Turns(Registry.of(line), "state")
            name, turns = fixed[number % len(fixed)]
            yield name, lambda turns=turns: turns
            number += 1


def go(turns: Turns, number: int, random: Random) -> None:
    """Take turns with some states of one subject."""
    versions = list(turns.subject.schemas)
    pools = {v: drawn(states(turns.subject.types(v)), number, 15) for v in versions}
    for _ in range(STATES):
        try:
            turns.start(random.choice(pools[turns.high]), engines()[0], "msgpack")
        except InstarError:
            continue
        for _ in range(TURNS):
            version = random.choice(versions)
            donor = random.choice(pools[version]) if random.random() < 0.7 else None
            way = random.choice(engines()), random.choice(FORMATS)
            written, edit = random.randint(1, version), random.randrange(1 << 20)
            turns.turn(version, written, way, donor, edit, copied=random.random() < 0.2)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    given_ = parser.parse_args()
    random = Random(given_.seed)  # noqa: S311 - to be repeated
    steps: Counter[str] = Counter()
    edits: Counter[str] = Counter()
    refused: Counter[str] = Counter()
    for index, (name, opened) in enumerate(subjects(given_.seed)):
        turns = opened()
        before = turns.steps, turns.edits, turns.refused
        try:
            go(turns, given_.seed + index, random)
        except BaseException:
            print(f"seed {given_.seed}, subject {index} ({name}), turn {turns.steps}")  # noqa: T201
            raise
        steps[name] += turns.steps - before[0]
        edits[name] += turns.edits - before[1]
        refused[name] += turns.refused - before[2]
        if index % 5 == 0 or steps.total() >= given_.steps:
            told = ((n, steps[n], edits[n], refused[n]) for n in steps)
            print(steps.total(), *told, flush=True)  # noqa: T201
        if steps.total() >= given_.steps:
            return


if __name__ == "__main__":
    main()
