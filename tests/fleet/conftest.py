from __future__ import annotations

from pathlib import Path

import pytest
from cli.place import make_project


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A subject of three versions, the last by a function."""
    return make_project(tmp_path)
