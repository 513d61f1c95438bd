"""The Python functions that the migrations of the bench call, and that its peers call too."""

from __future__ import annotations


def split_model(model: str) -> tuple[str, str]:
    """Provider and name: ``openai/gpt-4o`` is ``openai`` and ``gpt-4o``."""
    provider, _, name = model.partition("/")
    return provider, name


def join_model(provider: str, name: str) -> str:
    """The way back of :func:`split_model`."""
    return f"{provider}/{name}"


def split_usage(usage: str) -> tuple[int, int]:
    """Tokens read and written: ``812+96`` is 812 and 96."""
    read, _, written = usage.partition("+")
    return int(read), int(written)


def join_usage(read: int, written: int) -> str:
    """The way back of :func:`split_usage`."""
    return f"{read}+{written}"
