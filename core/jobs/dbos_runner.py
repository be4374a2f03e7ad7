"""Carries a job from step to step with DBOS, so that a kill at any moment costs one step at most.

Why DBOS and how it is used: docs/decisions/0002-jobs.md. DBOS keeps its log in `jobs.sqlite` in the home:
no server, no port, no network. Where the records are in Postgres it is there too, in a schema of its own:
docs/decisions/0009-postgres.md. Only a worker imports this module (about a second).
"""

from __future__ import annotations

import logging
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dbos import DBOS, SetWorkflowID

from core.domain.ids import JobId
from core.records.database.failures import records_error
from core.records.database.postgres import postgres_error
from core.records.store import Records

LOG_FILE = "jobs.sqlite"
LOG_SCHEMA = "groundwork_jobs"
# Pinned: DBOS would hash the source of the workflow, and every release would strand the jobs of the last one.
# Raise it only when the order of the steps changes; job items make starting afresh cheap and safe.
APPLICATION_VERSION = "1"
_ENDED = ("SUCCESS", "ERROR")
_LAUNCH_LOCK = threading.Lock()  # DBOS is one per process: a second home in this process waits


class Released(BaseException):
    """Ends a step and its workflow without a trace in the log, as a kill would: another process goes on.

    A BaseException, since DBOS records every Exception as the step's outcome.
    """


@dataclass(frozen=True, slots=True)
class Steps:
    """What each step does; all may run twice, and none raises anything but Released.

    prepare: gives whether there is anything to do. work: whether there is more to do. conclude: whether the
    job has ended; False goes back to work.
    """

    prepare: Callable[[JobId], bool]
    work: Callable[[JobId], bool]
    conclude: Callable[[JobId], bool]


class DbosRunner:
    """A JobRunner over DBOS; one at a time per process. `executor` must be unique to this process."""

    def __init__(self, records: Records, home: Path, executor: str, steps: Steps) -> None:
        _LAUNCH_LOCK.acquire()
        self._is_open = True
        self._is_shared = records.is_shared
        self._log = records.database.place if records.is_shared else str(home / LOG_FILE)
        self._lock = threading.Lock()  # guards _running
        self._running: set[JobId] = set()
        try:
            with _plain_words(self._log):
                DBOS(config=_configuration(records, home, executor))
                logging.getLogger("dbos").setLevel(logging.ERROR)
                self._workflow = self._register(steps)
                DBOS.launch()
        except BaseException:
            self.close()
            raise

    def start(self, job: JobId) -> None:
        """Begin the job, or go on where a dead process left it; returns at once.

        Raises RecordsError where the log cannot be written: the disk is full.
        """
        with self._lock:
            self._running.add(job)
        try:
            with _plain_words(self._log):
                self._start(job)
        except BaseException:
            with self._lock:
                self._running.discard(job)
            raise

    def running(self) -> frozenset[JobId]:
        """The jobs that this process works on."""
        with self._lock:
            return frozenset(self._running)

    def close(self) -> None:
        """Stop DBOS. The steps that run must have been asked to end; safe to call twice."""
        if self._is_open:
            self._is_open = False
            try:
                DBOS.destroy(destroy_registry=True)
            finally:
                _LAUNCH_LOCK.release()

    def _start(self, job: JobId) -> None:
        number, status = _last_run(job)
        # Of a run on a shared database nobody can tell whether its worker is dead or was only cut off and
        # still writes into its log: a new run over the items that are left cannot meet it.
        if self._is_shared or status is None or status in _ENDED:
            with SetWorkflowID(_run_id(job, number + 1)):
                DBOS.start_workflow(self._workflow, job)
        else:
            DBOS.resume_workflow(_run_id(job, number))

    def _register(self, steps: Steps) -> Callable[[str], None]:
        prepare = DBOS.step(name="prepare")(lambda job: steps.prepare(JobId(job)))
        work = DBOS.step(name="work")(lambda job: steps.work(JobId(job)))
        conclude = DBOS.step(name="conclude")(lambda job: steps.conclude(JobId(job)))

        def run(job: str) -> None:
            try:
                is_unfinished = prepare(job)
                while is_unfinished or not conclude(job):
                    is_unfinished = work(job)
            finally:
                with self._lock:
                    self._running.discard(JobId(job))

        workflow: Callable[[str], None] = DBOS.workflow(name="job")(run)
        return workflow


@contextmanager
def _plain_words(log: str) -> Iterator[None]:
    """Says what is wrong with disk or server instead of showing SQL; raises RecordsError."""
    try:
        yield
    except Exception as error:
        cause = getattr(error, "orig", error)  # the driver's own error within that of the SQL library
        if not isinstance(cause, (sqlite3.Error, OSError)) and postgres_error(cause, log) is None:
            raise
        raise records_error(cause, log) from error


def _configuration(records: Records, home: Path, executor: str) -> Any:
    url = f"sqlite:///{home.absolute() / LOG_FILE}"
    if records.is_shared:
        url = records.database.address.render_as_string(hide_password=False)
    return {
        "name": "groundwork",
        "system_database_url": url,
        "dbos_system_schema": LOG_SCHEMA if records.is_shared else None,
        "application_version": APPLICATION_VERSION,
        "executor_id": executor,
        "enable_otlp": False,
        "log_level": "ERROR",
        "sys_db_pool_size": 4,
        # We send no messages; this only bounds how long closing waits for the thread that looks for some.
        "notification_listener_polling_interval_sec": 0.2,
        "scheduler_polling_interval_sec": 3600.0,
    }


def _run_id(job: JobId, number: int) -> str:
    return f"{job}.{number}"


def _last_run(job: JobId) -> tuple[int, str | None]:
    """The number and status of the newest run; (0, None) before the first."""
    number, last = 0, None
    while True:
        status = DBOS.get_workflow_status(_run_id(job, number + 1))
        if status is None:
            return number, last
        number, last = number + 1, str(status.status)
