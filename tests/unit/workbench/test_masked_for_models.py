"""Personal data and secrets of a conversation: in no request to a model, no event, nothing that is kept."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.config.load import load_settings
from core.domain.answer import Answer
from core.domain.event import Finished
from core.domain.ids import ConversationId
from core.workbench import Workbench
from tests.support.given_encoder import PartsWith
from tests.support.hashed_encoder import HashedEncoder
from tests.support.model_desk import ModelDesk
from tests.support.scripted_llm import ScriptedLlm

LEASE = """# Lease of the Maple warehouse

Jane Roe keeps the keys, her mail is jane.roe@acme.example. Either party may terminate on 30 days notice.
"""
RAW = ("john.poe", "nowhere.example", "hunter2", "219-09-9998", "4111 1111", "41111111")
TURNS = (
    "On how many days notice may either party terminate the Maple lease?",
    "And by fax to john.poe@nowhere.example or telephone?",
    "And with password: hunter2, how long?",
    "And my card 4111 1111 1111 1111, what about that?",
    "And does SSN 219-09-9998 change that?",
    "Who is john.poe@nowhere.example?",
)


class Conversing:
    """A conversation with a scripted model, and all that was sent, told and kept."""

    def __init__(self, bench: Workbench, desk: ModelDesk, server: ScriptedLlm) -> None:
        self.bench, self.desk, self.server = bench, desk, server
        self.told: list[str] = []

    def begin(self) -> ConversationId:
        return self.bench.local.conversations.create().id

    def ask(self, conversation: ConversationId, question: str) -> Answer:
        session = self.bench.local
        turn = session.conversations.start_turn(conversation, question)
        events = list(session.questions.stream(question, conversation=conversation))
        self.told += [event.model_dump_json() for event in events]
        assert isinstance(events[-1], Finished)
        session.conversations.finish_turn(turn.id, events[-1].answer)
        return events[-1].answer

    def kept(self) -> str:
        connection = sqlite3.connect(self.bench._parts.records.database.place)
        try:
            return "\n".join(connection.iterdump())
        finally:
            connection.close()


@pytest.fixture
def conversing(tmp_path: Path) -> Iterator[Conversing]:
    (tmp_path / "lease.md").write_text(LEASE, encoding="utf-8")
    desk = ModelDesk()
    parts = PartsWith(load_settings(tmp_path / "home"), HashedEncoder())
    with ScriptedLlm(desk) as server, Workbench(parts) as bench:
        bench.local.settings.choose_model(base_url=server.url, tokens_per_minute="0", verify="false")
        bench.local.documents.ingest([tmp_path / "lease.md"])
        yield Conversing(bench, desk, server)


def test_nothing_raw_of_a_conversation_is_sent_told_or_kept(conversing: Conversing) -> None:
    conversation = conversing.begin()
    for question in TURNS:
        conversing.ask(conversation, question)

    sent = json.dumps(conversing.server.requests)
    assert '"standalone"' in sent
    assert "[password or key]" in sent
    for place in (sent, " ".join(conversing.told), conversing.kept()):
        assert [each for each in RAW if each in place] == []


def test_a_whole_question_that_a_model_makes_is_masked_as_a_persons_is(conversing: Conversing) -> None:
    conversation = conversing.begin()
    conversing.ask(conversation, TURNS[0])
    conversing.desk.whole = "What fax has jane.roe@acme.example of the Maple warehouse?"

    answer = conversing.ask(conversation, "And by fax or telephone?")

    assert answer.standalone == "What fax has [e-mail address] of the Maple warehouse?"
    assert "fax has jane.roe" not in conversing.kept()
