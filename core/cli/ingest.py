"""`groundwork ingest`: files, folders and ZIPs into the collection."""

from __future__ import annotations

from pathlib import Path, PurePath

import click

from core.answer.computed.wording import counted
from core.cli.options import Common, common_options
from core.cli.output import SOME_FAILED, note, print_json, print_table
from core.cli.progress import JobProgress
from core.domain.job import IngestReport
from core.domain.wire.records import ingest_json
from core.errors import UsageError
from core.text.file_parts import note_of

_NAMED = 5  # of documents that are gone


@click.command()
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@click.option("--bucket", default="default", show_default=True, help="The bucket to put the documents in.")
@click.option(
    "--acl",
    multiple=True,
    metavar="GROUP",
    help="Only this group may see them (repeatable); left out, known documents keep theirs.",
)
@click.option("--sample", is_flag=True, help="Load the sample collection, into its own buckets.")
@common_options
def ingest(paths: tuple[Path, ...], bucket: str, acl: tuple[str, ...], sample: bool, common: Common) -> int:
    """Read files, folders and .zip archives, and index them."""
    if sample == bool(paths):
        raise UsageError(
            "Nothing to ingest." if not sample else "--sample takes no paths.",
            next_step="Name files, folders or .zip archives, or give --sample.",
        )
    with common.open() as session, JobProgress() as progress:
        if sample:
            report = session.documents.ingest_sample(on_progress=progress.show)
        else:
            report = session.documents.ingest(
                paths, bucket=bucket, acl=acl or None, on_progress=progress.show
            )
        alike = session.documents.copies([each.document for each in report.items if each.document])
    _print(report, len(alike), as_json=common.as_json)
    return SOME_FAILED if report.counts["failed"] else 0


def _print(report: IngestReport, alike: int, *, as_json: bool) -> None:
    """alike: how many of its documents have copies."""
    if as_json:
        print_json(ingest_json(report))
        return
    print_table(
        ("status", "source", "pages", "passages", "reason"),
        ((i.outcome.value, i.source, i.pages, i.passages, note_of(i)) for i in report.items),
        widest=70,
    )
    counts = ", ".join(f"{number:,} {name}" for name, number in report.counts.items() if number)
    note(f"{counted(len(report.items), 'inputs')} in {report.seconds:.1f} s: {counts or 'nothing to do'}.")
    if alike:
        note(
            f"{alike:,} of them {'has' if alike == 1 else 'have'} copies: files of the same words count once."
        )
    if gone := report.vanished:
        are = "document is" if len(gone) == 1 else "documents are"
        named = ", ".join(PurePath(each.source).name for each in gone[:_NAMED])
        more = f" and {len(gone) - _NAMED:,} more" if len(gone) > _NAMED else ""
        note(f"{len(gone):,} {are} no longer in the folder: {named}{more}.")
        chosen = " ".join(each.id for each in gone) if len(gone) <= _NAMED else f"--job {report.job}"
        note(f"Take them out of the collection with: groundwork documents withdraw {chosen}")
    if report.counts["failed"] or report.counts["unreadable"]:
        note("Correct what the reasons say and run the same command again: the rest stays unchanged.")
