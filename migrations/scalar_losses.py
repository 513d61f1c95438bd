"""What the conversion of one scalar loses, and whether a way there and back gives it again.

The words follow what the codec does: a number, time or text that the target cannot hold is
refused, and never cut to fit; only rounding to 32 bits, tables and rules change a value.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, TypeAlias

from msgspec.structs import replace

from ..schemas.model import Json, Logical, Primitive, Type
from .casts import integer_range
from .conversion import Apply, Cast, Conversion, Keep, MapSymbols, Maybe, Never, Require, Then
from .rules import Rule, Scalar

LossKind: TypeAlias = Literal["dropped", "changed", "refused"]
"""Dropped: never in the target. Changed: some values become others. Refused: some values
cannot be expressed, and the state that holds one is refused.
"""
Found: TypeAlias = tuple[LossKind, str]

_EXACT_BITS = {"float": 24, "double": 53}
_ROUNDED = "it is rounded to a float of 32 bits"


def flat(conversion: Conversion) -> list[Conversion]:
    """The steps of a conversion, one after the other; one that refuses null stays among them."""
    match conversion:
        case Then():
            return [*flat(conversion.first), *flat(conversion.second)]
        case Maybe():
            return flat(conversion.item)
        case Require():
            return [conversion, *flat(conversion.item)]
        case _:
            return [conversion]


def scalar_losses(step: Conversion) -> Iterator[Found]:
    """What one step of a scalar loses."""
    match step:
        case Keep() | Cast():
            if _rounds(step):
                yield "changed", _ROUNDED
            if isinstance(step, Cast):
                if (_family(step.source), _family(step.target)) == ("float", "int"):
                    yield "changed", "minus zero becomes zero"
                yield from _cast_losses(step.source, step.target)
        case MapSymbols():
            yield from _symbol_losses(step)
        case Apply():
            yield from rule_losses(step.rule, step.source, step.target, forward=step.forward)
        case Require():
            yield "refused", "null"
        case Never():
            yield "refused", step.what
        case _:
            return


def rule_losses(rule: Rule, source: Scalar, target: Scalar, *, forward: bool) -> Iterator[Found]:
    """What a rule loses, and what it refuses."""
    if words := rule.losses(source, target, forward):
        yield "changed", words
    if words := rule.refuses(source, target, forward):
        yield "refused", words


def is_faithful(conversion: Conversion, source: Type) -> bool:
    """Whether a value of ``source`` that passes comes out as it went in."""
    narrow = _kind(source) == "float"  # What has 32 bits is not rounded to them.
    left: list[Conversion] = []
    for step in flat(conversion):
        if _rounds(step) and not narrow:
            return False
        if not _leaves_alone(step):
            left += _after(left.pop() if left else None, step)
    return not left


def _after(before: Conversion | None, step: Conversion) -> list[Conversion]:
    """What is left of two steps."""
    if before is None or _undoes(before, step):
        return [] if before else [step]
    if isinstance(before, MapSymbols) and isinstance(step, MapSymbols):
        table = {old: new and step.table.get(new) for old, new in before.table.items()}
        fused = replace(step, source=before.source, table=table)
        return [] if _leaves_alone(fused) else [fused]
    return [before, step]


def _kind(kind: Type) -> str:
    return kind.kind if isinstance(kind, Primitive | Logical) else ""


def _rounds(step: Conversion) -> bool:
    """Whether a number of 64 bits becomes one of 32."""
    match step:
        case Keep():
            return step.single and _kind(step.type) != "float"
        case Cast():
            kinds = _kind(step.source), _kind(step.target)
            return kinds == ("double", "float") or (step.single and kinds[0] == "double")
        case _:
            return False


def _leaves_alone(step: Conversion) -> bool:
    """Whether what passes is what it was: ranges are checked, and nothing is changed."""
    match step:
        case Keep() | Require():
            return True
        case Cast():
            return _family(step.source) == _family(step.target)
        case MapSymbols():
            return all(new in (None, old) for old, new in step.table.items())
        case _:
            return False


def _family(kind: Type) -> str:
    """What the values of a type are in Python."""
    match kind:
        case Primitive(kind="int" | "long"):
            return "int"
        case Primitive(kind="float" | "double"):
            return "float"
        case Primitive() | Logical():
            return f"{kind.kind} in nanos" if getattr(kind, "unit", "") == "nanos" else kind.kind
        case _:
            return type(kind).__name__


def _undoes(first: Conversion, second: Conversion) -> bool:
    match first, second:
        case Cast(), Cast():
            families = _family(first.source), _family(first.target)
            # A whole number has no minus zero.
            return families != ("float", "int") and families == (
                _family(second.target),
                _family(second.source),
            )
        case Apply(), Apply():
            turned = first.rule == second.rule and first.forward != second.forward
            # A rule promises to lead back only where neither way loses anything.
            return turned and not any(_rule_loses(step) for step in (first, second))
        case _:
            return False


def _rule_loses(step: Apply) -> bool:
    return bool(step.rule.losses(step.source, step.target, step.forward))


def _symbol_losses(step: MapSymbols) -> Iterator[Found]:
    lost = [old for old, new in step.table.items() if new is None]
    if lost:
        yield (
            "refused",
            f"the symbol {lost[0]}" if len(lost) == 1 else f"the symbols {_listed(lost)}",
        )
    groups: dict[str, list[str]] = {}
    for old, new in step.table.items():
        if new is not None:
            groups.setdefault(new, []).append(old)
    for new, olds in groups.items():
        others = [old for old in olds if old != new]
        if len(olds) > 1:
            verb = "becomes" if len(others) == 1 else "become"
            yield "changed", f"{_listed(others)} {verb} {new}"


def _listed(names: list[str]) -> str:
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last


def _cast_losses(source: Type, target: Type) -> Iterator[Found]:
    match source, target:
        case Primitive(), Primitive():
            refused = _primitive_refusal(source, target)
        case Logical(), Logical():
            refused = _logical_refusal(source, target)
        case Json(), Json():
            refused = f"what a {(target.well_known or '').rpartition('.')[2]} does not hold"
        case _:
            refused = ""
    if refused:
        yield "refused", refused


def _primitive_refusal(source: Primitive, target: Primitive) -> str:
    name = target.wire or target.kind
    match source.kind, target.kind:
        case (("int" | "long"), ("int" | "long")):
            return f"numbers out of the range of {name}"
        case (("int" | "long"), ("float" | "double")):
            greatest = max(map(abs, integer_range(source)))
            exact = greatest <= 2 ** _EXACT_BITS[target.kind]
            return "" if exact else f"numbers that {name} does not hold exactly"
        case (("float" | "double"), ("int" | "long")):
            return f"numbers that are not whole, or out of the range of {name}"
        case "double", "float":
            return "numbers beyond 32 bits of floating point"
        case "bytes", "string":
            return "bytes that are no UTF-8 text"
        case _:
            return ""


def _logical_refusal(source: Logical, target: Logical) -> str:
    if target.kind == "decimal":
        return (
            f"decimals of more than {target.precision} digits, or more than {target.scale}"
            " behind the point"
        )
    if target.unit == "nanos":
        return "times outside of the years 1678 to 2261"
    return f"times finer than {target.unit}" if source.unit != target.unit else ""
