"""Several questions in one conversation at once: from two tabs, while one runs, and one once more.

Over real records, plans and threads: nothing is lost, nothing of one question is in the answer to another,
and personal data of a question are in no file of the home.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.running.turns import RunningTurn, TurnRegistry
from core.ask.request import Question
from core.domain.conversation import Turn, TurnState
from core.domain.ids import ConversationId
from core.domain.principal import LOCAL_ADMIN
from tests.support.contracts_at_hand import Contracts, contracts_at_hand

TEXAN = "Which documents are governed by the law of Texas?"
OTHERS = "and the others?"
COUNT = "How many documents are governed by the law of Texas?"
MAIL, NUMBER, CARD = "jane.doe@acme.example", "219-09-9998", "4111 1111 1111 1111"
PASSWORD, ACCOUNT = "hunter2x", "DE89370400440532013000"
SECRETS = (MAIL, NUMBER, CARD, CARD.replace(" ", ""), PASSWORD, ACCOUNT)


@pytest.fixture
def contracts(tmp_path: Path) -> Iterator[Contracts]:
    with contracts_at_hand(tmp_path / "home") as found:
        yield found


@pytest.fixture
def registry(contracts: Contracts) -> Iterator[TurnRegistry]:
    made = TurnRegistry(contracts.bench)
    yield made
    made.close()


def ask(
    registry: TurnRegistry, conversation: ConversationId, question: str, before: int | None = None
) -> RunningTurn:
    return registry.start(conversation, Question(question, LOCAL_ADMIN, before=before))


def join() -> None:
    for thread in threading.enumerate():
        if thread.name.startswith("turn-"):
            thread.join(20)


def turns_of(contracts: Contracts, conversation: ConversationId) -> list[Turn]:
    return contracts.bench.for_principal(LOCAL_ADMIN).conversations.turns(conversation)


def begun(contracts: Contracts) -> ConversationId:
    return contracts.bench.for_principal(LOCAL_ADMIN).conversations.create().id


def listed(turn: Turn) -> int:
    assert turn.answer is not None
    return len(turn.answer.table.rows) if turn.answer.table is not None else 0


def test_two_tabs_that_ask_at_once_get_each_their_own_answer(
    contracts: Contracts, registry: TurnRegistry
) -> None:
    conversation = begun(contracts)
    questions = [TEXAN, COUNT] * 4
    start = threading.Barrier(len(questions))
    running: dict[int, RunningTurn] = {}

    def tab(at: int) -> None:
        start.wait(10)
        running[at] = ask(registry, conversation, questions[at])

    tabs = [threading.Thread(target=tab, args=(at,)) for at in range(len(questions))]
    for each in tabs:
        each.start()
    for each in tabs:
        each.join(20)
    join()

    kept = turns_of(contracts, conversation)
    assert sorted(turn.question for turn in kept) == sorted(questions)
    assert sorted(turn.ordinal for turn in kept) == list(range(kept[0].ordinal, kept[0].ordinal + len(kept)))
    assert {turn.state for turn in kept} == {TurnState.DONE}
    traces = set()
    for turn in kept:
        assert turn.answer is not None
        traces.add(turn.answer.trace_id)
        assert (turn.answer.value is not None) is (turn.question == COUNT)
    assert len(traces) == len(kept)
    for at, turn in running.items():
        told = [event["answer"] for event in turn.events if event["type"] == "answered"]
        assert [each["question"] for each in told] == [questions[at]]


def test_a_question_that_is_asked_while_another_runs_goes_on_from_what_was_answered(
    contracts: Contracts, registry: TurnRegistry
) -> None:
    conversation = begun(contracts)
    ask(registry, conversation, TEXAN)
    join()
    session = contracts.bench.for_principal(LOCAL_ADMIN)
    slow = session.questions.stream(COUNT, conversation=conversation)
    begun_turn = session.conversations.start_turn(conversation, COUNT)
    next(slow)  # it runs, and has no answer yet

    ask(registry, conversation, "list them")
    join()
    answer = next(event.answer for event in slow if event.type == "answered")
    session.conversations.finish_turn(begun_turn.id, answer)

    first, second, third = turns_of(contracts, conversation)
    assert [each.question for each in (first, second, third)] == [TEXAN, COUNT, "list them"]
    assert listed(first) == listed(third) == 2
    assert second.answer is not None
    assert second.answer.value is not None
    assert second.answer.value.value == "2"


def test_a_question_that_is_asked_once_more_means_what_it_meant(
    contracts: Contracts, registry: TurnRegistry
) -> None:
    conversation = begun(contracts)
    for question in (TEXAN, OTHERS):
        ask(registry, conversation, question)
        join()
    others = turns_of(contracts, conversation)[-1]
    ask(registry, conversation, OTHERS, before=others.ordinal)
    join()

    texan, once, again = turns_of(contracts, conversation)
    assert once.answer is not None
    assert again.answer is not None
    assert once.answer.table is not None
    assert again.answer.table is not None
    assert listed(once) > listed(texan)
    assert again.answer.table.documents == once.answer.table.documents
    assert again.id != once.id


def test_personal_data_of_a_question_are_in_no_file_and_no_log(
    contracts: Contracts, registry: TurnRegistry, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    conversation = begun(contracts)
    questions = (
        f"Which contracts name {MAIL}, SSN {NUMBER}?",
        f"My password is {PASSWORD} and my card {CARD}: which contracts are governed by the law of Texas?",
        f"How many of those name the account {ACCOUNT}?",
        f"and what about {MAIL}?",
    )
    events = ""
    for question in questions:
        turn = ask(registry, conversation, question)
        join()
        events += str(turn.events)
    session = contracts.bench.for_principal(LOCAL_ADMIN)
    session.conversations.rename(conversation, f"About {MAIL}")
    registry.close()

    written = b"".join(path.read_bytes() for path in (tmp_path / "home").rglob("*") if path.is_file())
    assert b"Which contracts name" in written
    assert [each for each in SECRETS if each.encode() in written] == []
    assert [each for each in SECRETS if each in caplog.text] == []
    assert [each for each in SECRETS if each in events] == []
    for kept in turns_of(contracts, conversation):
        assert kept.answer is not None
        trace = session.questions.trace(kept.answer.trace_id)  # type: ignore[arg-type]
        assert [each for each in SECRETS if each in trace.model_dump_json()] == []
