"""What `instar migration new` proposes: it links the versions, or says where it does not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from evolutions import lines
from examples import examples
from hypothesis import given, settings
from migrations.changes import TEXT, field, made, op_lines

from instar.codec.loss_report import path_losses
from instar.codec.subject import Subject
from instar.errors import MigrationFileError
from instar.migrations import add, cast, convert, or_else, remove, rename
from instar.migrations.loader import load_migrations
from instar.migrations.propose import Proposal, file_text, propose
from instar.schemas.model import Optional, Primitive, Schema
from migrations import changes

Change = Callable[[changes.Types], list[Any]]


def proposed(*steps: Change) -> Proposal:
    """The proposal for a step that makes these changes."""
    subject = made([steps])
    return propose(subject.schema(1), subject.schema(2))


def written(folder: Path, found: Proposal) -> Path:
    """The file of a proposal, in a folder of migrations."""
    path = folder / found.subject / f"v{found.source}_v{found.target}.py"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(file_text(found), encoding="utf-8")
    return path


def judge(folder: Path, versions: Sequence[Schema]) -> None:
    """What is proposed links the two versions in both directions, or its file says where not."""
    found = propose(*versions)
    if not found.is_needed:
        subject = Subject(versions)
    elif found.stubs:
        path = written(folder, found)
        with pytest.raises(MigrationFileError, match="is not written yet") as caught:
            load_migrations(folder, found.subject)
        number = int(caught.value.where.removeprefix(f"{path}:"))
        assert "todo(" in path.read_text(encoding="utf-8").splitlines()[number - 1]
        return
    else:
        assert found.open == []
        written(folder, found)
        subject = Subject(versions, load_migrations(folder, found.subject))
    for way in ((1, 2), (2, 1)):
        path_losses(subject, *way)


@settings(max_examples=examples(40), deadline=None)
@given(subject=op_lines())
def test_changes_that_need_ops(tmp_path_factory: pytest.TempPathFactory, subject: Subject) -> None:
    """Whatever the changes, the file opens the subject, or it fails at a function to write."""
    judge(tmp_path_factory.mktemp("m"), [subject.schema(1), subject.schema(2)])


@settings(max_examples=examples(40), deadline=None)
@given(line=lines(2))
def test_changes_that_are_derived(
    tmp_path_factory: pytest.TempPathFactory, line: tuple[Schema, ...]
) -> None:
    """What derives one way may still get ops, for the way down or for a rename."""
    judge(tmp_path_factory.mktemp("m"), line)


def rename_to(name: str, **others: Any) -> Change:
    """Give ``title`` another name, which no alias tells."""

    def change(types: changes.Types) -> list[Any]:
        changes.swap(types, "State", "title", field(name, TEXT), *others.values())
        return [rename("title", name)]

    return change


@pytest.mark.parametrize(
    ("change", "texts"),
    [
        (rename_to("titles"), ['rename("title", "titles")']),
        (rename_to("the_title"), ['rename("title", "the_title")']),
        (rename_to("x"), ['rename("title", "x")']),
        (changes.wrap_tag, ['wrap("tag")']),
        (changes.head_labels, ['head("labels")']),
        (changes.hoist_city, ['hoist("address.city")']),
        (changes.plunge_zip, ['plunge("zip", "place")']),
        (changes.rename_content, ['rename("content", "text")']),
        (changes.merge_moods, ['convert("mood", {"SAD": "GLAD", "MAD": "GLAD"})']),
        (changes.widen_count, []),
        (changes.grow_event, []),
        (changes.drop_mark, []),
    ],
)
def test_each_op(change: Change, texts: list[str]) -> None:
    """Each change has its op, and what is derived has none."""
    found = proposed(change)
    assert [op.text for op in found.ops] == texts
    assert found.open == []
    assert found.is_needed == bool(texts)


def test_types_that_changed() -> None:
    """Text for a number is cast, and null becomes a plain value: both to be confirmed."""

    def change(types: changes.Types) -> list[Any]:
        changes.retype(types, "count", TEXT)
        changes.retype(types, "floor", Primitive("int"))
        return [
            convert("count", cast()),
            convert("floor", or_else(0)),
        ]

    found = proposed(change)
    assert [op.text for op in found.ops] == [
        'convert("floor", or_else(0))',
        'convert("count", cast())',
    ]
    assert all(op.confirm for op in found.ops)


def test_fields_without_a_counterpart() -> None:
    """A new field that needs a value and an old one that older code needs get plain ones."""

    def change(types: changes.Types) -> list[Any]:
        changes.swap(types, "State", "count")
        changes.append(types, field("flag", Primitive("boolean")))
        changes.append(types, field("hint2", Optional(TEXT)))
        return [
            remove("count", default=0),
            add("flag", default=True),
            add("hint2", default=None),
        ]

    texts = [op.text for op in proposed(change).ops]
    assert texts == [
        'add("flag", default=False)',
        'add("hint2", default=None)',
        'remove("count", default=0)',
    ]


def test_a_function_to_write() -> None:
    """What only Python can do is begun as two typed functions, in a file that Python reads."""
    found = proposed(changes.split_name)
    (op,) = found.ops
    assert [(stub.name, stub.arguments, stub.returns) for stub in op.stubs] == [
        ("make_first_and_rest", (("name", "str"),), "tuple[str, str]"),
        ("make_name", (("first", "str"), ("rest", "str")), "str"),
    ]
    text = file_text(found)
    compile(text, "v1_v2.py", "exec")
    assert "up=todo(make_first_and_rest)" in text
    assert "def make_name(first: str, rest: str) -> str:" in text


def test_the_derived_part_is_told() -> None:
    """What needs no op stands in the comment, and what an op is for does not."""
    found = proposed(changes.widen_count, changes.wrap_tag, changes.drop_role)
    assert found.derived == [
        "messages[].role is gone; older code gets its default",
        "count was int and is long",
    ]
    assert "# - count was int and is long\n" in file_text(found)
