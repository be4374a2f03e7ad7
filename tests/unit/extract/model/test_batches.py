from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from core.domain.fields import CellStatus
from core.domain.ids import JobId
from core.domain.job import JobState
from core.domain.llm.use import ModelRole
from core.errors import LlmError
from core.extract.model.batches import cancel_left
from core.extract.model.job import ReadCellsJob
from core.jobs import queue
from core.jobs.base import JobWaits
from core.jobs.kinds import READ_CELLS
from core.llm.prompts import load_prompt
from core.store.store import Records
from core.workbench.language_models import ModelsOfHome
from tests.support.reading_cells import DEFINITIONS, ROOT, fill_home, opened, reading, settings_for
from tests.support.scripted_llm import ScriptedBatches, ScriptedLlm, batch_line, reply
from tests.support.waiting import wait_for
from tests.unit.extract.model.test_job import Slice, statuses, submitted

PRICES = {"openai/gpt-oss-20b": {"prompt": 1.0, "completion": 1.0}}


@pytest.fixture
def records(tmp_path: Path) -> Iterator[Records]:
    with opened(tmp_path) as made:
        yield made


@pytest.fixture
def server() -> Iterator[ScriptedLlm]:
    with ScriptedLlm(reading()) as made:
        made.batches = ScriptedBatches(reading())
        yield made


def batches_of(server: ScriptedLlm) -> ScriptedBatches:
    assert server.batches is not None
    return server.batches


def reader_of(
    records: Records,
    server: ScriptedLlm,
    now: Callable[[], datetime] = lambda: datetime.now(UTC),
    **changes: object,
) -> ReadCellsJob:
    settings = settings_for(server.url, **{"batch": True, "prices": PRICES, **changes})
    return ReadCellsJob(records, lambda: DEFINITIONS, ModelsOfHome(records, settings), poll_s=0.0, now=now)


def run(reader: ReadCellsJob, context: Slice, most: int = 20) -> int:
    """Carry it to its end; gives how often it waited."""
    waited = 0
    reader.prepare(context)
    while True:
        try:
            if not reader.work(context):
                return waited
        except JobWaits:
            waited += 1
            assert waited < most


def waits(reader: ReadCellsJob, context: Slice) -> None:
    reader.prepare(context)
    with pytest.raises(JobWaits):
        reader.work(context)


def test_a_batch_reads_the_same_at_half_the_price_and_sends_nothing_else(
    records: Records, server: ScriptedLlm
) -> None:
    fill_home(records)
    context, job = submitted(records)
    assert run(reader_of(records, server), context) == 1

    tally, [made] = records.model_readings.tally(job), batches_of(server).made
    first = batches_of(server).sent[0]
    assert (made["endpoint"], made["completion_window"]) == ("/v1/chat/completions", "24h")
    assert (first["method"], first["url"], first["body"]["model"]) == (
        "POST",
        made["endpoint"],
        "openai/gpt-oss-20b",
    )
    assert first["body"]["response_format"]["json_schema"]["strict"]
    assert (len(batches_of(server).sent), server.requests) == (3, [])
    assert (tally.present, tally.calls, tally.batch_calls, tally.tokens) == (12, 3, 3, 1_800)
    assert tally.cost_usd == pytest.approx(0.5 * 1_800 / 1_000_000)
    assert records.model_calls.open_batches() == []
    assert [item.outcome for item in records.jobs.items(job)] == ["ready"] * 3


def test_what_fails_in_a_batch_is_asked_one_by_one(records: Records, server: ScriptedLlm) -> None:
    fill_home(records, 6)
    mine = batches_of(server)
    kinds: list[Callable[[str, bytes], list[bytes]]] = [
        lambda id, body: [batch_line(id, body)],
        lambda id, body: [],  # missing
        lambda id, body: [b'{"custom_id": "', b"[1]", b"\xff\xfe", b"{}"],  # no JSON
        lambda id, body: [
            json.dumps({"custom_id": id, "response": None, "error": {"message": "no"}}).encode()
        ],
        lambda id, body: [batch_line(id, body.replace(b"found", b"lost"))],  # does not fit
        lambda id, body: [batch_line(id, body), batch_line(id, body), batch_line("other-thing", body)],
    ]
    turn = iter(kinds)
    mine.line = lambda id, body: next(turn)(id, body)
    context, job = submitted(records)
    run(reader_of(records, server, reading_at_once=1), context)

    assert (len(mine.made), len(server.requests)) == (1, 4)
    assert records.model_readings.tally(job).present == 24


