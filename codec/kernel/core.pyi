from collections.abc import Callable
from typing import Any, Literal

from .spec import Spec

CONSTANT: int
EMPTY_LIST: int
EMPTY_DICT: int
MAKE: int
NEVER: int
ANY: int
BOOLEAN: int
INT: int
LONG: int
UINT32: int
UINT64: int
FLOAT: int
DOUBLE: int
BYTES: int
STRING: int
FIXED: int
ENUM: int
DATE: int
TIME: int
TIMESTAMP: int
LOCAL_TIMESTAMP: int
DURATION: int
UUID_TEXT: int
UUID_BYTES: int
DECIMAL: int
JSON: int
CARRIED: int
CALL: int
TO_ITEM: int
FIRST_ITEM: int
SCRATCH: int
ASSEMBLE: int
FUNCTION: int
HELD: int
GATHER: int
OPTIONAL: int
UNION: int
BOX: int
ARRAY: int
MAP: int
RECORD: int
VECTOR: int
WRAP: int
TIMESTAMP_PARTS: int
DURATION_PARTS: int
JSON_VALUE: int
JSON_STRUCT: int
JSON_LIST: int
SPELLED: int
LONGEST_OPENING: int

NO_NUMBER: int
VARINT_64: int
VARINT_32: int
VARINT_U32: int
ZIGZAG_64: int
ZIGZAG_32: int
FIXED_64: int
FIXED_32: int
FIXED_U32: int

IMPLICIT: int
REQUIRED: int
REPEATED: int
PACKED: int
ALSO: int
ONEOF: int
MAYBE: int
AGAIN: int

LAST_USE: int
NEEDED: int
FLAT: int

class Program:
    def __init__(self, code: int, specs: list[Spec], root: int, depth: int) -> None: ...

class Decoder:
    def __init__(self, largest: int) -> None: ...
    def add(self, code: int, version: int, fingerprint: int, decode: object) -> None: ...
    def add_text(self, opening: bytes, program: Program) -> None: ...
    def decode(self, blob: Any) -> Any: ...
    def part(self, blob: Any, verify: bool) -> Any: ...

class Part:
    @property
    def cls(self) -> type: ...
    @property
    def kind(self) -> Literal["record", "list", "map"]: ...
    @property
    def names(self) -> dict[str, int]: ...
    def field(self, index: int) -> Any: ...
    def values(self, names: tuple[str, ...]) -> Any: ...
    def count(self) -> Any: ...
    def item(self, index: int) -> Any: ...
    def keys(self) -> Any: ...
    def value(self, index: int) -> Any: ...
    def hydrate(self) -> Any: ...

class Encoder:
    def __init__(
        self,
        program: Program,
        version: int,
        fingerprint: int,
        largest: int,
        opening: bytes = b"",
    ) -> None: ...
    def encode(self, state: Any) -> Any: ...
    def payload(self, state: Any, residue: int = 0, carried: list[Any] | None = None) -> Any: ...

def part_of_payload(program: Program, payload: bytes) -> Any: ...
def decode_payload(
    program: Program, payload: bytes, residue: int = 0, carried: list[Any] | None = None
) -> Any: ...
def slots_of(cls: type, names: tuple[str, ...]) -> tuple[int, ...] | None: ...
def checksum_of(first: bytes, second: bytes) -> int: ...
def head_of(blob: Any) -> Any: ...
def is_sound(program: Program, state: Any, plain: bool, leaves: bool = False) -> bool: ...

class Holding:
    def __init__(self, base: type, taker: Callable[[type, bytes], object]) -> None: ...
    def doubtful(self, state: Any, depth: int) -> Any: ...

class Field:
    def __init__(
        self,
        attribute: str,
        opening: bytes,
        is_given: bool,
        given: object,
        is_made: bool,
        kind: int,
        is_optional: bool,
        slot: object,
        read: Callable[[bytes], object],
        digest: Callable[[Any], bytes],
    ) -> None: ...

class Within:
    def __init__(
        self, new: type, new_name: str, old: type, old_name: str, is_lossy: bool
    ) -> None: ...

class Pairing:
    def __init__(
        self,
        old: type,
        opening: bytes,
        lossy: tuple[Field, ...],
        known: tuple[Field, ...],
        inner: tuple[Within, ...],
        again: Callable[[Any], object],
    ) -> None: ...

class Beside:
    def __init__(
        self,
        base: type,
        pairings: dict[type, Pairing],
        mark: bytes,
        of_field: Callable[..., list[bytes]],
        depth: int,
    ) -> None: ...
    def lower(self, new: Any, old: Any) -> int: ...
    def raise_(self, old: Any, new: Any) -> list[tuple[Any, Any, bytes]] | None: ...

def attach_section(state: Any, section: bytes, base: type) -> int | None: ...
def section_of(state: Any, base: type, depth: int) -> tuple[int, int, bytes, bytes] | None: ...
def has_carriers(state: Any, base: type, depth: int) -> bool | None: ...
def carriers_of(state: Any, base: type, depth: int) -> Any: ...
def framed(code: int, version: int, fingerprint: int, payload: bytes, largest: int) -> Any: ...
