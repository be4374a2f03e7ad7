"""A language model whose calls cannot be recorded: the answer comes, says so, and the rows follow later."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from core.domain.answer import Answer
from core.domain.llm.use import ModelCall, ModelOutcome, ModelRole
from core.domain.principal import LOCAL_ADMIN
from core.errors import RecordsError
from core.store.jobs.model_calls import ModelCallRecords
from tests.support.contracts_at_hand import Contracts, contracts_at_hand
from tests.support.model_faults import HARD_QUESTION
from tests.support.model_plans import TEXAN
from tests.support.scripted_llm import ScriptedLlm, reply_json

SPENT = ModelCall(
    role=ModelRole.WRITE, prompt="write/1", model="m", outcome=ModelOutcome.DONE, prompt_tokens=199_999
)


@pytest.fixture
def at_hand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Contracts]:
    monkeypatch.setenv("GROUNDWORK_RECORDS__BUSY_TIMEOUT_S", "0.2")
    with contracts_at_hand(tmp_path / "home") as contracts, ScriptedLlm(reply_json(TEXAN)) as server:
        contracts.bench.local.settings.choose_model(base_url=server.url, tokens_per_minute="0")
        yield contracts


@contextmanager
def locked(contracts: Contracts) -> Iterator[None]:
    """Another process in the middle of a long write."""
    other = sqlite3.connect(contracts.records.database.place, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        yield
    finally:
        other.execute("ROLLBACK")
        other.close()


def asked(contracts: Contracts) -> Answer:
    return contracts.bench.local.questions.ask(HARD_QUESTION)


def test_an_answer_comes_where_neither_calls_nor_trace_can_be_kept(at_hand: Contracts) -> None:
    with locked(at_hand):
        answer = asked(at_hand)

    assert answer.planned_by == "model"
    assert answer.table is not None
    told = [each.message for each in answer.degradations]
    assert len(told) == 2
    assert told[0].startswith("What this question spent on language models could not be recorded.")
    assert told[1].startswith("The trace of this answer could not be kept.")
    assert all("locked for too long" in each for each in told)


def test_calls_that_could_not_be_kept_count_for_the_day_and_are_written_later(at_hand: Contracts) -> None:
    calls = at_hand.records.model_calls
    with locked(at_hand):
        first = asked(at_hand).model_use
    assert first is not None
    assert calls.day_tokens() == 0
    assert at_hand.bench._parts.models_of_home._day_tokens() == first.tokens

    second = asked(at_hand)

    assert second.degradations == ()
    assert second.model_use is not None
    assert calls.day_tokens() == first.tokens + second.model_use.tokens
    assert len(calls.recent(LOCAL_ADMIN)) == len(first.calls) + len(second.model_use.calls)


def test_a_day_that_another_process_used_up_is_told_and_nothing_is_sent(at_hand: Contracts) -> None:
    asked(at_hand)
    ModelCallRecords(at_hand.records.database).add(SPENT, "ann")

    answer = asked(at_hand)

    assert answer.planned_by == "rules"
    told, *_ = answer.degradations
    assert told.code == "E005"
    assert "Today's 200,000 tokens for language models do not reach" in told.message
    assert answer.model_use is not None
    assert {call.attempts for call in answer.model_use.calls} == {0}


def test_a_sum_that_cannot_be_read_keeps_calls_back_and_not_the_answer(
    at_hand: Contracts, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(self: ModelCallRecords) -> int:
        raise RecordsError("The records cannot be reached.", next_step="Start them.")

    monkeypatch.setattr(ModelCallRecords, "day_tokens", broken)

    answer = asked(at_hand)

    assert answer.planned_by == "rules"
    told, *_ = answer.degradations
    assert told.code == "E005"
    assert told.message.startswith("What was spent today cannot be read. The records cannot be reached.")
