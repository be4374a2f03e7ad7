"""Facts of a document, above its pages: fields, summaries, parties, dates, amounts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import streamlit as st

from app import state
from app.components import mounts
from app.components.controls import draw_button
from app.presenting.document_pages import Span
from app.presenting.field_wording import SIGN, WORD, method
from app.presenting.wording import date
from core.answer.prose.kept_summaries import STALE
from core.domain.answer import Answer, Citation
from core.domain.facts import DateFact, DocumentFacts, DocumentParty
from core.domain.fields import Cell, CellStatus, Financial, Quote, Summary, SummaryKind
from core.domain.matrix import MatrixColumn
from core.domain.span import PageSpan
from core.domain.value_text import shown, shown_all
from core.workbench.verdicts import unfound

HEIGHT = 300  # fixed, so that the pages below know at once how much of the window is left to them
SUMMARY = "Summary"
NAMES = ("Fields", SUMMARY, "Parties", "Dates", "Amounts")
_KIND = {SummaryKind.EXECUTIVE: "Executive", SummaryKind.LEGAL: "Legal", SummaryKind.FINANCIAL: "Financial"}
_IDENTIFIER = {"lei": "LEI", "duns": "DUNS", "tax_id": "Tax id"}
_NOTHING = {
    "Fields": "No fields were read from this document yet.",
    "Summary": "There is no summary: the document has no sentences that could be shown as one.",
    "Parties": "No party was found with certainty. Fields shows candidates, which a reviewer may confirm.",
    "Dates": "No date was found with certainty. Fields shows candidates, which a reviewer may confirm.",
    "Amounts": "No amount was found with certainty. Fields shows candidates, which a reviewer may confirm.",
}
_UNREAD = "No fields were read from this document yet. A job reads them; their places are then marked here."


def draw_statements(
    name: str,
    facts: DocumentFacts,
    focus: Span | None,
    read_fields: Callable[[], None] | None,
    written: Mapping[SummaryKind, Answer] = MappingProxyType({}),
) -> list[Span]:
    """One of NAMES; gives the places to mark lightly on the pages.

    focus: the place that is open now. read_fields: None where the user may not begin that job. written:
    summaries as a model may have written them.
    """
    if not facts.schema:
        _draw_unread(read_fields)
        return []
    data, quotes = _contents(name, facts, written)
    if data is None:
        st.info(_NOTHING[name])
        return []
    key = f"statements-{name}"

    def opened(place: dict[str, int]) -> None:
        state.to_address(page=place["page"], start=place["start"], end=place["end"])

    data |= {
        "kind": name.lower(),
        "label": f"{name} of {facts.document.name}",
        "focus": None if focus is None else [focus.page, focus.start, focus.end],
    }
    mounts.statements(key=key, data=data, height=HEIGHT, **state.on_sent(key, {"place": opened}))
    spans = dict.fromkeys(quote.span for quote in quotes)
    return [Span(span.page_no, span.start, span.end) for span in spans]


def _draw_unread(read_fields: Callable[[], None] | None) -> None:
    st.info(_UNREAD)
    if read_fields is None:
        st.caption("An administrator can begin it.")
    else:
        draw_button("Read fields", read_fields, icon="sync", key="read-fields-one")


def _contents(
    name: str, facts: DocumentFacts, written: Mapping[SummaryKind, Answer]
) -> tuple[dict[str, Any] | None, list[Quote]]:
    """Data for the component (None where there is nothing), and every place in it."""
    if name == "Fields":
        columns = {column.name: column for column in facts.columns}
        rows = [_field(columns[cell.field], cell) for cell in facts.cells]
        places = [quote for cell in facts.cells for quote in cell.finding.spans]
        return ({"rows": rows, "notes": list(facts.notes)} if rows else None), places
    if name == SUMMARY:
        parts = sorted(facts.summaries, key=lambda each: list(SummaryKind).index(each.kind))
        places = [quote for part in parts for quote in (*part.sentences, *part.risks)]
        told = [_summary(part) | _written(written.get(part.kind)) for part in parts]
        return ({"parts": told} if parts else None), places
    if name == "Parties":
        return _table(
            ("Name", "Role", "Entity type", "Jurisdiction", "Identifiers"),
            ((_party(each), each.quote) for each in facts.parties),
        )
    if name == "Dates":
        data, places = _table(("Date", "What"), ((_date(each), each.quote) for each in facts.dates))
        if data is not None:
            data["points"] = [
                {"day": each.value.text, "title": each.title, "text": shown(each.value)}
                for each in facts.dates
            ]
        return data, places
    titles = {column.name: column.title for column in facts.columns}
    columns_shown = ("What", "Amount", "As written", "From", "Until")
    return _table(columns_shown, ((_amount(each, titles), each.quote) for each in facts.financials))


def _field(column: MatrixColumn, cell: Cell) -> dict[str, Any]:
    finding = cell.finding
    places = list(finding.spans)
    maybe = [] if finding.status is not CellStatus.UNCERTAIN else finding.candidates[:3]
    is_decided = cell.review is not None
    return {
        "name": column.name,
        "title": column.title,
        "group": column.group,
        "status": finding.status.value,
        "sign": SIGN[finding.status],
        "word": WORD[finding.status],
        "text": shown_all(finding.values) if finding.status is CellStatus.PRESENT else "",
        "confidence": None if is_decided else round(finding.confidence * 100) or None,
        "how": method(finding.method),
        "note": finding.note or _unfound(cell),
        "review": "" if cell.review is None else f"{cell.review.user}, {date(cell.review.at)}",
        "again": cell.review is not None and cell.review.check_again,
        "places": [_place(quote) for quote in places],
        "maybe": [
            {"text": "" if each.value is None else shown(each.value), **_place(each.spans[0])}
            for each in maybe
            if each.spans
        ],
    }


def _unfound(cell: Cell) -> str:
    found = [shown(value) for value in unfound(cell)]
    return f"Not found in the document: {'; '.join(found)}." if found else ""


def _summary(summary: Summary) -> dict[str, Any]:
    return {
        "name": _KIND[summary.kind],
        "sentences": [_place(quote) for quote in summary.sentences],
        "entities": list(summary.entities),
        "risks": [_place(quote) for quote in summary.risks],
    }


def _written(answer: Answer | None) -> dict[str, Any]:
    """Sentences that a model wrote, each with its places; {} where it wrote nothing of this version."""
    if answer is None or not answer.written_by:
        stale = answer is not None and STALE in answer.gaps
        return {"stale": STALE} if stale else {}
    sentences = [
        {"text": claim.text, "places": [_span(each) for each in claim.citations]} for claim in answer.claims
    ]
    removed = sum(not each.is_replaced for each in answer.struck)
    return {"written": {"by": answer.written_by, "sentences": sentences, "removed": removed}}


def _span(each: Citation) -> dict[str, Any]:
    return {"page": each.page, "start": each.start, "end": each.end, "quote": each.quote}


def _party(party: DocumentParty) -> Sequence[str]:
    numbers = [f"{_IDENTIFIER.get(kind, kind)} {number}" for kind, number in party.identifiers]
    role = party.role.replace("_", " ").capitalize()
    typed = f" (typed by {party.reviewed_by}, not found in the document)" if party.quote is None else ""
    return (party.name + typed, role, party.entity_type, party.jurisdiction, ", ".join(numbers))


def _date(fact: DateFact) -> Sequence[str]:
    return (shown(fact.value), fact.title)


def _amount(financial: Financial, titles: dict[str, str]) -> Sequence[str]:
    what = titles.get(financial.metric, financial.metric.replace("_", " ").capitalize())
    if financial.fiscal_year is not None:
        quarter = f" Q{financial.fiscal_quarter}" if financial.fiscal_quarter else ""
        what += f", fiscal year {financial.fiscal_year}{quarter}"
    original = financial.value.original or financial.quote.quote
    return (what, shown(financial.value), original, financial.effective, financial.expires)


def _table(
    columns: Sequence[str], rows: Iterable[tuple[Sequence[str], Quote | None]]
) -> tuple[dict[str, Any] | None, list[Quote]]:
    """Rows under their columns; columns that are empty in all rows are left out."""
    found = list(rows)
    if not found:
        return None, []
    kept = [at for at in range(len(columns)) if at == 0 or any(cells[at] for cells, _ in found)]
    data = {
        "columns": [columns[at] for at in kept],
        "rows": [
            {"cells": [cells[at] for at in kept], "place": None if quote is None else _place(quote)}
            for cells, quote in found
        ],
    }
    return data, list(_given(quote for _, quote in found))


def _given(quotes: Iterable[Quote | None]) -> Iterator[Quote]:
    return (quote for quote in quotes if quote is not None)


def _place(quote: Quote) -> dict[str, Any]:
    span: PageSpan = quote.span
    return {"page": span.page_no, "start": span.start, "end": span.end, "quote": quote.quote}
