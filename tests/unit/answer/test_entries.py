from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from core.answer.entries import RowEntry, find_entries
from core.domain.document import Page
from core.domain.fields import AnnotationRow, FieldType, Quote, RowCell, TypedValue
from core.domain.ids import DocumentId
from core.domain.span import PageSpan
from core.search.evidence.base import Evidence
from core.search.query import QuestionAnalysis
from core.store.database.visibility import Visibility
from tests.support.scored_sentences import scored

ASKED = QuestionAnalysis("", "", (), (), {}, np.zeros(3, np.float32))


class Pages:
    def __init__(self, text: str) -> None:
        self.text = text

    def page(self, id: DocumentId, version: int, page_no: int, visible: Visibility) -> Page:
        return Page(page_no, self.text)


def entries_of(
    text: str, rows: Sequence[AnnotationRow] = (), at: tuple[int, int] | None = None, source: str = "a.txt"
) -> list[RowEntry]:
    """The entries of a page. at: where the passage stands that was found on it; None for all of it."""
    candidate = scored(text).candidate
    passage = replace(candidate.stored.passage, parts=(PageSpan(1, *(at or (0, len(text)))),))
    stored = replace(candidate.stored, passage=passage, source=source)
    found = Evidence(ASKED, (), (replace(candidate, stored=stored),))
    return find_entries(found, Pages(text), lambda *_: rows, Visibility.everything())


def cells(entry: RowEntry) -> list[tuple[str, str]]:
    return [(cell.name, cell.text) for cell in entry.cells]


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("Town | Beds\nSkien | 41\nHamar | 17", [("Town", "Skien"), ("Beds", "41")]),
        ("Town | Beds\nTown: Skien | Beds: 41\nTown: Hamar | Beds: 17", [("Town", "Skien"), ("Beds", "41")]),
        ("Point | Yes | No\nDry | [ ] | [x]\nClean | [x] | [ ]", [("Point", "Dry"), ("", "No")]),
        ("Beds: 41", [("Beds", "41")]),
        ("Heating (tick one):\n\n[ ] gas\n\n[x] wood", [("Heating (tick one)", "wood")]),
        ("Heating: [x] gas [ ] oil [x] wood", [("Heating", "gas, wood")]),
    ],
)
def test_an_entry_has_its_values_by_the_names_that_they_go_by(
    text: str, first: list[tuple[str, str]]
) -> None:
    assert cells(entries_of(text)[0]) == first


@pytest.mark.parametrize(
    "text", ["The ferry leaves at 12:30 every day.", "Heating:\n\n[ ] gas\n\n[ ] wood", ""]
)
def test_a_time_and_boxes_without_a_tick_are_none(text: str) -> None:
    assert entries_of(text) == []


def test_a_row_of_blank_cells_is_none() -> None:
    text = "Town | Beds | Floor\nSkien | 41 | 2\n\u2003 | \u2003 | \u2003\nHamar | 17 | 3"
    assert [entry.cells[0].text for entry in entries_of(text)] == ["Skien", "Hamar"]


def test_every_place_quotes_its_page() -> None:
    text = "Rooms\n\nTown | Beds\nSkien | [deleted: 40] 41\n\nHeating: [x] gas\n"
    for entry in entries_of(text):
        for span in entry.spans:
            assert text[span.start : span.end] == span.quote


def test_of_a_long_page_what_was_found_is_read() -> None:
    rows = [f"Town: T{number} | Beds: {number}" for number in range(3_000)]
    text = "\n".join(("Town | Beds", *rows))
    at = text.index(rows[2_000])
    found = entries_of(text, at=(at, text.index(rows[2_003])))
    assert [entry.cells[0].text for entry in found] == ["T2000", "T2001", "T2002", "T2003"]


def test_a_pdf_has_the_rows_that_were_read_of_it() -> None:
    text = "Town Beds\nSkien 41"
    places = {"Skien": (10, 15), "41": (16, 18)}
    made = tuple(
        RowCell(name, TypedValue(FieldType.TEXT, word), Quote(PageSpan(1, *places[word]), word))
        for name, word in (("Town", "Skien"), ("Beds", "41"))
    )
    rows = (AnnotationRow(1_000, 0, made),)
    assert [cells(each) for each in entries_of(text, rows, source="a.pdf")] == [
        [("Town", "Skien"), ("Beds", "41")]
    ]
    assert entries_of(text, rows) == []
