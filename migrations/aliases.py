"""What to say of a path of ops that leads through a field which an alias renames."""

from __future__ import annotations

from ..schemas.model import Record, Schema
from .matching import short


def alias_hint(newer: Schema, record: Record, name: str) -> str:
    """Why a path through the field ``name`` of ``record`` leads nowhere, where an alias is why.

    An alias is followed when fields are matched, and that is after all ops.
    """
    for named in newer.types.values():
        same = short(named.name) == short(record.name) or record.name in named.aliases
        for field in named.fields if same and isinstance(named, Record) else ():
            old = next((alias for alias in field.aliases if alias != field.name), None)
            if old is not None and name in {field.name, *field.aliases}:
                renamed = name if name in field.aliases else old
                return (
                    f"there is no field {name}: an alias makes {renamed} into {field.name} only"
                    f" after all ops; write rename({renamed!r}, {field.name!r}) as an op before"
                    f" this one, and {field.name} in its path"
                )
    return ""
