"""Figures of a run: a line for each question, and the table that they make."""

from __future__ import annotations

import statistics
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Line:
    """One question to one system over one size."""

    size: int
    system: str
    part: str
    half: str
    question: str
    right: bool
    recall: float
    ms: float
    search_ms: float
    status: str
    said: str


def table(lines: Iterable[Line]) -> str:
    """Sizes and systems in rows; what is right also as a share of that at the smallest size."""
    groups: dict[tuple[str, int], list[Line]] = defaultdict(list)
    for line in lines:
        groups[line.system, line.size].append(line)
    rows = [
        "| documents | system | first answer right | of the smallest | recall@8 | answer p50 | p95 |",
        "|---|---|---|---|---|---|---|",
    ]
    for (system, size), group in sorted(groups.items(), key=lambda item: (item[0][1], item[0][0])):
        least = min(other for name, other in groups if name == system)
        right, first = (
            _mean(each.right for each in group),
            _mean(each.right for each in groups[system, least]),
        )
        times = sorted(each.ms for each in group)
        rows.append(
            f"| {size:,} | {system} | {right:.3f} | {right / first if first else 0:.2f}"
            f" | {_mean(each.recall for each in group):.3f}"
            f" | {statistics.median(times):.0f} ms | {_share(times, 0.95):.0f} ms |"
        )
    return "\n".join(rows)


def parts(lines: Sequence[Line]) -> str:
    """For each part of the questions what was right, how much was found, and how the answers ended."""
    groups: dict[tuple[str, str, int], list[Line]] = defaultdict(list)
    for line in lines:
        groups[line.part, line.system, line.size].append(line)
    return "\n".join(
        f"{part:18} {system:11} {size:7,} {len(group):4} right {_mean(each.right for each in group):.3f}"
        f" recall@8 {_mean(each.recall for each in group):.3f} {dict(Counter(each.status for each in group))}"
        for (part, system, size), group in sorted(groups.items())
    )


def _mean(values: Iterable[float]) -> float:
    return statistics.fmean(values)


def _share(times: Sequence[float], share: float) -> float:
    return times[min(len(times) - 1, int(share * len(times)))]
