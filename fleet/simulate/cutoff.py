"""The registry of a program that was released with a version, and knows none after it."""

from __future__ import annotations

from ...codec.registry import Registry


def cut_off(registry: Registry, subject: str, version: int) -> Registry:
    """The versions of ``subject`` up to ``version``, with the migrations between them.

    Raises NoSuchSubject for one that is not there.
    """
    found = registry.subject(subject)
    found.schema(version)
    return Registry.of(
        [schema for number, schema in found.schemas.items() if number <= version],
        [step for step in found.chain.migrations if step.target <= version],
    )
