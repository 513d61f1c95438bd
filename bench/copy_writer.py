"""What writes functions that copy what a library made into typed objects, as source.

They are as direct as a person would write them, with nothing checked: one for each record.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, ClassVar, cast

from ..codec.types import SchemaTypes
from ..schemas.model import Field, Record


class CopyWriter(ABC):
    """Writes the functions; ``known`` holds what they refer to, and ``source`` is the name that
    they give to what is copied.
    """

    source: ClassVar[str]

    def __init__(self, types: SchemaTypes, known: dict[str, Any]) -> None:
        self.types = types
        self.known = known
        self.functions: list[str] = []

    def compile(self) -> Callable[[Any], Any]:
        """The function that copies a root record."""
        root = self.record(self.types.schema.root)
        exec("\n".join(self.functions), self.known)  # noqa: S102 - made of names chosen here
        return cast("Callable[[Any], Any]", self.known[root])

    def record(self, name: str) -> str:
        """The name of the function that copies a record."""
        class_ = self.types.record(name)
        function = f"copy_{class_.__name__}"
        if class_.__name__ not in self.known:
            self.known[class_.__name__] = class_
            record = cast("Record", self.types.schema.types[name])
            attributes = self.types.names.attributes[name]
            parts = [f"{attributes[field.name]}={self.field(field)}" for field in record.fields]
            made = f"{class_.__name__}({', '.join(parts)})"
            self.functions.append(f"def {function}({self.source}):\n    return {made}\n")
        return function

    @abstractmethod
    def field(self, field: Field) -> str:
        """What copies a field of a record."""
