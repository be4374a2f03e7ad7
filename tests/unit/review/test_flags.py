from __future__ import annotations

from typing import Any

import pytest

from core.config.models import ReviewSettings
from core.domain.answer import (
    Answer,
    Claim,
    Conflict,
    Kind,
    Ledger,
    LedgerDocuments,
    Status,
    StruckClaim,
    Verdict,
)
from core.domain.event import Event, Finished, Guarded, Trace
from core.domain.guards.verdict import HARMFUL, LINKS_REMOVED, PII_MASKED, GuardAction, GuardVerdict
from core.domain.trust.review import FlagReason
from core.review.flags import answer_in, claims_in, documents_behind, fingerprint, flagged, is_sampled
from tests.support.flagged import an_answer

RULES = ReviewSettings(sample_share=0)


def a_trace(answer: Answer, *events: Event, id: str = "t1") -> Trace:
    last = Finished(at_ms=1, answer=answer)
    return Trace(trace_id=id, question="Who?", user="ann", started_at="", events=(*events, last))


def guard(name: str, action: GuardAction, flag: str = "") -> Guarded:
    return Guarded(at_ms=0, verdict=GuardVerdict(name=name, action=action, flag=flag))


def reasons(answer: Answer, *events: Event, rules: ReviewSettings = RULES) -> list[FlagReason]:
    found = flagged(a_trace(answer, *events), rules)
    assert found is not None
    return [each.reason for each in found.flags]


def test_a_sure_answer_has_no_flag() -> None:
    assert reasons(an_answer()) == []


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"flags": ("low_confidence",)}, FlagReason.LOW_CONFIDENCE),
        ({"conflicts": (Conflict(subject="A", field="f", values=(1, 2)),)}, FlagReason.CONFLICT),
        ({"struck": (StruckClaim(text="x", reason="y", check="quote"),)}, FlagReason.STRUCK),
        ({"kind": Kind.COMPLIANCE}, FlagReason.POLICY),
    ],
)
def test_every_doubt_is_a_flag_of_its_own(given: dict[str, Any], reason: FlagReason) -> None:
    assert reasons(an_answer(**given)) == [reason]
    assert reasons(an_answer(parts=(an_answer(**given),))) == [reason]


def test_an_abstention_is_no_doubtful_answer() -> None:
    assert reasons(an_answer(status=Status.ABSTAINED, flags=("low_confidence",))) == []


def test_a_guard_that_refused_or_noted_something_is_a_flag_and_one_that_masked_is_none() -> None:
    answer = an_answer(status=Status.REFUSED)
    refused = guard("harmful request", GuardAction.REFUSE, HARMFUL)
    masked, links = (
        guard("pii", GuardAction.MASK, PII_MASKED),
        guard("links", GuardAction.FLAG, LINKS_REMOVED),
    )

    assert reasons(answer, refused, refused) == [FlagReason.GUARDRAIL]
    assert reasons(answer, masked, links) == []


def test_the_sample_is_a_share_of_all_and_always_the_same() -> None:
    ids = [f"trace-{number}" for number in range(20_000)]
    chosen = [id for id in ids if is_sampled(id, 0.01)]

    assert 150 < len(chosen) < 250
    assert chosen == [id for id in ids if is_sampled(id, 0.01)]
    assert all(is_sampled(id, 1) for id in ids[:50])
    assert reasons(an_answer(), rules=ReviewSettings(sample_share=1)) == [FlagReason.SAMPLE]


def test_the_fingerprint_is_of_the_words_and_not_of_the_asking() -> None:
    one, again = an_answer(), an_answer(trace_id="t2", data_version=9, confidence=0.5)

    assert fingerprint("Who? ", one) == fingerprint("who?", again)
    assert fingerprint("Who?", one) != fingerprint("Who?", an_answer(text="Bob."))
    assert fingerprint("Who?", one) != fingerprint("Who else?", one)


def test_the_documents_behind_a_count_belong_to_an_answer() -> None:
    lists = LedgerDocuments(present=("d1",), absent=("d2",), uncertain=("d3",))
    ledger = Ledger(field="f", scope=3, present=1, absent=1, unreadable=0, uncertain=1, documents=lists)

    assert documents_behind(an_answer(parts=(an_answer(ledger=ledger),))) == ("d1", "d2", "d3")


def test_claims_of_several_questions_are_one_list() -> None:
    one, two = (Claim(text=text, verdict=Verdict.SUPPORTED) for text in ("One.", "Two."))

    assert claims_in(an_answer(parts=(an_answer(claims=(one,)), an_answer(claims=(two,))))) == (one, two)


def test_a_trace_without_an_answer_is_not_flagged() -> None:
    bare = Trace(trace_id="t", question="Who?", user="ann", started_at="", events=())

    assert flagged(bare, RULES) is None
    assert answer_in(bare) is None
