from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from core.domain.answer import Answer, Kind, Route, Status
from core.evaluate.runner import DocumentNames, Judgement, measure
from core.evaluate.suite import Case

NAMES = DocumentNames(
    sources={"d1": "b/lease.txt", "d2": "b/other.txt"}, shown={"d1": "Lease", "d2": "Other"}
)


def case(shape: str = "lookup", **expect: Any) -> Case:
    wanted = {"status": "answered", **expect}
    return Case.model_validate(
        {"id": "one", "shape": shape, "question": "What?", "expect": wanted, "why": "It stands there."}
    )


class Product:
    """Gives one answer, and the pages of a search."""

    def __init__(self, status: Status, *pages: tuple[str, int]) -> None:
        self._status, self._pages = status, pages
        self.asked: list[str] = []

    def answer(self, question: str, bucket: str | None) -> Answer:
        self.asked.append(question)
        return Answer(
            question=question,
            trace_id="t1",
            data_version=1,
            status=self._status,
            kind=Kind.LOOKUP,
            route=Route.HYBRID,
            text="Ten.",
        )

    def search(self, question: str, bucket: str | None) -> Sequence[tuple[str, int]]:
        return self._pages

    def page_text(self, document: str, version: int, page: int) -> str | None:
        return None

    def likeness(self, question: str, answer: str) -> float:
        return -0.5


class Judge:
    """Says that an answer is relevant, and nothing else."""

    def judge(self, *given: Any) -> Judgement:
        return Judgement(model="m", answer_relevancy=0.9, calls=1, tokens=4, cost_usd=0.5)


def test_a_case_that_is_searched_for_is_not_asked_and_is_right_among_the_first_ten() -> None:
    wanted = case("retrieval", pages=[["lease.txt", 2]])
    tenth = [("d2", 1)] * 9 + [("d1", 2)]
    near, far = Product(Status.ANSWERED, *tenth), Product(Status.ANSWERED, ("d1", 1), *tenth)

    found, missed = (measure(wanted, each, NAMES) for each in (near, far))

    assert (near.asked, far.asked) == ([], [])
    assert (found.result.exact, found.measures.reciprocal_rank) == (True, 0.1)
    assert (missed.result.exact, missed.measures.recall_at_50) == (False, 1)
    assert (found.documents, found.is_asked, found.measures.latency_ms) == (("d1",), False, None)


def test_a_case_that_is_asked_has_the_measures_of_answer_and_search() -> None:
    product = Product(Status.ANSWERED, ("d2", 1), ("d1", 1))

    found = measure(case(documents=["lease.txt"]), product, NAMES)

    assert (found.result.exact, found.trace, found.answer) == (False, "t1", "Ten.")
    assert (found.measures.reciprocal_rank, found.measures.precision_at_10) == (0.5, 0.1)
    assert (found.measures.answer_relevancy, found.measures.context_recall) == (0, 0)  # never below 0
    assert (found.measures.claims, found.measures.faithfulness) == (0, None)


def test_what_a_judge_says_replaces_what_code_says_and_what_it_costs_is_counted() -> None:
    found = measure(case(documents=["lease.txt"]), Product(Status.ANSWERED), NAMES, Judge())
    silent = measure(case(documents=["lease.txt"]), Product(Status.ABSTAINED), NAMES, Judge())

    assert (found.measures.answer_relevancy, found.measures.judge) == (0.9, "m")
    assert (found.measures.calls, found.measures.tokens, found.measures.cost_usd) == (1, 4, 0.5)
    assert (silent.measures.judge, silent.measures.answer_relevancy) == ("", None)  # no answer to judge


def test_a_wrong_case_says_that_its_document_is_not_there_any_more() -> None:
    withdrawn = DocumentNames(sources=NAMES.sources, shown=NAMES.shown, gone=frozenset({"d1"}))
    asked, searched = case(documents=["lease.txt"]), case("retrieval", pages=[["never.txt", 2]])

    found = measure(asked, Product(Status.ANSWERED), withdrawn)
    other = measure(searched, Product(Status.ANSWERED), NAMES)

    assert found.result.problems[-1] == "not in this home: lease.txt"
    assert other.result.problems[-1] == "not in this home: never.txt"
