"""What versions lose stands in the docstrings of generated modules."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from pathlib import Path

from instar import Registry
from instar.codec.generate import check_generated, generate, write_generated
from instar.codec.loss_report import path_losses
from instar.codec.subject import Subject
from instar.migrations import Migration, cast, compute, convert, remove
from instar.schemas.model import Field, Primitive, Record, Schema

ROOT = Path(__file__).resolve().parents[3]
STRING, INT = Primitive("string"), Primitive("int")


def version(number: int, **fields: Primitive) -> Schema:
    record = Record("Job", tuple(Field(name, kind) for name, kind in fields.items()))
    return Schema("job", number, "avro", "Job", {"Job": record})


def opened(schemas: Sequence[Schema], *steps: Migration) -> Subject:
    return Registry.of(schemas, steps).subject("job")


def docs(subject: Subject) -> dict[str, str]:
    """The docstring of each module by its name."""
    return {
        name.partition("/")[2]: ast.get_docstring(ast.parse(text)) or ""
        for name, text in generate(subject, {}).items()
    }


COUNTED = Migration("job", 1, 2, compute(reads="a", writes="a", up=len, down=str, lossy="a"))
REMOVED = opened(
    [version(1, a=STRING, log=STRING), version(2, a=STRING), version(3, a=STRING)],
    Migration("job", 1, 2, remove("log", default="")),
)


def test_versions_say_what_they_lose_to_their_neighbours() -> None:
    """Up and down, by field and fate."""
    found = docs(opened([version(1, a=STRING), version(2, a=INT)], COUNTED))
    assert found["v1.py"].splitlines()[2:] == [
        "Read as version 2, a state of this version may lose:",
        "",
        "- changed: a (the function that reads it is declared to lose it)",
    ]
    assert found["v2.py"].splitlines()[2] == "Read as version 1, a state of this version may lose:"


def test_the_package_says_what_older_states_lose_on_the_whole_way() -> None:
    """Only versions that lose something are told of."""
    assert docs(REMOVED)["__init__.py"].splitlines()[2:] == [
        "Read as version 3, a state of version 1 may lose:",
        "",
        "- dropped: log (version 3 has no place for it)",
    ]


def test_versions_that_lose_the_same_are_told_together() -> None:
    """Two and more neighbours are one paragraph."""
    old = [version(n, a=STRING, log=STRING) for n in (1, 2, 3)]
    step = Migration("job", 3, 4, remove("log", default=""))
    three = docs(opened([*old, version(4, a=STRING)], step))
    assert "states of versions 1 to 3 may" in three["__init__.py"]
    step = Migration("job", 2, 3, remove("log", default=""))
    two = docs(opened([*old[:2], version(3, a=STRING)], step))
    assert "states of versions 1 and 2 may" in two["__init__.py"]


def test_nothing_is_said_where_nothing_is_lost() -> None:
    """Versions that are the same lose nothing."""
    found = docs(opened([version(1, a=STRING), version(2, a=STRING)]))
    assert {name: text.count("\n") for name, text in found.items()} == {
        "__init__.py": 0,
        "v1.py": 0,
        "v2.py": 0,
    }


def test_a_way_that_is_not_there_is_told() -> None:
    """A version that older code cannot read says why, and how to mend it."""
    found = docs(opened([version(1, a=STRING, b=STRING), version(2, a=STRING)]))
    assert "- refused: every state (job 2 to 1: what the schemas say does not" in found["v2.py"]
    assert "add('b', default=...)" in " ".join(found["v2.py"].split())


def test_every_loss_of_the_reference_subjects_is_told() -> None:
    """The docstrings hold what the report has, by path and by words."""
    registry = Registry.open(ROOT / "schemas", ROOT / "migrations")
    for name in registry.subjects:
        subject = registry.subject(name)
        found = {file: " ".join(text.split()) for file, text in docs(subject).items()}
        for source in range(1, subject.latest + 1):
            for target in {source - 1, source + 1} & set(subject.schemas):
                for loss in path_losses(subject, source, target):
                    assert loss.path in found[f"v{source}.py"]
                    assert loss.what in found[f"v{source}.py"]
            for loss in path_losses(subject, source, subject.latest):
                assert loss.path in found["__init__.py"]


def test_check_notices_losses_that_changed(tmp_path: Path) -> None:
    """The same versions with a migration that loses other fields are drift, by module."""
    schemas = [version(1, a=STRING), version(2, a=INT)]
    write_generated(generate(opened(schemas, COUNTED), {}), tmp_path)
    faithful = Migration("job", 1, 2, convert("a", cast()))
    drift = check_generated(generate(opened(schemas, faithful), {}), tmp_path)
    assert [sentence.split()[0] for sentence in drift] == [
        *("job/__init__.py", "job/v1.py", "job/v2.py")
    ]
