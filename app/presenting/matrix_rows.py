"""Rows and cells of the matrix as the grid in the browser takes them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from app import services
from app.presenting.field_wording import ACTION, method
from core.domain.certainty.guess import GuessedValue, guesses_of, tied
from core.domain.document import PDF, DocumentSummary
from core.domain.fields import Candidate, Cell, CellStatus, Finding, ReviewEvent
from core.domain.llm.cells import CONTRADICTION, MODEL
from core.domain.matrix import CellDetails, FieldCounts, MatrixRow
from core.domain.predicate import Predicate
from core.domain.value_text import shown, shown_all
from core.domain.wire.fields import quote_json
from core.errors import UsageError
from core.workbench.verdicts import unfound

LETTER = {
    CellStatus.PRESENT: "p",
    CellStatus.ABSENT: "a",
    CellStatus.UNCERTAIN: "u",
    CellStatus.UNREADABLE: "x",
}
LONGEST = 90  # characters of a value in the grid; the panel shows all of it
SHOWN_EVENTS = 20
MOST_CONDITIONS = 20


def conditions(text: str) -> tuple[Predicate, ...]:
    """The conditions of the address: `[["law", "is", "uncertain"], ...]`. Raises UsageError."""
    if not text:
        return ()
    wrong = UsageError("The filters of this address cannot be read.", next_step="Set the filters again.")
    try:
        given = json.loads(text)
    except ValueError:
        raise wrong from None
    if not isinstance(given, list) or len(given) > MOST_CONDITIONS:
        raise wrong
    found = []
    for each in given:
        if not isinstance(each, list) or len(each) != 3:
            raise wrong
        field, operator, value = each
        values = value if isinstance(value, list) else [value]
        if not all(isinstance(part, str) for part in (field, operator, *values)):
            raise wrong
        found.append(Predicate(field, operator, tuple(values) if isinstance(value, list) else value))
    return tuple(found)


def row_json(row: MatrixRow, fields: Sequence[str], copies: Sequence[DocumentSummary] = ()) -> dict[str, Any]:
    """A row: `cells` in the order of the fields, each [status, text, mark, event, guess].

    status: as in LETTER, or "w" where the field was not read yet and "k" where it is not asked of the kind.
    event: the newest of the cell's history. guess: as in `guess_json`. Both are left out where there is none.
    copies: other documents of the same words.
    """
    document: DocumentSummary = row.document
    return {
        "id": document.id,
        "title": document.name,
        "source": document.source,
        "state": document.status.value,
        "note": document.reason,
        "copies": [[each.id, each.source] for each in copies],
        "cells": [
            _brief(row.cells.get(name), row.guesses.get(name, ())) or _without(row, name) for name in fields
        ],
    }


def _without(row: MatrixRow, field: str) -> list[str]:
    return ["k" if field in row.not_asked else "w", "", ""]


def _brief(cell: Cell | None, guesses: Sequence[GuessedValue]) -> list[Any] | None:
    if cell is None:
        return None
    text = _cut(shown_all(cell.finding.values)) if cell.finding.status is CellStatus.PRESENT else ""
    if cell.review is None:
        mark = "m" if cell.finding.method == MODEL else ""
    else:
        mark = "!" if cell.review.check_again else "r"
    brief = [LETTER[cell.finding.status], text, mark]
    if guesses and cell.finding.status is CellStatus.UNCERTAIN and not mark:
        return [*brief, cell.event, guess_json(guesses)]
    return [*brief, cell.event] if cell.event else brief


def guess_json(guesses: Sequence[GuessedValue]) -> list[Any]:
    """Best guesses: how many tie as the likeliest, 0 for none, and [candidate, text, probability] each."""
    said = [[each.candidate, _cut(shown(each.value)), round(each.probability, 4)] for each in guesses]
    return [len(tied(guesses)), said]


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 1].rstrip() + "…"


def counts_json(counts: FieldCounts) -> list[int]:
    """By status in order, then reviewed, to be checked again, not read, not asked, guessed, by a model.

    Uncertain without those that are to be checked again or not read yet, but with those that have a best
    guess: all but the reviewed, the guessed and those by a model add up.
    """
    found = [counts.statuses.get(status, 0) for status in LETTER]
    found[2] -= counts.pending + counts.check_again
    return [
        *found,
        counts.reviewed,
        counts.check_again,
        counts.pending,
        counts.not_asked,
        counts.guessed,
        counts.by_model,
    ]


def cell_json(found: CellDetails) -> dict[str, Any]:
    """A cell with its history, and how the viewer shows its pages."""
    cell = found.cell
    is_open = cell.review is not None and cell.review.check_again
    finding, pages = cell.finding, _pages(found)
    extracted = cell.extracted if cell.review is not None else None
    basis = extracted or finding
    return {
        "document": cell.document,
        "field": cell.field,
        "title": pages["title"],
        "brief": _brief(cell, guesses_of(finding)),
        **_finding_json(finding),
        "places": [quote_json(quote) for quote in (basis.spans if is_open else finding.spans)],
        "candidates": [_candidate_json(each) for each in basis.candidates],
        "model": _contradiction_json(cell),
        "review": None
        if cell.review is None
        else {"user": cell.review.user, "at": cell.review.at.isoformat(), "again": is_open},
        "extracted": None if extracted is None else _finding_json(extracted),
        "unfound": [shown(value) for value in unfound(cell)],
        "event": cell.event,
        "history": [_event_json(event) for event in found.history[:SHOWN_EVENTS]],
        "is_extracted": bool(finding.method or finding.candidates or finding.note or cell.event)
        or finding.status is not CellStatus.UNCERTAIN,
        "pages": pages,
        "changed": found.data_version,
    }


def _pages(found: CellDetails) -> dict[str, Any]:
    """The pages beside a cell; none of a document whose file never could be read."""
    summary, version = found.document, found.version
    size = found.size
    if size is None and version and summary.pages and summary.media_type == PDF:
        size = services.session().documents.page_size(summary.id, version, 1)
    return {
        "document": summary.id,
        "version": version,
        "hash": summary.version_key(version) if version else "",
        "title": summary.name,
        "pages": summary.pages if version else 0,
        "ratio": size.height_pt / size.width_pt if size else None,
        "table": bool(version) and summary.is_table,
    }


def _finding_json(finding: Finding) -> dict[str, Any]:
    return {
        "status": LETTER[finding.status],
        "values": [{"text": shown(value), "original": value.original} for value in finding.values],
        "spans": [quote_json(quote) for quote in finding.spans],
        "confidence": round(finding.confidence, 4),
        "method": method(finding.method),
        "note": finding.note,
    }


def _candidate_json(candidate: Candidate) -> dict[str, Any]:
    return {
        "text": "" if candidate.value is None else shown(candidate.value),
        "confidence": round(candidate.confidence, 4),
        "method": method(candidate.method),
        "spans": [quote_json(quote) for quote in candidate.spans],
    }


def _contradiction_json(cell: Cell) -> dict[str, Any] | None:
    """The model's word where it contradicts extraction and nobody decided; None elsewhere."""
    if cell.review is not None or not cell.finding.note.startswith(CONTRADICTION):
        return None
    found = services.session().model_cells.contradictions(None, [cell.field], cell.document)
    if not found:
        return None
    own = [at for at, each in enumerate(cell.finding.candidates) if each.method == MODEL]
    values = [each.value for at in own if (each := cell.finding.candidates[at]).value is not None]
    said = shown_all(values) if own else ""
    return {"status": LETTER[found[0].model.status], "text": said, "candidates": own}


def _event_json(event: ReviewEvent) -> dict[str, Any]:
    return {
        "action": ACTION[event.action],
        "user": event.user,
        "at": event.at.isoformat(),
        "before": [LETTER[event.before.status], shown_all(event.before.values)],
        "after": [LETTER[event.after.status], shown_all(event.after.values)],
    }
