from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from app.presenting.trust.review_words import (
    answer_text,
    gap_words,
    item_json,
    ledger_words,
    outcome_words,
    raw_replies,
    state_of,
)
from core.domain.answer import Check, Citation, Claim, Ledger, LedgerDocuments, StruckClaim, Verdict
from core.domain.event import ClaimStruck, ToolUsed, Trace
from core.domain.trust.review import (
    WHOLE,
    AnswerVerdict,
    ClaimVerdict,
    Feedback,
    FeedbackWord,
    Flag,
    FlagReason,
    ReviewItem,
    ReviewOutcome,
    ReviewState,
)
from core.workbench.trust.reviews import ReviewDetails
from tests.support.flagged import an_answer

NOW = datetime(2026, 11, 26, 12, tzinfo=UTC)
ITEM = ReviewItem(
    "r1", "t1", "ann", "Who?", "lookup", "answered", 0.31, 1,
    (Flag(FlagReason.SAMPLE, "1 % of all answers"),),
    ReviewState.OPEN, "", None, "", "", (), 1, NOW,
)  # fmt: skip
PLACE = Citation(
    n=1, document="d", title="A", source="a", version=1, page=3, start=0, end=4, quote="so  be\nit"
)
CLAIM = Claim(
    text="So it is [1]", verdict=Verdict.SUPPORTED, checks=(Check(name="quote", ok=True),), citations=(PLACE,)
)


def said(reviewer: str, claim: int, verdict: AnswerVerdict, note: str = "") -> ClaimVerdict:
    return ClaimVerdict("r1", claim, reviewer, verdict, note, NOW)


def test_an_item_has_its_claims_and_what_was_said_of_it() -> None:
    corrected = {"kind": "cell", "field": "fee", "by": "bob", "at": NOW.isoformat()}
    details = ReviewDetails(
        replace(ITEM, corrections=(corrected,), note="hm", reviewer="bob"),
        None,
        an_answer(claims=(CLAIM,)),
        (
            said("bob", WHOLE, AnswerVerdict.WRONG, "no"),
            said("eve", WHOLE, AnswerVerdict.PARTLY, "see page 3"),
            said("eve", 0, AnswerVerdict.CORRECT),
        ),
        (Feedback("t1", 1, "ann", FeedbackWord.DOWN, "not_supported", "look"),),
    )

    data = item_json(
        details, me="bob", place=0, total=1, focus=1, said=("", ""), moment=lambda at: f"{at:%H:%M}"
    )

    assert (data["mine"], data["note"], data["confidence"]) == ({WHOLE: "wrong"}, "hm", "31 %")
    assert data["claims"][0]["citations"] == [{"n": 1, "title": "A", "page": 3, "quote": "so be it"}]
    assert data["others"] == ["eve, 12:00: partly correct. “see page 3” claim 1 correct"]
    assert data["feedback"] == ["ann: thumbs down on citation 1, the quote does not say this. “look”"]
    assert data["corrections"] == ["A cell (fee) was corrected by bob on 2026-11-26."]
    assert data["reasons"] == [{"word": "random sample", "note": "1 % of all answers"}]


@pytest.mark.parametrize(
    ("item", "expected"),
    [
        (ITEM, ("open", "idle")),
        (replace(ITEM, assignee="bob"), ("in work", "failed")),
        (replace(ITEM, verdict=AnswerVerdict.PARTLY), ("found partly correct", "failed")),
    ],
)
def test_the_state_is_a_word_and_a_look(item: ReviewItem, expected: tuple[str, str]) -> None:
    assert state_of(item) == expected


def test_the_asker_is_told_in_a_sentence() -> None:
    outcome = ReviewOutcome(AnswerVerdict.WRONG, "bob", "see page 3", NOW, corrections=1)

    assert (
        outcome_words(outcome)
        == "Reviewed by bob: wrong. “see page 3” 1 thing behind it was corrected since."
    )
    assert outcome_words(replace(outcome, note="", corrections=0)) == "Reviewed by bob: wrong."


def test_a_ledger_adds_up_in_words() -> None:
    ledger = Ledger(
        field="f", scope=3, present=2, absent=1, unreadable=0, uncertain=0, documents=LedgerDocuments()
    )

    words = ledger_words(an_answer(ledger=ledger))
    assert words == "3 in scope = 2 present + 1 absent + 0 uncertain + 0 unreadable"
    assert ledger_words(an_answer()) == ""


def test_several_answers_stand_under_their_questions() -> None:
    assert (
        answer_text(an_answer(parts=(an_answer(), an_answer(text="Bob."))))
        == "## Who?\nAnn.\n\n## Who?\nBob."
    )


def test_the_words_of_a_model_are_shown_as_they_came() -> None:
    struck = ClaimStruck(at_ms=1, index=0, claim=StruckClaim(text="It is 7.", reason="no 7", check="numbers"))
    used = ToolUsed(at_ms=1, tool="search_text", arguments={"text": "x"}, hits=1, result="r")
    trace = Trace(trace_id="t", question="Who?", user="ann", started_at="", events=(used, struck))

    assert raw_replies(trace) == [
        ("It called search_text", "{'text': 'x'}\n\nr"),
        ("Struck: no 7", "It is 7."),
    ]


def test_words_that_no_quote_has_are_told_as_such() -> None:
    answer = an_answer().model_copy(update={"gaps": ("CEO", "1 contract could not be read.", "Holdings")})

    assert gap_words(answer) == [
        "Words of the question that no quote has: CEO · Holdings",
        "1 contract could not be read.",
    ]
    assert gap_words(answer.model_copy(update={"gaps": ("CEO",)})) == [
        "Word of the question that no quote has: CEO"
    ]
    assert gap_words(answer.model_copy(update={"gaps": ()})) == []
