"""Answers over rows say what of their files no row can hold, and call a single value no sum."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from core.answer.computed.rows import RowFacts, RowKey, compose_row_groups, compose_rows
from core.domain.annotation import Calculation
from core.domain.document import FilePart, PartState
from core.domain.fields import AnnotationRow
from core.domain.ids import DocumentId
from core.domain.results import Documents, Group, Groups, Rows
from core.plan.catalogue import Catalogue
from core.plan.ir.nodes import Aggregate
from tests.support.stated_values import money, row

KEY = (DocumentId("d1"), 0, 0)
PARTS = (
    FilePart("hidden rows", PartState.LEFT_OUT, 2, "Berths: 3, 5"),
    FilePart("formulas without a stored result", PartState.UNREAD, 1, "Berths: C8", "No result."),
    FilePart("comments", PartState.LEFT_OUT, 1, "Berths"),
)


class Berths:
    """One row of a workbook with hidden rows."""

    def read(self, keys: Sequence[RowKey]) -> dict[RowKey, AnnotationRow]:
        """The row."""
        return {key: row(0, 0, fee=money("310")) for key in keys}

    def versions(self, within: Collection[str]) -> dict[str, int]:
        """The first of each."""
        return dict.fromkeys(within, 1)

    def missing_parts(self, versions: Mapping[str, int]) -> dict[str, tuple[FilePart, ...]]:
        """Those of the workbook."""
        return dict.fromkeys(versions, PARTS)


def facts() -> tuple[Rows, RowFacts]:
    found = Rows(picked=("d1|0|0",), total=1, documents=Documents(present=frozenset(["d1"])))
    return found, RowFacts.read(Berths(), Catalogue(), found)


def test_what_was_hidden_or_not_read_is_said() -> None:
    found, held = facts()
    assert compose_rows(("fee",), "", found, held).gaps == (
        "d1: hidden rows left out: 2 (Berths: 3, 5).",
        "d1: formulas without a stored result not read: 1 (Berths: C8).",
    )


def test_a_sum_of_one_row_is_its_value() -> None:
    found, held = facts()
    groups = Groups(
        function="sum",
        field="fee",
        value_type="money",
        groups=(Group(key=(), value="310", unit="USD", rows=1),),
        documents=found.documents,
    )
    node = Aggregate(id="g", purpose="p", inputs=("s",), function=Calculation.SUM, field="fee")
    assert compose_row_groups(node, groups, found, held).lead.text == "fee is USD 310.00 in 1 row of d1."
