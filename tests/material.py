"""Finds the folder of real data beside the checkout, and skips where there is none."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


def material(*parts: str) -> Path:
    """The path of a piece of real data; skips the test, with a reason, where it is absent."""
    path = ROOT.parent.joinpath("shared", "material", *parts)
    if not path.exists():
        pytest.skip(f"real data is not here: {'/'.join(('shared', 'material', *parts))}")
    return path
