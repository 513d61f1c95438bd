"""Regular expressions of rules: a part of what ``re`` knows that cannot run away.

A rule may come from a store, so its expression is not trusted. ``re`` tries again wherever it
had a choice, and choices multiply. Allowed are text, classes, groups, alternatives and repeats
of one character; a group is repeated at most as ``(...)?``. A repeat is no choice where a
literal follows that is none of its characters, as in ``[^/]*/``, and at the end: there it is
made possessive, which changes no match. The other choices are counted, for the longest text
that is taken, and too many are refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NoReturn

import msgspec

from ...errors import MigrationError

MOST_TEXT = 2000
"""The longest text that an expression is tried on, in characters."""
MOST_PATTERN = 500
"""The longest expression, in characters."""
# One repeat that is a choice, and a few alternatives beside it: a tenth of a second.
_MOST_CHOICES = 40 * MOST_TEXT

_TOKEN = re.compile(
    r"""
    (?P<open>\((?:\?:|(?!\?)))
    | (?P<close>\))
    | (?P<bar>\|)
    | (?P<repeat>(?:[*+?]|\{[0-9]{1,4}(?:,[0-9]{0,4})?\})\??)
    | (?P<anchor>[\^$])
    | (?P<atom>
        \\[dDwWsSnrtfv] | \\x[0-9a-fA-F]{2} | \\u[0-9a-fA-F]{4} | \\[^0-9A-Za-z]
        | \[\^?\]?(?:\\.|[^\]\\\[])*\]
        | [^\\()|*+?{}\[\]^$]
      )
    """,
    re.VERBOSE | re.DOTALL,
)
_OPPOSITES = {frozenset({rf"\{name}", rf"\{name.upper()}"}) for name in "dws"}


class _Token(msgspec.Struct, frozen=True):
    kind: str
    text: str
    repeat: str = ""
    least: int = 1
    most: int = 1


def compiled(pattern: str) -> re.Pattern[str]:
    """The expression, to be matched with a whole text of at most ``MOST_TEXT`` characters.

    Raises MigrationError where it is no expression, uses what is not allowed here, or may take
    too long.
    """
    if len(pattern) > MOST_PATTERN:
        raise MigrationError(
            f"the pattern has more than {MOST_PATTERN} characters", mend="shorten it"
        )
    tokens = _repeated(pattern)
    try:
        # As it stands first, so that an error shows what the user wrote.
        re.compile(pattern)
        found = re.compile("".join(_settled(tokens)))
    except (re.error, OverflowError, RecursionError) as error:
        raise MigrationError(
            f"the pattern {pattern!r} is none: {error}", mend="correct it"
        ) from None
    if _choices(tokens) > _MOST_CHOICES:
        raise MigrationError(
            f"the pattern {pattern!r} may take too long",
            mend="leave the separator that follows out of a class: [^/]*/ and not .*/",
        )
    return found


def _repeated(pattern: str) -> list[_Token]:
    """The parts of an expression, each with how often it is repeated."""
    tokens: list[_Token] = []
    for token in _tokens(pattern):
        if token.kind != "repeat":
            tokens.append(token)
            continue
        before = tokens.pop() if tokens else token
        least, most = _times(token.text)
        allowed = before.kind == "atom" or (before.kind == "close" and (least, most) == (0, 1))
        if before.repeat or not allowed:
            _refuse(pattern, f"{before.text}{before.repeat}{token.text}")
        tokens.append(_Token(before.kind, before.text, token.text, least, most))
    return tokens


def _tokens(pattern: str) -> Iterator[_Token]:
    at = 0
    while at < len(pattern):
        found = _TOKEN.match(pattern, at)
        if found is None:
            _refuse(pattern, pattern[at : at + 4])
        yield _Token(str(found.lastgroup), found[0])
        at = found.end()


def _times(repeat: str) -> tuple[int, int]:
    """The least and the greatest number of a repeat."""
    text = repeat[:-1] if len(repeat) > 1 and repeat.endswith("?") else repeat
    if text in {"*", "+", "?"}:
        return int(text == "+"), 1 if text == "?" else MOST_TEXT
    least, comma, most = text[1:-1].partition(",")
    return int(least), int(most or MOST_TEXT) if comma else int(least)


def _settled(tokens: list[_Token]) -> Iterator[str]:
    """The expression, with repeats that are no choice made possessive."""
    for at, token in enumerate(tokens):
        if token.kind == "atom" and token.repeat and _is_sure(token, tokens[at + 1 :]):
            most = "" if token.most == MOST_TEXT else token.most
            yield f"{token.text}{{{token.least},{most}}}+"
        else:
            yield token.text + token.repeat


def _choices(tokens: list[_Token]) -> int:
    """At most how often a match is tried another way."""
    product, alternatives = 1, [1]
    for at, token in enumerate(tokens):
        match token.kind:
            case "open":
                alternatives.append(1)
            case "bar":
                alternatives[-1] += 1
            case "close":
                product *= alternatives.pop() + (token.least == 0)
            case _:
                if not _is_sure(token, tokens[at + 1 :]):
                    product *= 1 + token.most - token.least
    return min(product * alternatives[0], 1 + _MOST_CHOICES)


def _is_sure(token: _Token, rest: list[_Token]) -> bool:
    """Whether a repeat has to take all that it can: nothing less leads to a match."""
    for at, after in enumerate(rest):
        match after.kind:
            case "close":
                continue
            case "open" if _always(rest[at:]):
                continue
            case "atom":
                return after.least > 0 and _are_apart(token.text, after.text)
            case _:
                return False
    return True


def _always(rest: list[_Token]) -> bool:
    """Whether the group that begins here is always there, in one form."""
    depth = 0
    for token in rest:
        depth += (token.kind == "open") - (token.kind == "close")
        if depth == 0:
            return token.least == 1
        if depth == 1 and token.kind == "bar":
            return False
    return False


def _are_apart(repeated: str, after: str) -> bool:
    """Whether no character is both; false where that is not plain to see."""
    if frozenset({repeated, after}) in _OPPOSITES:
        return True
    literal = after.removeprefix("\\") or after
    # A letter behind a backslash is a class or a control character, and "." is any.
    is_plain = len(literal) == 1 and not (after.startswith("\\") and literal.isalnum())
    return is_plain and after != "." and re.fullmatch(repeated, literal, re.DOTALL) is None


def _refuse(pattern: str, part: str) -> NoReturn:
    raise MigrationError(
        f"the pattern {pattern!r} has {part!r}, which a rule may not use",
        mend="there are text, classes, groups, alternatives, and repeats of one character",
    )