def test_a_job_that_was_killed_finds_its_batch_again(records: Records, server: ScriptedLlm) -> None:
    fill_home(records)
    context, job = submitted(records)
    mine = batches_of(server)
    mine.status = "in_progress"
    waits(reader_of(records, server), context)
    waits(reader_of(records, server), context)  # another process
    server.batches = ScriptedBatches(reading(), is_away=True)
    waits(reader_of(records, server), context)
    server.batches = mine
    mine.status, [batch] = "completed", records.model_calls.open_batches(job)
    records.model_calls.end_batch(batch, {})  # as if the kill came before the server's id was kept
    records.model_calls.begin_batch(
        type(batch)(batch.id, job, "ada", batch.at, batch.call.model_copy(update={"detail": ""}))
    )
    run(reader_of(records, server), context)

    assert (len(mine.made), server.requests) == (1, [])
    assert records.model_readings.tally(job).present == 12


def test_a_batch_whose_answer_got_lost_is_not_sent_again(records: Records, server: ScriptedLlm) -> None:
    fill_home(records)
    context, _ = submitted(records)
    batches_of(server).is_lost = True
    reader = reader_of(records, server)
    reader.prepare(context)
    with pytest.raises(LlmError):
        reader.work(context)
    run(reader_of(records, server), context)

    assert (len(batches_of(server).made), server.requests) == (1, [])


@pytest.mark.parametrize(("line", "again"), [(None, 2), (b"", 1)])
def test_an_expired_batch_goes_on_as_another_where_it_came_to_something(
    records: Records, server: ScriptedLlm, line: bytes | None, again: int
) -> None:
    fill_home(records)
    mine, context = batches_of(server), submitted(records)[0]
    mine.status = "expired"
    counter = iter(range(100))
    mine.line = lambda id, body: [batch_line(id, body)] if line is None and next(counter) != 1 else []
    if again == 1:
        with pytest.raises(LlmError, match="came to nothing of its batch") as caught:
            run(reader_of(records, server), context)
        assert "Resume the job" in caught.value.next_step
        assert "one by one" in caught.value.next_step
    else:
        run(reader_of(records, server), context)
        assert len(mine.sent) == 4
    assert (len(mine.made), server.requests) == (again, [])


def test_a_server_that_never_ends_its_batch_is_given_up_at_a_time_that_is_named(
    records: Records, server: ScriptedLlm
) -> None:
    fill_home(records)
    mine, (context, job) = batches_of(server), submitted(records)
    mine.status, start = "in_progress", datetime(2026, 5, 1, 9, tzinfo=UTC)
    records.jobs.claim("me")
    waits(reader_of(records, server, lambda: start), context)
    current = records.jobs.get(job).current
    assert current is not None
    assert "A batch at half the price, by 02 May, 10:00 (UTC) at the latest" in current.source
    waits(reader_of(records, server, lambda: start + timedelta(hours=24)), context)
    with pytest.raises(LlmError, match=r"not ended its batch 'batch_0' by 02 May, 10:00 \(UTC\)"):
        run(reader_of(records, server, lambda: start + timedelta(hours=26)), context)

    assert mine.cancelled == ["batch_0"]
    assert records.model_calls.open_batches() == []


