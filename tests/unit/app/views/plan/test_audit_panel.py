"""What is said of the runs of an audit, and of what is different between two of them."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from app.views.plan.audit_panel import MOST_OUTSIDE, comparison_blocks, run_answer
from core.domain.answer import Value
from core.domain.audit import AuditRun, ChangeKind, DocumentChange, Part, Reason, RunComparison

DAY = datetime(2026, 11, 25, tzinfo=UTC)
RUN = AuditRun("r1", "p1", 1, DAY, "ann", 7, {}, "answered", None, {}, 1.0)


def change(
    kind: ChangeKind, title: str, before: Part | None = None, after: Part | None = None
) -> DocumentChange:
    return DocumentChange("d", title, kind, (Reason("unknown", "So."),), before, after)


def tables(found: RunComparison) -> dict[str, list[list[Any]]]:
    """The first two cells of every row, by the label of the table."""
    return {
        str(block["label"]): [row["cells"][:2] for row in block["rows"]]
        for block in comparison_blocks(found)
        if block is not None and block["kind"] == "table"
    }


@pytest.mark.parametrize(
    ("counts", "said"),
    [
        ({"answers": 1, "cited": 3}, "1 document"),
        ({"answers": 0, "cited": 3}, "3 documents cited"),
        ({"answers": 0, "cited": 0}, "0 documents"),
        ({"answers": 2}, "2 documents"),
    ],
)
def test_a_run_says_how_many_documents_answer_or_are_cited(counts: dict[str, int], said: str) -> None:
    assert run_answer(replace(RUN, counts=counts)) == said


def test_a_run_with_a_value_says_the_value() -> None:
    assert run_answer(replace(RUN, value=Value(type="number", value="1200"))) == "1,200"


def test_what_left_the_answer_is_told_from_what_is_gone_from_the_collection() -> None:
    found = RunComparison(
        RUN,
        RUN,
        new=(change("new", "A"),),
        left=(change("left", "B"),),
        gone=(change("gone", "C"),),
        changed=(change("changed", "D"),),
    )
    assert tables(found) == {
        "Documents that are told otherwise": [
            ["A", "New in the answer"],
            ["D", "Changed in the answer"],
            ["B", "Left the answer"],
            ["C", "Gone from the collection"],
        ]
    }


def test_documents_outside_of_the_answer_have_a_table_of_their_own() -> None:
    outside = (
        change("outside", "A", None, "absent"),
        change("outside", "B", "absent", None),
        change("outside", "C", "absent", "absent"),
    )
    assert tables(RunComparison(RUN, RUN, outside=outside)) == {
        "Documents outside of the answer": [
            ["A", "Not in scope, absent now"],
            ["B", "Absent, not in scope now"],
            ["C", "Absent as before"],
        ]
    }


def test_of_many_documents_outside_of_the_answer_the_rest_is_counted() -> None:
    outside = tuple(change("outside", f"D{number}") for number in range(MOST_OUTSIDE + 2))
    found = RunComparison(RUN, RUN, outside=outside)
    [rows] = tables(found).values()
    assert len(rows) == MOST_OUTSIDE
    assert any("And 2 further documents." in str(block) for block in comparison_blocks(found))
