"""The pytest plugin: ``pytest --instar schemas`` tests schemas, migrations and goldens too.

It stands beside the package, not in it: pytest imports it on every run, and ``instar`` itself is
only imported where the option is given.
"""

from __future__ import annotations

from pathlib import Path

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add ``--instar DIR``."""
    parser.getgroup("instar").addoption(
        "--instar",
        metavar="DIR",
        help="Also test the schemas in this folder, with their migrations and goldens.",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Make the mark known that the items have, for ``-m instar``."""
    if _folder(config) is not None:
        config.addinivalue_line("markers", "instar: what --instar collects")


def pytest_report_header(config: pytest.Config) -> str | None:
    """Say which folder is tested, and by which engines its goldens are read."""
    folder = _folder(config)
    if folder is None:
        return None
    from instar.cli.pytest_items import header  # noqa: PLC0415 - see above

    return header(folder)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(
    session: pytest.Session, config: pytest.Config, items: list[pytest.Item]
) -> None:
    """Add the items of the folder, before ``-k`` and ``-m`` choose."""
    folder = _folder(config)
    if folder is not None:
        from instar.cli.pytest_items import collect  # noqa: PLC0415 - see above

        items += collect(session, folder)


def _folder(config: pytest.Config) -> Path | None:
    given: str | None = config.getoption("instar")
    return None if given is None else config.invocation_params.dir / given
