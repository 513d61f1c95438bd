"""The command line: ``instar``. One file for each command."""

from __future__ import annotations

from .main import app, main

__all__ = ["app", "main"]
