"""The tag: the header that makes a blob say what it is, in every framing."""

from .read import Blob, Format, Framing, Lead, Tag, as_bytes, lead_of, peek, read_tag, unpack

__all__ = [
    "Blob",
    "Format",
    "Framing",
    "Lead",
    "Tag",
    "as_bytes",
    "lead_of",
    "peek",
    "read_tag",
    "unpack",
]
