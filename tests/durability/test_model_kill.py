"""A process that is killed in the middle of a model's stream leaves whole records and holds nothing back."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

from app.components.answer import state_of
from core.config.load import load_settings
from core.domain.conversation import TurnState
from core.domain.ids import ConversationId
from core.domain.llm.use import ModelOutcome
from core.workbench import Workbench
from tests.support.given_encoder import PartsWith
from tests.support.hashed_encoder import HashedEncoder
from tests.support.model_desk import ModelDesk
from tests.support.scripted_llm import ScriptedLlm

ROOT = Path(__file__).parents[2]
QUESTION = "On how many days notice may either party terminate the Maple lease?"
LEASE = "# Maple lease\n\nEither party may terminate the Maple lease on 30 days notice.\n"


def opened(home: Path) -> Workbench:
    return Workbench(PartsWith(load_settings(home), HashedEncoder()))


def test_a_kill_in_the_middle_of_a_stream_leaves_whole_records_and_nothing_reserved(tmp_path: Path) -> None:
    home, desk = tmp_path / "home", ModelDesk()
    (tmp_path / "lease.md").write_text(LEASE, encoding="utf-8")
    with ScriptedLlm(desk) as server:
        with opened(home) as bench:
            bench.local.settings.choose_model(base_url=server.url, tokens_per_day="20000", verify="false")
            bench.local.documents.ingest([tmp_path / "lease.md"])
        desk.hangs = True
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.support.asking_process", str(home), QUESTION],
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
        )
        assert process.stdout is not None
        conversation, turn = process.stdout.readline().split()
        until = time.monotonic() + 60
        while not any(body.get("stream") for body in server.requests) and time.monotonic() < until:
            time.sleep(0.05)
        assert any(body.get("stream") for body in server.requests)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        process.stdout.close()
        desk.reset()
        with opened(home) as bench:
            counted = bench._parts.records.model_calls.day_tokens()
            begun = bench.local.settings.model_use().recent[0].call

        with opened(home) as bench:
            records = sqlite3.connect(bench._parts.records.database.place)
            assert records.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            records.close()
            [left] = bench.local.conversations.turns(ConversationId(conversation))
            assert (str(left.id), left.answer) == (turn, None)
            assert state_of(left, running=False) == TurnState.INTERRUPTED.value
            again = bench.local.questions.ask(QUESTION, conversation=ConversationId(conversation))
            spent = bench._parts.records.model_calls.day_tokens()

    assert again.written_by
    assert again.degradations == ()
    assert again.model_use is not None
    assert (begun.outcome, begun.completion_tokens) == (ModelOutcome.BEGUN, 1_500)
    assert begun.prompt_tokens + begun.completion_tokens <= counted < spent < 20_000


def test_what_a_second_process_spends_holds_back_the_first(tmp_path: Path) -> None:
    home, desk = tmp_path / "home", ModelDesk()
    (tmp_path / "lease.md").write_text(LEASE, encoding="utf-8")
    with ScriptedLlm(desk) as server, opened(home) as bench:
        bench.local.settings.choose_model(base_url=server.url, tokens_per_day="3700", verify="false")
        bench.local.documents.ingest([tmp_path / "lease.md"])
        first = bench.local.questions.ask(QUESTION)
        subprocess.run(
            [sys.executable, "-m", "tests.support.asking_process", str(home), QUESTION],
            stdout=subprocess.DEVNULL,
            cwd=ROOT,
            check=True,
            timeout=120,
        )
        sent = len(server.requests)
        held_back = bench.local.questions.ask(QUESTION)

    assert first.written_by
    assert len(server.requests) == sent > 1
    assert not held_back.written_by
    assert "Today's 3,700 tokens" in held_back.degradations[0].message
