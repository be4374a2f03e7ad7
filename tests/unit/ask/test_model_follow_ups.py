"""Turns of a conversation that a model reads with the last answer before it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

import pytest

from core.config.load import load_settings
from core.config.models import LlmSettings
from core.domain.answer import Answer
from core.domain.conversation import Turn
from core.domain.trust.failures import QuestionTry
from core.store.conversations.tries import sight_key
from core.store.database.visibility import Visibility
from core.workbench import Workbench
from tests.support.filled_matrix import fill
from tests.support.given_encoder import PartsWith
from tests.support.hashed_encoder import HashedEncoder
from tests.support.model_desk import ModelDesk
from tests.support.model_plans import condition, reply, step
from tests.support.scripted_llm import ScriptedLlm, Step, reply_json

FIRST = "Please present the papers that bow to Texan rules"
TEXAN = reply(
    step("list", kind="contracts", conditions=[condition("governing_law", "=", "Texas", words="Texan rules")])
)
HOW_MANY = reply(step("count", kind="contracts", within=["set"]))
ANEW = reply(
    step("list", kind="contracts", conditions=[condition("governing_law", "present", words="some law")])
)


class Reader(ModelDesk):
    """A model that reads questions as a test says. seen: the prompts of its readings."""

    def __init__(self) -> None:
        super().__init__()
        self.says: dict[str, Any] = TEXAN
        self.seen: list[str] = []

    def _fill(self, form: dict[str, Any], user: str) -> Step:
        if "steps" not in form.get("properties", {}):
            return super()._fill(form, user)
        self.seen.append(user)
        return reply_json(self.says)


@pytest.fixture
def reader() -> Reader:
    return Reader()


@pytest.fixture
def bench(tmp_path: Path, reader: Reader) -> Iterator[Workbench]:
    fill(tmp_path / "home")
    with ScriptedLlm(reader) as server:
        llm = LlmSettings(base_url=server.url, tokens_per_minute=0, verify=False)
        settings = load_settings(tmp_path / "home").model_copy(update={"llm": llm})
        with Workbench(PartsWith(settings, HashedEncoder())) as opened:
            yield opened


def talk(bench: Workbench, reader: Reader, *turns: tuple[str, dict[str, Any]]) -> list[Answer]:
    conversation = bench.local.conversations.create()
    history: list[Turn] = []
    for question, says in turns:
        reader.says = says
        turn = bench.local.conversations.start_turn(conversation.id, question)
        answer = bench.local.questions.ask(question, history=history)
        history.append(bench.local.conversations.finish_turn(turn.id, answer))
    return [turn.answer for turn in history if turn.answer is not None]


def test_the_model_is_told_what_is_in_hand_and_goes_on_from_it(bench: Workbench, reader: Reader) -> None:
    first, second = talk(bench, reader, (FIRST, TEXAN), ("and their number, please?", HOW_MANY))

    assert first.planned_by == second.planned_by == "model"
    assert FIRST.removeprefix("Please ") in reader.seen[-1]
    assert '"governing_law"' in reader.seen[-1]
    assert second.value is not None
    assert second.value.value == "2"


def test_a_count_leaves_the_set_in_hand_and_a_list_takes_its_place(bench: Workbench, reader: Reader) -> None:
    first, counted, anew = talk(
        bench, reader, (FIRST, TEXAN), ("and their number, please?", HOW_MANY), ("those with some law", ANEW)
    )

    assert first.conversation is not None
    assert counted.conversation is not None
    assert anew.conversation is not None
    assert counted.conversation.documents == first.conversation.documents
    assert len(anew.conversation.documents) > len(first.conversation.documents)


def test_a_reader_that_misread_alike_questions_is_left_for_the_other_and_that_is_said(
    bench: Workbench, reader: Reader
) -> None:
    question = "Which contracts are governed by Texas law?"

    def misread(by: Literal["model", "reader"]) -> None:
        shape, now = bench.local.learning.shape(question).text, datetime.now(UTC)
        sight = sight_key(Visibility.everything())
        tries = (
            QuestionTry(f"{by}{n}", 0, f"Q{n}?", shape, "admin", sight, now, "none", by, "clarify", "planner")
            for n in range(5)
        )
        bench._parts.records.tries.note(list(tries))

    def notes(answer: Answer) -> str:
        return " ".join(each["reading"] for each in (answer.plan or {})["notes"])

    assert bench.ask(question).planned_by == "reader"  # sure enough to need no model
    misread("reader")
    by_model = bench.ask(question)
    assert by_model.planned_by == "model"
    assert "Read by the model, since 5 of 6" in notes(by_model)
    told = len(reader.seen)
    misread("model")
    assert bench.ask(question).planned_by == "reader"  # both were misread: the usual way
    assert len(reader.seen) == told
