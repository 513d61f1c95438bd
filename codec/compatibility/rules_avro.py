"""What Avro's resolution makes of a change of type, in the words of a verdict."""

from __future__ import annotations

from ...schemas.avro.mismatches import Mismatch, Resolver
from .fit import Fit, Reads, Typed, worst
from .words import told


def avro_reads(writer: Typed, reader: Typed) -> Reads:
    """How Avro's resolution reads one type as another. Records are compared by name alone."""
    found = Resolver(writer.schema, reader.schema, closed=True).types(writer.type, reader.type)
    return worst(
        Reads(
            Fit.VALUE if one.parses else Fit.LAYOUT,
            _why(one, writer.inner(one.writer), reader.inner(one.reader)),
        )
        for one in found
    )


def _why(found: Mismatch, writer: Typed, reader: Typed) -> str:
    old, new = told(writer), told(reader)
    match found.kind:
        case "meaning":
            return f"{old} is read as {new}"
        case "text":
            return "bytes that are no UTF-8 are read as another text"
        case "branch":
            return f"the reader's union has no branch for {old}"
        case "name":
            return f"{old} is not called {new}, nor is that its alias"
        case _:
            return f"{old} is not read as {new}"
