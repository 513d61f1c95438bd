"""What a file's syntax or edition says of presence, enums and encodings, field by field.

The defaults are those of Protobuf's "Feature Settings for Editions"; the features that are
read may stand on a file, a field or an enum, and on nothing between.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ..model import Encoding

if TYPE_CHECKING:
    from google.protobuf.descriptor_pb2 import (
        EnumDescriptorProto,
        FeatureSet,
        FieldDescriptorProto,
        FileDescriptorProto,
    )

# Of FieldDescriptorProto.Type, Label and FeatureSet, which are part of Protobuf's own schema.
STRING, GROUP, MESSAGE, BYTES = 9, 10, 11, 12
REPEATED = 3
_REQUIRED = 2
_EXPLICIT, _IMPLICIT, _LEGACY_REQUIRED = 1, 2, 3
_OPEN, _CLOSED = 1, 2
_PACKED, _EXPANDED = 1, 2
_LENGTH_PREFIXED, _DELIMITED = 1, 2

_SYNTAXES: Mapping[str, Mapping[str, int]] = {
    "proto2": {
        "field_presence": _EXPLICIT,
        "enum_type": _CLOSED,
        "repeated_field_encoding": _EXPANDED,
        "message_encoding": _LENGTH_PREFIXED,
    },
    "proto3": {
        "field_presence": _IMPLICIT,
        "enum_type": _OPEN,
        "repeated_field_encoding": _PACKED,
        "message_encoding": _LENGTH_PREFIXED,
    },
    "editions": {
        "field_presence": _EXPLICIT,
        "enum_type": _OPEN,
        "repeated_field_encoding": _PACKED,
        "message_encoding": _LENGTH_PREFIXED,
    },
}


class Features:
    """The features of one file, and what they make of its fields and enums."""

    def __init__(self, file: FileDescriptorProto) -> None:
        syntax = file.syntax or "proto2"
        self._settings = _override(_SYNTAXES[syntax], file.options.features)

    def is_required(self, field: FieldDescriptorProto) -> bool:
        """Whether a message without the field is none."""
        return field.label == _REQUIRED or self._of(field, "field_presence") == _LEGACY_REQUIRED

    def is_explicit(self, field: FieldDescriptorProto) -> bool:
        """Whether a singular scalar that is zero differs from one that is not set."""
        return field.proto3_optional or self._of(field, "field_presence") == _EXPLICIT

    def is_closed(self, enum: EnumDescriptorProto) -> bool:
        """Whether unknown numbers are no values of the enum."""
        return _override(self._settings, enum.options.features)["enum_type"] == _CLOSED

    def encoding(self, field: FieldDescriptorProto) -> Encoding | None:
        """How the field is written where that is not the usual way."""
        if field.type == GROUP:
            return "delimited"
        if field.type == MESSAGE:
            is_delimited = self._of(field, "message_encoding") == _DELIMITED
            return "delimited" if is_delimited else None
        is_packable = field.label == REPEATED and field.type not in {STRING, BYTES}
        return "expanded" if is_packable and not self._is_packed(field) else None

    def _is_packed(self, field: FieldDescriptorProto) -> bool:
        if field.options.HasField("packed"):
            return field.options.packed
        return self._of(field, "repeated_field_encoding") == _PACKED

    def _of(self, field: FieldDescriptorProto, feature: str) -> int:
        return _override(self._settings, field.options.features)[feature]


def _override(settings: Mapping[str, int], own: FeatureSet) -> Mapping[str, int]:
    """``settings`` with those that a definition gives itself."""
    return {
        name: getattr(own, name) or setting  # 0 stands for a feature that is not given
        for name, setting in settings.items()
    }
