"""A field's columns in a file, and where their links lead."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest

from core.domain.fields import (
    Candidate,
    Cell,
    CellStatus,
    FieldType,
    Finding,
    Quote,
    Special,
    TypedValue,
)
from core.domain.ids import DocumentId
from core.domain.matrix import MatrixColumn
from core.domain.span import PageSpan
from core.workbench.exports.exported_cell import best_guess, cell_values, place_address, titles, value_heads

USD = TypedValue(FieldType.MONEY, "10.50", 105_000, "USD")
EUR = TypedValue(FieldType.MONEY, "3", 30_000, "EUR")
DAY = TypedValue(FieldType.DATE, "2024-10-03", 739_162)
YEAR = TypedValue(FieldType.DURATION, "P1Y6M", 1)
NEVER = TypedValue(FieldType.DATE, "", special=Special.PERPETUAL)
YES = TypedValue(FieldType.BOOLEAN, "true", 1)


@pytest.mark.parametrize(
    ("kind", "values", "cells"),
    [
        (FieldType.MONEY, (USD,), [Decimal("10.5"), "USD"]),
        (FieldType.MONEY, (USD, EUR), ["USD 10.50; EUR 3", ""]),
        (FieldType.DATE, (DAY,), [date(2024, 10, 3)]),
        (FieldType.DATE, (DAY, NEVER), ["2024-10-03; Perpetual"]),
        (FieldType.DURATION, (YEAR,), ["1 year 6 months", "P1Y6M"]),
        (FieldType.BOOLEAN, (YES,), ["Yes"]),
    ],
)
def test_values_are_what_a_program_computes_with(
    kind: FieldType, values: tuple[TypedValue, ...], cells: list[object]
) -> None:
    cell = Cell(DocumentId("d"), 1, "x", Finding(CellStatus.PRESENT, values))
    assert cell_values(cell, MatrixColumn("x", "X", kind)) == cells
    assert len(value_heads(MatrixColumn("x", "X", kind))) == len(cells)


def test_what_is_not_decided_has_no_value_and_its_best_guess_apart() -> None:
    doubt = Finding(CellStatus.UNCERTAIN, candidates=(Candidate(DAY, (), 0.7, "rule"),))
    assert cell_values(Cell(DocumentId("d"), 1, "x", doubt), MatrixColumn("x", "X", FieldType.DATE)) == [""]
    assert best_guess(doubt) == ("3 Oct 2024", 0.7)
    clause = Finding(CellStatus.UNCERTAIN, candidates=(Candidate(None, (), 0.6, "head"),))
    assert best_guess(clause) == ("Yes", 0.6)
    assert best_guess(Finding(CellStatus.ABSENT, candidates=doubt.candidates)) == ("", "")


def test_the_best_guess_of_a_file_is_that_of_the_matrix() -> None:
    place = Finding(CellStatus.UNCERTAIN, candidates=(Candidate(None, (), 0.3, "rule"),))
    assert best_guess(place) == ("", "")
    two = (Candidate(DAY, (), 0.6, "rule"), Candidate(YEAR, (), 0.8, "rule"))
    said, probability = best_guess(Finding(CellStatus.UNCERTAIN, candidates=two))
    assert (said, probability) == ("1 year 6 months", round(0.8 / 1.4, 4))


def test_a_link_names_the_place_or_the_document_alone() -> None:
    quote = Quote(PageSpan(2, 5, 9), "Acme")
    assert (
        place_address("http://h", "d", 3, quote)
        == "http://h/documents?document=d&version=3&page=2&start=5&end=9"
    )
    assert place_address("http://h", "d") == "http://h/documents?document=d"


def test_titles_that_are_the_same_keep_their_names() -> None:
    columns = [
        MatrixColumn(name, title, FieldType.TEXT) for name, title in (("a", "A"), ("b", "a"), ("c", "C"))
    ]
    assert titles(columns) == {"a": "A (a)", "b": "a (b)", "c": "C"}
