"""Changes payloads, by a seed: what `explore.pyx` does, where nothing was compiled for it."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

EDGY = (
    *(b"\x00", b"\x01", b"\x02", b"\x7f", b"\x80", b"\xff", b"\xff\xff\xff\xff\x0f", b"\x81\x00"),
    *(b"\xff" * 9 + b"\x01", b"\xff" * 9 + b"\x02", b"\xed\xa0\x80", b"\xc3\xa9", b"[[[", b"1e400"),
)


def mutated(payloads: list[bytes], count: int, seed: int) -> Iterator[bytes]:
    """So many payloads, each one of ``payloads`` with one to four changes."""
    random = Random(seed)  # noqa: S311 - no secret
    for _ in range(count):
        payload = random.choice(payloads)
        for _ in range(random.choice((1, 1, 2, 4))):
            payload = _changed(random, payload, random.choice(payloads))
        yield payload


def flipped(payloads: list[bytes], count: int, seed: int) -> Iterator[bytes]:
    """So many payloads, each one of ``payloads`` with one bit flipped: most of a text stays one."""
    random = Random(seed)  # noqa: S311 - no secret
    for _ in range(count):
        payload = random.choice(payloads)
        at = random.randrange(len(payload))
        yield payload[:at] + bytes([payload[at] ^ 1 << random.randrange(7)]) + payload[at + 1 :]


def _changed(random: Random, payload: bytes, other: bytes) -> bytes:
    at = random.randrange(len(payload) + 1)
    more = random.choice((random.choice(EDGY), random.randbytes(random.randint(1, 4))))
    if random.random() < 0.1:
        more = other[random.randrange(len(other) + 1) :][:40]
    return random.choice(
        (
            payload[:at] + more + payload[at + len(more) :],
            payload[:at] + more + payload[at + len(more) :],
            payload[:at] + more + payload[at:],
            payload[:at] + payload[at + random.randint(1, 8) :],
            payload + more if random.random() < 0.2 else payload[:at] + more + payload[at + 1 :],
        )
    )
