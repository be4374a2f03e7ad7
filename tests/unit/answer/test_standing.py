"""Answers are no surer than the kind of place that they rest on."""

from __future__ import annotations

import pytest

from core.answer.standing import as_it_stands, label_of
from core.domain.answer import Answer, Citation, Claim, ConfidenceLabel, Kind, Route, Status, Verdict
from core.domain.document import Page
from core.domain.ids import DocumentId
from core.store.database.visibility import Visibility

PAGE = (
    "From: Ida <ida@quay.example>\nDate: 4 March 2025\nSubject: Crane\n\nThe crane comes on 9 March.\n"
    "> The crane came on 2 March.\n[header: Draft of 1 March]\n[deleted: It comes on 3 March.]\n"
    "Day of arrival:\nBerth number ____\n\n| Alarm | Meaning |\n|---|---|\n| T4 | Tank empty |\n"
)
ALL = Visibility.everything()


class OnePage:
    """A source of one page."""

    def page(self, id: DocumentId, version: int, page_no: int, visible: Visibility) -> Page:
        return Page(page_no, PAGE)


def answer(question: str, *quotes: str) -> Answer:
    """An answer of .95 whose claims quote these words of the page."""
    places = [(PAGE.index(quote), quote) for quote in quotes]
    own = {"document": "d", "version": 1, "page": 1, "title": "t", "source": "s"}
    citations = [
        Citation(n=n, start=at, end=at + len(quote), quote=quote, **own)  # type: ignore[arg-type]
        for n, (at, quote) in enumerate(places, 1)
    ]
    claims = tuple(
        Claim(text=c.quote, verdict=Verdict.SUPPORTED, checks=(), citations=(c,)) for c in citations
    )
    return Answer(
        question=question,
        trace_id="t",
        data_version=1,
        status=Status.ANSWERED,
        kind=Kind.LOOKUP,
        route=Route.HYBRID,
        text="x",
        claims=claims,
        confidence=0.95,
        confidence_label=label_of(0.95),
    )


@pytest.mark.parametrize(
    ("question", "quotes", "label"),
    [
        ("When does the crane come?", ["The crane comes on 9 March."], "HIGH"),
        ("When does the crane come?", ["> The crane came on 2 March."], "MEDIUM"),
        ("When does the crane come?", ["Date: 4 March 2025"], "MEDIUM"),
        ("When does the crane come?", ["[header: Draft of 1 March]"], "MEDIUM"),
        ("When does the crane come?", ["[deleted: It comes on 3 March.]"], "MEDIUM"),
        ("When does the crane come?", ["Day of arrival:"], "LOW"),
        ("What is the berth number?", ["Berth number ____"], "LOW"),
        ("Which berth number is blank?", ["Berth number ____"], "HIGH"),
        ("What does the alarm mean?", ["| Alarm | Meaning |"], "LOW"),
        ("What does alarm T4 mean?", ["| T4 | Tank empty |"], "HIGH"),
        ("When did Ida send this?", ["Date: 4 March 2025"], "HIGH"),
        ("Which day was deleted?", ["[deleted: It comes on 3 March.]"], "HIGH"),
    ],
)
def test_an_answer_is_as_sure_as_the_kind_of_its_place(question: str, quotes: list[str], label: str) -> None:
    stands = as_it_stands(answer(question, *quotes), OnePage(), ALL)
    assert stands.confidence_label is ConfidenceLabel(label)
    assert stands.status is (Status.ABSTAINED if label == "LOW" else Status.ANSWERED)
    assert bool(stands.gaps) is (label != "HIGH")
    assert as_it_stands(stands, OnePage(), ALL) == stands


def test_each_of_several_answers_stands_by_itself() -> None:
    whole = answer("When?", "The crane comes on 9 March.")
    part = answer("When does the crane come?", "> The crane came on 2 March.")
    stands = as_it_stands(whole.model_copy(update={"parts": (part,)}), OnePage(), ALL)
    assert stands.confidence_label is ConfidenceLabel.HIGH
    assert stands.parts[0].confidence_label is ConfidenceLabel.MEDIUM
