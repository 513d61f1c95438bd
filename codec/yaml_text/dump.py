"""Plain values to YAML text that people read and :func:`load_yaml` reads back exactly."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from ...errors import ValueMismatch
from ..extras import import_yaml
from ..limits import DEFAULT_LIMITS, Limits, check_nesting

# YAML takes these for line ends or drops them unless they are escaped, which only the
# double-quoted style does; PyYAML leaves that to whoever allows unicode.
_ESCAPED = re.compile("[\x85\u2028\u2029\ufeff]")
_WIDTH = 100


def dump_yaml(value: Any, limits: Limits = DEFAULT_LIMITS) -> bytes:
    """The text of ``value``, made of dicts with text keys, lists and scalars, in block style.

    Raises ValueMismatch where YAML cannot hold it, LimitExceeded, MissingExtra without PyYAML.
    """
    check_nesting(value, limits)
    yaml = import_yaml()
    try:
        text: str = yaml.dump(
            value,
            Dumper=_dumper(),
            sort_keys=False,
            allow_unicode=True,
            width=_WIDTH,
            default_flow_style=False,
        )
        return text.encode()
    except (yaml.YAMLError, ValueError) as error:
        raise ValueMismatch(f"YAML cannot hold it: {error}") from error


@cache
def _dumper() -> Any:
    yaml = import_yaml()
    base: Any = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
    dumper: Any = type("_Dumper", (base,), {"ignore_aliases": _always})
    dumper.add_representer(str, _text)
    return dumper


def _always(dumper: Any, value: Any) -> bool:
    del dumper, value
    return True


def _text(dumper: Any, text: str) -> Any:
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=_style(text))


def _style(text: str) -> str | None:
    if _ESCAPED.search(text):
        return '"'
    return "|" if "\n" in text else None
