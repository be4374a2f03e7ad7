"""A job that has a model read cells, killed thrice, stopped by budget and key, pays for no prompt twice."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

from core.domain.job import JobState
from core.jobs import queue
from core.jobs.kinds import READ_CELLS
from tests.support.paid_calls import PaidCalls
from tests.support.reading_cells import ROOT, fill_home, opened, reading
from tests.support.scripted_llm import ScriptedLlm
from tests.support.waiting import wait_for

DOCUMENTS, AT_ONCE, KILLS = 12, 4, 3


def test_nothing_is_paid_twice_but_the_calls_under_way_at_a_kill(tmp_path: Path) -> None:
    paid = PaidCalls(reading(), wait_s=0.4)
    with opened(tmp_path) as records, ScriptedLlm(paid) as server:
        fill_home(records, DOCUMENTS)
        command = [sys.executable, "-m", "tests.support.reading_cells", str(tmp_path), server.url]
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}

        def worker() -> subprocess.Popen[bytes]:
            return subprocess.Popen(command, cwd=ROOT, env=environment)

        def stop_at(most_calls: int | None, tokens_per_day: int) -> str:
            paid.most = most_calls
            records.model_calls.choose({"tokens_per_day": str(tokens_per_day)}, "ada")
            running = worker()
            wait_for(lambda: records.jobs.get(job).state.is_ended, 60)
            running.terminate()
            running.wait()
            ended = records.jobs.get(job)
            assert ended.state is JobState.FAILED
            queue.resume(records, job)
            return ended.error or ""

        job = queue.submit(records, READ_CELLS, "test", {})
        small = stop_at(None, 1_000)
        nothing = len(paid.calls)
        budget = stop_at(None, 3_000)
        spent = sum(each.tokens for each in paid.calls)
        key = stop_at(len(paid.calls) + 2, 1_000_000)
        paid.most, moments = None, []
        for _ in range(KILLS):
            before, running = len(paid.calls), worker()
            wait_for(lambda before=before: len(paid.calls) > before, 60)  # type: ignore[misc]
            time.sleep(0.2)
            moments.append(time.monotonic())
            running.kill()
            running.wait()
        running = worker()
        wait_for(lambda: records.jobs.get(job).state.is_ended, 60)
        running.terminate()
        running.wait()
        ended, tally = records.jobs.get(job), records.model_readings.tally(job)
        counted = records.model_calls.day_tokens()

    again, others = paid.again(moments)
    assert "Today's 1,000 tokens" in small
    assert "Raise 'Tokens a day' in Settings" in small
    assert nothing == 0
    assert 0 < spent <= 3_000, budget
    assert "Today's 3,000 tokens" in budget
    assert "wants to be paid before it answers" in key
    assert "Add credit to the account" in key
    assert (ended.state, ended.done, tally.read) == (JobState.DONE, DOCUMENTS, 5 * DOCUMENTS)
    assert others == 0
    assert max(again) <= AT_ONCE
    assert sum(each.tokens for each in paid.calls) <= counted
