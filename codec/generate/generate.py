"""``instar generate``: the Python package of one subject, as text."""

from __future__ import annotations

import keyword
import re
from collections.abc import Mapping

from ...errors import ConfigError
from ..subject import Subject
from .emit import MARK, import_order, package_module, version_module
from .losses import losses_to_latest, losses_to_neighbours


def generate(
    subject: Subject,
    migrations: Mapping[str, str],
    *,
    format: str = "avro",  # noqa: A002 - the word that Registry.codec uses
) -> dict[str, str]:
    """The files of a subject's package, by relative name with ``/``.

    ``migrations`` are the source texts of those that ``subject`` was opened with, by file name
    (``v1_v2.py``); ``format`` is the one that the package's ``codec`` writes. The docstring of
    a version says what its states lose one version up and down, and that of the package what
    older states lose where they are read at the latest. The same input gives the same bytes,
    always.

    Raises ConfigError where the subject or a file has no name that can be imported, and
    SchemaError where a schema contradicts itself.
    """
    name = _package_name(subject.name)
    schemas = [subject.schemas[version] for version in sorted(subject.schemas)]
    steps = [_step(file, name) for file in sorted(migrations, key=import_order)]
    files = {
        f"v{schema.version}.py": version_module(
            schema, losses_to_neighbours(subject, schema.version)
        )
        for schema in schemas
    }
    files |= {f"{step}.py": _copy(name, step, migrations[f"{step}.py"]) for step in steps}
    files["__init__.py"] = package_module(schemas, steps, format, losses_to_latest(subject))
    return {f"{name}/{file}": files[file] for file in sorted(files, key=import_order)}


def _package_name(subject: str) -> str:
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
