"""Answers over rows say what of their files no row can hold, and which rows several files repeat."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from core.answer.computed.rows import RowKey, missing_rows, repeated_rows
from core.domain.document import FilePart, PartState
from core.domain.fields import AnnotationRow
from core.domain.results import Documents, QueryRow, QueryTable
from core.plan.catalogue import Catalogue
from tests.support.stated_values import money, row

PARTS = (
    FilePart("hidden rows", PartState.LEFT_OUT, 2, "Berths: 3, 5"),
    FilePart("formulas without a stored result", PartState.UNREAD, 1, "Berths: C8", "No result."),
    FilePart("comments", PartState.LEFT_OUT, 1, "Berths"),
)


class Berths:
    """Rows of workbooks with hidden rows, which all say the same."""

    def read(self, keys: Sequence[RowKey]) -> dict[RowKey, AnnotationRow]:
        """The row."""
        return {key: row(0, 0, fee=money("310")) for key in keys}

    def versions(self, within: Collection[str]) -> dict[str, int]:
        """The first of each."""
        return dict.fromkeys(within, 1)

    def missing_parts(self, versions: Mapping[str, int]) -> dict[str, tuple[FilePart, ...]]:
        """Those of the workbook."""
        return dict.fromkeys(versions, PARTS)


def found(*documents: str) -> QueryTable:
    rows = (QueryRow(values=("310",), sources=tuple(f"{each}|0|0" for each in documents), total=1),)
    return QueryTable(columns=(), rows=rows, total=1, documents=Documents(present=frozenset(documents)))


def test_what_was_hidden_or_not_read_is_said() -> None:
    assert missing_rows(found("d1"), Berths(), Catalogue()) == (
        "d1: hidden rows left out: 2 (Berths: 3, 5).",
        "d1: formulas without a stored result not read: 1 (Berths: C8).",
    )


def test_rows_that_several_documents_repeat_are_told() -> None:
    assert repeated_rows(found("d1"), Berths(), Catalogue()) == ()
    (said,) = repeated_rows(found("d1", "d2"), Berths(), Catalogue())
    assert "word for word in several documents (d1, d2)" in said
