"""`groundwork extract`: fills the fields of documents that lack them."""

from __future__ import annotations

import click

from core.cli import exit_codes
from core.cli.matrix import named_fields
from core.cli.options import Common, common_options
from core.cli.output import note, print_json
from core.cli.progress import JobProgress
from core.domain.job import JobState
from core.domain.wire.records import job_detail_json
from core.errors import JobError


@click.command()
@click.option("--bucket", help="Only this bucket.")
@click.option(
    "--fields", help="Documents that lack one of these fields, such as governing_law,expiration_date."
)
@click.option("--again", is_flag=True, help="Also documents that lack nothing; reviews stay.")
@common_options
def extract(bucket: str | None, fields: str | None, again: bool, common: Common) -> int:
    """Fill the fields of documents that lack them."""
    with common.open() as session, JobProgress() as progress:
        common.require_bucket(session, bucket)
        job = session.schemas.extract(
            bucket, named_fields(fields) or (), again=again, on_progress=progress.show
        )
        items = session.jobs.items(job.id)
    if job.state in (JobState.FAILED, JobState.CANCELLED):
        raise JobError(
            f"The extraction stopped after {job.done:,} of {job.total:,} documents: "
            f"{job.error or job.state.value}.",
            next_step=f"What is done stays. Go on with: groundwork jobs resume {job.id}",
        )
    if common.as_json:
        print_json(job_detail_json(job, items))
    else:
        failed = [item for item in items if item.outcome.value == "failed"]
        for item in failed:
            note(f"{item.source}: {item.reason}")
        note(f"{job.done:,} documents extracted." if job.done else "No document lacks anything.")
    return exit_codes.SOME_FAILED if job.state is JobState.PARTIAL else 0
