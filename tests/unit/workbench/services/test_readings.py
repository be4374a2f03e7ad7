"""Readings of answers: changed part by part, chosen among several, put back, and remembered."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.domain.answer import Answer, PartAction, ReadingPart, Status
from core.domain.conversation import Turn
from core.domain.event import Answered, Finished
from core.domain.predicate import Operator
from core.domain.principal import Principal
from core.errors import NotFoundError, UsageError
from core.plan.ir.graph_edits import with_node
from core.plan.ir.nodes import Condition, Select, flattened
from core.plan.ir.serialization import plan_of
from core.plan.ir.validate import validate
from core.plan.ir.verbalise import KIND
from core.plan.reading_line.changes import ReadingChange
from core.plan.reading_line.parts import reading_text
from core.workbench.services.readings import of_all_kinds
from tests.support.contracts_at_hand import Contracts, contracts_at_hand
from tests.support.read_questions import CATALOGUE, planned
from tests.support.roles import MAY_ASK
from tests.support.two_readings import ASKED_BACK, read_in_two_ways

TEXAN = "Which documents are governed by Texas law?"
ANN = Principal("ann", MAY_ASK)


@pytest.fixture
def at_hand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Contracts]:
    monkeypatch.setenv("GROUNDWORK_ANSWER__USE_PLANS", "true")
    read_in_two_ways(monkeypatch)
    with contracts_at_hand(tmp_path / "home") as found:
        yield found


def asked(at_hand: Contracts, question: str, who: Principal | None = None) -> Turn:
    session = at_hand.bench.for_principal(who) if who is not None else at_hand.bench.local
    conversation = session.conversations.create()
    turn = session.conversations.start_turn(conversation.id, question)
    return session.conversations.finish_turn(turn.id, session.questions.ask(question))


def answer_of(turn: Turn) -> Answer:
    assert turn.answer is not None
    return turn.answer


def line(turn: Turn) -> str:
    return " · ".join(part.text for part in answer_of(turn).reading)


def part_of(turn: Turn, text: str) -> ReadingPart:
    return next(each for each in answer_of(turn).reading if each.text == text)


def change(at_hand: Contracts, turn: Turn, text: str, action: PartAction, to: str = "") -> Turn:
    part = part_of(turn, text)
    made = ReadingChange(node=part.node, kind=part.kind, places=part.places, action=action, to=to)
    return at_hand.bench.local.readings.change(turn.conversation, turn.id, made)


def titles(at_hand: Contracts, turn: Turn) -> set[str]:
    table = answer_of(turn).table
    assert table is not None
    names = {id: name for name, id in at_hand.made.items()}
    return {names[id] for id in table.documents}  # type: ignore[index]


def test_an_answer_says_how_its_question_was_read(at_hand: Contracts) -> None:
    assert line(asked(at_hand, TEXAN)) == "contracts · governing law Texas · list"


def test_a_changed_part_gives_another_answer_in_place_of_the_first(at_hand: Contracts) -> None:
    turn = asked(at_hand, TEXAN)
    assert titles(at_hand, turn) == {"Cobalt agreement", "Glacier agreement"}

    now = change(at_hand, turn, "governing law Texas", "is_not")

    assert line(now) == "contracts · governing law not Texas · list"
    assert not {"Cobalt agreement", "Glacier agreement"} & titles(at_hand, now)
    assert now.first == turn.answer
    (kept,) = at_hand.bench.local.conversations.turns(turn.conversation)
    assert kept == now


def test_what_was_first_read_comes_back_exactly(at_hand: Contracts) -> None:
    turn = asked(at_hand, TEXAN)
    now = change(at_hand, turn, "list", "operation", "count")
    again = change(at_hand, now, "governing law Texas", "missing")

    back = at_hand.bench.local.readings.restore(turn.conversation, again.id)

    assert back == turn
    assert at_hand.bench.local.learning.failures() == []


def test_turning_a_part_back_is_the_first_reading_again(at_hand: Contracts) -> None:
    turn = asked(at_hand, TEXAN)
    now = change(at_hand, turn, "governing law Texas", "is_not")

    assert change(at_hand, now, "governing law not Texas", "is") == turn
    assert at_hand.bench.local.learning.failures() == []


def test_the_wording_is_read_from_now_on_as_it_was_changed(at_hand: Contracts) -> None:
    turn = asked(at_hand, TEXAN)
    now = change(at_hand, turn, "list", "operation", "count")

    assert at_hand.bench.local.readings.is_remembered(now)
    assert line(asked(at_hand, TEXAN)) == "contracts · governing law Texas · count"
    (lesson,) = at_hand.bench.local.learning.failures(only_corrected=True)
    assert (lesson.question, lesson.outcome) == (TEXAN, "reread")

    at_hand.bench.local.readings.forget(turn.conversation, turn.id)
    assert not at_hand.bench.local.readings.is_remembered(now)
    assert line(asked(at_hand, TEXAN)) == "contracts · governing law Texas · list"


def test_a_reading_that_is_used_anew_says_so_and_can_be_forgotten_there(at_hand: Contracts) -> None:
    readings = at_hand.bench.local.readings
    first = asked(at_hand, TEXAN)
    change(at_hand, first, "list", "operation", "count")

    anew = asked(at_hand, TEXAN)
    assert readings.is_reused(anew)
    assert not readings.is_reused(first)

    readings.forget(anew.conversation, anew.id)
    assert not readings.is_reused(anew)
    assert line(asked(at_hand, TEXAN)) == "contracts · governing law Texas · list"


def test_a_reading_that_was_remembered_can_be_changed_again(at_hand: Contracts) -> None:
    change(at_hand, asked(at_hand, TEXAN), "list", "operation", "count")
    change(at_hand, asked(at_hand, TEXAN), "governing law Texas", "there")

    assert line(asked(at_hand, TEXAN)) == "contracts · with governing law · count"


def test_a_value_that_the_question_says_is_tried_and_not_remembered(at_hand: Contracts) -> None:
    now = change(at_hand, asked(at_hand, TEXAN), "governing law Texas", "value", "New York")

    assert line(now) == "contracts · governing law New York · list"
    assert not at_hand.bench.local.readings.is_remembered(now)
    counted = change(at_hand, now, "list", "operation", "count")
    assert line(counted) == "contracts · governing law New York · count"
    assert at_hand.bench.local.learning.failures() == []
    assert line(asked(at_hand, TEXAN)) == "contracts · governing law Texas · list"


def test_a_change_that_cannot_be_says_why_and_changes_nothing(at_hand: Contracts) -> None:
    turn = asked(at_hand, TEXAN)

    with pytest.raises(UsageError, match="Invoices and receipts have no field “Governing law”"):
        change(at_hand, turn, "contracts", "subject", "invoices")

    assert at_hand.bench.local.conversations.turns(turn.conversation) == [turn]


def test_other_readings_come_with_their_counts_and_are_kept(at_hand: Contracts) -> None:
    session = at_hand.bench.local
    conversation = session.conversations.create()
    turn = session.conversations.start_turn(conversation.id, TEXAN)
    events = list(session.questions.stream(TEXAN))
    (answered,) = [each.answer for each in events if isinstance(each, Answered)]
    (finished,) = [each.answer for each in events if isinstance(each, Finished)]
    session.conversations.finish_turn(turn.id, answered)

    assert [(each.text, each.count) for each in answered.other_readings] == [
        ("contracts · governing law not Texas · list", None)
    ]
    (other,) = finished.other_readings
    assert other.count is not None
    (kept,) = session.conversations.turns(conversation.id)
    assert answer_of(kept).other_readings == finished.other_readings


def test_another_reading_is_chosen_and_offers_the_one_before(at_hand: Contracts) -> None:
    turn = asked(at_hand, TEXAN)
    (other,) = answer_of(turn).other_readings

    now = at_hand.bench.local.readings.choose(turn.conversation, turn.id, 0)

    assert line(now) == other.text
    assert answer_of(now).ledger is not None
    assert len(titles(at_hand, now)) == other.count
    assert [(each.text, each.count) for each in answer_of(now).other_readings] == [
        ("contracts · governing law Texas · list", 2)
    ]
    assert line(asked(at_hand, TEXAN)) == other.text
    assert at_hand.bench.local.readings.choose(turn.conversation, turn.id, 0) == turn


def test_a_choice_that_is_not_offered_is_refused(at_hand: Contracts) -> None:
    turn = asked(at_hand, TEXAN)

    with pytest.raises(UsageError, match="not offered"):
        at_hand.bench.local.readings.choose(turn.conversation, turn.id, 5)
    with pytest.raises(UsageError, match="not offered"):
        at_hand.bench.local.readings.option(turn.conversation, turn.id, 0)
    with pytest.raises(NotFoundError):
        at_hand.bench.local.readings.choose(turn.conversation, turn.id, 0, number=1)


def test_a_question_back_shows_its_plans_as_readings_with_counts(at_hand: Contracts) -> None:
    turn = asked(at_hand, ASKED_BACK)
    back = answer_of(turn).clarification
    assert back is not None
    assert answer_of(turn).status is Status.CLARIFY
    assert [each.label for each in back.options] == [
        "contracts · governing law Texas · list",
        "contracts · governing law not Texas · list",
    ]
    assert back.options[0].documents == 2

    choice = at_hand.bench.local.readings.option(turn.conversation, turn.id, 0)

    assert choice == back.options[0]
    again = asked(at_hand, ASKED_BACK)
    assert line(again) == "contracts · governing law Texas · list"


def test_the_choices_of_a_reading_are_of_what_may_be_seen(at_hand: Contracts) -> None:
    at_hand.add("Secret", "Atlantis", acl=("board",))
    turn = asked(at_hand, TEXAN, ANN)

    found = at_hand.bench.for_principal(ANN).readings.choices(turn.conversation, turn.id)

    assert len(found.parts) == 3
    assert "governing_law" not in found.parts[1].near
    assert "Atlantis" not in found.parts[1].values
    everything = asked(at_hand, TEXAN)
    assert (
        "Atlantis"
        in at_hand.bench.local.readings.choices(everything.conversation, everything.id).parts[1].values
    )


def test_a_reading_of_another_user_is_not_there(at_hand: Contracts) -> None:
    turn = asked(at_hand, TEXAN)
    part = part_of(turn, "list")
    made = ReadingChange(node=part.node, kind=part.kind, action="operation", to="count")

    readings = at_hand.bench.for_principal(ANN).readings
    with pytest.raises(NotFoundError):
        readings.change(turn.conversation, turn.id, made)
    with pytest.raises(NotFoundError):
        readings.choices(turn.conversation, turn.id)


def test_a_changed_reading_counts_only_what_its_principal_may_see(at_hand: Contracts) -> None:
    at_hand.add("Secret", "Texas", acl=("board",))
    session = at_hand.bench.for_principal(ANN)
    turn = asked(at_hand, TEXAN, ANN)
    part = part_of(turn, "list")
    made = ReadingChange(node=part.node, kind=part.kind, action="operation", to="count")

    now = session.readings.change(turn.conversation, turn.id, made)

    assert (value := answer_of(now).value) is not None
    assert value.value == "2"


def test_one_of_several_questions_is_changed_alone(at_hand: Contracts) -> None:
    session = at_hand.bench.local
    conversation = session.conversations.create()
    turn = session.conversations.start_turn(conversation.id, "Texan contracts, and how many are there?")
    parts = (session.questions.ask(TEXAN), session.questions.ask("How many contracts are there?"))
    whole = parts[0].model_copy(
        update={"question": turn.question, "parts": parts, "reading": (), "other_readings": (), "plan": None}
    )
    turn = session.conversations.finish_turn(turn.id, whole)
    part = parts[0].reading[-1]
    made = ReadingChange(node=part.node, kind=part.kind, action="operation", to="count")

    now = session.readings.change(conversation.id, turn.id, made, number=0)

    first, second = answer_of(now).parts
    assert [each.text for each in first.reading] == ["contracts", "governing law Texas", "count"]
    assert second == parts[1]
    assert session.learning.failures() == []
    assert session.readings.restore(conversation.id, turn.id).answer == whole


def test_a_cleared_set_leaves_later_questions_nothing_to_lean_on(at_hand: Contracts) -> None:
    session, turn = at_hand.bench.local, asked(at_hand, TEXAN)
    leaning = session.questions.ask("How many of those?", conversation=turn.conversation)
    assert (leaning.value.value if leaning.value else "") == "2"

    assert session.conversations.clear_set(turn.conversation).cleared == turn.ordinal

    alone = session.questions.ask("How many of those?", conversation=turn.conversation)
    assert (alone.value.value if alone.value else "") != "2"


def test_a_question_that_leans_on_another_is_no_wording_to_remember(at_hand: Contracts) -> None:
    session, turn = at_hand.bench.local, asked(at_hand, TEXAN)
    second = session.conversations.start_turn(turn.conversation, "And New York?")
    leaning = session.questions.ask("And New York?", conversation=turn.conversation)
    second = session.conversations.finish_turn(second.id, leaning)

    now = change(at_hand, second, "governing law Texas or New York", "is_not")

    assert now.answer != leaning
    assert session.learning.failures(only_corrected=True) == []


def test_a_value_that_only_its_chooser_may_see_is_learned_for_nobody_else(at_hand: Contracts) -> None:
    at_hand.add("Secret", "Atlantis", acl=("board",))
    wording = "Which contracts let us skedaddle?"
    turn = asked(at_hand, TEXAN)
    plan = answer_of(change(at_hand, turn, "governing law Texas", "value", "Atlantis")).plan
    at_hand.bench.local.learning.correct(wording, plan_of(plan or {}))

    assert "Atlantis" in line(asked(at_hand, wording))
    assert "Atlantis" not in answer_of(asked(at_hand, wording, ANN)).model_dump_json()


def test_counting_every_kind_drops_the_kind_of_what_is_counted_and_of_nothing_else() -> None:
    plain = of_all_kinds(
        planned("How many contracts governed by Texas law have no force majeure?"), CATALOGUE
    )
    assert reading_text(plain, CATALOGUE) == "contracts · governing law Texas · no force majeure · count"
    assert not validate(plain, CATALOGUE)
    assert [each.field for each in flattened(plain.nodes[0].conditions)] == ["governing_law", "force_majeure"]

    plan = planned("Which contracts exceed our liability policy?")
    limit = plan.nodes[0]
    assert isinstance(limit, Select)
    policy = limit.model_copy(
        update={"conditions": (Condition(field=KIND, op=Operator.EQUAL, value="policy"),)}
    )
    above = of_all_kinds(with_node(plan, policy), CATALOGUE)
    assert above.nodes[0] == policy  # whose limit they are compared with
    assert "document_kind" not in above.nodes[-1].model_dump_json()
