from __future__ import annotations

from typing import Any

import pytest

from core.domain.answer import (
    Citation,
    Claim,
    Column,
    Kind,
    Ledger,
    LedgerDocuments,
    Status,
    Table,
    Value,
    Verdict,
)
from core.errors import UsageError
from core.evaluate.answer_case import case_of
from core.evaluate.scoring import score
from core.evaluate.suite import AnswerShape, Case
from tests.support.flagged import an_answer

NAMES = {"d1": "contracts/a.pdf", "d2": "b.pdf", "d3": "c.pdf"}
LISTS = LedgerDocuments(present=("d1", "d2"), absent=("d3",))
LEDGER = Ledger(field="f", scope=3, present=2, absent=1, unreadable=0, uncertain=0, documents=LISTS)
LIST = Table(columns=(Column(name="Document", type="text"),), rows=(("A",), ("B",)), documents=("d1", "d2"))


def made(**given: Any) -> Case:
    return case_of("review-1", "Who?", an_answer(**given), NAMES, bucket=None, why="Found correct.")


def cited(document: str) -> Claim:
    at = Citation(n=1, document=document, title="", source="", version=1, page=1, start=0, end=1, quote="A")
    return Claim(text="A [1]", verdict=Verdict.SUPPORTED, citations=(at,))


def test_a_count_keeps_its_value_its_documents_and_its_ledger() -> None:
    plan = {"answer_node": "n2", "nodes": [{"id": "n1"}, {"id": "n2", "function": "count"}]}
    case = made(value=Value(type="number", value="2"), ledger=LEDGER, table=LIST, plan=plan)

    assert (case.shape, case.expect.documents) == (AnswerShape.COUNT, ("a.pdf", "b.pdf"))
    assert case.expect.value is not None
    assert case.expect.ledger is not None
    wrong = an_answer(value=Value(type="number", value="3"), ledger=LEDGER, table=LIST, plan=plan)
    assert not score(case, wrong, NAMES).exact


def test_an_uncertain_ledger_is_left_out_and_a_partial_answer_stays_partial() -> None:
    unsure = LEDGER.model_copy(update={"scope": 4, "uncertain": 1})
    case = made(status=Status.PARTIAL, ledger=unsure, table=LIST)

    assert (case.shape, case.expect.status, case.expect.ledger) == (AnswerShape.LIST, Status.PARTIAL, None)
    assert score(case, an_answer(status=Status.PARTIAL, table=LIST), NAMES).exact


def test_groups_are_kept_with_their_values() -> None:
    columns = (Column(name="Law", type="text"), Column(name="Number", type="number"))
    table = Table(columns=columns, rows=(("Texas", 2), ("Ohio", 1)), members=(("d1", "d2"), ("d3",)))

    case = made(table=table)

    assert case.shape is AnswerShape.GROUP
    assert case.expect.groups == (("Texas", "2", None), ("Ohio", "1", None))


def test_a_quoted_answer_is_a_case_of_the_documents_that_it_quotes() -> None:
    case = made(claims=(cited("d2"),))

    assert (case.shape, case.expect.documents, case.expect.value) == (AnswerShape.LOOKUP, ("b.pdf",), None)
    assert not score(case, an_answer(claims=(cited("d3"),)), NAMES).exact


def test_nobody_is_an_answer_too() -> None:
    nothing = LEDGER.model_copy(
        update={"present": 0, "scope": 1, "documents": LedgerDocuments(absent=("d3",))}
    )

    assert made(ledger=nothing).expect.documents == ()


@pytest.mark.parametrize(
    ("status", "shape"), [(Status.CLARIFY, AnswerShape.CLARIFY), (Status.ABSTAINED, AnswerShape.ABSTAIN)]
)
def test_a_question_back_and_an_abstention_are_cases(status: Status, shape: AnswerShape) -> None:
    assert made(status=status).shape is shape


@pytest.mark.parametrize(
    "given", [{"kind": Kind.GENERAL}, {"status": Status.FAILED}, {"parts": (an_answer(),)}, {}]
)
def test_what_names_nothing_to_compare_is_no_case(given: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="cannot be an evaluation case"):
        made(**given)
