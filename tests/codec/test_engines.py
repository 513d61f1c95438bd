"""Which engine is in use, why, and that all works without the kernel."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from material import ROOT
from view_walks import HAS_KERNEL

import instar
from instar.codec.engines import VARIABLE, Engine, engine, engines, forced_engine
from instar.errors import ConfigError

NO_KERNEL = """
import sys
from importlib.abc import MetaPathFinder
class Hidden(MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name == "instar.codec.kernel.core":
            raise ImportError("it is hidden", name=name)
sys.meta_path.insert(0, Hidden())
import instar
"""
USE = """
registry = instar.Registry.open(sys.argv[1], sys.argv[2])
codec = registry.codec("agent_command", version=1)
state = codec.from_builtins({"command_id": "c", "idempotency_key": "k", "labels": {"a": "b"},
    "created": "2026-01-02T03:04:05Z", "priority": 1, "attempts": 2})
for name in ("avro", "protobuf", "msgpack"):
    blob = registry.codec("agent_command", version=1, format=name).encode(state)
    assert codec.decode(blob) == state == codec.view(blob)
    assert codec.project(blob, "labels['a']", "attempts") == ("b", 2)
    assert instar.read_tag(blob).verified and not codec.peek(blob).verified
print(instar.engine())
"""


def run(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """What a fresh process does."""
    given = {name: value for name, value in os.environ.items() if name != VARIABLE}
    return subprocess.run(
        [sys.executable, "-c", code, ROOT / "schemas", ROOT / "migrations"],
        capture_output=True,
        text=True,
        check=False,
        env=given | environment,
    )


@pytest.mark.skipif(not HAS_KERNEL, reason="no kernel is in use")
def test_forced(monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernel is in use where it is installed, and either engine where it is asked for."""
    monkeypatch.delenv(VARIABLE, raising=False)
    assert engine() == Engine("kernel", "it is installed")
    monkeypatch.setenv(VARIABLE, "kernel")
    assert str(engine()) == "kernel (INSTAR_ENGINE asks for it)"
    monkeypatch.setenv(VARIABLE, "library")
    assert str(instar.engine()) == "library (INSTAR_ENGINE asks for it)"
    monkeypatch.setenv(VARIABLE, "")
    assert engine().name == "kernel"


@pytest.mark.parametrize("value", ["Kernel", "c", " library"])
def test_no_engine(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    """Any other value is an error that names the variable and what it may be."""
    monkeypatch.setenv(VARIABLE, value)
    with pytest.raises(ConfigError, match="known are kernel, library") as caught:
        engine()
    assert caught.value.where == "INSTAR_ENGINE"
    assert repr(value) in caught.value.what


def test_without_a_kernel() -> None:
    """Where no kernel was built, the library engine does all of it, and says why."""
    found = run(NO_KERNEL + USE)
    assert found.stdout.strip() == (
        "library (no kernel was built when instar was installed: it is hidden)"
    ), found.stderr


def test_a_kernel_that_is_not_there() -> None:
    """Asking for a kernel that is not there is an error that says how to get it."""
    found = run(NO_KERNEL + "instar.engine()", INSTAR_ENGINE="kernel")
    assert "ConfigError: INSTAR_ENGINE: the kernel cannot be used" in found.stderr
    assert "where there is a C compiler, or unset the variable" in found.stderr


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(
            "kernel", marks=pytest.mark.skipif(not HAS_KERNEL, reason="no kernel is in use")
        ),
        "library",
    ],
)
def test_each_engine_does_all(name: str) -> None:
    """A process that is given one engine reads, writes and looks with it."""
    found = run("import sys, instar\n" + USE, INSTAR_ENGINE=name)
    assert found.stdout.strip() == f"{name} (INSTAR_ENGINE asks for it)", found.stderr


def test_the_library_engine_leaves_the_kernel_alone() -> None:
    """A process with the library engine runs nothing of the kernel's, not even for tags."""
    code = "import sys, instar\n" + USE + "print('instar.codec.kernel.format' in sys.modules)"
    found = run(code, INSTAR_ENGINE="library")
    assert found.stdout.split()[-1] == "False", found.stderr


def test_engines_are_values() -> None:
    """An engine compares by value, and cannot be changed."""
    found: Any = Engine("library", "so")
    assert found == Engine("library", "so")
    with pytest.raises(AttributeError):
        found.name = "kernel"


@pytest.mark.skipif(not HAS_KERNEL, reason="no kernel is in use")
def test_an_engine_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    """One thread may have an engine for a while, whatever the environment asks for."""
    monkeypatch.setenv(VARIABLE, "library")
    with forced_engine("kernel"), ThreadPoolExecutor(1) as pool:
        with forced_engine("library"):
            assert engine() == Engine("library", "this run asks for it")
        assert engine().name == "kernel"
        assert pool.submit(engine).result() == Engine("library", "INSTAR_ENGINE asks for it")
    assert engine().name == "library"
    assert engines() == ("kernel", "library")


def test_a_missing_kernel_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    """A kernel that is not there cannot be had for a while either."""
    monkeypatch.setattr("instar.codec.engines.missing_kernel", lambda: "it is hidden")
    with pytest.raises(ConfigError, match="it is hidden"), forced_engine("kernel"):
        pass
    assert engines() == ("library",)
