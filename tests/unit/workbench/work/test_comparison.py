"""Figures of two variants over the same questions."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from core.domain.ids import DocumentId, PassageId
from core.domain.search import SearchHit, SearchReport
from core.errors import UsageError
from core.evaluate.measures import FilePlace
from core.workbench.wiring import Parts
from core.workbench.work.comparison import ComparedQuestion, compare, questions_of
from tests.support.variants import opened_home

RENT = ComparedQuestion("monthly rent of the warehouse", (), (FilePlace("lease.txt"),))


def test_two_weights_of_meaning_are_held_against_each_other(tmp_path: Path) -> None:
    with opened_home(tmp_path) as bench:
        words = bench.local.experiments.add("words", {"retrieval.alpha": "0"})
        asked = [
            RENT,
            ComparedQuestion("travel costs"),
            ComparedQuestion("rent", (), (FilePlace("lease.txt", 9),)),
        ]
        told: list[tuple[int, int]] = []
        with_words = bench._parts.beside(words)
        try:
            report = compare(with_words, bench._parts, asked, lambda done, total: told.append((done, total)))
        finally:
            with_words.close()
        assert told == [(0, 3), (1, 3), (2, 3), (3, 3)]
        assert (report.left.variant, report.right.variant, report.questions) == ("words", "home", 3)
        assert (report.left.known, report.left.mrr, report.left.recall_at_10) == (2, 0.5, 0.5)
        assert report.overlap_at_10 == 1.0
        first = next(each for each in report.differences if each.question == RENT.text)
        assert (first.left_rank, first.right_rank, first.left[0]) == (1, 1, "Lease, page 1")
        other = next(each for each in report.differences if each.question == "rent")
        assert (other.gold, other.left_rank) == (
            ("lease.txt, page 9",),
            None,
        )  # another page is not that page

        with pytest.raises(UsageError, match="No question"):
            questions_of(bench._parts.records, {"recent": 5})
        bench.ask("What is the monthly rent?", offline=True)
        assert [each.text for each in questions_of(bench._parts.records, {"recent": 5})] == [
            "What is the monthly rent?"
        ]


def found(name: str, *spans: tuple[int, int]) -> Parts:
    """Parts of a variant that finds these characters of one page, whatever is asked."""
    hits = tuple(
        SearchHit(
            rank=rank,
            score=1 / rank,
            index="i",
            passage=PassageId(f"{name}{rank}"),
            document=DocumentId("d1"),
            version=1,
            title="Lease",
            source="lease.txt",
            bucket="contracts",
            page=1,
            start=start,
            end=end,
            text="",
            section=(),
            keyword=None,
            cosine=None,
            sentence_cosine=None,
        )
        for rank, (start, end) in enumerate(spans, start=1)
    )
    finder = SimpleNamespace(search=lambda query, visible: SearchReport(hits))
    return cast(Parts, SimpleNamespace(finder=finder, variant=SimpleNamespace(name=name)))


def test_passages_of_two_cuts_are_the_same_where_their_text_is() -> None:
    short = found("short", (0, 100), (100, 200), (500, 600))
    long = found("long", (400, 600), (0, 200))

    report = compare(short, long, [RENT], lambda done, total: None)

    [only] = report.differences
    assert only.overlap == 0.75  # 300 characters are in both, of 400 that the long ones hold
    assert only.moved == 1  # ranks 1, 2 and 3 of the short ones stand in 2, 2 and 1
    assert (report.left.characters, report.right.characters, report.same_first) == (300, 400, 0)
    crossed = found("crossed", (50, 150), (0, 100), (60, 90), (400, 401))  # each character counts once
    report = compare(crossed, found("other", (0, 200), (100, 120)), [RENT], lambda *told: None)
    assert (report.left.characters, report.right.characters, report.differences[0].overlap) == (
        151,
        200,
        0.75,
    )
    same = compare(short, found("again", (0, 100), (100, 200), (500, 600)), [RENT], lambda *told: None)
    assert (same.overlap_at_10, same.same_first, same.differences[0].moved) == (1, 1, 0)
