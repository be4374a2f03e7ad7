"""`groundwork matrix`: documents down, fields across; `contradictions`: what they say otherwise."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from core.cli.options import Common, common_options
from core.cli.output import SOME_FAILED, note, print_json, print_table
from core.cli.progress import JobProgress
from core.domain.certainty.contradiction import ContradictionState
from core.domain.fields import Cell, CellStatus
from core.domain.job import JobState
from core.domain.llm.cells import CellReadingTally, estimate_said, tally_said
from core.domain.matrix import Matrix, MatrixQuery
from core.domain.wire.contradictions import HEADS, contradiction_json, contradiction_lines
from core.domain.wire.fields import dispute_json, matrix_json, value_json
from core.domain.wire.records import JobRow, job_detail_json
from core.domain.wire.shapes import envelope
from core.errors import JobError
from core.spreadsheet import write_lines

_CONTRADICTED = [each.value for each in ContradictionState]
_SIGNS = {CellStatus.ABSENT: "-", CellStatus.UNCERTAIN: "?", CellStatus.UNREADABLE: "x"}
_PENDING, _NOT_ASKED = "~", "n/a"
_SHOWN_FIELDS = 6


@click.group(invoke_without_command=True)
@click.option("--bucket", help="Only this bucket.")
@click.option("--fields", help="Only these fields, such as governing_law,expiration_date.")
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="Write a .csv or .xlsx file.")
@common_options
@click.pass_context
def matrix(
    context: click.Context, bucket: str | None, fields: str | None, out: Path | None, common: Common
) -> int:
    """Show the fields of all documents, with their spans; or have uncertain ones read by the model."""
    if context.invoked_subcommand is not None:
        return 0
    names = named_fields(fields)
    with common.open() as session:
        common.require_bucket(session, bucket)
        if out is not None:
            count = session.matrix.export(out, MatrixQuery(bucket, fields=tuple(names or ())))
            if common.as_json:
                print_json(envelope(out=str(out), documents=count))
            note(f"Wrote {count:,} documents to {str(out)!r}.")
            return 0
        found = session.matrix.read(bucket, names)
    if common.as_json:
        print_json(matrix_json(found))
    else:
        _print(found, is_chosen=names is not None)
    return 0


@matrix.command("read")
@click.option("--bucket", help="Only this bucket.")
@click.option("--field", "fields", multiple=True, help="Only this field; may be given several times.")
@click.option("--all", "with_decided", is_flag=True, help="Also cells that extraction decided, to compare.")
@click.option("--estimate", is_flag=True, help="Say what it would cost, and send nothing.")
@common_options
def read(
    bucket: str | None, fields: tuple[str, ...], with_decided: bool, estimate: bool, common: Common
) -> int:
    """Have uncertain cells read by the language model; every value stands on words of its document."""
    with common.open() as session:
        common.require_bucket(session, bucket)
        known = session.model_cells.estimate(bucket, fields or None, with_decided=with_decided)
        if estimate:
            return common.give(estimate_said(known), **known.model_dump(mode="json"))
        note(estimate_said(known))
        if not known.cells and not known.kept:
            if common.as_json:
                print_json(envelope(job=None, asked=0, **CellReadingTally().model_dump(mode="json")))
            return 0
        with JobProgress() as progress:
            job = session.model_cells.read(
                bucket, fields or None, with_decided=with_decided, on_progress=progress.show
            )
        tally, asked = session.model_cells.tally(job.id), session.model_cells.asked(job.id)
    if job.state in (JobState.FAILED, JobState.CANCELLED):
        raise JobError(
            f"The reading stopped after {tally.read:,} of {asked:,} cells: {job.error or job.state.value}",
            next_step=f"What is done stays. Go on with: groundwork jobs resume {job.id}",
        )
    if common.as_json:
        print_json(envelope(job=JobRow.of(job), asked=asked, **tally.model_dump(mode="json")))
    else:
        note(tally_said(tally, asked))
        for reason, count in tally.reasons:
            note(f"  {count:,}: {reason}")
    return SOME_FAILED if job.state is JobState.PARTIAL else 0


@matrix.command("contradictions")
@click.option("--bucket", help="Only this bucket.")
@click.option("--field", "fields", multiple=True, help="Only this field; may be given several times.")
@common_options
def model_contradictions(bucket: str | None, fields: tuple[str, ...], common: Common) -> int:
    """List cells that extraction and the model decided differently and no person has, with both quotes."""
    with common.open() as session:
        common.require_bucket(session, bucket)
        found = session.model_cells.contradictions(bucket, fields or None)
        columns = {each.name: each for each in session.matrix.columns(bucket, None)}
    known = [dispute_json(each, columns[each.item.field]) for each in found if each.item.field in columns]
    return common.table(
        ("document", "field", "extraction", "its words", "the model", "its words"),
        ((each["title"], each["field"], *_side(each["extraction"]), *_side(each["model"])) for each in known),
        widest=32,
        said=f"{len(known):,} cells. Decide them in the work list of the matrix.",
        contradictions=known,
    )


def named_fields(given: str | None) -> list[str] | None:
    """The names of `a,b`; None where none are given."""
    names = [name.strip() for name in (given or "").split(",") if name.strip()]
    return names or None


def _print(found: Matrix, *, is_chosen: bool) -> None:
    columns = found.columns if is_chosen else found.columns[:_SHOWN_FIELDS]
    cells = {(cell.document, cell.field): cell for cell in found.cells}
    names = [column.name for column in columns]
    print_table(
        ("id", "title", *(column.name for column in columns)),
        (
            (
                each.id,
                each.title,
                *(
                    _shown(cells.get((each.id, name)), name in found.not_asked.get(each.id, ()))
                    for name in names
                ),
            )
            for each in found.documents
        ),
        widest=28,
    )
    left = len(found.columns) - len(columns)
    more = f" {left} more fields: choose some with --fields, or give --out FILE.xlsx." if left else ""
    note(
        f"{len(found.documents):,} documents. "
        f"- absent, ? uncertain, x unreadable, ~ not read yet, n/a not asked of its kind.{more}"
    )


def _side(said: dict[str, Any]) -> tuple[str, str]:
    """Value and words of one of two readings."""
    value = said["value"]
    values = value if isinstance(value, list) else [] if value in (None, True) else [value]
    return " ".join([*map(str, values), *filter(None, [said["unit"]])]) or said["status"], next(
        (each["quote"] for each in said["spans"]), ""
    )


def _shown(cell: Cell | None, is_not_asked: bool) -> str:
    if cell is None:
        return _NOT_ASKED if is_not_asked else _PENDING
    if cell.finding.status is not CellStatus.PRESENT:
        return _SIGNS[cell.finding.status]
    values = ("yes" if value_json(value) is True else str(value_json(value)) for value in cell.finding.values)
    units = {value.unit for value in cell.finding.values if value.unit}
    return " ".join(["; ".join(values), *sorted(units)])


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
    return SOME_FAILED if job.state is JobState.PARTIAL else 0


@click.command()
@click.option("--bucket", help="Only this bucket.")
@click.option(
    "--field", "fields", multiple=True, help="Only this field or label; may be given several times."
)
@click.option("--state", type=click.Choice(_CONTRADICTED), help="Only open, possible or resolved ones.")
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="Write a .csv file.")
@common_options
def contradictions(
    bucket: str | None, fields: tuple[str, ...], state: str | None, out: Path | None, common: Common
) -> int:
    """List different values of one thing, in documents and between them, with their words side by side."""
    with common.open() as session:
        common.require_bucket(session, bucket)
        report = session.matrix.contradictions(bucket, fields)
    found = [each for each in report.contradictions if state in (None, each.state.value)]
    lines = [line for each in found for line in contradiction_lines(each)]
    if out is not None:
        write_lines(out, HEADS, lines)
    if common.as_json:
        return print_json(
            envelope(contradictions=[contradiction_json(each) for each in found], is_whole=report.is_whole)
        )
    if out is None:
        print_table(HEADS, lines, widest=28)
    counts = ", ".join(f"{sum(each.state == name for each in found):,} {name}" for name in _CONTRADICTED)
    note(f"{len(found):,} contradiction{'' if len(found) == 1 else 's'}: {counts}.")
    if not report.is_whole:
        note("There are more than are listed: choose a bucket.")
    return 0
