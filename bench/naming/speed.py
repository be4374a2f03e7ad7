"""Speed of an index of names, and of resolutions, over many documents that are called as contracts are."""

from __future__ import annotations

import random
import resource
import time
from collections.abc import Sequence
from dataclasses import dataclass

from core.domain.document import OpeningNames
from core.plan.catalogue import DocumentEntry
from core.plan.names.index import NameIndex
from core.plan.names.resolve import resolve

_LETTERS = """
ba be bi bo bra ca ce co cra da de di dor el en er fa fi flo ga ge gra ha hel in ka ke kor la le li
lo lu ma me mi mo na ne ni nor o or pa pe pra qui ra re ri ro sa se si sol ta te ti tor tra u va ve
vi vor wa wi xe yo za zen
"""
_SYLLABLES = _LETTERS.split()
_FORMS = ("Inc.", "Corp.", "LLC", "Ltd.", "GmbH", "Company", "Holdings Inc.", "plc")
_ENDS = (
    "Energy",
    "Systems",
    "Media",
    "Pharma",
    "Foods",
    "Bank",
    "Networks",
    "Health",
    "Motors",
    "Resources",
    "",
    "",
    "",
)
_KINDS = (
    "Distributor Agreement", "License Agreement", "Hosting Agreement", "Supply Agreement",
    "Franchise Agreement",
    "Outsourcing Agreement", "Joint Venture Agreement", "Consulting Agreement", "Maintenance Agreement",
    "Lease",
    "Master Services Agreement", "Non-Disclosure Agreement", "Endorsement Agreement",
    "Transportation Contract",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Speed:
    """Seconds to make an index, and again where nothing changed; milliseconds of resolutions; peak MB."""

    documents: int
    build_s: float
    rebuild_s: float
    p50_ms: float
    p95_ms: float
    worst_ms: float
    peak_mb: float


def made_up(count: int, rng: random.Random) -> list[DocumentEntry]:
    """Documents with parties, kinds, days and other words as openings have them."""
    names = [_name(rng) for _ in range(max(20, count // 3))]
    words = ["".join(rng.choices(_SYLLABLES, k=3)) for _ in range(8_000)]
    found = []
    for number in range(count):
        one, other = rng.sample(names, 2)
        kind = rng.choice(_KINDS)
        year = rng.randrange(1995, 2025)
        opening = OpeningNames(
            kind.upper(),
            ((one, one.split()[0]), (other, other.split()[0])),
            (f"{year}-{rng.randrange(1, 13):02d}-{rng.randrange(1, 29):02d}",),
            " ".join(rng.choices(words, k=60)),
            " ".join(rng.choices(words, k=50)),
        )
        source = f"{''.join(one.upper().split()[:2])}_{number}_{year}-EX-10-{kind.replace(' ', '_')}.txt"
        title = kind if number % 2 else "[LOGO]"
        found.append(DocumentEntry(f"d{number}", title, source, "contracts", opening=opening))
    return found


def _name(rng: random.Random) -> str:
    first = "".join(rng.choices(_SYLLABLES, k=rng.choice((2, 3, 3)))).capitalize()
    return " ".join(f"{first} {rng.choice(_ENDS)} {rng.choice(_FORMS)}".split())


def speed(count: int, asked: int = 300) -> Speed:
    """Speed over so many documents that are made up."""
    rng = random.Random(1)
    entries = made_up(count, rng)
    started = time.perf_counter()
    index = NameIndex(entries)
    build_s = time.perf_counter() - started
    started = time.perf_counter()
    index = NameIndex([*entries[1:], entries[0]], index)
    rebuild_s = time.perf_counter() - started
    times = sorted(_timed(words, index) for words in _asked(entries, asked, rng))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return Speed(
        count, build_s, rebuild_s, times[len(times) // 2], times[int(0.95 * len(times))], times[-1], peak
    )


def _asked(entries: Sequence[DocumentEntry], count: int, rng: random.Random) -> list[str]:
    found = []
    for entry in rng.choices(entries, k=count):
        one, other = (name[-1] for name in entry.opening.names)
        kind = entry.opening.heading.casefold()
        slipped = one[:2] + one[3:]
        found.append(
            rng.choice((f"the {one} {kind}", f"{one}/{other} deal", f"our {kind} with {slipped}",
            f"{slipped} {other} paper",
                        f"the {kind}", "the Zorblatt contract",
                        f"{one.casefold()} {entry.opening.days[0][:4]} {kind}"))
        )  # fmt: skip
    return found


def _timed(words: str, index: NameIndex) -> float:
    started = time.perf_counter()
    resolve(words, index)
    return (time.perf_counter() - started) * 1_000
