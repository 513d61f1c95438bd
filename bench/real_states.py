"""A real payload to measure with: the trajectory of a coding agent, where one is at hand.

The schema is inferred from all files of the family, as a user who adopts such documents
would do it.
"""

from __future__ import annotations

import json
from math import log
from pathlib import Path
from typing import Final

from ..codec.documents import DocumentCodec
from ..codec.registry import Registry
from ..errors import ConfigError
from ..schemas.infer import infer_schema, read_documents
from ..schemas.numbering import number_fields
from .peers import Versions
from .states import States

SUBJECT: Final = "trajectory"
_BYTES: Final = (1_500, 30_000, 600_000)


def real_states(folder: Path) -> States:
    """The largest ``.traj`` document of ``folder`` as a typed state, and the next largest.

    Raises ``ConfigError`` where there are not two of them.
    """
    files = sorted(folder.glob("*.traj"), key=lambda file: file.stat().st_size)
    if len(files) < 2:  # noqa: PLR2004 - one to measure and one to check with
        raise ConfigError("there is no real data", where=str(folder))
    versions = _versions(files)
    types = versions.registry.subject(SUBJECT).types(1)
    documents = DocumentCodec(types)
    other, state = (documents.load(json.loads(file.read_bytes()))[0] for file in files[-2:])
    size = len(versions.codec("json").encode(state))
    return States(f"{size / 1000:.0f} KB real", nearest(size), versions, state, other)


def nearest(size: int) -> int:
    """Which size of the sample is nearest, as a ratio, to so many bytes of JSON."""
    return min(range(len(_BYTES)), key=lambda place: abs(log(size / _BYTES[place])))


def _versions(files: list[Path]) -> Versions:
    schema = infer_schema(read_documents(files), subject=SUBJECT)
    return Versions(Registry.of(number_fields([schema])), SUBJECT, 1)
