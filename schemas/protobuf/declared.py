"""Defaults that a ``.proto`` declares (``[default = 5]``), in JSON form."""

from __future__ import annotations

import base64

from ..model import Default, JsonValue
from .features import BYTES, STRING

_FLOATS = frozenset({1, 2})
_BOOLEAN = 8
_WORDS = {"inf": "Infinity", "-inf": "-Infinity", "nan": "NaN", "-nan": "NaN"}


def declared(type_: int, text: str) -> Default:
    """The default that protoc's descriptors hold as ``text``, for a scalar of this type.

    ``type_`` is a number of FieldDescriptorProto.Type.
    """
    return Default(_value(type_, text))


def _value(type_: int, text: str) -> JsonValue:
    if type_ == STRING:
        return text
    if type_ == BYTES:
        return base64.b64encode(_unescape(text)).decode()
    if type_ == _BOOLEAN:
        return text == "true"
    if type_ in _FLOATS:
        return _WORDS.get(text) or float(text)
    return int(text)


def _unescape(text: str) -> bytes:
    r"""Bytes from protoc's C escapes: ``\n``, ``\"`` and octal numbers, all of it ASCII."""
    return text.encode("ascii").decode("unicode_escape").encode("latin-1")
