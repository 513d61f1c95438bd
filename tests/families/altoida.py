"""Summaries of Altoida's tests: codes that became symbols, measures that came and went."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from instar.migrations import (
    Migration,
    add,
    cast,
    compute,
    convert,
    or_else,
    remove,
    rename,
    table,
    within,
)

FAMILY = "radar-altoida-summary"
SUBJECT = "radar_altoida_summary"

# Measures that a version did not take, and what the others are made of.
_UNKNOWN = -1
_TRIAL = dict.fromkeys(
    ("placeDuration", "findDuration", "stepAngularChange", "totalAngularChange", "pathComplexity"),
    0.0,
)
_WALK: Mapping[str, Any] = {
    **dict.fromkeys(
        (
            *("mean", "variance", "timeRatioWithin", "distRatioWithin", "distWithin"),
            *("distTotal", "speed", "speedAccuracyRatio", "duration", "fullDuration"),
        ),
        0.0,
    ),
    **dict.fromkeys(("angleSum", "directionalChanges", "verticalProgress")),
}
_TAP: Mapping[str, Any] = {
    **dict.fromkeys(("mean", "variance", "reactionTime", "rate", "duration", "fullDuration"), 0.0),
    "count": 0,
}
_COUNTS = (
    *("audioLowReactions", "audioPrematureToneButtonPresses", "spotAlreadyTakenCount"),
    *("randomScreenPressesDuringPlacement", "randomScreenPressesDuringSearch"),
    "tooMuchMovementCount",
)
_AMOUNTS = (
    *("audioHighReactionTimes", "audioHighAccuracy", "audioIgnoredHighTonePercentage"),
    *("findBetterPlaceCount", "introReadTimes", "introReadTime1", "introReadTime2"),
    *("placeDelays", "findFailCount", "findSkipDurations", "skipButtonCount", "countdownFail"),
    *("stepCountRatio", "stepDelayP", "stepDelayF", "stepVarianceP", "stepVarianceF"),
    *("notWalkingTimeP", "notWalkingTimeF", "shockCount", "accelerationVarianceX"),
    *("accelerationVarianceY", "accelerationVarianceZ", "strongHand"),
)
_WALKS = ("Circle", "Square", "Serpentine", "SpeedCircle")
_TAPS = ("RandomTapping", "Tapping")
_METRICS: dict[str, Any] = {
    **dict.fromkeys(_COUNTS, 0),
    **dict.fromkeys(_AMOUNTS, 0.0),
    **{f"normalisation{name}": dict(_WALK) for name in _WALKS},
    **{f"normalisation{name}": dict(_TAP) for name in _TAPS},
    "trials": [],
    "trialMeans": dict(_TRIAL),
}
_DOMAINS: dict[str, Any] = dict.fromkeys(
    (
        *("time", "timeReceived", "perceptualMotorCoordination", "complexAttention"),
        *("cognitiveProcessingSpeed", "inhibition", "flexibility", "visualPerception"),
        *("planning", "prospectiveMemory", "spatialMemory"),
    ),
    0.0,
)

_GENDERS = ("MALE", "FEMALE")
_CLASSES = ("HEALTHY", "AT_RISK", "MCI_DUE_TO_AD")
_TRUTHS = ("UNKNOWN", "HEALTHY", "AT_RISK", "MCI_OR_AB_PLUS", "MCI_OR_AB_MINUS")


def _class_of(code: int) -> str | None:
    """A code that is no class was written where there was none."""
    return _CLASSES[code] if 0 <= code < len(_CLASSES) else None


def _code_of(found: Any) -> int:
    return _UNKNOWN if found is None else _CLASSES.index(found.value)


MIGRATIONS = (
    Migration(
        SUBJECT, 1, 2,
        remove("testCount", default=0),
        remove("result", default=0),
        add("age", default=_UNKNOWN),
        add("yearsOfEducation", default=_UNKNOWN),
        add("gender", default=2),
        add("class", default=_UNKNOWN),
        add("resultsPerDomain", default=_DOMAINS),
        convert("groundTruth", cast(otherwise_down=False)),
    ),
    Migration(
        SUBJECT, 2, 3,
        within(
            "bitMetrics",
            rename("audioHighIgnoredPercentage", "audioIgnoredHighTonePercentage"),
            rename("audioPrematureButtonPresses", "audioPrematureToneButtonPresses"),
            rename("skipButtoncount", "skipButtonCount"),
        ),
    ),
    Migration(
        SUBJECT, 3, 4,
        remove("bitMetrics", default=_METRICS),
        remove("dotMetrics", default=_METRICS),
        remove("resultsPerDomain", default=_DOMAINS),
    ),
    Migration(SUBJECT, 4, 5, rename("class", "classification")),
    Migration(
        SUBJECT, 5, 6,
        convert(
            "gender",
            table(dict(enumerate(_GENDERS)), otherwise="OTHER", otherwise_down=2),
        ),
    ),
    Migration(
        SUBJECT, 6, 7,
        compute(reads="classification", writes="classification", up=_class_of, down=_code_of),
        convert("groundTruth", table(dict(enumerate(_TRUTHS)), otherwise="UNKNOWN")),
    ),
    Migration(SUBJECT, 12, 13, convert("gender", or_else("UNKNOWN"))),
)  # fmt: skip


# The same once more, for records as plain dicts.

Step: TypeAlias = Callable[[dict[str, Any]], None]


def _second(summary: dict[str, Any]) -> None:
    del summary["testCount"], summary["result"]
    summary |= {"age": -1, "yearsOfEducation": -1, "gender": 2, "class": -1}
    summary["resultsPerDomain"] = dict(_DOMAINS)
    summary["groundTruth"] = 1 if summary["groundTruth"] else 0


def _third(summary: dict[str, Any]) -> None:
    for metrics in (summary["bitMetrics"], summary["dotMetrics"]):
        metrics["audioIgnoredHighTonePercentage"] = metrics.pop("audioHighIgnoredPercentage")
        metrics["audioPrematureToneButtonPresses"] = metrics.pop("audioPrematureButtonPresses")
        metrics["skipButtonCount"] = metrics.pop("skipButtoncount")


def _fourth(summary: dict[str, Any]) -> None:
    for name in ("bitMetrics", "dotMetrics", "resultsPerDomain"):
        del summary[name]


def _fifth(summary: dict[str, Any]) -> None:
    summary["classification"] = summary.pop("class")


def _sixth(summary: dict[str, Any]) -> None:
    summary["gender"] = {0: "MALE", 1: "FEMALE"}.get(summary["gender"], "OTHER")


def _seventh(summary: dict[str, Any]) -> None:
    classes = {0: "HEALTHY", 1: "AT_RISK", 2: "MCI_DUE_TO_AD"}
    truths = {1: "HEALTHY", 2: "AT_RISK", 3: "MCI_OR_AB_PLUS", 4: "MCI_OR_AB_MINUS"}
    summary["classification"] = classes.get(summary["classification"])
    summary["groundTruth"] = truths.get(summary["groundTruth"], "UNKNOWN")


def _ninth(summary: dict[str, Any]) -> None:
    del summary["groundTruth"]


def _last(summary: dict[str, Any]) -> None:
    summary["gender"] = summary["gender"] or "UNKNOWN"


HOPS: Mapping[int, Step] = {
    1: _second,
    2: _third,
    3: _fourth,
    4: _fifth,
    5: _sixth,
    6: _seventh,
    8: _ninth,
    12: _last,
}

# Where a direct reading by the suite is another, and why.
DIFFERENT: Mapping[tuple[int, int], str] = {
    (1, 13): "versions between them required what the last one has defaults for",
}
# Hops whose older states do not come back, by their older version.
LOSSY = frozenset({1, 3, 5, 6, 8, 12})
