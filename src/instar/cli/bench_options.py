"""The options of ``instar bench``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

Subject: TypeAlias = Annotated[
    str | None,
    typer.Argument(
        metavar="[SUBJECT]",
        help="The subject. Without it, the project's only one; outside of a project, the"
        " sample of an agent's state that comes with instar.",
        show_default=False,
    ),
]
Payload: TypeAlias = Annotated[
    list[Path] | None,
    typer.Option(metavar="FILE", help="JSON documents, or a folder of them; may be repeated."),
]
Store: TypeAlias = Annotated[
    str | None, typer.Option(metavar="URL", help="A store whose blobs are measured.")
]
Generated: TypeAlias = Annotated[
    list[int] | None,
    typer.Option(
        min=1,
        metavar="N",
        help="Make up a state whose main list has N items; may be repeated. Without"
        " payloads: 2, 100 and 2000.",
    ),
]
Version: TypeAlias = Annotated[
    int | None, typer.Option(min=1, metavar="N", help="The version measured, else the latest.")
]
Formats: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME", help="Only these formats of instar; may be repeated."),
]
Peers: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME",
        help="Only these others: a name, or a kind of bytes such as json; may be repeated."
        " none leaves out all.",
    ),
]
Peer: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(metavar="MODULE:NAME", help="A peer of your own; may be repeated."),
]
Base: TypeAlias = Annotated[
    str, typer.Option(metavar="NAME", help="The peer that ratios are taken to.")
]
Paths: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(metavar="PATH", help="What project reads; else the first and last plain field."),
]
Rounds: TypeAlias = Annotated[
    int | None, typer.Option(metavar="N", help="Rounds of each process, else 7.")
]
Processes: TypeAlias = Annotated[
    int | None, typer.Option(metavar="N", help="Processes, else 5; 3 with --quick or --seconds.")
]
Seconds: TypeAlias = Annotated[
    float | None,
    typer.Option(metavar="S", help="Start new processes until S seconds are over."),
]
Quick: TypeAlias = Annotated[
    bool, typer.Option("--quick", help="About a minute, not three or more; no YAML.")
]
NoCold: TypeAlias = Annotated[
    bool, typer.Option("--no-cold", help="Leave out cold starts in new processes.")
]
Scale: TypeAlias = Annotated[
    bool, typer.Option("--scale", help="Also measure 1 to 10,000 items, and how it grows.")
]
JsonFile: TypeAlias = Annotated[
    Path | None,
    typer.Option("--json", metavar="FILE", help="Write all that was found as JSON; - for stdout."),
]
HtmlFile: TypeAlias = Annotated[
    Path | None,
    typer.Option("--html", metavar="FILE", help="Write all that was found as a page with charts."),
]
Compare: TypeAlias = Annotated[
    tuple[Path, Path] | None,
    typer.Option(metavar="A B", help="Measure nothing; compare two such files, row by row."),
]
Margin: TypeAlias = Annotated[
    float, typer.Option(metavar="SHARE", help="What --compare lets pass, as a share.")
]
