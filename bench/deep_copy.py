"""A deep copy in C of typed states: the floor under any hydration, for the bench alone.

It is built from ``deep_copy.c`` when it is first asked for, into a folder that is gone
afterwards, because what only the bench uses is no part of what users install.
"""

from __future__ import annotations

import enum
import inspect
import uuid
from array import array
from collections.abc import Callable
from decimal import Decimal
from functools import cache
from importlib import import_module
from importlib.machinery import ExtensionFileLoader
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from ..codec.record import Record
from ..codec.types import SchemaTypes
from ..errors import ConfigError, ValueMismatch
from .same import same, share_parts

SOURCE: Final = Path(__file__).with_name("deep_copy.c")


def deep_copier(types: SchemaTypes) -> Callable[[Any], Any]:
    """A function that copies the objects of one schema, all the way down.

    Enum members and decimals are shared: the first are made once anyway, and C cannot reach
    into the second. Raises ``ConfigError`` where there is no C compiler.
    """
    module = _built()
    for shared in (Decimal, *(c for c in types.classes.values() if issubclass(c, enum.Enum))):
        module.learn(shared)
    module.repeat(array)
    module.learn(uuid.UUID, _slots(uuid.UUID, ("int", "is_safe")))
    module.learn(uuid.SafeUUID)
    for record in (*types.classes.values(), *types.boxes.values()):
        if issubclass(record, Record):
            module.learn(record, _slots(record, record.__struct_fields__))
    copy: Callable[[Any], Any] = module.copy
    return copy


def check_copy(copy: Callable[[Any], Any], state: Any) -> None:
    """Raise ``ValueMismatch`` unless ``copy`` gives the whole state and shares no part of it."""
    found = copy(state)
    if not same(found, state) or share_parts(found, state):
        raise ValueMismatch("it does not give a copy of the whole state", path="deep copy")


def _slots(class_: type, names: tuple[str, ...]) -> tuple[Any, ...]:
    return tuple(inspect.getattr_static(class_, name) for name in names)


@cache
def _built() -> Any:
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        path = build(Path(folder))
        loader = ExtensionFileLoader("deep_copy", str(path))
        spec = spec_from_file_location("deep_copy", path, loader=loader)
        assert spec is not None  # there is a loader
        module = module_from_spec(spec)
        loader.exec_module(module)
        return module


def build(folder: Path) -> Path:
    """Compile the extension into ``folder``; ``ConfigError`` where that does not work."""
    # As Any: half of what setuptools has is unknown to a strict checker.
    errors: Any = import_module("setuptools.errors")
    try:
        command = _command(folder)
        command.run()
    except (errors.CompileError, errors.LinkError, errors.BaseError, OSError) as error:
        raise ConfigError(
            f"the deep copy in C cannot be built: {error}",
            mend="install a C compiler and the headers of Python",
        ) from None
    return Path(command.get_ext_fullpath("deep_copy"))


def _command(folder: Path) -> Any:
    setuptools: Any = import_module("setuptools")
    build_ext: Any = import_module("setuptools.command.build_ext")
    extension = setuptools.Extension("deep_copy", [str(SOURCE)])
    command = build_ext.build_ext(setuptools.Distribution({"ext_modules": [extension]}))
    command.build_lib = command.build_temp = str(folder)
    command.ensure_finalized()
    return command
