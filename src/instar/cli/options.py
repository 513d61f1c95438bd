"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from ..codec.tag import Format

Schemas: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        metavar="DIR",
        help="The folder of schemas. Without it, the one that pyproject.toml names.",
    ),
]
Migrations: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        metavar="DIR",
        help="The folder of migrations. Without it, the one that pyproject.toml names.",
    ),
]
Json: TypeAlias = Annotated[bool, typer.Option("--json", help="Print JSON, for scripts.")]
Files: TypeAlias = Annotated[
    list[Path],
    typer.Argument(
        metavar="FILES",
        help="Files of one JSON object or an array of them, or .jsonl with one on each line.",
        show_default=False,
    ),
]
WrittenFormat: TypeAlias = Annotated[
    Format | None,
    typer.Option(
        "--format",
        help="The format that is written; avro, unless pyproject.toml names another.",
        show_default=False,
    ),
]
ExistingStore: TypeAlias = Annotated[
    str,
    typer.Option(metavar="URL", help="The store: sqlite:///agents.db, or a path."),
]
