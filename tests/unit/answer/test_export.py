"""Columns of an answer's table in a file: days, amounts and units as programs compute with them."""

from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal

import pytest

from core.answer.export import export_of, typed_column
from core.domain.answer import (
    Answer,
    Citation,
    Claim,
    Column,
    ConfidenceLabel,
    Kind,
    Route,
    Status,
    Table,
    Verdict,
)
from core.domain.document import DocumentStatus, DocumentSummary
from core.domain.ids import ContentHash, DocumentId
from core.spreadsheet import Linked


def one(type: str, *values: object) -> list[tuple[object, ...]]:
    table = Table(columns=(Column(name="Fee", type=type),), rows=tuple((each,) for each in values))
    return list(typed_column(table, 0).cells)


def test_days_are_days_and_other_texts_stay() -> None:
    found = one("date", "3 Oct 2024", "2024-10-03", "Perpetual", None)
    assert found == [(date(2024, 10, 3),), (date(2024, 10, 3),), ("Perpetual",), (None,)]


def test_amounts_are_numbers_beside_their_units() -> None:
    found = one("money", "USD 1,250,000", "USD 12.50; EUR 3", None)
    assert found == [(Decimal(1250000), "USD"), ("USD 12.50; EUR 3", ""), (None, "")]
    assert one("number", "12 kg", "1,204") == [(Decimal(12), "kg"), (Decimal(1204), "")]


@pytest.mark.parametrize(("text", "value"), [("41622.5", Decimal("41622.5")), ("none", "none")])
def test_bare_numbers_need_no_column_of_units(text: str, value: object) -> None:
    assert one("number", text) == [(value,)]


def cited(n: int, document: str, start: int) -> Citation:
    return Citation(
        n=n,
        document=document,
        title="T",
        source="t",
        version=1,
        page=1,
        start=start,
        end=start + 1,
        quote="x",
    )


def summary(id: str, title: str) -> DocumentSummary:
    return DocumentSummary(
        id=DocumentId(id),
        bucket="b",
        source=f"in/{id}.pdf",
        title=title,
        status=DocumentStatus.READY,
        reason="",
        version=1,
        doc_type="",
        media_type="",
        language="",
        acl=(),
        pages=1,
        passages=1,
        size_bytes=1,
        content_hash=ContentHash(""),
        updated_at=datetime(2026, 11, 25, tzinfo=UTC),
    )


def test_lines_begin_with_names_end_with_ids_and_lead_to_their_own_places() -> None:
    columns = (Column(name="Document", type="text"), Column(name="Date", type="date"))
    table = Table(
        columns=columns,
        rows=(("Lease", "3 Oct 2024"), ("Lease", "4 Oct 2024"), ("Gone", "")),
        documents=("a", "a", "z"),
        citations=((1,), (2,), ()),
    )
    answer = Answer(
        trace_id="t",
        question="Which?",
        data_version=1,
        kind=Kind.LOOKUP,
        route=Route.STRUCTURED,
        status=Status.ANSWERED,
        text="",
        confidence=1.0,
        confidence_label=ConfidenceLabel.HIGH,
        table=table,
        claims=(Claim(text="x", verdict=Verdict.COMPUTED, citations=(cited(1, "a", 5), cited(2, "a", 9))),),
    )
    places = {"a": summary("a", "")}
    found = export_of(answer, places, lambda id, place: f"{id}@{place.start if place else ''}")  # type: ignore[arg-type]

    assert found.heads == ("Document", "File", "Bucket", "Date", "Link", "Document id")
    assert found.left_out == 1
    assert [line[0] for line in found.lines] == [Linked("a.pdf", "a@5"), Linked("a.pdf", "a@9")]
    assert [line[3] for line in found.lines] == [date(2024, 10, 3), date(2024, 10, 4)]
