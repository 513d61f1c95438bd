"""``instar generate``: the Python package of one subject, as text."""

from __future__ import annotations

import keyword
import re
from collections.abc import Mapping, Sequence

from ...errors import ConfigError
from ...schemas.model import Schema
from .emit import MARK, import_order, package_module, version_module


def generate(
    subject_schemas: Sequence[Schema],
    migrations: Mapping[str, str],
    *,
    format: str = "avro",  # noqa: A002 - the word that Registry.codec uses
) -> dict[str, str]:
    """The files of a subject's package, by relative name with ``/``.

    ``subject_schemas`` are its versions in order; ``migrations`` are source texts by file
    name (``v1_v2.py``); ``format`` is the one that the package's ``codec`` writes. The same
    input gives the same bytes, always.

    Raises ConfigError where the subject or a file has no name that can be imported, and
    SchemaError where a schema contradicts itself.
    """
    subject = _subject(subject_schemas)
    steps = [_step(name, subject) for name in sorted(migrations, key=import_order)]
    files = {f"v{schema.version}.py": version_module(schema) for schema in subject_schemas}
    files |= {f"{step}.py": _copy(subject, step, migrations[f"{step}.py"]) for step in steps}
    files["__init__.py"] = package_module(subject_schemas, steps, format)
    return {f"{subject}/{name}": files[name] for name in sorted(files, key=import_order)}


def _subject(schemas: Sequence[Schema]) -> str:
    subjects = {schema.subject for schema in schemas}
    if len(subjects) != 1:
        raise ConfigError(f"one subject is generated at a time, not {len(subjects)}")
    subject = subjects.pop()
    if not subject.isidentifier() or keyword.iskeyword(subject):
        raise ConfigError(
            "no Python package can have this name",
            where=subject,
            mend="rename the subject's folder",
        )
    return subject


def _step(file_name: str, subject: str) -> str:
    if not re.fullmatch(r"v\d+_v\d+\.py", file_name):
        raise ConfigError(
            f"{file_name!r} is no name of a migration",
            where=subject,
            mend="name it v<from>_v<to>.py",
        )
    return file_name.removesuffix(".py")


def _copy(subject: str, step: str, text: str) -> str:
    return f"{MARK} from migrations/{subject}/{step}.py; edit that.\n{text}"