def test_a_batch_that_is_refused_says_why(records: Records, server: ScriptedLlm) -> None:
    fill_home(records, 4)
    mine, context = batches_of(server), submitted(records)[0]
    mine.status, mine.problem = "failed", "Line 1 is no request."
    with pytest.raises(LlmError, match="did not begin its batch 'batch_0': Line 1 is no request"):
        run(reader_of(records, server), context)
    mine.status, mine.problem = "completed", ""
    mine.line = lambda id, body: [json.dumps({"custom_id": id, "error": {"message": "bad model"}}).encode()]
    with pytest.raises(LlmError, match="answered no request of its batch 'batch_1': bad model"):
        run(reader_of(records, server), context)
    server.batches = None
    with pytest.raises(LlmError, match=r"takes no batches \(status 404\)") as caught:
        run(reader_of(records, server), context)

    assert "'Cells in batches, at half the price' off in Settings" in caught.value.next_step
    assert server.requests == []
    assert records.model_calls.open_batches() == []


def test_a_batch_holds_what_the_day_has_left(records: Records, server: ScriptedLlm) -> None:
    fill_home(records)
    mine, (context, job) = batches_of(server), submitted(records)
    with pytest.raises(LlmError, match="Today's 2,000 tokens") as caught:
        run(reader_of(records, server, tokens_per_day=2_000), context)
    assert "Raise 'Tokens a day' in Settings" in caught.value.next_step
    assert mine.made == []
    run(reader_of(records, server, tokens_per_day=4_000), context)

    assert (len(mine.sent), len(mine.made)) == (3, 3)
    assert records.model_readings.tally(job).present == 12


def test_a_cancelled_job_has_its_batch_cancelled_and_what_was_done_is_kept(
    records: Records, server: ScriptedLlm
) -> None:
    fill_home(records)
    mine, (context, job) = batches_of(server), submitted(records)
    mine.status = "in_progress"
    reader = reader_of(records, server)
    waits(reader, context)
    known: set[str] = set()
    models = ModelsOfHome(records, settings_for(server.url, batch=True))
    cancel_left(records, models, known)
    assert mine.cancelled == []
    queue.cancel(records, job)
    cancel_left(records, models, known)
    cancel_left(records, models, known)
    assert mine.cancelled == ["batch_0"]
    queue.resume(records, job)
    run(reader_of(records, server), context)

    assert (len(mine.made), server.requests) == (1, [])
    assert records.model_readings.tally(job).present == 12


def test_where_batches_are_switched_off_meanwhile_the_one_under_way_is_fetched_first(
    records: Records, server: ScriptedLlm
) -> None:
    fill_home(records)
    context, _ = submitted(records)
    waits(reader_of(records, server), context)
    run(reader_of(records, server, batch=False), context)

    assert (len(batches_of(server).made), server.requests) == (1, [])


def test_a_question_is_answered_while_a_batch_is_under_way(records: Records, server: ScriptedLlm) -> None:
    fill_home(records)
    batches_of(server).status = "in_progress"
    context, _ = submitted(records)
    waits(reader_of(records, server), context)
    server.script = [reply("fine")]
    models = ModelsOfHome(records, settings_for(server.url, tokens_per_minute=8_000))
    calls = models.calls("ada")
    assert calls is not None
    calls.converse(load_prompt("schema", ModelRole.TEST, schema="{}"), ())
    calls.stop()
    assert len(server.requests) == 1


def test_a_worker_with_a_batch_under_way_can_be_killed_and_others_have_their_turn(tmp_path: Path) -> None:
    with opened(tmp_path) as records, ScriptedLlm(reading()) as server:
        fill_home(records)
        server.batches = ScriptedBatches(reading(), status="in_progress")
        job = queue.submit(records, READ_CELLS, "test", {})
        command = [sys.executable, "-m", "tests.support.reading_cells", str(tmp_path), server.url, "batch"]
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        for _ in range(2):
            worker = subprocess.Popen(command, cwd=ROOT, env=environment)
            wait_for(lambda: any(each.remote for each in records.model_calls.open_batches(job)), 30)
            worker.kill()
            worker.wait()
        server.batches.status = "completed"
        worker = subprocess.Popen(command, cwd=ROOT, env=environment)
        wait_for(lambda: records.jobs.get(job).state.is_ended, 60)
        worker.terminate()
        worker.wait()

        assert records.jobs.get(job).state is JobState.DONE
        assert (len(server.batches.made), server.requests) == (1, [])
        assert statuses(records, "rent") == [CellStatus.PRESENT] * 3
        assert JobId(job)
