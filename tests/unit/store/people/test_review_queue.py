from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from core.domain.answer import Answer
from core.domain.conversation import Turn
from core.domain.event import Finished, Trace
from core.domain.ids import TraceId
from core.domain.trust.deed import AuditQuery
from core.domain.trust.review import (
    AnswerVerdict,
    Flag,
    FlaggedAnswer,
    FlagReason,
    ReviewFilter,
    ReviewState,
)
from core.errors import ConflictError, NotFoundError
from core.store.database.visibility import Visibility
from core.store.people.review_queue import NOBODY, ReviewedItem
from core.store.store import Records
from tests.support.flagged import an_answer
from tests.support.versions import new_version

NOW = datetime(2026, 11, 26, 12, tzinfo=UTC)
ALL = Visibility.everything()
LOW, CONFLICT = Flag(FlagReason.LOW_CONFIDENCE, "confidence 0.30"), Flag(FlagReason.CONFLICT)
CORRECT, WRONG = AnswerVerdict.CORRECT, AnswerVerdict.WRONG


def an_item(trace: str, *flags: Flag, **given: Any) -> FlaggedAnswer:
    made: dict[str, Any] = {
        "asker": "ann",
        "question": f"Who is {trace}?",
        "kind": "lookup",
        "status": "answered",
        "confidence": 0.3,
        "data_version": 1,
        "fingerprint": trace,
        "documents": (),
    }
    return FlaggedAnswer(trace, flags=flags or (LOW,), **{**made, **given})


def put(records: Records, trace: str, *flags: Flag, minutes: int = 0, **given: Any) -> str:
    records.review_queue.add(an_item(trace, *flags, **given), NOW + timedelta(minutes=minutes))
    return next(
        each.id for each in records.review_queue.page(ReviewFilter(), ALL).items if each.trace == trace
    )


def publish(records: Records, source: str, **given: Any) -> str:
    return records.documents.publish(new_version(source, source, **given)).document


def found(records: Records, **wanted: Any) -> list[str]:
    page = records.review_queue.page(ReviewFilter(**wanted), wanted.pop("visible", ALL))
    return [each.trace for each in page.items]


def test_an_answer_is_one_item_with_all_its_flags(records: Records) -> None:
    item = put(records, "t1", LOW, CONFLICT)
    assert records.review_queue.add(an_item("t1", LOW), NOW) == ()

    kept = records.review_queue.get(item, ALL)
    assert kept.flags == (CONFLICT, LOW)
    assert (kept.state, kept.verdict, kept.revision, kept.asker) == (ReviewState.OPEN, None, 1, "ann")
    assert records.review_queue.counts(ALL) == {FlagReason.CONFLICT: 1, FlagReason.LOW_CONFIDENCE: 1}


def test_the_queue_is_filtered_sorted_and_paged(records: Records) -> None:
    put(records, "t1", confidence=0.5)
    put(records, "t2", CONFLICT, minutes=1, kind="aggregate", confidence=0.1)
    mine = put(records, "t3", minutes=2, asker="bob", confidence=0.3)
    records.review_queue.assign(mine, "eve", ALL, by="eve")

    assert found(records) == ["t3", "t2", "t1"]
    assert found(records, by="confidence", descending=False) == ["t2", "t3", "t1"]
    assert found(records, reason=FlagReason.CONFLICT) == found(records, kind="aggregate") == ["t2"]
    assert found(records, asker="bob") == found(records, assignee="eve") == ["t3"]
    assert found(records, assignee=NOBODY) == ["t2", "t1"]
    assert found(records, text="WHO IS t1") == ["t1"]
    assert found(records, text="%") == []
    page = records.review_queue.page(ReviewFilter(offset=1, limit=1), ALL)
    assert ([each.trace for each in page.items], page.total) == (["t2"], 3)


def test_a_verdict_resolves_an_item_and_its_asker_sees_it(records: Records) -> None:
    item = put(records, "t1")
    reviewed = ReviewedItem(WRONG, {0: CORRECT, 1: WRONG}, "see page 3", expected=1)

    kept = records.review_queue.resolve(item, reviewed, ALL, by="bob", now=NOW)

    assert (kept.state, kept.verdict, kept.reviewer, kept.note) == (
        ReviewState.RESOLVED,
        WRONG,
        "bob",
        "see page 3",
    )
    assert found(records) == []
    assert [(each.claim, each.verdict) for each in records.review_queue.verdicts([item])] == [
        (-1, WRONG),
        (0, CORRECT),
        (1, WRONG),
    ]
    outcome = records.review_queue.outcomes(["t1", "t2"], "ann")["t1"]
    assert (outcome.verdict, outcome.reviewer, outcome.note, outcome.at) == (WRONG, "bob", "see page 3", NOW)
    assert records.review_queue.outcomes(["t1"], "bob") == {}


def test_the_second_of_two_reviewers_is_told(records: Records) -> None:
    item = put(records, "t1")
    first, second = ReviewedItem(WRONG, {}, "", expected=1), ReviewedItem(CORRECT, {}, "", expected=1)
    records.review_queue.resolve(item, first, ALL, by="bob", now=NOW)

    with pytest.raises(ConflictError, match="'bob' has found this answer wrong") as told:
        records.review_queue.resolve(item, second, ALL, by="eve")

    assert (told.value.user, told.value.at) == ("bob", NOW)
    assert records.review_queue.get(item, ALL).verdict is WRONG
    again = ReviewedItem(CORRECT, {}, "", expected=2)
    assert records.review_queue.resolve(item, again, ALL, by="eve").verdict is CORRECT
    assert {each.reviewer for each in records.review_queue.verdicts([item])} == {"bob", "eve"}


