"""Progress of a job on a terminal: count, rate, time left and the last item, on stderr."""

from __future__ import annotations

import shutil
import sys
import time

import click

from core.domain.ids import JobId
from core.domain.job import Job
from core.jobs.kinds import CRAWL, EVALUATE, EXTRACT, OCR, READ_CELLS

_BEGINNINGS = {
    EXTRACT: "Looking for documents",
    READ_CELLS: "Looking for cells",
    CRAWL: "Starting the crawler",
    EVALUATE: "Looking for cases",
}
_STEPS = {OCR: "page", READ_CELLS: "call"}
PLAIN_EVERY_S = 5.0  # where stderr is a file, a line now and then instead of a moving bar


class JobProgress:
    """Shows a job as it goes; silent until the first call of `show`.

    wanted: the job that is waited for; of any other that is finished first a line of its own says which.
    """

    def __init__(self, wanted: JobId | None = None) -> None:
        self._is_terminal = sys.stderr.isatty()
        self._wanted = wanted
        self._shown = wanted
        self._last = ""
        self._last_plain_at = 0.0

    def __enter__(self) -> JobProgress:
        return self

    def __exit__(self, *_: object) -> None:
        if self._is_terminal and self._last:
            click.echo(err=True)

    def show(self, job: Job) -> None:
        """Draw the state of `job`."""
        if self._wanted is not None and job.id != self._shown:
            self._shown = job.id
            is_wanted = job.id == self._wanted
            said = "Now what was asked for." if is_wanted else f"First, an older job: {job.title} ({job.id})."
            click.echo(f"\n{said}" if self._is_terminal and self._last else said, err=True)
        text = describe(job)
        if text == self._last:
            return
        self._last = text
        if self._is_terminal:
            width = shutil.get_terminal_size().columns - 1
            click.echo(f"\r{text[:width]:<{width}}", err=True, nl=False)
        elif time.monotonic() - self._last_plain_at >= PLAIN_EVERY_S or job.state.is_ended:
            self._last_plain_at = time.monotonic()
            click.echo(text, err=True)


def describe(job: Job) -> str:
    """One line: '12 of 45 · 3.1/s · 11 s left · invoice-7.pdf'."""
    looking = _BEGINNINGS.get(job.kind, "Looking for files")
    parts = [f"{job.done:,} of {job.total:,}" if job.total else looking]
    if job.rate and not job.state.is_ended:
        parts.append(f"{job.rate:.1f}/s")
    if job.eta_s is not None and not job.state.is_ended:
        parts.append(f"{duration(job.eta_s)} left")
    parts.append(job.state.value if job.state.is_ended else _in_work(job))
    return " · ".join(part for part in parts if part)


def _in_work(job: Job) -> str:
    if job.current is None:
        return job.last_item
    if not job.current.total:
        return f"reading {job.current.source}"
    what = _STEPS.get(job.kind, "passage")
    return f"{job.current.source}, {what} {job.current.done:,} of {job.current.total:,}"


def duration(seconds: float) -> str:
    """Rounded for people: '8 s', '3 min', '2 h 10 min'."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60} min"
