"""Two variants held against each other: what each finds for the same questions, and how well."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import mean, median
from typing import Any

from core.domain.experiments.variant import QuestionDifference, SideFigures, VariantComparison
from core.domain.search import SearchHit, SearchQuery
from core.errors import UsageError
from core.evaluate.measures import FIRST, FilePlace, RetrievalMeasures, due_places, retrieval
from core.evaluate.scoring import file_name
from core.evaluate.suite import Case
from core.store.database.visibility import Visibility
from core.store.store import Records
from core.workbench.wiring import Parts

_SHOWN = 5

OnQuestion = Callable[[int, int], None]
"""Told how many questions were asked, of how many; may raise to end it."""


@dataclass(frozen=True, slots=True)
class ComparedQuestion:
    """A question with the places that are known to hold its answer; () where none are."""

    text: str
    buckets: tuple[str, ...] = ()
    gold: tuple[FilePlace, ...] = ()


@dataclass(frozen=True, slots=True)
class _Found:
    """Hits of a question, and the measures of them; None where no place is known to be right."""

    hits: tuple[SearchHit, ...]
    ms: float
    measures: RetrievalMeasures | None

    @property
    def rank(self) -> int | None:
        """The first rank of a place that is known to be right."""
        found = self.measures.reciprocal_rank if self.measures is not None else 0.0
        return round(1 / found) if found else None


def questions_of(records: Records, payload: Mapping[str, Any]) -> list[ComparedQuestion]:
    """The questions of a suite's cases, or the last ones that were asked. Raises UsageError without any."""
    cases = [Case.model_validate(each) for each in payload.get("cases") or ()]
    found = [ComparedQuestion(each.question, each.buckets, due_places(each)) for each in cases] or [
        ComparedQuestion(each) for each in records.traces.last_questions(int(payload["recent"]))
    ]
    if not found:
        raise UsageError("No question was asked yet.", next_step="Compare over a suite.")
    return found


def compare(
    left: Parts, right: Parts, asked: Sequence[ComparedQuestion], tell: OnQuestion
) -> VariantComparison:
    """What both find for every question, and the figures of each side; blocks."""
    sides: tuple[list[_Found], list[_Found]] = ([], [])
    for number, question in enumerate(asked):
        tell(number, len(asked))
        for parts, found in zip((left, right), sides, strict=True):
            found.append(_ask(parts, question))
    tell(len(asked), len(asked))
    differences = [_difference(*each) for each in zip(asked, *sides, strict=True)]
    firsts = [bool(a.hits and b.hits and _is_same(a.hits[0], b.hits[0])) for a, b in zip(*sides, strict=True)]
    return VariantComparison(
        left=_figures(left.variant.name, sides[0]),
        right=_figures(right.variant.name, sides[1]),
        questions=len(asked),
        overlap_at_10=round(mean(each.overlap for each in differences), 4),
        same_first=round(mean(firsts), 4),
        differences=tuple(sorted(differences, key=lambda each: (each.overlap, -each.moved))),
    )


def _ask(parts: Parts, question: ComparedQuestion) -> _Found:
    query = SearchQuery(question.text, top_k=FIRST, buckets=question.buckets)
    began = time.perf_counter()
    report = parts.finder.search(query, Visibility.everything())  # only admins compare
    spent = (time.perf_counter() - began) * 1000
    places = [FilePlace(file_name(hit.source, {}), hit.page) for hit in report.hits]
    return _Found(report.hits, spent, retrieval(question.gold, places))


def _difference(question: ComparedQuestion, left: _Found, right: _Found) -> QuestionDifference:
    one, other = _characters(left.hits), _characters(right.hits)
    both, most = one + other - _characters((*left.hits, *right.hits)), max(one, other)
    alike = ((hit, next((b for b in right.hits if _is_same(hit, b)), None)) for hit in left.hits)
    moves = [abs(hit.rank - found.rank) for hit, found in alike if found is not None]
    return QuestionDifference(
        question=question.text,
        overlap=both / most if most else 1.0,
        moved=round(mean(moves), 2) if moves else 0.0,
        left=tuple(map(_place, left.hits[:_SHOWN])),
        right=tuple(map(_place, right.hits[:_SHOWN])),
        gold=tuple(map(str, question.gold)),
        left_rank=left.rank,
        right_rank=right.rank,
    )


def _figures(name: str, found: Sequence[_Found]) -> SideFigures:
    known = [each.measures for each in found if each.measures is not None]

    def mean_of(value: Callable[[RetrievalMeasures], float]) -> float | None:
        return round(mean(map(value, known)), 4) if known else None

    return SideFigures(
        variant=name,
        known=len(known),
        precision_at_10=mean_of(lambda each: each.precision),
        recall_at_10=mean_of(lambda each: each.recall),
        mrr=mean_of(lambda each: each.reciprocal_rank),
        median_ms=round(median(each.ms for each in found), 1),
        characters=round(mean(_characters(each.hits) for each in found)),
    )


def _characters(hits: Sequence[SearchHit]) -> int:
    """Number of characters that hits hold, each counted once."""
    count, reached, before = 0, 0, None
    for *page, start, end in sorted((hit.document, hit.page, hit.start, hit.end) for hit in hits):
        reached = max(reached, start) if page == before else start
        count += max(0, end - reached)
        reached, before = max(reached, end), page
    return count


def _is_same(one: SearchHit, other: SearchHit) -> bool:
    """True of hits that share half of the shorter one: neighbours of one cut share less."""
    shared = min(one.end, other.end) - max(one.start, other.start)
    shorter = min(one.end - one.start, other.end - other.start)
    return (one.document, one.page) == (other.document, other.page) and 2 * shared >= shorter


def _place(hit: SearchHit) -> str:
    return f"{hit.title}, page {hit.page}"
