"""The rows of a table know their own citations, also where one document has several rows."""

from __future__ import annotations

from core.answer.cite import Verifier
from core.answer.computed.compose import conclude
from core.answer.computed.draft import ComputedDraft, DraftLine
from core.domain.answer import Check, Column, Table
from core.domain.ids import DocumentId
from core.search.evidence.base import Span


class Agreeing(Verifier):
    """A verifier to whom every quote is right, but for those that say so."""

    def __init__(self) -> None:
        pass

    def check_quotes(self, spans: tuple[Span, ...]) -> Check:
        return Check(name="quote", ok=all(span.quote != "wrong" for span in spans), detail="")


def span(start: int, quote: str) -> Span:
    return Span(
        document=DocumentId("d1"),
        version=1,
        page=1,
        start=start,
        end=start + len(quote),
        quote=quote,
        title="Fuel",
        source="fuel.csv",
    )


def draft(*lines: DraftLine) -> ComputedDraft:
    columns = (Column(name="Document", type="text"), Column(name="vehicle", type="text"))
    rows = (("Fuel", "Truck 14"), ("Fuel", "Truck 14"), ("Fuel", "Van 3"))
    return ComputedDraft(
        lead=DraftLine("3 rows."), lines=lines, table=Table(columns=columns, rows=rows, documents=("d1",) * 3)
    )


def test_rows_that_state_the_same_have_citations_of_their_own() -> None:
    lines = (DraftLine("a", (span(0, "Truck 14"),), row=0), DraftLine("b", (span(40, "Truck 14"),), row=1))
    concluded = conclude(draft(*lines), Agreeing())

    assert concluded.table is not None
    assert concluded.table.citations == ((1,), (2,), ())
    assert [claim.citations[0].start for claim in concluded.claims[1:]] == [0, 40]


def test_a_line_that_was_struck_leaves_its_row_without_citation_and_moves_no_other() -> None:
    lines = (DraftLine("a", (span(0, "wrong"),), row=0), DraftLine("b", (span(40, "Van 3"),), row=2))
    concluded = conclude(draft(*lines), Agreeing())

    assert concluded.table is not None
    assert concluded.table.citations == ((), (), (1,))


def test_lines_that_tell_no_row_leave_the_table_as_it_is() -> None:
    made = draft(DraftLine("a", (span(0, "Truck 14"),)))
    assert conclude(made, Agreeing()).table == made.table
