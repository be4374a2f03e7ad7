"""The JSON of contradictions, and their lines in a table: one vocabulary for the command line and the API."""

from __future__ import annotations

from typing import Any

from core.domain.certainty.contradiction import ValueContradiction, ValueStatement
from core.domain.value_text import shown
from core.domain.wire.fields import quote_json, value_json

HEADS = ("state", "about", "what", "value", "document", "from", "words", "page", "resolution")
"""Heads of a table with a line for every side."""


def contradiction_json(each: ValueContradiction) -> dict[str, Any]:
    """A contradiction with its sides, the oldest first."""
    by = each.resolved_by
    return {
        "state": each.state.value,
        "thing": each.thing,
        "field": each.about,
        "title": each.title,
        "resolution": each.resolution,
        "resolved_by": by.id if by is not None else None,
        "sides": [_side_json(side) for side in each.sides],
    }


def contradiction_lines(each: ValueContradiction) -> list[tuple[str, ...]]:
    """A line for each side, as HEADS names the columns."""
    return [
        (
            each.state.value,
            each.thing,
            each.title,
            shown(side.value),
            side.document.name,
            side.document.since,
            side.quote.quote if side.quote is not None else "",
            str(side.quote.span.page_no) if side.quote is not None else "",
            each.resolution,
        )
        for side in each.sides
    ]


def _side_json(side: ValueStatement) -> dict[str, Any]:
    return {
        "document": side.document.id,
        "name": side.document.name,
        "bucket": side.document.bucket,
        "version": side.document.version,
        "since": side.document.since or None,
        "value": value_json(side.value),
        "unit": side.value.unit or None,
        "is_fact": side.is_fact,
        "span": quote_json(side.quote) if side.quote is not None else None,
    }
