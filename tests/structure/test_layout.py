from __future__ import annotations

import os
from fnmatch import fnmatch

from structure.tree import FACADE, ROOT, components, packages, settings


def test_packages_are_listed() -> None:
    """Every package on disk is listed in pyproject.toml, and every listed one is on disk."""
    listed = settings()["tool"]["setuptools"]["packages"]
    assert sorted(listed) == sorted(packages())


def test_no_package_is_listed_twice() -> None:
    """The list of packages has no doubles."""
    listed = settings()["tool"]["setuptools"]["packages"]
    assert len(set(listed)) == len(listed)


def test_links_are_right() -> None:
    """src/instar holds one relative link for each component and no other link."""
    links = {path.name: str(path.readlink()) for path in FACADE.iterdir() if path.is_symlink()}
    wanted = {
        name.removeprefix("instar."): os.path.relpath(folder, FACADE)
        for name, folder in components().items()
    }
    assert links == wanted


def test_components_lie_at_the_root() -> None:
    """A listing of the root shows the components under their own names."""
    for name, folder in components().items():
        assert folder == ROOT / name.removeprefix("instar.")


def test_every_source_file_ships() -> None:
    """Every Python file of a component is in a package, or is package data by a pattern."""
    patterns = settings()["tool"]["setuptools"]["package-data"]
    homes = set(packages().values())
    stray = [
        path.relative_to(ROOT)
        for name, folder in components().items()
        for path in folder.rglob("*.py")
        if path.parent not in homes
        and not any(
            fnmatch(str(path.relative_to(folder)), pattern) for pattern in patterns.get(name, [])
        )
    ]
    assert stray == []


def test_reference_schemas_ship() -> None:
    """The schema files of the reference subjects are package data."""
    patterns = settings()["tool"]["setuptools"]["package-data"]["instar.schemas"]
    folder = components()["instar.schemas"]
    files = [*folder.glob("*/v*.avsc"), *folder.glob("*/v*.proto")]
    assert files
    for file in files:
        assert any(fnmatch(str(file.relative_to(folder)), pattern) for pattern in patterns)


def test_goldens_stay_behind() -> None:
    """No golden is package data: they prove something here, and nothing where it is installed."""
    patterns = settings()["tool"]["setuptools"]["package-data"]["instar.schemas"]
    folder = components()["instar.schemas"]
    files = [path.relative_to(folder) for path in folder.glob("*/golden/*/*")]
    assert files
    # What setuptools makes of a pattern does not reach below its own slashes.
    assert all(len(file.parts) > pattern.count("/") + 1 for file in files for pattern in patterns)


def test_the_plugin_is_a_module_of_its_own() -> None:
    """The only top-level name besides instar is the pytest plugin, which pytest finds."""
    found = settings()
    modules = [path.stem for path in FACADE.parent.glob("*.py")]
    assert found["tool"]["setuptools"]["py-modules"] == modules == ["pytest_instar"]
    assert found["project"]["entry-points"]["pytest11"] == {"instar": "pytest_instar"}
