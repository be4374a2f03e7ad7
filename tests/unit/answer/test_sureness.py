"""Answers are as sure as such answers are right: by the kind of evidence, and by what it lacks."""

from __future__ import annotations

from typing import Any

import pytest

from core.answer.standing import label_of
from core.answer.sureness import Basis, basis_of, judged, load_curves, signs_of
from core.domain.answer import (
    Answer,
    Citation,
    Claim,
    ConfidenceLabel,
    Kind,
    Ledger,
    LedgerDocuments,
    Route,
    Status,
    Value,
    Verdict,
)


def structured(sql: str) -> dict[str, Any]:
    """The changes of an answer over rows."""
    return {"route": Route.STRUCTURED, "plan": {"nodes": [{"type": "query", "sql": sql}]}}


def answer(question: str, quote: str, confidence: float = 0.7, **changes: Any) -> Answer:
    """An answer whose only claim is this quote of a file called after a crane."""
    place = Citation(
        n=1,
        document="d",
        version=1,
        page=1,
        start=0,
        end=len(quote),
        quote=quote,
        title="Crane",
        source="c.txt",
    )
    claim = Claim(text=quote, verdict=Verdict.SUPPORTED, checks=(), citations=(place,))
    fields: dict[str, Any] = {
        "question": question,
        "trace_id": "t",
        "data_version": 1,
        "status": Status.ANSWERED,
        "kind": Kind.LOOKUP,
        "route": Route.HYBRID,
        "text": quote,
        "claims": (claim,),
        "confidence": confidence,
    }
    return Answer.model_validate(fields | changes)


def ledger() -> Ledger:
    return Ledger(
        field="", scope=1, present=1, absent=0, unreadable=0, uncertain=0,
        documents=LedgerDocuments(present=("d",)),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("question", "good", "poor"),
    [
        ("Where is barge Ostra?", "Barge Ostra is at quay 7 north.", "Barge Ostra"),
        ("What does lock L-4 cost?", "Lock L-4 costs EUR 12.", "Lock L-9 costs EUR 12."),
        ("What does the lock cost?", "The lock costs EUR 12.", "The lock costs EUR 12 or EUR 15."),
        ("Who inspects the winch?", "Ida Moe inspects the winch.", "Ida Moe sails the ferry."),
        ("What is the rate for Norway?", "Country: Norway | Rate: 7", "Country: Peru | Rate: 7"),
    ],
    ids=("a heading without more", "another code", "several values", "other words", "another name"),
)
def test_evidence_that_lacks_something_makes_an_answer_less_sure(question: str, good: str, poor: str) -> None:
    assert judged(answer(question, poor)).confidence < judged(answer(question, good)).confidence
    assert judged(answer(question, poor)).confidence_label is ConfidenceLabel.LOW


def test_a_quote_that_is_ahead_of_all_others_is_surer() -> None:
    question, quote = "Who inspects the winch?", "Ida Moe inspects the winch."
    sure, unsure = (judged(answer(question, quote, confidence)) for confidence in (0.8, 0.3))
    assert sure.confidence > unsure.confidence


@pytest.mark.parametrize(
    ("changes", "basis"),
    [
        ({}, Basis.QUOTE),
        ({"value": Value(type="number", value="7")}, Basis.VALUE),
        ({"question": "What does clause 4.2 say?"}, Basis.CLAUSE),
        ({"kind": Kind.SUMMARY}, Basis.SEVERAL),
        ({"ledger": ledger()}, Basis.MENTION),
        (structured("SELECT crane FROM t"), Basis.ROW),
        (structured("SELECT sum(t.load) FROM t"), Basis.FIGURE),
        (structured("SELECT count(*) FROM t"), Basis.COUNT),
        ({"route": Route.STRUCTURED, "plan": {"nodes": [{"type": "select"}]}}, Basis.CELL),
    ],
)
def test_the_kind_of_evidence_is_read_from_plan_and_claims(changes: dict[str, Any], basis: Basis) -> None:
    assert (
        basis_of(answer(changes.pop("question", "Where is quay 7?"), "Quay 7 lies north.", **changes))
        is basis
    )


def test_what_has_no_curve_or_tells_nothing_keeps_its_confidence() -> None:
    counted = judged(answer("Which files mention quay 7?", "Quay 7", 1.0, ledger=ledger()))
    abstained = judged(answer("Where is it?", "Quay", 0.31, status=Status.ABSTAINED))
    assert (counted.confidence, counted.confidence_label) == (1.0, ConfidenceLabel.HIGH)
    assert (abstained.confidence, abstained.flags) == (0.31, ("low_confidence",))


def test_no_sign_counts_for_an_answer() -> None:
    assert load_curves()
    assert all(weight <= 0 for weights, _ in load_curves().values() for weight in weights)
    signs = signs_of(answer("Where is quay 7?", ""))
    assert signs.bare == signs.unnumbered == 1


def test_labels_stand_for_the_same_odds_everywhere() -> None:
    assert [label_of(p).value for p in (0.74, 0.75, 0.89, 0.9)] == ["LOW", "MEDIUM", "MEDIUM", "HIGH"]
