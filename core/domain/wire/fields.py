"""The JSON of cells, matrices and facts: one vocabulary for the command line and the API.

A value is null unless the cell is present. Booleans are true or false; money and numbers decimal strings with
their unit; dates and durations ISO 8601; of a field that takes many an array.
"""

from __future__ import annotations

from typing import Any

from core.domain.certainty.guess import guesses_of
from core.domain.facts import DocumentFacts, DocumentParty
from core.domain.fields import (
    Cell,
    CellStatus,
    Clause,
    FieldType,
    Financial,
    Finding,
    PartyRow,
    Quote,
    Summary,
    TypedValue,
)
from core.domain.matrix import CellDispute, Matrix, MatrixColumn
from core.domain.wire.shapes import envelope

_NOWHERE: dict[str, Any] = {"page": None, "start": None, "end": None, "quote": None}
_SPANS_SHOWN = 3  # of an uncertain cell: where its best candidates stand


def value_json(value: TypedValue) -> str | bool:
    """One value; what stands in place of one by its name ("perpetual", "blank", "redacted")."""
    if value.type is FieldType.BOOLEAN:
        return value.text == "true"
    return value.text or value.special.value


def quote_json(quote: Quote) -> dict[str, Any]:
    """A span with its characters."""
    span = quote.span
    return {"page": span.page_no, "start": span.start, "end": span.end, "quote": quote.quote}


def column_json(column: MatrixColumn) -> dict[str, Any]:
    """A field of a matrix."""
    return {
        "name": column.name,
        "type": column.type.value,
        "title": column.title,
        "many": column.many,
        "group": column.group,
        "schemas": list(column.schemas),
    }


def cell_json(cell: Cell, column: MatrixColumn) -> dict[str, Any]:
    """One cell. Of an uncertain one `spans` are where its best candidates stand."""
    finding = cell.finding
    return {
        "document": cell.document,
        "version": cell.version,
        "field": cell.field,
        "type": column.type.value,
        "value": _value(finding, column),
        "unit": _unit(finding),
        "status": finding.status.value,
        "confidence": round(finding.confidence, 4),
        "probability": _probability(finding),
        "method": finding.method,
        "spans": [quote_json(quote) for quote in shown_spans(finding)],
        "note": finding.note,
        "special": next((value.special.value for value in finding.values if value.special.value), None),
        "candidates": [
            {
                "value": None if each.value is None else value_json(each.value),
                "unit": None if each.value is None else each.value.unit or None,
                "confidence": round(each.confidence, 4),
                "method": each.method,
                "spans": [quote_json(quote) for quote in each.spans],
            }
            for each in finding.candidates
        ],
        "reviewed_by": cell.review.user if cell.review is not None else None,
        "reviewed_at": cell.review.at.isoformat() if cell.review is not None else None,
        "check_again": cell.review is not None and cell.review.check_again,
    }


def _probability(finding: Finding) -> float | None:
    """Of a decided cell that it is right, of an undecided one its best guess's; None without one."""
    if finding.status is CellStatus.UNCERTAIN:
        best = max((each.probability for each in guesses_of(finding)), default=None)
        return None if best is None else round(best, 4)
    return None if finding.status is CellStatus.UNREADABLE else round(finding.confidence, 4)


def shown_spans(finding: Finding) -> tuple[Quote, ...]:
    """Places of a cell's value; of an uncertain one those of its best candidates."""
    if finding.status is not CellStatus.UNCERTAIN or finding.spans:
        return finding.spans
    return tuple(each.spans[0] for each in finding.candidates if each.spans)[:_SPANS_SHOWN]


def matrix_json(matrix: Matrix) -> dict[str, Any]:
    """A matrix: its fields, all its cells, and the fields of each document not read yet or not asked."""
    columns = {column.name: column for column in matrix.columns}
    return envelope(
        fields=[column_json(column) for column in matrix.columns],
        documents=[
            {
                "id": each.id,
                "title": each.title,
                "source": each.source,
                "bucket": each.bucket,
                "copies": list(matrix.copies.get(each.id, ())),
            }
            for each in matrix.documents
        ],
        cells=[cell_json(cell, columns[cell.field]) for cell in matrix.cells if cell.field in columns],
        pending={document: sorted(names) for document, names in matrix.pending.items()},
        not_asked={document: sorted(names) for document, names in matrix.not_asked.items()},
    )


def dispute_json(each: CellDispute, column: MatrixColumn) -> dict[str, Any]:
    """A cell that extraction and a model decided differently, with what both say and where."""
    item = each.item
    sides = {"extraction": each.extraction, "model": each.model}
    return {
        "document": item.document,
        "title": item.title,
        "field": item.field,
        **{
            name: {
                "status": finding.status.value,
                "value": _value(finding, column),
                "unit": _unit(finding),
                "spans": [quote_json(quote) for quote in finding.spans],
            }
            for name, finding in sides.items()
        },
    }


def facts_json(facts: DocumentFacts) -> dict[str, Any]:
    """JSON of the facts that `documents show` adds to a document."""
    columns = {column.name: column for column in facts.columns}
    return {
        "kind": facts.schema or None,
        "fields": [cell_json(cell, columns[cell.field]) for cell in facts.cells if cell.field in columns],
        "clauses": [clause_json(each) for each in facts.clauses],
        "parties": [party_json(each) for each in facts.parties],
        "financials": [financial_json(each) for each in facts.financials],
        "summaries": [summary_json(each) for each in facts.summaries],
        "notes": list(facts.notes),
    }


def clause_json(clause: Clause) -> dict[str, Any]:
    """A clause."""
    return {
        "type": clause.type,
        "title": clause.title,
        "section": list(clause.section),
        "conditions": list(clause.conditions),
        "confidence": round(clause.confidence, 4),
        **quote_json(clause.quote),
    }


def party_json(party: PartyRow | DocumentParty) -> dict[str, Any]:
    """A party."""
    return {
        "name": party.name,
        "normalised": party.normal,
        "role": party.role,
        "entity_type": party.entity_type,
        "jurisdiction": party.jurisdiction,
        "identifiers": [{"kind": kind, "number": number} for kind, number in party.identifiers],
        **(_NOWHERE if party.quote is None else quote_json(party.quote)),
    }


def financial_json(financial: Financial) -> dict[str, Any]:
    """An amount."""
    return {
        "metric": financial.metric,
        "value": value_json(financial.value),
        "unit": financial.value.unit or None,
        "effective": financial.effective or None,
        "expires": financial.expires or None,
        "terms": financial.terms,
        "fiscal_year": financial.fiscal_year,
        "fiscal_quarter": financial.fiscal_quarter,
        **quote_json(financial.quote),
    }


def summary_json(summary: Summary) -> dict[str, Any]:
    """An extractive summary."""
    return {
        "kind": summary.kind.value,
        "sentences": [quote_json(each) for each in summary.sentences],
        "entities": list(summary.entities),
        "risks": [quote_json(each) for each in summary.risks],
    }


def _value(finding: Finding, column: MatrixColumn) -> Any:
    if finding.status is not CellStatus.PRESENT:
        return None
    values = [value_json(value) for value in finding.values]
    return values if column.many else next(iter(values), None)


def _unit(finding: Finding) -> str | None:
    """The unit of all values; None where they have none, or several."""
    units = {value.unit for value in finding.values} if finding.status is CellStatus.PRESENT else set()
    return next(iter(units)) or None if len(units) == 1 else None
