"""What can be wrong with goldens: rules with ids that never change, and findings by them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Rule:
    """One kind of finding: its id, which never changes, and what it looks after."""

    id: str
    purpose: str


MISSING: Final = Rule("golden-missing", "Each released version has its goldens.")
EDITED: Final = Rule("golden-edited", "A golden is never edited.")
UNLISTED: Final = Rule("golden-unlisted", "Each golden has its line, which says who made it.")
STRANGE: Final = Rule("golden-strange", "Goldens are of the version that was released.")
VALUE: Final = Rule("golden-value", "Each golden is read as the value that was recorded.")
UPGRADE: Final = Rule("golden-upgrade", "Each golden is read at every later version.")
ENGINES: Final = Rule("golden-engines", "Both engines read each golden alike.")

RULES: Final = (MISSING, EDITED, UNLISTED, STRANGE, VALUE, UPGRADE, ENGINES)


@dataclass(frozen=True, slots=True)
class Finding:
    """Something to mend: its rule, where, what, and how to mend it."""

    rule: Rule
    where: str
    what: str
    mend: str

    @property
    def id(self) -> str:
        """The id of its rule."""
        return self.rule.id

    @property
    def purpose(self) -> str:
        """What its rule looks after."""
        return self.rule.purpose
