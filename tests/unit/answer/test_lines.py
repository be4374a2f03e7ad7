from __future__ import annotations

import numpy as np
import pytest

from core.answer.lines import shortest_lines
from core.domain.ids import DocumentId
from core.evidence.base import Evidence, Span
from core.retrieval.query import QuestionAnalysis
from core.text.analyse import analyse_query

SHEET = """Contact Material AgNi
Maximum Switching Power 48W, 120VA
Maximum Switching Voltage 250VAC, 100VDC
Electrical Life 100K cycles
Weight 8 g"""
PROSE = """The relay may switch a voltage of
at most 250 V, which its contacts
bear for years, and its coil takes
12 V."""


def cut(question: str, quote: str, unit: str = "") -> str:
    """The lines that are left of a quote; unit: what a value that is asked for has in it, "" for none."""
    terms = analyse_query(question).terms
    rarity = {term: 2.0 for term, _ in terms}
    analysis = QuestionAnalysis(question, question, terms, (), rarity, np.zeros(3, np.float32))
    span = Span(DocumentId("d"), 1, 1, 10, 10 + len(quote), quote, "Relay", "relay.pdf")
    found = shortest_lines(span, Evidence(analysis, (), ()), lambda text: bool(unit) and unit in text)
    assert (" " * 10 + quote)[found.start : found.end] == found.quote
    return found.quote


@pytest.mark.parametrize(
    ("question", "lines"),
    [
        ("Which voltage can it switch at the maximum?", "Maximum Switching Voltage 250VAC, 100VDC"),
        ("What is its weight?", "Weight 8 g"),
    ],
)
def test_a_table_is_cut_to_the_line_that_answers(question: str, lines: str) -> None:
    assert cut(question, SHEET) == lines


def test_lines_that_say_it_together_stay_together() -> None:
    both = "Maximum Switching Power 48W, 120VA\nMaximum Switching Voltage 250VAC, 100VDC"
    assert cut("Which power and which voltage?", SHEET) == both


def test_the_value_that_is_asked_for_stays() -> None:
    assert cut("What is the electrical life?", "Electrical\nLife\n100K cycles\nOther", unit="cycles") == (
        "Electrical\nLife\n100K cycles"
    )


@pytest.mark.parametrize(("question", "quote"), [("Which voltage?", PROSE), ("Which colour?", SHEET)])
def test_prose_and_what_shares_nothing_stay_whole(question: str, quote: str) -> None:
    assert cut(question, quote) == quote
