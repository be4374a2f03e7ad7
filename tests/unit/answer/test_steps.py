from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from core.answer.steps import find_procedure
from core.domain.document import Heading, Page
from core.domain.ids import DocumentId
from core.evidence.base import Evidence
from core.records.database.visibility import Visibility
from core.retrieval.query import QuestionAnalysis
from core.text.analyse import analyse_query
from tests.support.scored_sentences import scored


@dataclass
class OnePage:
    text: str
    titles: tuple[str, ...] = ()

    def page(self, id: DocumentId, version: int, page_no: int, visible: Visibility) -> Page:
        places = [(self.text.index(title), title) for title in self.titles]
        return Page(
            1, self.text, tuple(Heading(2, start, start + len(title), title) for start, title in places)
        )


def steps(question: str, page: OnePage) -> list[str]:
    terms = analyse_query(question).terms
    rarity = {term: 2.0 for term, _ in terms}
    analysis = QuestionAnalysis(question, question, terms, (), rarity, np.zeros(3, np.float32))
    procedure = find_procedure(Evidence(analysis, (scored(page.text),), ()), page, Visibility.everything())
    return [step.quote for step in procedure.steps] if procedure else []


def test_under_one_heading_the_numbered_list_are_the_steps() -> None:
    text = (
        "Measuring current\nMind this:\n- Never measure current at 600 V.\n- Check the fuse.\n"
        "To measure:\n1. Turn it off.\n2. Break the circuit.\n"
    )
    found = steps("How do I measure current?", OnePage(text, ("Measuring current",)))
    assert found == ["1. Turn it off.", "2. Break the circuit."]


@pytest.mark.parametrize(
    ("question", "items"),
    [
        ("Which side jobs are fine?", ["A job at night", "A side gig"]),
        ("Which side jobs are not fine?", ["A job by day", "A side firm"]),
    ],
)
def test_what_is_not_to_be_done_is_told_from_what_is(question: str, items: list[str]) -> None:
    text = "Fine\n- A job at night\n- A side gig\n\nNot fine\n- A job by day\n- A side firm\n"
    assert steps(question, OnePage(text, ("Fine", "Not fine"))) == items
