"""Failures by shape: noted as questions are answered, avoided afterwards, and asked again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from core.domain.answer import Answer, Route, Status
from core.domain.ids import TraceId
from core.domain.principal import LOCAL_ADMIN, Principal
from core.domain.trust.failures import WRONG, QuestionTry
from core.errors import NotFoundError, RefusedError, UsageError
from core.jobs.kinds import ASK_AGAIN
from core.store.conversations.tries import sight_key
from core.store.database.visibility import Visibility
from core.workbench.work.ask_again import AskAgainJob
from tests.support.contracts_at_hand import Contracts, contracts_at_hand
from tests.support.roles import MAY_ASK
from tests.unit.extract.jobs.test_job import Slice

ASKED = "What is the governing law of Cobalt?"
ANN = Principal("ann", MAY_ASK)


@pytest.fixture
def at_hand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Contracts]:
    monkeypatch.setenv("GROUNDWORK_ANSWER__USE_PLANS", "true")
    with contracts_at_hand(tmp_path / "home") as found:
        yield found


def note(at_hand: Contracts, count: int = 3, seen: Visibility | None = None, user: str = "admin") -> None:
    """Keep that fields were wrong of so many questions like ASKED."""
    shape, sight = shape_of(at_hand), sight_key(seen or Visibility.everything())
    for number in range(count):
        question, trace = f"What is the governing law of firm {number}?", f"noted-{number}"
        tried = QuestionTry(
            trace, 0, question, shape, user, sight, datetime.now(UTC), "fields", "reader", WRONG, "facts"
        )
        at_hand.records.tries.note([tried])


def shape_of(at_hand: Contracts, question: str = ASKED) -> str:
    return at_hand.bench.local.learning.shape(question).text


def notes(answer: Answer) -> list[str]:
    return [each["reading"] for each in (answer.plan or {}).get("notes", ())]


def is_by_text_first(answer: Answer) -> bool:
    return any(each.startswith("Asked by text first, since 3 of 3 questions") for each in notes(answer))


def test_what_failed_before_is_put_off_and_said_and_the_answer_stays_right(at_hand: Contracts) -> None:
    before = at_hand.bench.ask(ASKED)
    assert (before.status, before.route, is_by_text_first(before)) == (
        Status.ANSWERED,
        Route.STRUCTURED,
        False,
    )
    at_hand.records.tries.note(
        [replace(at_hand.records.tries.list(LOCAL_ADMIN)[0], shape="other")]
    )  # no success
    note(at_hand)
    now = at_hand.bench.ask(ASKED)
    assert is_by_text_first(now)
    assert (now.status, now.text) == (before.status, before.text)  # no text answers: the fields do
    kept = at_hand.bench.local.questions.trace(TraceId(now.trace_id))
    assert "Asked by text first" in kept.model_dump_json()


def test_it_is_the_usual_way_where_a_setting_says_so_and_for_whoever_sees_otherwise(
    at_hand: Contracts, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    note(at_hand)
    assert not is_by_text_first(at_hand.bench.for_principal(ANN).questions.ask(ASKED))
    assert is_by_text_first(at_hand.bench.ask(ASKED))
    monkeypatch.setenv("GROUNDWORK_ANSWER__AVOID_FAILURES", "false")
    with contracts_at_hand(tmp_path / "other") as other:
        note(other)
        assert not is_by_text_first(other.bench.ask(ASKED))


def test_failures_are_listed_by_shape_with_what_was_tried_and_what_comes_first(at_hand: Contracts) -> None:
    learning = at_hand.bench.local.failures
    assert learning.shapes() == []
    note(at_hand)
    (found,) = learning.shapes()
    assert (found.failed, found.open, dict(found.stages)) == (3, 3, {"facts": 3})
    opened = learning.shape(found.shape)
    assert opened.first.startswith("Asked by text first, since 3 of 3 questions of this shape")
    assert at_hand.bench.for_principal(ANN).failures.shapes() == []
    with pytest.raises(NotFoundError):
        at_hand.bench.for_principal(ANN).failures.shape(found.shape)
    with pytest.raises(RefusedError):
        at_hand.bench.for_principal(Principal("eve")).failures.shapes()


def test_an_answer_that_is_found_wrong_is_a_failure_until_that_is_taken_back(at_hand: Contracts) -> None:
    session = at_hand.bench.local
    turn = session.conversations.start_turn(session.conversations.create().id, ASKED)
    done = session.conversations.finish_turn(turn.id, session.questions.ask(ASKED))
    session.questions.give_feedback(done.id, "wrong", reason="misread")
    (found,) = session.failures.shapes()
    assert (dict(found.stages), found.questions[0].before) == ({"planner": 1}, WRONG)
    session.questions.give_feedback(done.id, "right")
    assert session.failures.shapes() == []


def test_failed_questions_are_asked_again_as_a_job_that_goes_on_after_a_kill(at_hand: Contracts) -> None:
    session, records = at_hand.bench.local, at_hand.records
    note(at_hand, 1)
    first = records.tries.list(LOCAL_ADMIN)[0]
    records.tries.note([replace(first, question=ASKED), replace(first, ordinal=1, question=ASKED)])
    records.tries.note([replace(first, trace="noted-9", question="What is the governing law of Glacier?")])
    shape = shape_of(at_hand)
    job = session.failures.ask_again(shape).id
    with pytest.raises(UsageError, match="being asked again"):
        session.failures.ask_again(shape)
    handler = AskAgainJob(at_hand.parts)
    context = Slice(records.jobs.order(job))
    handler.prepare(context)
    assert handler.work(context) is False
    assert handler.work(context) is False  # repeated, nothing is asked twice
    assert records.jobs.get(job).kind == ASK_AGAIN
    assert records.jobs.get(job).done == 2
    opened = session.failures.shape(shape)
    assert {each.question: (each.before, each.now, each.is_answered) for each in opened.questions} == {
        ASKED: (WRONG, "answered", True),
        "What is the governing law of Glacier?": (WRONG, "answered", True),
    }
    assert opened.open == 0
    assert session.learning.failures() == []  # nothing of it is a question that somebody asked
