"""Figures of two variants over the same questions."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import UsageError
from core.evaluate.measures import FilePlace
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