def test_who_works_on_an_item_keeps_it_until_it_is_taken_over(records: Records) -> None:
    item = put(records, "t1")
    records.review_queue.assign(item, "bob", ALL, by="bob", now=NOW)

    with pytest.raises(ConflictError, match="'bob' works on this answer") as told:
        records.review_queue.assign(item, "eve", ALL, by="eve")
    assert told.value.at == NOW
    with pytest.raises(ConflictError, match="'bob' works on this answer since then"):
        records.review_queue.resolve(item, ReviewedItem(WRONG, {}, "", expected=1), ALL, by="eve")
    taken = records.review_queue.assign(item, "eve", ALL, by="eve", take_over=True)
    assert (taken.assignee, taken.revision) == ("eve", 3)
    assert records.review_queue.assign(item, "", ALL, by="eve").assigned_at is None


def test_doubts_about_an_answer_that_was_found_correct_are_not_raised_again(records: Records) -> None:
    item = put(records, "t1", fingerprint="same")
    reviewed = ReviewedItem(CORRECT, {}, "", expected=1)
    records.review_queue.resolve(item, reviewed, ALL, by="bob")

    assert records.review_queue.add(an_item("t2", LOW, fingerprint="same")) == ()
    sample = Flag(FlagReason.SAMPLE)
    assert records.review_queue.add(an_item("t3", LOW, sample, fingerprint="same")) == (sample,)
    assert records.review_queue.add(an_item("t4", LOW, fingerprint="other")) == (LOW,)
    records.review_queue.resolve(item, ReviewedItem(WRONG, {}, "", expected=2), ALL, by="eve")
    assert records.review_queue.add(an_item("t5", LOW, fingerprint="same")) == (LOW,)


def test_a_new_flag_opens_an_item_again(records: Records) -> None:
    item = put(records, "t1")
    records.review_queue.resolve(item, ReviewedItem(CORRECT, {}, "", expected=1), ALL, by="bob")

    records.review_queue.add(an_item("t1", Flag(FlagReason.THUMBS_DOWN, "answer: wrong")))

    kept = records.review_queue.get(item, ALL)
    assert (kept.state, kept.verdict, kept.revision) == (ReviewState.OPEN, None, 3)
    assert records.review_queue.outcomes(["t1"], "ann") == {}
    reopened = records.review_queue.resolve(item, ReviewedItem(CORRECT, {}, "", expected=3), ALL, by="bob")
    assert records.review_queue.reopen(item, ALL).revision == reopened.revision + 1


def test_corrections_are_kept_with_their_item(records: Records) -> None:
    item = put(records, "t1")

    records.review_queue.note_correction(item, {"kind": "cell"}, ALL)
    kept = records.review_queue.note_correction(item, {"kind": "word"}, ALL)

    assert [each["kind"] for each in kept.corrections] == ["cell", "word"]


def test_what_may_not_be_seen_is_not_there(records: Records) -> None:
    secret = publish(records, "secret.txt", acl=("legal",))
    item = put(records, "t1", documents=(secret,))
    put(records, "t2", documents=(publish(records, "open.txt"),))
    gone = put(records, "t3", documents=("removed",))
    outsider, insider = Visibility(frozenset()), Visibility(frozenset({"legal"}))

    assert [each.trace for each in records.review_queue.page(ReviewFilter(), outsider).items] == ["t2"]
    assert records.review_queue.page(ReviewFilter(), insider).total == 2
    assert records.review_queue.page(ReviewFilter(), ALL).total == 3
    for refused in (item, gone, "no such"):
        with pytest.raises(NotFoundError, match="no flagged answer"):
            records.review_queue.get(refused, outsider)
        with pytest.raises(NotFoundError):
            records.review_queue.assign(refused, "eve", outsider, by="eve")
    assert records.review_queue.get(item, insider).trace == "t1"


def a_flagged_trace(records: Records, answer: Answer) -> Turn:
    conversation = records.conversations.create("ann")
    turn = records.conversations.start_turn(conversation.id, "Who?", "ann")
    trace = Trace(
        trace_id="t1", question="Who?", user="ann", started_at="", events=(Finished(at_ms=1, answer=answer),)
    )
    records.traces.save(trace, NOW, flagged=an_item("t1"))
    return records.conversations.finish_turn(turn.id, answer, "ann")


def test_a_flag_is_kept_with_its_trace_and_told_in_the_log(records: Records) -> None:
    a_flagged_trace(records, an_answer())

    [entry] = records.audit_log.entries(AuditQuery(trace="t1"))
    assert entry.deed.detail["flags"] == ["low_confidence"]
    assert found(records) == ["t1"]


def test_a_deleted_conversation_leaves_what_reviewers_have_to_look_at(records: Records) -> None:
    turn = a_flagged_trace(records, an_answer())

    records.conversations.delete(turn.conversation, "ann")

    assert records.traces.of_anybody(TraceId("t1")).question == "Who?"
    assert records.conversations.list("ann") == []
    with pytest.raises(NotFoundError, match="deleted"):
        records.traces.of_anybody(TraceId("t2"))
