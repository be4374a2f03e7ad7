"""Suites that ship, over the sample collection: cases of its files, by the shapes that the design names."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from core.evaluate.suite import AnswerShape, Case, load_suite
from samples import COLLECTION, FURTHER_QUESTIONS, QUESTIONS

_COMPUTED = (AnswerShape.COUNT, AnswerShape.SUM, AnswerShape.AVERAGE, AnswerShape.MIN_MAX, AnswerShape.GROUP)
_COMPLIANCE = (AnswerShape.LACK, AnswerShape.SET, AnswerShape.LIST, AnswerShape.DATE_RANGE)


@dataclass(frozen=True, slots=True)
class ShippedSuite:
    """A suite of the sample collection."""

    name: str
    title: str
    about: str
    load: Callable[[], tuple[Case, ...]]


@lru_cache(maxsize=1)
def sample_files() -> frozenset[str]:
    """Names of the files that shipped suites are about."""
    return frozenset(path.name for path in COLLECTION.rglob("*") if path.is_file())


def _questions() -> tuple[Case, ...]:
    return _files()[0]


@lru_cache(maxsize=1)
def _files() -> tuple[tuple[Case, ...], tuple[Case, ...]]:
    return load_suite(QUESTIONS), load_suite(FURTHER_QUESTIONS)


def _of(*shapes: AnswerShape) -> list[Case]:
    return [case for file in _files() for case in file if case.shape in shapes]


def _in_turn(shapes: Sequence[AnswerShape], most: int) -> tuple[Case, ...]:
    """The first cases of each shape in turn: of no shape fewer than of another, where there are enough."""
    lines = [_of(shape) for shape in shapes]
    longest = max(map(len, lines))
    ordered = [line[at] for at in range(longest) for line in lines if at < len(line)]
    chosen = {case.id for case in ordered[:most]}
    return tuple(case for line in lines for case in line if case.id in chosen)


def _lookups() -> tuple[Case, ...]:
    return tuple(_of(AnswerShape.LOOKUP)[:100])


def _aggregates() -> tuple[Case, ...]:
    return _in_turn(_COMPUTED, 50)


def _compliance() -> tuple[Case, ...]:
    return _in_turn(_COMPLIANCE, 75)


def _multi_hop() -> tuple[Case, ...]:
    return tuple(_of(AnswerShape.MULTI_HOP)[:25])


def _design() -> tuple[Case, ...]:
    return (*_lookups(), *_aggregates(), *_compliance(), *_multi_hop())


def _subset() -> tuple[Case, ...]:
    """Every fifth case of the design's suite, and refusals: what a gate has time for."""
    refusals = _of(AnswerShape.CLARIFY, AnswerShape.ABSTAIN)
    return (*_design()[::5], *refusals[::5])


SHIPPED = {
    each.name: each
    for each in (
        ShippedSuite(
            "questions", "Sample questions", "Questions of every shape, each in two wordings.", _questions
        ),
        ShippedSuite("lookups", "Look-ups", "Values of one document.", _lookups),
        ShippedSuite("aggregates", "Aggregates", "Counts, sums, averages, extremes and groups.", _aggregates),
        ShippedSuite(
            "compliance", "Compliance", "Documents that lack or fulfil conditions, all of them.", _compliance
        ),
        ShippedSuite("multi-hop", "Multi-hop", "Questions that need one answer for the next.", _multi_hop),
        ShippedSuite("design", "Design", "Look-ups, aggregates, compliance and multi-hop together.", _design),
        ShippedSuite("subset", "Subset", "A fifth of Design, with refusals: a gate of a minute.", _subset),
    )
}
"""Suites that ship, by name."""
