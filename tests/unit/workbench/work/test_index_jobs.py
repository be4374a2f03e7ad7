"""When a search server is checked, and what a repair of the local index does."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from core.domain.ids import JobId
from core.domain.job import Job, JobState
from core.domain.principal import Principal
from core.domain.search import SearchQuery
from core.errors import RefusedError, UsageError
from core.index.rebuildable import ServerStart
from core.store.jobs.repairs import Suspicion
from core.workbench import Workbench
from core.workbench.wiring import Parts
from core.workbench.work.index_jobs import REPAIR, due, may_try
from tests.support.roles import MAY_ASK

ANN = Principal("ann", MAY_ASK, groups=frozenset({"legal"}))
NOW = datetime(2026, 11, 22, 8, 30, tzinfo=UTC)
SUSPICION = Suspicion(NOW.isoformat(), "It did not answer within 2 s.")
LEASE = "The monthly rent of the Mill Road warehouse is $15,000, payable on the first day of each month."


def job(state: JobState, *, minutes_ago: float = 0) -> Job:
    at = NOW - timedelta(minutes=minutes_ago)
    return Job(JobId("j1"), REPAIR, "", state, 0, 0, None, None, "", None, at, at)


def test_a_server_that_was_started_again_is_checked_whoever_saw_it() -> None:
    assert "started again" in due(ServerStart("n1:5", is_certain=True), "n1:4", None)


def test_a_server_that_was_slow_but_never_restarted_is_left_alone() -> None:
    assert due(ServerStart("n1:4", is_certain=True), "n1:4", SUSPICION) == ""


@pytest.mark.parametrize(
    "start", [ServerStart("", is_certain=False), ServerStart("n1:4 n2:4", is_certain=False)]
)
def test_where_a_restart_may_leave_no_trace_an_outage_is_enough(start: ServerStart) -> None:
    checked = start.mark or "n1:4"
    assert "did not answer" in due(start, checked, SUSPICION)
    assert due(start, checked, None) == ""


def test_checks_that_fail_are_tried_again_ever_more_rarely() -> None:
    failed = job(JobState.FAILED, minutes_ago=1.5)
    assert may_try([], NOW)
    assert may_try([job(JobState.DONE)], NOW)
    assert may_try([failed], NOW)
    assert not may_try([failed, job(JobState.CANCELLED), job(JobState.DONE)], NOW)
    assert may_try([replace(failed, updated_at=NOW - timedelta(minutes=61))] * 50, NOW)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "lease.txt").write_text(LEASE)
    with Workbench.open(home=tmp_path / "home") as bench:
        bench.ingest([tmp_path / "lease.txt"])
    return tmp_path / "home"


def test_a_repair_of_a_sound_index_is_kept_and_shown(home: Path) -> None:
    with Workbench.open(home=home) as bench:
        bench.local.documents._writing.complete(bench.local.index.submit_repair(), None)
        overview = bench.local.index.overview()

    [engine] = overview.engines
    assert engine.facts is not None
    assert (engine.name, engine.facts.passages, engine.facts.waiting) == ("embedded", 1, None)
    assert overview.passages == 1
    assert overview.job is not None
    assert (overview.job.state, overview.is_busy) == (JobState.DONE, False)
    assert overview.database.startswith("SQLite in ")
    assert engine.repair is not None
    assert engine.repair.report.checked == 1
    assert engine.repair.report.is_clean


def test_a_local_index_that_differs_from_the_records_is_built_anew(home: Path) -> None:
    parts = Parts(Workbench.open(home=home).settings)
    generation = parts.engines.passages._open[0]  # type: ignore[attr-defined]
    sequence = parts.engines.passages.status().sequence
    from core.index.base import IndexBatch

    documents = parts.records.changes.since(0).documents
    generation.apply(IndexBatch(sequence, documents, ()))
    parts.close()

    with Workbench.open(home=home) as bench:
        assert not bench.search(SearchQuery("monthly rent")).hits
        bench.local.documents._writing.complete(bench.local.index.submit_repair("embedded"), None)
        [repair] = bench.local.index.last_repairs()
        assert (repair.report.missing, repair.report.repaired, repair.report.is_rebuilt) == (1, 1, True)
        assert bench.search(SearchQuery("monthly rent")).hits


def test_only_an_admin_sees_or_repairs_the_index(home: Path) -> None:
    with Workbench.open(home=home) as bench:
        index = bench.for_principal(ANN).index
        for call in (index.overview, index.last_repairs):
            with pytest.raises(RefusedError, match="ann"):
                call()
        for submit in (index.submit_repair, index.submit_reindex):
            with pytest.raises(RefusedError, match="ann"):
                submit("")


def test_an_engine_that_is_not_configured_is_refused_with_the_known_ones(home: Path) -> None:
    with Workbench.open(home=home) as bench:
        with pytest.raises(UsageError, match="embedded") as refused:
            bench.local.index.submit_reindex("weaviate")
        with pytest.raises(UsageError, match="embedded"):
            bench.local.index.rebuild(engine="weaviate")
    assert "index.engine" in refused.value.next_step


def test_a_repair_that_failed_is_shown_until_another_was_made(home: Path) -> None:
    with Workbench.open(home=home) as bench:
        jobs = bench._parts.records.jobs
        jobs.finish(bench.local.index.submit_repair(), JobState.FAILED, "No server answers.")
        shown = bench.local.index.overview()
        jobs.finish(bench.local.index.submit_repair(), JobState.DONE)
        later = bench.local.index.overview()

    assert shown.job is not None
    assert (shown.job.error, shown.is_busy) == ("No server answers.", False)
    assert later.job is not None
    assert (later.job.error, later.job.state) == (None, JobState.DONE)


def test_a_second_repair_waits_for_the_first(home: Path) -> None:
    with Workbench.open(home=home) as bench:
        bench.local.index.submit_repair()
        with pytest.raises(UsageError, match="already"):
            bench.local.index.submit_reindex()
