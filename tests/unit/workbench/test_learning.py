"""What is learned from questions that went wrong."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.views.ask.actions import asked_first
from core.domain.answer import Answer, Kind, Route, Status, Understood
from core.domain.conversation import Turn
from core.domain.event import Answered
from core.domain.principal import Principal
from core.errors import NotFoundError, PlanError, RefusedError, UsageError
from core.plan.ir.nodes import Condition, Plan
from core.store.database.visibility import Visibility
from tests.support.contracts_at_hand import TEXAN, Contracts, contracts_at_hand, plan_for
from tests.support.roles import MAY_ASK

SKEDADDLE = "Which contracts let us skedaddle?"
ANN = Principal("ann", MAY_ASK)
ANALYST = Principal("ann", frozenset({"analyst"}))
LACKING = Condition(field="governing_law", op="is-missing")


@pytest.fixture
def at_hand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Contracts]:
    monkeypatch.setenv("GROUNDWORK_ANSWER__USE_PLANS", "true")
    with contracts_at_hand(tmp_path / "home") as found:
        yield found


def answered_turn(at_hand: Contracts, question: str) -> Turn:
    bench = at_hand.bench
    turn = bench.local.conversations.start_turn(bench.local.conversations.create().id, question)
    return bench.local.conversations.finish_turn(turn.id, bench.run(plan_for(question=question)))


def test_words_that_nobody_knows_are_counted_and_a_phrase_makes_them_known(at_hand: Contracts) -> None:
    bench = at_hand.bench
    for _ in range(2):
        bench.ask(SKEDADDLE)
    (phrase,) = [each for each in bench.local.learning.uncovered() if "skedaddle" in each.phrase]
    assert (phrase.count, phrase.questions) == (2, (SKEDADDLE,))
    assert bench.for_principal(ANN).learning.uncovered() == []
    before = bench.plan("Which contracts have skedaddle?")
    changed = bench.local.learning.add_phrase("termination_for_convenience", "  Skedaddle ")
    assert changed.phrases[-1] == "skedaddle"
    after = bench.plan("Which contracts have skedaddle?")
    assert isinstance(after, Plan)
    assert after != before
    assert "termination_for_convenience" in after.model_dump_json()
    assert [each for each in bench.local.learning.uncovered() if "skedaddle" in each.phrase] == []
    assert bench.local.jobs.list() == []


def test_what_went_wrong_is_noted_where_nobody_waits_for_the_follow_ups(at_hand: Contracts) -> None:
    bench = at_hand.bench
    stream = bench.stream(SKEDADDLE)
    assert any(isinstance(event, Answered) for event in stream)
    stream.close()  # type: ignore[attr-defined]
    assert [each.phrase for each in bench.local.learning.uncovered() if "skedaddle" in each.phrase]


def test_nouns_of_schemas_are_not_counted_where_a_search_found_no_passage_with_them(
    at_hand: Contracts,
) -> None:
    bench = at_hand.bench
    turn = bench.local.conversations.start_turn(bench.local.conversations.create().id, SKEDADDLE)
    answer = Answer(
        question=SKEDADDLE,
        trace_id="t1",
        data_version=1,
        status=Status.ANSWERED,
        kind=Kind.GENERAL,
        route=Route.HYBRID,
        text="None.",
        gaps=("contracts", "skedaddle", "No passage is dated"),
    )
    bench.local.questions.give_feedback(bench.local.conversations.finish_turn(turn.id, answer).id, "wrong")
    assert [each.phrase for each in bench.local.learning.uncovered()] == ["skedaddle"]


def test_a_phrase_that_means_something_already_is_refused(at_hand: Contracts) -> None:
    bench = at_hand.bench
    with pytest.raises(UsageError, match="'governing law' means 'Governing law' already"):
        bench.local.learning.add_phrase("governing_law", "Governing law")
    with pytest.raises(UsageError, match="'governing law' means 'Governing law' in this schema"):
        bench.local.learning.add_phrase("audit_rights", "governing law")
    with pytest.raises(NotFoundError, match="There is no field 'moon'"):
        bench.local.learning.add_phrase("moon", "luna")
    with pytest.raises(UsageError, match="1 to 100"):
        bench.local.learning.add_phrase("audit_rights", "  ")
    with pytest.raises(RefusedError):
        bench.for_principal(ANN).learning.add_phrase("audit_rights", "look at the books")


def test_a_phrase_is_taken_back_and_its_words_are_counted_as_before(at_hand: Contracts) -> None:
    bench = at_hand.bench
    bench.ask(SKEDADDLE)
    (known,) = [each for each in bench.local.learning.uncovered() if "skedaddle" in each.phrase]
    before = bench.plan("Which contracts have skedaddle?")
    bench.local.learning.add_phrase("audit_rights", known.phrase)
    assert known not in bench.local.learning.uncovered()
    bench.local.learning.remove_phrase("audit_rights", known.phrase)
    assert known in bench.local.learning.uncovered()
    assert bench.plan("Which contracts have skedaddle?") == before
    with pytest.raises(NotFoundError, match="'Audit rights' has no example 'skedaddle'"):
        bench.local.learning.remove_phrase("audit_rights", known.phrase)
    with pytest.raises(RefusedError):
        bench.for_principal(ANN).learning.remove_phrase("audit_rights", known.phrase)


def test_an_ignored_phrase_stays_away_until_it_is_brought_back(at_hand: Contracts) -> None:
    bench = at_hand.bench
    bench.ask(SKEDADDLE)
    phrase = bench.local.learning.uncovered()[0].phrase
    with pytest.raises(RefusedError):
        bench.for_principal(ANN).learning.ignore_phrase(phrase)
    bench.local.learning.ignore_phrase(phrase)
    bench.ask(SKEDADDLE)
    assert phrase not in [each.phrase for each in bench.local.learning.uncovered()]
    assert bench.local.learning.ignored_phrases() == [phrase]
    bench.local.learning.ignore_phrase(phrase, undo=True)
    assert phrase in [each.phrase for each in bench.local.learning.uncovered()]


def test_a_rejected_answer_is_kept_with_its_plan_until_it_is_taken_back(at_hand: Contracts) -> None:
    bench = at_hand.bench
    turn = answered_turn(at_hand, "Which contracts are Texan?")
    bench.local.questions.give_feedback(turn.id, "wrong")
    (lesson,) = bench.local.learning.failures()
    assert (lesson.outcome, lesson.question) == ("rejected", "Which contracts are Texan?")
    assert lesson.plan is not None
    assert Plan.model_validate(lesson.plan).nodes == (TEXAN,)
    bench.local.questions.give_feedback(turn.id, "right")
    assert bench.local.learning.failures() == []


def test_a_question_is_planned_as_it_was_corrected_and_says_so(at_hand: Contracts) -> None:
    bench = at_hand.bench
    bench.ask(SKEDADDLE)
    lesson = bench.local.learning.correct(SKEDADDLE, plan_for(question=SKEDADDLE))
    assert [each.id for each in bench.local.learning.failures()] == [lesson.id]
    plan = bench.plan(SKEDADDLE)
    assert isinstance(plan, Plan)
    assert plan.nodes == (TEXAN.model_copy(update={"estimate": plan.nodes[0].estimate}),)
    assert "was corrected by admin" in plan.notes[-1].reading
    answer = bench.ask(SKEDADDLE)
    assert answer.table is not None
    assert len(answer.table.documents) == 2
    assert any("was corrected by admin" in gap for gap in answer.gaps)
    bench.local.learning.forget(lesson.id)
    assert bench.plan(SKEDADDLE) != plan


def test_a_corrected_question_is_not_encoded_again_unless_its_encoder_is_another(at_hand: Contracts) -> None:
    bench, lessons = at_hand.bench, at_hand.records.lessons
    bench.ask(SKEDADDLE)
    taught = bench.local.learning.correct(SKEDADDLE, plan_for(question=SKEDADDLE))
    (kept,) = lessons.corrections(taught.shape, Visibility.everything())
    assert kept.vectors is not None
    lessons.keep_vectors({taught.id: kept.vectors * 0}, "of another encoder")
    plan = bench.plan("Which contracts let us then skedaddle?")
    assert isinstance(plan, Plan)
    assert "was corrected by admin" in plan.notes[-1].reading
    (again,) = lessons.corrections(taught.shape, Visibility.everything())
    assert again.vectors is not None
    assert (again.encoder, again.vectors.tolist()) == (kept.encoder, kept.vectors.tolist())


def test_saving_the_plan_of_a_question_that_went_wrong_corrects_it(at_hand: Contracts) -> None:
    bench = at_hand.bench
    bench.ask(SKEDADDLE)
    bench.local.audits.save(plan_for(question=SKEDADDLE), "Skedaddle")
    assert bench.local.learning.failures()[0].corrected is not None


AMBIGUOUS = "Which contracts started on 03/04/2018?"


def chosen_turn(at_hand: Contracts) -> Turn:
    """A turn whose question was asked back, and the choice taken."""
    bench = at_hand.bench
    conversation = bench.local.conversations.create().id
    turn = bench.local.conversations.start_turn(conversation, AMBIGUOUS)
    asked = bench.ask(AMBIGUOUS, conversation=conversation)
    bench.local.conversations.finish_turn(turn.id, asked)
    assert asked.clarification is not None
    option = asked.clarification.options[0]
    chosen = Understood(phrase=asked.clarification.phrase, meaning=option.label)
    after = bench.local.conversations.start_turn(conversation, option.question)
    answer = bench.ask(option.question, conversation=conversation, chosen=chosen)
    return bench.local.conversations.finish_turn(after.id, answer)


def test_a_choice_of_several_readings_is_no_correction_for_other_conversations(at_hand: Contracts) -> None:
    turn = chosen_turn(at_hand)
    assert turn.answer is not None
    assert turn.answer.status is Status.ANSWERED
    assert [each.corrected for each in at_hand.bench.local.learning.failures()] == [None]
    again = at_hand.bench.ask(AMBIGUOUS, conversation=at_hand.bench.local.conversations.create().id)
    assert again.status is Status.CLARIFY


def test_a_choice_holds_in_its_conversation_is_said_and_can_be_asked_afresh(at_hand: Contracts) -> None:
    turn = chosen_turn(at_hand)
    assert turn.answer is not None
    again = at_hand.bench.ask(AMBIGUOUS, conversation=turn.conversation)
    assert again.status is Status.ANSWERED
    assert again.understood == turn.answer.understood != ()
    assert asked_first(turn, at_hand.bench.local.conversations.turns(turn.conversation)) == AMBIGUOUS
    afresh = at_hand.bench.ask(AMBIGUOUS, conversation=turn.conversation, way="afresh")
    assert (afresh.status, afresh.understood) == (Status.CLARIFY, ())


def test_a_choice_that_is_typed_is_remembered_as_one_that_is_clicked(at_hand: Contracts) -> None:
    bench = at_hand.bench
    conversation = bench.local.conversations.create().id
    turn = bench.local.conversations.start_turn(conversation, AMBIGUOUS)
    asked = bench.ask(AMBIGUOUS, conversation=conversation)
    bench.local.conversations.finish_turn(turn.id, asked)
    assert asked.clarification is not None
    label = asked.clarification.options[1].label
    answer = bench.ask(label, conversation=conversation)
    assert answer.status is Status.ANSWERED
    assert answer.understood == (Understood(phrase=asked.clarification.phrase, meaning=label),)


def test_a_correction_that_cannot_run_is_refused(at_hand: Contracts) -> None:
    node = TEXAN.model_copy(update={"conditions": (Condition(field="moon", op="=", value="1"),)})
    with pytest.raises(PlanError, match="moon"):
        at_hand.bench.local.learning.correct(SKEDADDLE, plan_for(node))
    assert at_hand.bench.local.learning.failures() == []


def test_who_may_not_ask_something_teaches_nobody_to_read_it_so(at_hand: Contracts) -> None:
    question = "How many skedaddles are there?"
    lacking = plan_for(TEXAN.model_copy(update={"conditions": (LACKING,)}))

    for who, plan in ((Principal("eve", frozenset()), plan_for()), (ANALYST, lacking)):
        with pytest.raises(RefusedError):
            at_hand.bench.for_principal(who).learning.correct(question, plan)
    with pytest.raises(RefusedError):
        at_hand.bench.for_principal(Principal("eve", frozenset())).audits.save(plan_for(), "Mine")
    at_hand.bench.for_principal(ANALYST).audits.save(lacking, "Mine")  # it runs for whoever may ask that

    assert not at_hand.records.lessons.corrections_exist()


def test_a_saved_plan_that_its_owner_may_not_run_corrects_nothing(at_hand: Contracts) -> None:
    session = at_hand.bench.for_principal(ANALYST)
    session.questions.ask(SKEDADDLE)
    lacking = plan_for(TEXAN.model_copy(update={"conditions": (LACKING,)}), question=SKEDADDLE)

    session.audits.save(lacking, "Mine")

    assert not at_hand.records.lessons.corrections_exist()


@pytest.mark.parametrize(("role", "holds_for_others"), [("analyst", False), ("reviewer", True)])
def test_what_somebody_corrects_is_read_so_by_others_where_they_may_review(
    at_hand: Contracts, role: str, holds_for_others: bool
) -> None:
    bench, question = at_hand.bench, "Which contracts let us skedaddle?"
    teacher = Principal("bob", frozenset({"analyst", "compliance_officer", role}))
    before = bench.plan(question, ANN)

    bench.for_principal(teacher).learning.correct(question, plan_for(question=question))

    assert bench.plan(question, teacher) != before
    assert (bench.plan(question, ANN) != before) is holds_for_others
