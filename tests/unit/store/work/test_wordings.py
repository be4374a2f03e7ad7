"""Questions that went wrong, by their wording."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from core.domain.audit import Outcome, WordingQuery
from core.domain.principal import LOCAL_ADMIN, Principal
from core.store.conversations.corrections import Failed, wording_key
from core.store.store import Records

NOW = datetime(2026, 3, 1, tzinfo=UTC)
ANN = Principal("ann")


def note(
    records: Records,
    question: str,
    minute: int,
    user: str = "ann",
    outcome: Outcome = "uncovered",
    *words: str,
) -> str:
    failed = Failed(f"{question} {minute} {user}", question, outcome, "partial", uncovered=words)
    return records.lessons.note(failed, user, NOW + timedelta(minutes=minute))


@pytest.fixture(autouse=True)
def _asked(records: Records) -> None:
    note(records, "Which let us walk?", 1, "ann", "uncovered", "walk")
    note(records, "Who pays?", 2, "bob", "abstained")
    note(records, "which let us  walk", 3, "bob", "rejected", "us walk")


def questions(records: Records, query: WordingQuery, who: Principal = LOCAL_ADMIN) -> list[str]:
    return [each.question for each in records.wordings.page(who, query).wordings]


@pytest.mark.parametrize("other", ["which  ones?", "WHICH ONES", " Which ones?! "])
def test_capitals_spaces_and_the_last_sign_make_no_other_wording(other: str) -> None:
    assert wording_key(other) == wording_key("Which ones?")
    assert wording_key("Which one?") != wording_key("Which ones?")


def test_questions_of_one_wording_are_one_and_say_how_often_and_by_whom(records: Records) -> None:
    found = records.wordings.page(LOCAL_ADMIN, WordingQuery())

    walk, pays = found.wordings
    assert (walk.question, walk.count, walk.users) == ("which let us  walk", 2, ("bob", "ann"))
    assert (walk.outcomes, walk.uncovered) == (("rejected", "uncovered"), ("us walk", "walk"))
    assert (walk.lead, walk.last_at) == (walk.ids[0], NOW + timedelta(minutes=3))
    assert (pays.count, found.total) == (1, 2)
    assert found.outcomes == {"rejected": 1, "uncovered": 1, "abstained": 1}


def test_everybody_sees_their_own(records: Records) -> None:
    (own,) = records.wordings.page(ANN, WordingQuery()).wordings

    assert (own.count, own.users) == (1, ("ann",))


def test_they_are_in_the_order_that_is_asked_for(records: Records) -> None:
    last = note(records, "Who pays?", 9, "bob", "abstained")

    assert questions(records, WordingQuery()) == ["Who pays?", "which let us  walk"]
    assert questions(records, WordingQuery(descending=False)) == ["which let us  walk", "Who pays?"]
    records.lessons.forget(last, LOCAL_ADMIN)
    assert questions(records, WordingQuery(order="count")) == ["which let us  walk", "Who pays?"]
    assert questions(records, WordingQuery(order="question", descending=False)) == [
        "which let us  walk",
        "Who pays?",
    ]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        (WordingQuery(text="US WALK"), 1),
        (WordingQuery(text="ann"), 1),
        (WordingQuery(text="moon"), 0),
        (WordingQuery(outcome="abstained"), 1),
        (WordingQuery(outcome="clarified"), 0),
        (WordingQuery(state="corrected"), 0),
        (WordingQuery(state="all"), 2),
    ],
)
def test_they_are_chosen_by_text_outcome_and_state(records: Records, query: WordingQuery, found: int) -> None:
    assert len(questions(records, query)) == found


def test_a_part_of_them_is_given_with_the_number_of_all(records: Records) -> None:
    found = records.wordings.page(LOCAL_ADMIN, WordingQuery(), offset=1, limit=1)

    assert ([each.question for each in found.wordings], found.total) == (["Who pays?"], 2)


def test_the_correction_that_holds_leads(records: Records) -> None:
    (walk,) = records.wordings.page(LOCAL_ADMIN, WordingQuery(text="walk")).wordings
    for minute, id in enumerate(walk.ids[::-1]):
        records.lessons.teach(id, LOCAL_ADMIN, {"marking": {}}, {}, "", {}, NOW + timedelta(minutes=minute))
    (taught,) = records.wordings.page(LOCAL_ADMIN, WordingQuery(state="corrected")).wordings

    assert (taught.lead, taught.corrected_by, taught.is_taught) == (walk.ids[0], "admin", True)
    assert taught.corrected_at == NOW + timedelta(minutes=1)
    assert questions(records, WordingQuery()) == ["Who pays?"]
