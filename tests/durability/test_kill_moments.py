"""A worker killed before and after each of its writes about a job: nothing is lost, nothing is twice."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import SecretStr

from core.config.models import RecordsSettings, Settings
from core.domain.job import JobState
from core.jobs import queue, worker
from core.store.store import Records
from tests.support.toy_jobs import CountingJob

ROOT = Path(__file__).parents[2]
ITEMS = 3
WRITES = (("claim", 1), ("add_items", 1), ("set_items", 1), ("set_items", ITEMS), ("finish", 1))


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.live)])
def url(request: pytest.FixtureRequest) -> str:
    return str(request.getfixturevalue("records_url")) if request.param == "postgres" else ""


@pytest.fixture
def records(url: str, tmp_path: Path) -> Iterator[Records]:
    with Records.open(Settings(home=tmp_path, records=RecordsSettings(url=SecretStr(url)))) as opened:
        yield opened


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize(("method", "number"), WRITES)
def test_a_job_ends_once_whatever_its_worker_was_about_to_write(
    records: Records, url: str, tmp_path: Path, method: str, number: int, when: str
) -> None:
    job = queue.submit(records, "count", "Counting", {"count": ITEMS})
    killed = subprocess.run(
        [sys.executable, "-m", "tests.support.toy_jobs", str(tmp_path), method, str(number), when],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), "GROUNDWORK_RECORDS__URL": url},
    )
    assert killed.returncode == -signal.SIGKILL
    begun: list[int] = []

    ended = worker.complete(records, tmp_path, job, lambda: {"count": CountingJob(records, begun.append)})

    assert (ended.state, ended.done, ended.total) == (JobState.DONE, ITEMS, ITEMS)
    assert [item.source for item in records.jobs.items(job)] == [f"item {at}" for at in range(ITEMS)]
    noted = {("set_items", 1): 1, ("set_items", ITEMS): ITEMS, ("finish", 1): ITEMS}.get((method, number), 0)
    assert begun == list(range(noted - (method == "set_items" and when == "before"), ITEMS))
