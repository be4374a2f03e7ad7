from __future__ import annotations

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from core.domain.principal import LOCAL_ADMIN, Principal
from core.errors import NotFoundError
from core.store.conversations.corrections import Failed
from core.store.database.visibility import Visibility
from core.store.store import Records

NOW = datetime(2026, 3, 1, tzinfo=UTC)
ANN, BOB = Principal("ann"), Principal("bob")
EVERYBODY = Visibility.everything()
PLAN = {"question": "Which?", "nodes": []}
BETTER = {"question": "Which contracts?", "nodes": [1]}


def failed(trace: str, question: str = "Which?", *uncovered: str) -> Failed:
    return Failed(
        trace=trace,
        question=question,
        outcome="uncovered",
        status="partial",
        plan=PLAN,
        uncovered=uncovered,
        shape="ask:list ?",
        slots={"party1": "ACME"},
    )


def note(records: Records, of: Failed, user: str = "ann", minute: int = 0) -> str:
    return records.lessons.note(of, user, NOW + timedelta(minutes=minute))


def test_what_went_wrong_is_kept_with_its_words(records: Records) -> None:
    id = note(records, failed("t1", "Which?", "Walk  away", "kill switch"))
    (lesson,) = records.lessons.list(ANN)
    assert (lesson.id, lesson.question, lesson.outcome, lesson.plan) == (id, "Which?", "uncovered", PLAN)
    assert (lesson.uncovered, lesson.slots) == (("kill switch", "Walk away"), {"party1": "ACME"})
    assert lesson.corrected is None


def test_the_same_answer_is_noted_once(records: Records) -> None:
    note(records, failed("t1", "Which?", "one"))
    note(records, failed("t1", "Which?", "two"), minute=1)
    (lesson,) = records.lessons.list(ANN)
    assert lesson.uncovered == ("two",)


def test_everybody_sees_their_own_and_an_admin_all(records: Records) -> None:
    id = note(records, failed("t1"))
    note(records, failed("t2"), "bob", 1)
    assert [each.user for each in records.lessons.list(LOCAL_ADMIN)] == ["bob", "ann"]
    assert [each.user for each in records.lessons.list(BOB)] == ["bob"]
    for ask in (
        lambda: records.lessons.correct(id, BOB, BETTER),
        lambda: records.lessons.forget(id, BOB),
    ):
        with pytest.raises(NotFoundError, match="of yours"):
            ask()


def test_a_correction_is_found_by_the_shape_of_its_question(records: Records) -> None:
    id = note(records, failed("t1"))
    assert not records.lessons.corrections_exist()
    assert records.lessons.corrections("ask:list ?", EVERYBODY) == []
    lesson = records.lessons.correct(id, LOCAL_ADMIN, BETTER, "Which contracts?", NOW)
    assert records.lessons.corrections_exist()
    (found,) = records.lessons.corrections("ask:list ?", EVERYBODY)
    assert (found.id, found.question, found.slots) == (id, "Which?", {"party1": "ACME"})
    assert (found.plan, found.corrected, found.by, found.at) == (PLAN, BETTER, "admin", NOW)
    assert found.vectors is None
    assert (lesson.corrected, lesson.corrected_by, lesson.corrected_at) == (BETTER, "admin", NOW)
    assert records.lessons.corrections("other", EVERYBODY) == []
    records.lessons.forget(id, ANN)
    assert not records.lessons.corrections_exist()


def test_a_correction_that_is_not_shared_is_read_by_who_made_it_alone(records: Records) -> None:
    records.lessons.correct(note(records, failed("t1")), ANN, BETTER, is_shared=False)

    read = {who: bool(records.lessons.corrections("ask:list ?", Visibility.of(who))) for who in (ANN, BOB)}
    assert read == {ANN: True, BOB: False}
    assert records.lessons.corrections("ask:list ?", EVERYBODY) == []


def test_the_vectors_of_a_corrected_question_are_kept_with_what_made_them(records: Records) -> None:
    id = note(records, failed("t1"))
    records.lessons.correct(id, ANN, BETTER)
    pair = np.array([[1, 0, 0], [0, 0.6, 0.8]], np.float32)
    records.lessons.keep_vectors({id: pair, "gone": pair}, "sha")
    (found,) = records.lessons.corrections("ask:list ?", EVERYBODY)
    assert found.vectors is not None
    assert (found.encoder, found.vectors.tolist()) == ("sha", pair.tolist())


def test_a_corrected_question_that_is_rejected_once_more_keeps_its_correction(records: Records) -> None:
    id = note(records, failed("t1"))
    before = records.lessons.correct(id, ANN, BETTER, "Which contracts?", NOW)
    assert note(records, failed("t1")) == id
    assert records.lessons.list(ANN) == [before]


