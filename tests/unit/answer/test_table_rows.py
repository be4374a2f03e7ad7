from __future__ import annotations

from dataclasses import dataclass, replace
from time import process_time

import numpy as np
import pytest

from core.answer.compose import CALLED_ALIKE, NOT_CALCULATED, compose_rows
from core.answer.table_rows import LabelledRow, find_rows
from core.domain.document import Page
from core.domain.ids import DocumentId
from core.domain.span import PageSpan
from core.search.evidence.base import Evidence
from core.search.query import QuestionAnalysis
from core.store.database.visibility import Visibility
from core.text.analyse import analyse_query
from tests.support.scored_sentences import scored

ALL = Visibility.everything()
SHEET = """CONSOLIDATED BALANCE SHEETS
(in thousands, except per share data)
As of December 31, 2017 2016
Cash and cash equivalents $ 2,822,795 $ 1,467,576
Total current assets 7,669,974 5,720,291
Total assets 19,012,742 13,586,610
Non-current liabilities 3,329,796 2,894,654
Total current liabilities 5,466,312 4,586,657
Diluted earnings per share $ 1.25 $ 0.43
"""


@dataclass
class Pages:
    texts: tuple[str, ...]

    def page(self, id: DocumentId, version: int, page_no: int, visible: Visibility) -> Page:
        return Page(page_no, self.texts[page_no - 1])


def rows_of(question: str, *texts: str) -> tuple[LabelledRow, ...]:
    """The rows for a question about the report of one company, a page for each text."""
    terms = analyse_query(question).terms
    analysis = QuestionAnalysis(
        question, question, terms, (), {term: 2.0 for term, _ in terms}, np.zeros(3, np.float32)
    )
    candidates = []
    for page_no, text in enumerate(texts, 1):
        candidate = scored(text).candidate
        passage = replace(candidate.stored.passage, parts=(PageSpan(page_no, 0, len(text)),))
        stored = replace(candidate.stored, passage=passage, title="Netflix", source="NETFLIX_2017_10K.pdf")
        candidates.append(replace(candidate, stored=stored))
    evidence = Evidence(analysis, (), tuple(candidates), (candidates[0].stored.passage.document,))
    return find_rows(question, evidence, Pages(texts), ALL)


def quotes(rows: tuple[LabelledRow, ...]) -> list[str]:
    return [row.span.quote for row in rows]


def test_a_row_that_is_asked_for_gives_its_figure_under_the_year_in_its_scale() -> None:
    (row,) = rows_of("What were the total current liabilities of Netflix in FY2016?", SHEET)
    assert row.span.quote == "Total current liabilities 5,466,312 4,586,657"
    assert [head.quote for head in row.heads] == SHEET.splitlines()[1:3]
    assert row.value is not None
    assert (row.value.value, row.value.unit) == ("4586657000.00", "USD")


def test_a_figure_that_its_head_leaves_out_of_the_scale_is_taken_as_it_stands() -> None:
    (row,) = rows_of("What was the diluted earnings per share of Netflix in 2017?", SHEET)
    assert row.value is not None
    assert row.value.value == "1.25"


@pytest.mark.parametrize(
    "question",
    [
        "What is the ratio of total assets to debt of Netflix in 2017?",
        "What is the average total assets growth of Netflix in 2017?",
        "Did the total assets increase at Netflix from 2016 to 2017?",
    ],
)
def test_what_has_to_be_calculated_gets_the_row_and_no_figure(question: str) -> None:
    rows = rows_of(question, SHEET)
    layout = compose_rows(rows, Evidence(None, (), ()))  # type: ignore[arg-type]  # no sentence is looked at
    assert quotes(rows) == ["Total assets 19,012,742 13,586,610"]
    assert (layout.value, layout.lead, layout.is_complete) == (None, NOT_CALCULATED, False)


def test_each_part_of_a_question_gets_its_row_in_order() -> None:
    question = "Divide total current assets by total current liabilities for Netflix in 2017?"
    assert quotes(rows_of(question, SHEET)) == [
        "Total current assets 7,669,974 5,720,291",
        "Total current liabilities 5,466,312 4,586,657",
    ]


def test_rows_that_are_called_alike_are_all_shown() -> None:
    segment = "Segments\n(in millions)\nYear ended December 31, 2017 2016\nTotal assets 3,507 3,680\n"
    rows = rows_of("What were the total assets of Netflix in 2017?", SHEET, segment)
    assert quotes(rows) == ["Total assets 19,012,742 13,586,610", "Total assets 3,507 3,680"]
    layout = compose_rows(rows, Evidence(None, (), ()))  # type: ignore[arg-type]  # no sentence is looked at
    assert (layout.value, layout.lead) == (None, CALLED_ALIKE)


@pytest.mark.parametrize(
    "question",
    [
        "Why did the total assets of Netflix fall in 2017?",
        "Who audits the total assets of Netflix?",
        "What were the total assets of Netflix in 2012?",
        "What were the current liabilities of Netflix, 2017, in Norway and Sweden?",
        "What does Netflix stream?",
    ],
)
def test_no_row_where_another_thing_or_another_year_is_asked_for(question: str) -> None:
    assert rows_of(question, SHEET) == ()


def test_no_row_of_a_document_that_the_question_does_not_name() -> None:
    terms = analyse_query("What were total assets in 2017?").terms
    analysis = QuestionAnalysis("", "", terms, (), {term: 2.0 for term, _ in terms}, np.zeros(3, np.float32))
    first = scored(SHEET).candidate
    other = replace(first.stored, passage=replace(first.stored.passage, document=DocumentId("other")))
    evidence = Evidence(analysis, (), (first, replace(first, stored=other)))
    assert find_rows("What were total assets in 2017?", evidence, Pages((SHEET,)), ALL) == ()


@pytest.mark.parametrize(
    ("row", "value"),
    [
        ("Operating income $ (1,200) $ 900", "-1200000.00"),
        ("Operating income (1,200) 900", "-1200000"),
        ("Operating income -1,200 900", "-1200000"),
        ("Operating income - 1,200 900", None),  # of three columns, the first empty
        ("Operating income $ 0 $ 9", "0.00"),
        ("Operating income 0 1,500", "0"),
    ],
)
def test_a_figure_has_the_sign_of_its_cell(row: str, value: str | None) -> None:
    sheet = f"INCOME\n(in thousands)\nYear ended December 31, 2017 2016\n{row}\n"
    (found,) = rows_of("What was the operating income of Netflix in 2017?", sheet)

    if value is not None:
        assert found.value is not None
        assert found.value.value == value
        assert found.figure == -1200 if "1,200" in row else found.figure == 0


def test_a_long_question_over_a_long_table_takes_no_seconds() -> None:
    question = f"What were the {'total current liabilities and ' * 126} of Netflix in FY2016?"
    page = "As of December 31, 2017 2016\n" + "".join(
        f"Total current liabilities {at},466 {at},587\n" for at in range(1, 3_000)
    )
    began = process_time()
    rows_of(question, page)

    assert process_time() - began < 2
