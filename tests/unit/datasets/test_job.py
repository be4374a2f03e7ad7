from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from core.config.models import Settings
from core.datasets.job import RegisterJob, RegisterPayload
from core.domain.document import IngestOutcome
from core.domain.job import IngestItem
from core.errors import JobError
from core.jobs import queue
from core.jobs.base import JobInterrupted
from core.jobs.kinds import DATASETS
from core.store.base import JobOrder
from core.store.database.visibility import Visibility
from core.store.store import Records
from tests.support.row_files import SPEND, written


class Context:
    """Lets a job work until it has checked so many times."""

    def __init__(self, records: Records, payload: RegisterPayload, checks: int = 1_000_000) -> None:
        job = queue.submit(records, DATASETS, "Files", payload.model_dump(), user="ann")
        self.order: JobOrder = records.jobs.order(job)
        self.created_at = records.jobs.get(job).created_at
        self._left = checks

    def check(self) -> None:
        self._left -= 1
        if self._left < 0:
            raise JobInterrupted

    def should_yield(self) -> bool:
        return False


@pytest.fixture
def records(tmp_path: Path) -> Records:
    return Records.open(Settings(home=tmp_path / "home"))


def test_folders_give_their_files_but_hidden_ones(records: Records, tmp_path: Path) -> None:
    for name in ("b/spend.csv", "a.csv", ".hidden.csv", "~$a.xlsx", "note.txt"):
        (tmp_path / "in" / name).parent.mkdir(parents=True, exist_ok=True)
        written((tmp_path / "in" / name).parent, Path(name).name, SPEND)
    (tmp_path / "in" / "link.csv").symlink_to(written(tmp_path, "outside.csv", SPEND))
    job = RegisterJob(records, tmp_path / "out")
    context = Context(records, RegisterPayload(paths=(str(tmp_path / "in"),)))
    job.prepare(context)
    job.prepare(context)

    assert [Path(each.source).name for each in records.jobs.pending(context.order.id)] == [
        "a.csv",
        "spend.csv",
    ]
    assert job.work(context) is False
    items = records.jobs.items(context.order.id)
    assert [(each.outcome, each.reason) for each in items] == [(IngestOutcome.READY, "1 table, 14 rows.")] * 2
    with records:
        assert [each.table for each in records.datasets.list(Visibility.everything())] == ["a", "spend"]


def test_a_job_that_is_stopped_leaves_no_half_read_file(records: Records, tmp_path: Path) -> None:
    lines = "\n".join(f"{n},{n}" for n in range(300_000))
    path = written(tmp_path, "large.csv", f"a,b\n{lines}\n")
    job = RegisterJob(records, tmp_path / "out")
    context = Context(records, RegisterPayload(paths=(str(path),)), checks=4)
    job.prepare(context)

    with records, pytest.raises(JobInterrupted):
        job.work(context)
    assert list((tmp_path / "out").glob("*")) == []


def test_a_pipe_is_no_file_and_is_not_waited_for(records: Records, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.csv")
    job = RegisterJob(records, tmp_path / "out")
    context = Context(records, RegisterPayload(paths=(str(tmp_path / "pipe.csv"),)))
    job.prepare(context)
    with records:
        assert job.work(context) is False
        (item,) = records.jobs.items(context.order.id)
    assert item.outcome is IngestOutcome.FAILED
    assert "It is no file." in item.reason


def test_a_job_without_files_fails(records: Records, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    context = Context(records, RegisterPayload(paths=(str(tmp_path / "empty"),)))

    with records, pytest.raises(JobError, match="no file of rows"):
        RegisterJob(records, tmp_path / "out").prepare(context)


def _registered(records: Records, job: RegisterJob, path: Path) -> IngestItem:
    context = Context(records, RegisterPayload(paths=(str(path),)))
    job.prepare(context)
    job.work(context)
    return records.jobs.items(context.order.id)[0]


def test_files_of_older_versions_are_swept_once_no_query_can_read_them(
    records: Records, tmp_path: Path
) -> None:
    job = RegisterJob(records, tmp_path / "out")
    path = written(tmp_path, "a.csv", "a,b\n1,2\n3,4\n")
    _registered(records, job, path)
    (first,) = (tmp_path / "out").iterdir()
    _registered(records, job, written(tmp_path, "a.csv", "a,b\n1,2\n3,5\n"))
    assert first.is_dir()  # a query may still read it
    os.utime(first, (0, 0))
    _registered(records, job, written(tmp_path, "a.csv", "a,b\n1,2\n3,6\n"))
    assert not first.exists()
    assert len(list((tmp_path / "out").iterdir())) == 2


def test_a_file_for_which_the_disk_has_no_room_is_refused_before_it_is_read(
    records: Records, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.datasets.job.shutil.disk_usage", lambda _: shutil._ntuple_diskusage(9, 9, 0))
    found = _registered(records, RegisterJob(records, tmp_path / "out"), written(tmp_path, "a.csv", SPEND))
    assert found.outcome is IngestOutcome.FAILED
    assert "0.0 GB left" in found.reason