def test_taking_a_rejection_back_forgets_it_unless_it_was_corrected(records: Records) -> None:
    rejected = Failed(trace="t1", question="Q", outcome="rejected", status="answered", plan=PLAN)
    records.lessons.note(rejected, "ann", NOW)
    records.lessons.withdraw("t1", "bob")
    assert records.lessons.list(ANN)
    records.lessons.withdraw("t1", "ann")
    assert records.lessons.list(ANN) == []
    id = records.lessons.note(rejected, "ann", NOW)
    records.lessons.correct(id, ANN, BETTER)
    records.lessons.withdraw("t1", "ann")
    assert records.lessons.list(ANN)


def test_the_most_frequent_words_come_first_with_their_questions(records: Records) -> None:
    note(records, failed("t1", "Who can walk away?", "walk away"))
    note(records, failed("t2", "May we Walk Away?", "Walk Away", "may"), "bob", 1)
    note(records, failed("t3", "Who can walk away?", "walk away"), "bob", 2)
    first, second = records.lessons.uncovered(LOCAL_ADMIN)
    assert (first.phrase, first.count, first.last_at) == ("walk away", 3, NOW + timedelta(minutes=2))
    assert first.questions == ("Who can walk away?", "May we Walk Away?")
    assert (second.phrase, second.count) == ("may", 1)
    assert [(each.phrase, each.count) for each in records.lessons.uncovered(ANN)] == [("walk away", 1)]
    assert len(records.lessons.uncovered(LOCAL_ADMIN, 1)) == 1
    records.lessons.settle("walk AWAY", "known", "ann", NOW + timedelta(minutes=2))
    assert [each.phrase for each in records.lessons.uncovered(LOCAL_ADMIN)] == ["may"]


def test_known_words_are_counted_again_when_they_are_asked_later_and_ignored_ones_never(
    records: Records,
) -> None:
    note(records, failed("t1", "Who can walk away?", "walk away"))
    records.lessons.settle("walk away", "known", "ann", NOW)
    assert records.lessons.uncovered(LOCAL_ADMIN) == []
    note(records, failed("t2", "Who may walk away?", "walk away"), "ann", 1)
    (again,) = records.lessons.uncovered(LOCAL_ADMIN)
    assert again.questions == ("Who may walk away?",)
    records.lessons.settle("Walk away", "ignored", "ann", NOW)
    assert records.lessons.uncovered(LOCAL_ADMIN) == []
    assert records.lessons.ignored() == ["Walk away"]
    records.lessons.unsettle("walk away")
    assert [each.count for each in records.lessons.uncovered(LOCAL_ADMIN)] == [2]


def test_the_last_failure_of_a_question_is_the_one_that_is_corrected(records: Records) -> None:
    note(records, failed("t1"))
    last = note(records, failed("t2"), minute=1)
    found = records.lessons.latest("Which?", "ann")
    assert found is not None
    assert found.id == last
    assert records.lessons.latest("Other?", "ann") is None


def test_a_reading_that_was_changed_is_found_by_its_answer_and_taken_back(records: Records) -> None:
    lessons = records.lessons
    failed = Failed(trace="t1", question="Q", outcome="reread", status="answered", plan=PLAN)
    id = lessons.note(failed, "ann")
    lessons.correct(id, Principal("ann"), PLAN)

    assert (found := lessons.of_trace("t1", "ann")) is not None
    assert found.corrected == PLAN
    assert lessons.of_trace("t1", "bob") is None
    lessons.withdraw("t1", "ann")
    assert lessons.of_trace("t1", "ann") is not None
    lessons.withdraw("t1", "ann", "reread")
    assert lessons.of_trace("t1", "ann") is None


def test_what_is_forgotten_is_nowhere(records: Records) -> None:
    id = note(records, failed("t1", "Which?", "one"))
    records.lessons.correct(id, ANN, BETTER)
    records.lessons.forget(id, ANN, NOW)

    lessons = records.lessons
    assert (lessons.list(ANN), lessons.uncovered(ANN), lessons.of_trace("t1", "ann")) == ([], [], None)
    assert (lessons.latest("Which?", "ann"), lessons.corrections_exist()) == (None, False)
    assert list(lessons.corrections("ask:list ?", EVERYBODY, "Which?")) == []
    with pytest.raises(NotFoundError):
        lessons.get(id, ANN)


def test_an_answer_that_goes_wrong_again_is_there_again(records: Records) -> None:
    id = note(records, failed("t1"))
    records.lessons.forget(id, ANN, NOW)
    note(records, failed("t1"), minute=1)

    assert [each.id for each in records.lessons.list(ANN)] == [id]


def test_corrections_of_the_very_words_come_before_newer_ones_of_their_shape(records: Records) -> None:
    for number in range(25):
        other = note(records, failed(f"t{number}", f"Which of {number}?"))
        records.lessons.correct(other, ANN, BETTER, now=NOW + timedelta(minutes=number))

    found = records.lessons.corrections("ask:list ?", EVERYBODY, "Which of 0?")

    assert (found[0].question, len(found)) == ("Which of 0?", 20)
