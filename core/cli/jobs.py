"""`groundwork jobs`: what runs, ran and can be resumed."""

from __future__ import annotations

import click

from core.cli.options import Common, common_options
from core.cli.output import note, print_json, print_table
from core.cli.progress import duration
from core.domain.ids import JobId
from core.domain.wire.records import JobRow, job_detail_json
from core.domain.wire.shapes import envelope


@click.group()
def jobs() -> None:
    """List, show, cancel and resume jobs."""


@jobs.command("list")
@common_options
def list_jobs(common: Common) -> int:
    """List jobs, newest first."""
    with common.open() as session:
        rows = session.jobs.list()
    return common.table(
        ("id", "kind", "state", "done", "total", "left", "title", "error"),
        (
            (
                row.id,
                row.kind,
                row.state.value,
                row.done,
                row.total,
                duration(row.eta_s) if row.eta_s is not None and not row.state.is_ended else "",
                row.title,
                row.error,
            )
            for row in rows
        ),
        jobs=list(map(JobRow.of, rows)),
    )


@jobs.command("show")
@click.argument("job_id", metavar="ID")
@common_options
def show_job(job_id: str, common: Common) -> int:
    """Show a job and what it did to each input."""
    with common.open() as session:
        job = session.jobs.get(JobId(job_id))
        items = session.jobs.items(job.id)
    if common.as_json:
        return print_json(job_detail_json(job, items))
    note(f"{job.title}: {job.state.value}, {job.done:,} of {job.total:,}. {job.error or ''}".rstrip())
    print_table(
        ("status", "source", "pages", "passages", "reason"),
        ((item.outcome.value, item.source, item.pages, item.passages, item.reason) for item in items),
        widest=70,
    )
    return 0


@jobs.command("cancel")
@click.argument("job_id", metavar="ID")
@common_options
def cancel_job(job_id: str, common: Common) -> int:
    """Stop a job; what it has finished stays."""
    return _change("cancel", job_id, common)


@jobs.command("resume")
@click.argument("job_id", metavar="ID")
@common_options
def resume_job(job_id: str, common: Common) -> int:
    """Go on with a job that was cancelled or failed."""
    return _change("resume", job_id, common)


def _change(deed: str, job_id: str, common: Common) -> int:
    with common.open() as session:
        change = session.jobs.cancel if deed == "cancel" else session.jobs.resume
        change(JobId(job_id))
        job = session.jobs.get(JobId(job_id))
        is_served = session.settings.status().worker_alive
    if common.as_json:
        print_json(envelope(**JobRow.of(job).json_ready()))
    else:
        note(f"Job {job.id} is {job.state.value}.")
        if deed == "resume" and not is_served:
            note("No worker runs on this home: start one with groundwork up, or groundwork worker.")
    return 0
