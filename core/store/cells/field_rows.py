"""From cells, values and spans to rows and JSON, and back.

JSON is lists, not objects: a page of the matrix holds thousands of values, and lists are read faster.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from core.domain.certainty.guess import GuessedValue, guesses_of
from core.domain.fields import (
    Candidate,
    Cell,
    CellStatus,
    FieldType,
    Finding,
    Quote,
    Review,
    ReviewAction,
    ReviewEvent,
    Special,
    TypedValue,
)
from core.domain.span import PageSpan
from core.store.database.db import from_row, rows_among
from core.store.database.field_tables import field_cells, field_guesses
from core.store.database.schema import storable

LARGEST_AMOUNT = 2**63 - 1
_LONGEST_KEY = 1_000  # characters; longer texts are equal where these are
_LONGEST_COLUMN = 200
_SPACE = re.compile(r"\s+")

_STATUSES = {each.value: each for each in CellStatus}
_TYPES = {each.value: each for each in FieldType}
_REVIEWED = 11  # columns of a cell before those of its review
_BRIEF = 13

UNSEEN = Finding(CellStatus.UNCERTAIN)
"""What is known of a cell that was never extracted."""


def folded(text: str) -> str:
    """The text as it is compared: whatever the case and the spaces."""
    return _SPACE.sub(" ", storable(text)).strip().casefold()


def column_key(name: str) -> str:
    """By what a column of a table is known."""
    return folded(name)[:_LONGEST_COLUMN]


def key_of(value: TypedValue) -> str:
    """Equal for equal values of a type: names by their normal form, everything else by its canonical text."""
    return folded(value.normal or value.text)[:_LONGEST_KEY]


def value_row(value: TypedValue) -> dict[str, Any]:
    """A value as columns; `amount` is None where it cannot be computed with."""
    is_computable = not value.special and value.amount is not None and abs(value.amount) <= LARGEST_AMOUNT
    return {
        "type": value.type.value,
        "text": value.text,
        "folded": folded(value.text),
        "key": key_of(value),
        "amount": value.amount if is_computable else None,
        "unit": value.unit,
        "special": value.special.value,
    }


def full_value_row(value: TypedValue, quote: Quote) -> dict[str, Any]:
    """The same with everything else of the value, and where it stands."""
    original = "" if value.original == quote.quote else value.original
    return value_row(value) | {"normal": value.normal, "original": original} | quote_row(quote)


def value_of_row(row: Any) -> TypedValue:
    """A value from the columns of `full_value_row`."""
    return TypedValue(
        FieldType(row.type),
        row.text,
        row.amount,
        row.unit,
        row.original or row.quote,
        row.normal,
        Special(row.special),
    )


def quote_row(quote: Quote) -> dict[str, Any]:
    """A span with its characters as columns."""
    span = quote.span
    return {"page_no": span.page_no, "start": span.start, "end": span.end, "quote": quote.quote}


def quote_of_row(row: Any) -> Quote:
    """A span from its columns."""
    return Quote(PageSpan(row.page_no, row.start, row.end), row.quote)


def values_json(values: Iterable[TypedValue]) -> list[list[Any]]:
    """Values as JSON: what is empty at the end is left out."""
    return [value_json(value) for value in values]


def values_of(stored: Sequence[Sequence[Any]]) -> tuple[TypedValue, ...]:
    """Values from their JSON."""
    return tuple(value_of(item) for item in stored)


def quotes_json(quotes: Iterable[Quote]) -> list[list[Any]]:
    """Spans with their characters as JSON."""
    return [[each.span.page_no, each.span.start, each.span.end, each.quote] for each in quotes]


def quotes_of(stored: Sequence[Sequence[Any]]) -> tuple[Quote, ...]:
    """Spans from their JSON."""
    return tuple(Quote(PageSpan(page, start, end), text) for page, start, end, text in stored)


def finding_json(finding: Finding) -> list[Any]:
    """A finding as JSON."""
    return [
        finding.status.value,
        values_json(finding.values),
        quotes_json(finding.spans),
        finding.confidence,
        finding.method,
        _candidates_json(finding.candidates),
        finding.note,
    ]


def finding_of(stored: Sequence[Any]) -> Finding:
    """A finding from its JSON."""
    status, values, spans, confidence, method, candidates, note = stored
    return Finding(
        CellStatus(status),
        values_of(values),
        quotes_of(spans),
        confidence,
        method,
        _candidates_of(candidates),
        note,
    )


def finding_columns(finding: Finding) -> dict[str, Any]:
    """A finding as the columns of its cell."""
    is_open = finding.status is CellStatus.UNCERTAIN
    return {
        "type": _type_of(finding),
        "status": finding.status.value,
        "confidence": finding.confidence,
        "probability": _of_best(finding.candidates) if is_open else finding.confidence,
        "method": finding.method,
        "note": finding.note,
        "value": values_json(finding.values),
        "spans": quotes_json(finding.spans),
        "candidates": _candidates_json(finding.candidates),
    }


def _of_best(candidates: Sequence[Candidate]) -> float:
    """Probability of the best candidate: no more than its share where others state other values."""
    if not candidates:
        return 0.0
    first = candidates[0]
    surest: dict[tuple[str, str, str], float] = {}
    for each in candidates:
        if each.value is not None:
            value = (key_of(each.value), each.value.unit, each.value.special.value)
            surest[value] = max(surest.get(value, 0.0), each.confidence)
    return first.confidence / max(1.0, sum(surest.values()))


_BRIEF_NAMES = (
    "document field version status confidence method note value spans event reviewed_by reviewed_at "
    "check_again"
)
BRIEF_COLUMNS = tuple(field_cells.c[name] for name in _BRIEF_NAMES.split())
CELL_COLUMNS = (*BRIEF_COLUMNS, field_cells.c.candidates, field_cells.c.extracted)


def cell_of(row: Sequence[Any]) -> Cell:
    """A row of CELL_COLUMNS, which may have more columns behind them."""
    candidates, extracted = row[_BRIEF : _BRIEF + 2]
    return _cell(row, _candidates_of(candidates), extracted)


def brief_cell_of(row: Sequence[Any]) -> Cell:
    """A row of BRIEF_COLUMNS: a cell without candidates and without what extraction says beside a reviewer.

    By position, not by name: a page of the matrix makes thousands, in a third of the time.
    """
    return _cell(row, (), None)


def _cell(row: Sequence[Any], candidates: tuple[Candidate, ...], extracted: Any) -> Cell:
    document, field, version, status, confidence, method, note, value, spans, event, user = row[:_REVIEWED]
    finding = Finding(
        _STATUSES[status],
        values_of(value) if value else (),
        quotes_of(spans) if spans else (),
        confidence,
        method,
        candidates,
        note,
    )
    if user is None:
        return Cell(document, version, field, finding, None, finding, event)
    at, check_again = row[_REVIEWED:_BRIEF]
    said = None if extracted is None else finding_of(extracted)
    return Cell(document, version, field, finding, Review(user, at, check_again), said, event)


def event_of(row: Any) -> ReviewEvent:
    """A row of cell_reviews."""
    before, after = finding_of(row.before), finding_of(row.after)
    return from_row(ReviewEvent, row, action=ReviewAction(row.action), before=before, after=after)


def review_columns(review: Review | None) -> dict[str, Any]:
    """Reviewer of a cell and time of the decision, as columns."""
    at: datetime | None = None if review is None else review.at
    return {
        "reviewed_by": None if review is None else review.user,
        "reviewed_at": at,
        "is_reviewed": review is not None,
        "check_again": review is not None and review.check_again,
    }


def value_json(value: TypedValue) -> list[Any]:
    """A value as JSON: what is empty at the end is left out."""
    stored = [
        value.type.value,
        value.text,
        value.amount,
        value.unit,
        value.original,
        value.normal,
        value.special.value,
    ]
    while len(stored) > 2 and stored[-1] in ("", None):
        stored.pop()
    return stored


def value_of(stored: Sequence[Any]) -> TypedValue:
    """A value from its JSON."""
    kind, text, *rest = stored
    if len(rest) == 5:
        rest[4] = Special(rest[4])
    return TypedValue(_TYPES[kind], text, *rest)


def _candidates_json(candidates: Iterable[Candidate]) -> list[list[Any]]:
    return [
        [
            None if each.value is None else value_json(each.value),
            quotes_json(each.spans),
            each.confidence,
            each.method,
        ]
        for each in candidates
    ]


def _candidates_of(stored: Sequence[Sequence[Any]]) -> tuple[Candidate, ...]:
    if not stored:
        return ()
    return tuple(
        Candidate(None if value is None else value_of(value), quotes_of(spans), confidence, method)
        for value, spans, confidence, method in stored
    )


def _type_of(finding: Finding) -> str:
    for value in (*finding.values, *(each.value for each in finding.candidates)):
        if value is not None:
            return value.type.value
    return ""


_DIGITS = 4  # of a probability: more than a page shows


def guess_row(cell: Cell, bucket: str) -> dict[str, Any] | None:
    """The row of a cell in field_guesses; None where somebody decided it, or it may be anything."""
    if cell.review is not None:
        return None
    guesses = guesses_of(cell.finding)
    if not guesses:
        return None
    return {
        "document": cell.document,
        "field": cell.field,
        "bucket": bucket,
        **value_row(guesses[0].value),
        "probability": guesses[0].probability,
        "readings": readings_json(guesses),
    }


def readings_json(guesses: Sequence[GuessedValue]) -> list[list[Any]]:
    """Guesses as JSON: lists, as all that a page of the matrix reads by the thousand."""
    return [[each.candidate, round(each.probability, _DIGITS), value_json(each.value)] for each in guesses]


def guesses_in(stored: Sequence[Sequence[Any]]) -> tuple[GuessedValue, ...]:
    """Guesses from their JSON."""
    return tuple(
        GuessedValue(value_of(value), probability, candidate) for candidate, probability, value in stored
    )


def guesses_by_cell(
    connection: Connection, documents: Sequence[str], fields: Collection[str]
) -> dict[tuple[str, str], tuple[GuessedValue, ...]]:
    """The guesses of some documents' cells, by document and field."""
    row = field_guesses.c
    statement = sa.select(row.document, row.field, row.readings).where(row.field.in_(sorted(fields)))
    rows = rows_among(connection, statement, row.document, documents)
    return {(document, field): guesses_in(readings) for document, field, readings in rows}
