"""``python -m instar.cli``: the same as ``instar``."""

from __future__ import annotations

from .main import main

if __name__ == "__main__":
    main()
