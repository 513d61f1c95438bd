from __future__ import annotations

import gc
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

# How busy the machine is must not decide whether a test passes.
settings.register_profile("instar", deadline=None)
# For a second run of what has run already, on another Python or without the kernel.
settings.register_profile("brief", deadline=None, max_examples=25)
# For a long look, by hand.
settings.register_profile("deep", deadline=None, max_examples=1000)
settings.load_profile("instar")

# Whole histories are alive at once, and the collector would go over them for a third of the time.
gc.set_threshold(50_000, 10, 10)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--rewrite-golden",
        action="store_true",
        help="write what the code gives now over the files in tests/golden, for a person to review",
    )


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[Path, bytes], None]:
    """Compares bytes with a golden file; with ``--rewrite-golden``, writes the file."""
    rewrite = bool(request.config.getoption("--rewrite-golden"))

    def compare(path: Path, found: bytes) -> None:
        if rewrite:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(found)
        assert path.exists(), f"{path.name} is new: review it with pytest --rewrite-golden"
        assert found == path.read_bytes(), (
            f"{path} is not what the code gives now; if that is meant, run pytest --rewrite-golden"
        )

    return compare
