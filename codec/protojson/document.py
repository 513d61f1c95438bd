"""ProtoJSON texts against Protobuf payloads of one schema, by ``google.protobuf.json_format``.

What the text says is protobuf's affair; what a payload says is the codec's, as ever.
"""

from __future__ import annotations

from typing import Any

from ...errors import UnsupportedSchema, ValueMismatch
from ...schemas.model import Schema
from ..limits import Limits
from .descriptors import named_messages

_SHOWN = 300
"""How many characters of protobuf's own message an error repeats."""


class ProtoJson:
    """Translates between ProtoJSON and payloads of ``schema``, which has to be a ``.proto``.

    Raises UnsupportedSchema for any other.
    """

    def __init__(self, schema: Schema, limits: Limits) -> None:
        if schema.language != "protobuf":
            raise UnsupportedSchema(
                "only a version that is a .proto has a ProtoJSON form",
                where=f"{schema.subject} v{schema.version}",
                mend="JSON form is for all: from_builtins, to_builtins and the format json",
            )
        self._limits = limits
        self._pool, self._root = named_messages(schema)

    def to_payload(self, text: str | bytes, *, drop_unknown: bool = False) -> bytes:
        """The payload of a text, defaults left out.

        Raises ValueMismatch for what is no ProtoJSON of the schema. Unknown keys and symbols
        are among that, unless they are to be dropped.
        """
        from google.protobuf import json_format  # noqa: PLC0415 - only when used

        try:
            message = json_format.Parse(
                _decoded(text),
                self._root(),
                ignore_unknown_fields=drop_unknown,
                descriptor_pool=self._pool,
                max_recursion_depth=self._limits.depth,
            )
        except (json_format.ParseError, ValueError, TypeError) as error:
            raise ValueMismatch(f"the text is no such ProtoJSON: {_shortened(error)}") from None
        # Whether all that is required is there is checked, with its path, as it is read.
        payload: bytes = message.SerializePartialToString(deterministic=True)
        return payload

    def from_payload(self, payload: bytes) -> str:
        """The text of a payload that the codec wrote.

        Raises ValueMismatch for what ProtoJSON has no form of: an ``Any`` of a type that the
        schema does not hold, a duration of more than ten thousand years.
        """
        from google.protobuf import json_format  # noqa: PLC0415 - only when used

        message: Any = self._root.FromString(payload)
        try:
            return json_format.MessageToJson(
                message, indent=None, descriptor_pool=self._pool, ensure_ascii=False
            )
        except (json_format.Error, ValueError, TypeError) as error:
            raise ValueMismatch(f"ProtoJSON cannot say it: {_shortened(error)}") from None


def _shortened(error: Exception) -> str:
    """What protobuf says; it may repeat a value as long as the text itself."""
    text = str(error)
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 3]}..."


def _decoded(text: str | bytes) -> str:
    return text if isinstance(text, str) else text.decode()
