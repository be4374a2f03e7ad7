"""Two workers and two workbenches on one Postgres: everything is done once, whoever is killed."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.config.models import RecordsSettings, Settings
from core.domain.document import IngestOutcome
from core.domain.job import JobState
from core.errors import HomeBusyError
from core.index.embedded import EmbeddedEngine
from core.jobs import queue
from core.jobs.ownership import Leader, Ownership
from core.jobs.queue import live_workers
from core.jobs.worker import adopt
from core.store.database.visibility import Visibility
from core.store.store import Records
from tests.support.hashed_encoder import HashedEncoder
from tests.support.ingesting import text
from tests.support.waiting import wait_for

pytestmark = pytest.mark.live
ROOT = Path(__file__).parents[2]
ALL = Visibility.everything()
FOLDERS, FILES, WORDS = 4, 20, 400


class Processes:
    """Workers and searchers of one home on one database."""

    def __init__(self, home: Path, url: str) -> None:
        self._home = home
        self._environment = {
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "GROUNDWORK_RECORDS__URL": url,
            "GROUNDWORK_INGEST__PROCESSES": "1",
        }
        self.all: list[subprocess.Popen[str]] = []

    def worker(self) -> subprocess.Popen[str]:
        return self._start("worker")

    def searcher(self, *folders: Path) -> subprocess.Popen[str]:
        started = self._start("search", *map(str, folders))
        assert started.stdout is not None
        assert started.stdout.readline().strip() == "submitted"
        return started

    def _start(self, what: str, *arguments: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "tests.support.hashed_workbench", what, str(self._home), *arguments]
        self.all.append(
            subprocess.Popen(
                command,
                cwd=ROOT,
                env=self._environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
        )
        return self.all[-1]

    def close(self) -> None:
        for process in self.all:
            if process.poll() is None:
                process.kill()
            process.communicate()


@pytest.fixture
def settings(records_url: str, tmp_path: Path) -> Settings:
    return Settings(home=tmp_path / "home", records=RecordsSettings.model_validate({"url": records_url}))


@pytest.fixture
def records(settings: Settings) -> Iterator[Records]:
    with Records.open(settings) as opened:
        yield opened


@pytest.fixture
def processes(settings: Settings, records: Records) -> Iterator[Processes]:
    started = Processes(settings.home, settings.records.url.get_secret_value())
    yield started
    started.close()


def test_every_document_is_ingested_once_while_workers_are_killed(
    records: Records, settings: Settings, processes: Processes, tmp_path: Path
) -> None:
    folders = [write_folder(tmp_path / f"folder{number}", number) for number in range(FOLDERS)]
    workers = {process.pid: process for process in (processes.worker(), processes.worker())}
    searchers = [processes.searcher(*folders[:2]), processes.searcher(*folders[2:], folders[0])]

    for killed_at in (14, 40):
        wait_for(lambda limit=killed_at: records.documents.count(ALL) >= limit, 120)
        busy = wait_for(lambda: next(iter(running_pids(records) & workers.keys()), None), 60)
        process = workers.pop(busy)
        process.send_signal(signal.SIGKILL)
        process.wait()
        added = processes.worker()
        workers[added.pid] = added
    wait_for(lambda: all(job.state.is_ended for job in records.jobs.list()), 240)
    wait_for(lambda: index_of(settings)[0] == records.changes.data_version(), 60)

    counts = [searcher.communicate(timeout=60)[0].split() for searcher in searchers]
    summaries = records.documents.list(ALL)
    jobs = records.jobs.list()
    assert [int(failed) for failed, _ in counts] == [0, 0]
    assert all(int(worked) > 3 for _, worked in counts)
    assert len(summaries) == FOLDERS * FILES
    assert Counter((row.version, row.status.value) for row in summaries) == {(1, "ready"): len(summaries)}
    assert {(job.state, job.done, job.total) for job in jobs} == {(JobState.DONE, FILES, FILES)}
    assert index_of(settings)[1] == records.passages.count() == sum(row.passages for row in summaries)
    fine = {IngestOutcome.READY, IngestOutcome.UNCHANGED}
    assert {item.outcome for job in jobs for item in records.jobs.items(job.id)} <= fine


def test_a_job_that_a_stopped_worker_lets_go_of_is_finished_by_the_other(
    records: Records, processes: Processes, tmp_path: Path
) -> None:
    workers = {process.pid: process for process in (processes.worker(), processes.worker())}
    folder = write_folder(tmp_path / "folder", 0)
    processes.searcher(folder)
    wait_for(lambda: records.documents.count(ALL) >= 3, 120)
    first = wait_for(lambda: next(iter(running_pids(records) & workers.keys()), None), 60)
    workers[first].send_signal(signal.SIGTERM)

    wait_for(lambda: all(job.state.is_ended for job in records.jobs.list()), 120)

    assert [(job.state, job.done) for job in records.jobs.list()] == [(JobState.DONE, FILES)]
    assert workers[first].wait(60) == 0


def test_many_workers_are_there_at_once_and_a_home_has_no_lock(records: Records, tmp_path: Path) -> None:
    with Ownership(records, tmp_path) as one, Ownership(records, tmp_path) as two:
        assert one.is_held
        assert two.is_held
        assert {lease.owner for lease in live_workers(records)} == {one.owner, two.owner}
        assert queue.is_worker_alive(records)

    assert not queue.is_worker_alive(records)
    assert not (tmp_path / "worker.lock").exists()


def test_only_jobs_whose_owners_lease_ran_out_are_adopted(records: Records, tmp_path: Path) -> None:
    jobs = [queue.submit(records, "count", "c", {}) for _ in range(4)]
    with Ownership(records, tmp_path) as alive, Ownership(records, tmp_path) as me:
        for owner in (alive.owner, "elsewhere:1:dead", me.owner, me.owner):
            records.jobs.claim(owner)

        assert adopt(records, frozenset({jobs[2]}), me.owner) == [jobs[1], jobs[3]]

        assert [records.jobs.get(job).state for job in jobs] == [
            JobState.RUNNING,
            JobState.QUEUED,
            JobState.RUNNING,
            JobState.QUEUED,
        ]
        assert adopt(records, frozenset({jobs[2]}), me.owner) == []


def test_a_worker_that_lost_its_job_cannot_end_it(records: Records) -> None:
    job = queue.submit(records, "count", "c", {})
    records.jobs.claim("cut off")
    records.jobs.give_back(job, "cut off")
    records.jobs.claim("adopter")

    records.jobs.finish(job, JobState.FAILED, "late", owner="cut off")

    assert records.jobs.get(job).state is JobState.RUNNING


def test_the_lead_is_one_processes_and_passes_on_when_it_lets_go(
    records: Records, settings: Settings
) -> None:
    with Records.open(settings) as other, contextlib.closing(Leader(records)) as first:
        with contextlib.closing(Leader(other)) as second:
            assert first.take()
            assert not second.take()
            first.let_go()
            wait_for(second.take, 10)
            assert not first.is_held
        wait_for(first.take, 10)


def running_pids(records: Records) -> set[int]:
    return {int(order.owner.split(":")[1]) for order in records.jobs.running()}


def index_of(settings: Settings) -> tuple[int, int]:
    """The change that the index has reached, and its passages."""
    try:
        engine = EmbeddedEngine.open(settings.home / "index", HashedEncoder().signature)
    except HomeBusyError:
        return 0, 0
    with contextlib.closing(engine):
        return engine.status().sequence, engine.status().passages


def write_folder(folder: Path, number: int) -> Path:
    folder.mkdir()
    for file in range(FILES):
        (folder / f"{number}-{file:03}.txt").write_text(text(number * FILES + file, WORDS))
    return folder
