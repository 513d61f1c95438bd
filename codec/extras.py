"""Imports what only some formats need, where it is needed."""

# ruff: noqa: PLC0415 - imported at first use, so that `import instar` stays fast

from __future__ import annotations

from types import ModuleType

from ..errors import MissingExtra


def import_yaml() -> ModuleType:
    """The yaml package, which is PyYAML. Raises MissingExtra."""
    try:
        import yaml
    except ImportError as error:
        raise MissingExtra("the yaml format needs PyYAML", extra="yaml") from error
    return yaml


def import_zstandard() -> ModuleType:
    """The zstandard package. Raises MissingExtra."""
    try:
        import zstandard
    except ImportError as error:
        raise MissingExtra("compressed blobs need zstandard", extra="zstd") from error
    return zstandard


def import_hypothesis() -> ModuleType:
    """The hypothesis package. Raises MissingExtra."""
    try:
        import hypothesis
    except ImportError as error:
        raise MissingExtra("generating states needs hypothesis", extra="test") from error
    return hypothesis
