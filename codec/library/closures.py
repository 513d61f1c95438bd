"""What the closures of a compiled conversion do when they run.

Errors take on their path on the way out, which costs nothing while all goes well.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, Final, TypeAlias

from ...errors import ComputeError, NotExpressible, ValueMismatch
from ...migrations.conversion import RecordConversion
from ..mismatch import mismatch
from .source import Getter, Raw

Load: TypeAlias = Callable[[Raw], Any]
"""Turns a raw value into a Python value."""

PLACED: Final = (ValueMismatch, ComputeError)
"""The errors that take on a path."""

ABSENT: Final[Any] = object()
"""Stands for a field of a record that is null itself."""


def same(value: Any) -> Any:
    """The value as it is."""
    return value


def later(records: Mapping[Any, Load], key: Hashable, raw: Raw) -> Any:
    """What a loader does that is not built yet when this is."""
    return records[key](raw)


def chain(first: Getter | None, then: Load | None) -> Load | None:
    """One after the other, where ``None`` does nothing."""
    if first is None or then is None:
        return first or then
    return lambda raw: then(first(raw))


Step: TypeAlias = tuple[str, str, Getter, Load | None]
"""An attribute, the source field it comes from, and how it is got and loaded."""

Results: TypeAlias = list[tuple[Any, ...]]
"""What each call of a record gave."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """An attribute that is a result of a call."""

    attribute: str
    name: str
    call: int
    index: int
    load: Load | None


@dataclass(frozen=True, slots=True)
class RecordSteps:
    """How the attributes of a record are made: taken, filled, and made by calls."""

    takes: Sequence[Step]
    fills: Sequence[tuple[str, Callable[[], Any]]]
    calls: Sequence[Callable[[Raw, Results], tuple[Any, ...]]] = ()
    made: Sequence[Outcome] = ()


def record_loader(cls: Callable[..., Any], check: Getter | None, steps: RecordSteps) -> Load:
    """A function from a raw record to an object of ``cls``."""
    takes, fills = steps.takes, steps.fills

    def load(raw: Raw) -> Any:
        if check is not None:
            raw = check(raw)
        values: dict[str, Any] = {}
        name = ""
        try:
            for attribute, name, get, convert in takes:  # noqa: B007 - for the error's path
                value = get(raw)
                values[attribute] = value if convert is None else convert(value)
        except PLACED as error:
            raise error.under(name) from None
        for attribute, factory in fills:
            values[attribute] = factory()
        return cls(**values)

    if not steps.calls:
        return load
    return _calling_loader(cls, check, steps)


def _calling_loader(cls: Callable[..., Any], check: Getter | None, steps: RecordSteps) -> Load:
    def load(raw: Raw) -> Any:
        if check is not None:
            raw = check(raw)
        results: Results = []
        for call in steps.calls:
            results.append(call(raw, results))
        return record_loader(partial(cls, **_outcomes(steps.made, results)), None, plain)(raw)

    plain = RecordSteps(steps.takes, steps.fills)
    return load


def _outcomes(made: Sequence[Outcome], results: Results) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for outcome in made:
        value = results[outcome.call][outcome.index]
        try:
            values[outcome.attribute] = value if outcome.load is None else outcome.load(value)
        except PLACED as error:
            raise error.under(outcome.name) from None
    return values


def inside(get: Getter, unwrap: Getter | None, check: Getter | None, then: Getter, raw: Raw) -> Raw:
    """A field of the record that ``get`` gives; ``ABSENT`` where that record is null."""
    item = get(raw)
    if item is not ABSENT and unwrap is not None:
        item = unwrap(item)
    if item is None or item is ABSENT:
        return ABSENT
    return then(item if check is None else check(item))


def or_absent(load: Load | None, absent: Callable[[], Any], raw: Raw) -> Any:
    """What a value becomes that may be ``ABSENT``."""
    if raw is ABSENT:
        return absent()
    return raw if load is None else load(raw)


def gather(nulls: Sequence[Callable[[Raw], bool]], load: Load, raw: Raw) -> Any:
    """A record of parts, or null where all of them are."""
    return None if nulls and all(is_null(raw) for is_null in nulls) else load(raw)


def maybe(unwrap: Getter | None, load: Load | None, raw: Raw) -> Any:
    """What stands in an optional, or null."""
    item = raw if unwrap is None else unwrap(raw)
    return item if item is None or load is None else load(item)


def require(unwrap: Getter | None, load: Load | None, raw: Raw) -> Any:
    """What stands in an optional that must not be null."""
    item = raw if unwrap is None else unwrap(raw)
    if item is None:
        raise null_refused()
    return item if load is None else load(item)


def null_refused() -> NotExpressible:
    """The error of a null where the reader has none."""
    return NotExpressible("null cannot be expressed in this version")


def or_made(make: Callable[[], Any], value: Any) -> Any:
    """A value, or what is made in the place of null."""
    return make() if value is None else value


def null_for(make: Callable[[], Any]) -> Load:
    """Makes null of a value that is as what is made, which need not be expressible."""

    @cache
    def given() -> tuple[Any, ...]:
        # Not before it is needed: to make it, a record that holds itself is compiled again.
        try:
            return (make(),)
        except NotExpressible:
            return ()

    return lambda value: None if value in given() else value


def to_item(unwrap: Getter | None, load: Load | None, raw: Raw) -> list[Any]:
    """A list of one value, or of none for a null."""
    item = raw if unwrap is None else unwrap(raw)
    if item is None:
        return []
    return [item if load is None else load(item)]


def one_item(load: Load | None, raw: Raw) -> list[Any]:
    """A list of one value, whatever it is."""
    return [raw if load is None else load(raw)]


def first_item(
    iterate: Callable[[Raw], Any] | None, load: Load | None, optional: bool, raw: Raw
) -> Any:
    """The first item of a raw array."""
    for item in raw if iterate is None else iterate(raw):
        try:
            return item if load is None else load(item)
        except PLACED as error:
            raise error.under("[0]") from None
    if optional:
        return None
    raise NotExpressible("an empty list has no first item, which this version needs")


def array(iterate: Callable[[Raw], Any] | None, load: Load, raw: Raw) -> list[Any]:
    """The items of a raw array."""
    items: list[Any] = []
    try:
        for item in raw if iterate is None else iterate(raw):
            items.append(load(item))  # noqa: PERF401 - the error's path needs the count
    except PLACED as error:
        raise error.under(f"[{len(items)}]") from None
    return items


def known_items(
    iterate: Callable[[Raw], Any] | None, load: Load, left_out: Callable[[Raw, int], None], raw: Raw
) -> list[Any]:
    """The items of a raw array that the reader knows; ``left_out`` is told of the others."""
    items: list[Any] = []
    for index, item in enumerate(raw if iterate is None else iterate(raw)):
        try:
            items.append(load(item))
        except NotExpressible as error:
            if error.path:
                raise error.under(f"[{index}]") from None
            left_out(raw, index)
        except PLACED as error:
            raise error.under(f"[{index}]") from None
    return items


def or_else(missing: Any, load: Load, raw: Raw) -> Any:
    """What a value becomes, or ``missing`` where the reader does not know its branch or symbol."""
    try:
        return load(raw)
    except NotExpressible as error:
        if error.path:
            raise
        return missing


def watched(
    load: Load, made: Callable[[Any, Raw, RecordConversion], None], of: RecordConversion, raw: Raw
) -> Any:
    """A record, of which ``made`` is told."""
    record = load(raw)
    made(record, raw, of)
    return record


def mapping(
    entries: Callable[[Raw], Any], check_key: Load | None, load: Load | None, raw: Raw
) -> dict[Any, Any]:
    """The entries of a raw map."""
    found: dict[Any, Any] = {}
    key: Any = None
    try:
        for key, value in entries(raw):
            name = key if check_key is None else check_key(key)
            item = value if load is None else load(value)
            if item is not ABSENT:
                found[name] = item
    except PLACED as error:
        raise error.under(f"[{key!r}]") from None
    return found


def union(split: Callable[[Raw], tuple[int, Raw]], loads: list[Load | None], raw: Raw) -> Any:
    """The value of the branch that a raw union has."""
    index, item = split(raw)
    load = loads[index]
    return item if load is None else load(item)


def no_branch(label: str, _: Raw) -> Any:
    """Refuse a branch that the reader does not have."""
    raise NotExpressible(f"the branch {label} cannot be expressed in this version")


def symbol(table: dict[Any, Any], known: Mapping[Any, str], name: str, raw: Raw) -> Any:
    """What stands in ``table`` for a raw enum value."""
    try:
        return table[raw]
    except (KeyError, TypeError):
        if isinstance(raw, Hashable) and raw in known:
            raise NotExpressible(
                f"the symbol {known[raw]} cannot be expressed in this version"
            ) from None
        mend = f"only a version whose {name} has it can read it"
        raise mismatch(f"a symbol of {name}", raw, mend) from None
