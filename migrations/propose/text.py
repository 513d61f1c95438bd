"""A proposal as a migration file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from textwrap import indent, wrap
from typing import Final

from .proposal import Proposal, Proposed, Stub

_WIDTH: Final = 88
_LONGEST: Final = 100
_NAMES: Final = ("add", "cast", "compute", "convert", "head", "hoist", "or_else", "plunge")
_MORE: Final = ("remove", "rename", "todo", "within", "wrap")
"""What an op's text may call."""


def file_text(proposal: Proposal) -> str:
    """The Python of the file."""
    body = "".join(_ops(proposal.ops))
    used = [name for name in (*_NAMES, *_MORE) if re.search(rf"\b{name}\(", body)]
    step = f"{proposal.source} -> {proposal.target}"
    imports = f"from instar.migrations import {', '.join(['Migration', *used])}\n"
    parts = [
        f'"""{proposal.subject} {step}."""\n',
        "from typing import Any\n" if _needs_any(proposal.stubs) else "",
        imports if len(imports) <= _LONGEST else _stacked(["Migration", *used]),
        "".join(_derived(proposal)),
    ]
    functions = [_function(stub) for stub in proposal.stubs]
    head = "\n".join(part for part in parts if part)
    return "\n\n".join([head, *functions, _migration(proposal, body)])


def _stacked(names: Sequence[str]) -> str:
    inner = "".join(f"    {name},\n" for name in names)
    return f"from instar.migrations import (\n{inner})\n"


def _migration(proposal: Proposal, body: str) -> str:
    subject = f'"{proposal.subject}"'
    return (
        f"migration = Migration(\n    {subject},\n    {proposal.source},\n"
        f"    {proposal.target},\n{body})\n"
    )


def _needs_any(stubs: Sequence[Stub]) -> bool:
    return any(
        re.search(r"\bAny\b", text)
        for s in stubs
        for text in (s.returns, *(h for _, h in s.arguments))
    )


def _derived(proposal: Proposal) -> Iterator[str]:
    if proposal.derived:
        yield "# Derived from the two schemas, and needing no op:\n"
        yield from (_comment(f"- {text}") for text in proposal.derived)
    if proposal.open:
        yield "# Left open, as no op was found:\n"
        yield from (_comment(f"- {text}") for text in proposal.open)


def _comment(text: str) -> str:
    lines = wrap(text, _WIDTH, subsequent_indent="  ")
    return "".join(f"# {line}\n" for line in lines)


def _function(stub: Stub) -> str:
    arguments = ", ".join(f"{name}: {hint}" for name, hint in stub.arguments)
    return (
        f"def {stub.name}({arguments}) -> {stub.returns}:\n"
        f'    """{stub.purpose}."""\n'
        "    raise NotImplementedError\n"
    )


def _ops(ops: Sequence[Proposed]) -> Iterator[str]:
    for path in dict.fromkeys(op.path for op in ops if op.path):
        inner = "".join(_op(op) for op in ops if op.path == path)
        yield f'    within(\n        "{path}",\n{indent(inner, "    ")}    ),\n'
    yield from (_op(op) for op in ops if not op.path)


def _op(op: Proposed) -> str:
    note = f"  # confirm: {op.confirm}" if op.confirm else ""
    text = indent(op.text, "    ")
    if len(text) + len(note) < _LONGEST:
        return f"{text},{note}\n"
    return f"    #{note[3:]}\n{text},\n" if note else f"{text},\n"
