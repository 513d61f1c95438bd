"""What a program of an earlier release does with each state: load, edit, save.

It runs in the environment of that release, so it uses only what the release has.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import instar
from instar.errors import InstarError


def work(registry: Any, url: str, format_: str) -> dict[str, Any]:
    codec = registry.codec("job", format=format_)
    repository = instar.Repository(codec, url)
    try:
        seen = codec.to_builtins(repository.load(format_))
        with repository.edit(format_) as state:
            state.title = "edited"
            state.steps[0].note = "done"
            state.steps.reverse()
    except InstarError as error:
        return {"error": type(error).__name__, "message": str(error)}
    return {"seen": seen}


def main() -> None:
    schemas, url, *formats = sys.argv[1:]
    registry = instar.Registry.open(schemas)
    found = {format_: work(registry, url, format_) for format_ in formats}
    print(json.dumps({"at": str(Path(instar.__file__).parent), "found": found}))  # noqa: T201 - for who started it


main()
