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
from core.evaluate.suite import Case
from core.store.database.visibility import Visibility
from core.store.store import Records
from core.workbench.wiring import Parts

DEPTH = 10
_SHOWN = 5

OnQuestion = Callable[[int, int], None]
"""Told how many questions were asked, of how many; may raise to end it."""


@dataclass(frozen=True, slots=True)
class ComparedQuestion:
    """A question with the file names of documents that are known to hold its answer; () where none are."""

    text: str
    buckets: tuple[str, ...] = ()
    gold: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Found:
    hits: tuple[SearchHit, ...]
    ms: float

    def rank(self, gold: Sequence[str]) -> int | None:
        """The first rank of a document that is known to be right."""
        return next((hit.rank for hit in self.hits if _name(hit) in gold), None)


def questions_of(records: Records, payload: Mapping[str, Any]) -> list[ComparedQuestion]:
    """The questions of a suite's cases, or the last ones that were asked. Raises UsageError without any."""
    cases = [Case.model_validate(each) for each in payload.get("cases") or ()]
    found = [
        ComparedQuestion(each.question, (each.bucket,) if each.bucket else (), each.expect.documents or ())
        for each in cases
    ] or [ComparedQuestion(each) for each in records.traces.last_questions(int(payload["recent"]))]
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
    firsts = [
        bool(a.hits and b.hits and a.hits[0].passage == b.hits[0].passage)
        for a, b in zip(*sides, strict=True)
    ]
    return VariantComparison(
        left=_figures(left.variant.name, asked, sides[0]),
        right=_figures(right.variant.name, asked, sides[1]),
        questions=len(asked),
        overlap_at_10=round(mean(each.overlap for each in differences), 4),
        same_first=round(mean(firsts), 4),
        differences=tuple(sorted(differences, key=lambda each: (each.overlap, -each.moved))),
    )


def _ask(parts: Parts, question: ComparedQuestion) -> _Found:
    query = SearchQuery(question.text, top_k=DEPTH, buckets=question.buckets)
    began = time.perf_counter()
    report = parts.finder.search(query, Visibility.everything())  # only admins compare
    return _Found(report.hits, (time.perf_counter() - began) * 1000)


def _difference(question: ComparedQuestion, left: _Found, right: _Found) -> QuestionDifference:
    ranks = [{hit.passage: hit.rank for hit in side.hits} for side in (left, right)]
    both, either = ranks[0].keys() & ranks[1].keys(), ranks[0].keys() | ranks[1].keys()
    return QuestionDifference(
        question=question.text,
        overlap=len(both) / max(len(ranks[0]), len(ranks[1])) if either else 1.0,
        moved=round(mean(abs(ranks[0][each] - ranks[1][each]) for each in both), 2) if both else 0.0,
        left=tuple(map(_place, left.hits[:_SHOWN])),
        right=tuple(map(_place, right.hits[:_SHOWN])),
        gold=question.gold,
        left_rank=left.rank(question.gold),
        right_rank=right.rank(question.gold),
    )


def _figures(name: str, asked: Sequence[ComparedQuestion], found: Sequence[_Found]) -> SideFigures:
    known = [(each, side) for each, side in zip(asked, found, strict=True) if each.gold]
    right = [[_name(hit) in each.gold for hit in side.hits] for each, side in known]
    recalled = [
        len({_name(hit) for hit in side.hits} & set(each.gold)) / len(set(each.gold)) for each, side in known
    ]
    ranks = [side.rank(each.gold) for each, side in known]
    return SideFigures(
        variant=name,
        known=len(known),
        precision_at_10=round(mean(sum(each) / DEPTH for each in right), 4) if known else None,
        recall_at_10=round(mean(recalled), 4) if known else None,
        mrr=round(mean(1 / rank if rank else 0.0 for rank in ranks), 4) if known else None,
        median_ms=round(median(each.ms for each in found), 1),
    )


def _name(hit: SearchHit) -> str:
    return hit.source.rsplit("/", 1)[-1]


def _place(hit: SearchHit) -> str:
    return f"{hit.title}, page {hit.page}"
