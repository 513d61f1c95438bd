"""The page as a whole: its sections in order, its style and its script."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Sequence
from hashlib import sha256
from importlib.resources import files

from ..result import Result
from . import facts
from .ages import age_charts
from .bars import size_charts
from .dots import time_charts
from .findings import Findings
from .glance import glance
from .growth import growth_charts
from .markup import Markup, element, join
from .scaling import scale_charts
from .stack import cold_charts
from .tables import bytes_table, growth_table, ties_table, times_table


def render(result: Result) -> str:
    """One self-contained page of HTML with all that ``result`` holds but the single rounds."""
    found = Findings(result)
    title = f"instar bench: {result.subject.name}"
    body = element("body", _header(result), element("main", *_sections(found)), _script())
    return f"<!doctype html>\n{element('html', _head(title), body, lang='en')}\n"


def _head(title: str) -> Markup:
    return element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=_policy()),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("title", title),
        element("style", Markup(_file("page.css"))),
    )


def _policy() -> str:
    """What a browser may do with the page: nothing but its own style and its own script."""
    digest = b64encode(sha256(_file("page.js").encode()).digest()).decode()
    return f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"


def _script() -> Markup:
    return element("script", Markup(_file("page.js")))


def _file(name: str) -> str:
    return files(__package__ or __name__).joinpath(name).read_text(encoding="utf-8")


def _header(result: Result) -> Markup:
    subject, used = result.subject, result.environment
    others = f" of {_listed(subject.versions)}" if len(subject.versions) > 1 else ""
    about = f"Version {subject.version}{others}; {subject.source}."
    where = f"Measured on {used.taken.partition('T')[0]} with {used.python} on {used.cpu}."
    return element(
        "header",
        element("p", "instar bench", class_="kicker"),
        element("h1", subject.name),
        element("p", f"{about} {where}", class_="lead"),
    )


def _listed(versions: Sequence[int]) -> str:
    return ", ".join(map(str, versions))


def _sections(found: Findings) -> Iterator[Markup]:
    yield from _wrong(found)
    yield from _charts(found)
    yield from _tables(found)
    yield from _grounds(found)


def _wrong(found: Findings) -> Iterator[Markup]:
    result = found.result
    if result.findings:
        yield _section("What is wrong", "", facts.listed(result.findings, "findings"))
    if result.payloads:
        yield _section("At a glance", _FIRST, glance(found))
    if result.notes:
        yield _section("What to know before choosing", "", facts.notes(result.notes))


def _charts(found: Findings) -> Iterator[Markup]:
    result = found.result
    works = {row.work for row in result.rows}
    if "hydrate" in works:
        yield _section("Time by format and size", _TIME, time_charts(found))
    if result.sizes:
        yield _section("Size by format", _SIZE, size_charts(found))
    if "migrate" in works:
        yield _section("Migration cost by age", _AGE, age_charts(found))
    if "hydrate" in works:
        yield _section("Hydration against payload size", _GROWTH, growth_charts(found))
    if result.scales:
        yield _section("Growth", _SCALE, scale_charts(result.scales), growth_table(found))
    if result.cold:
        yield _section("Cold start", _COLD, cold_charts(result.cold))


_FIRST = (
    "Among peers that give typed objects. One is called the fastest only where its 95 % interval"
    " meets no other."
)
_TIME = (
    "The median of all rounds; thin lines are quartiles. Groups are not comparable: dicts and"
    " unread messages still have the work of making objects before them."
)
_SIZE = "Peers that store the same kind of bytes share a bar: +3 means that three more do."
_AGE = (
    "Reading an old blob as the current version, beside a current blob of the same state."
    " Thin lines are 95 % intervals."
)
_GROWTH = "Both axes are logarithmic: parallel lines differ by a constant factor."
_SCALE = "States whose main list has 1 to 10 000 items. An exponent of 1 is linear."
_COLD = "A new process, from its first instruction to its first state."


def _tables(found: Findings) -> Iterator[Markup]:
    if found.result.rows:
        yield _section("All times", _RANKS, times_table(found), _ties(found))
    if found.result.sizes or found.result.memory:
        yield _section("Bytes and memory", _MEMORY, bytes_table(found))


_RANKS = (
    "A rank counts peers that give the same. Where it says 2 to 4, no difference was shown"
    " between those places, and no order is claimed. Press a heading to sort."
)
_MEMORY = "All in bytes. Memory is what tracemalloc sees; what C code takes by itself is not in it."


def _ties(found: Findings) -> Markup:
    ties = found.result.ties
    if not ties:
        return Markup()
    summary = f"Rankings that are refused: {len(ties)}"
    return element("details", element("summary", summary), ties_table(found))


def _grounds(found: Findings) -> Iterator[Markup]:
    if found.result.peers:
        lead = "Each was checked to give the whole state back before it was timed."
        yield _section("Peers", lead, facts.peers(found), facts.left_out(found))
    yield _section("Method", "", facts.method(found.result))
    yield _section("Environment", "", facts.environment(found.result))


def _section(heading: str, lead: str, *parts: Markup) -> Markup:
    opening = [element("h2", heading), *([element("p", lead, class_="lead")] if lead else [])]
    return element("section", join(opening), *parts)
