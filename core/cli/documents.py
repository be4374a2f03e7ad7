"""`groundwork documents`: what the collection holds."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import click

from core.answer.computed.wording import counted
from core.cli.options import Common, common_options
from core.cli.output import SOME_FAILED, note, print_json
from core.cli.progress import JobProgress
from core.domain.document import DocumentStatus, DocumentVersion, confidence_in
from core.domain.facts import DocumentFacts, DocumentParty
from core.domain.fields import Cell, CellStatus, Financial, TypedValue
from core.domain.ids import DocumentId, JobId
from core.domain.job import JobState
from core.domain.wire.fields import shown_spans, value_json
from core.domain.wire.records import DocumentRow, job_detail_json
from core.domain.wire.shapes import envelope
from core.errors import JobError, UsageError
from core.text.file_parts import part_in_words


@click.group()
def documents() -> None:
    """List, show and remove documents."""


@documents.command("list")
@click.option("--bucket", help="Only this bucket.")
@click.option(
    "--status", type=click.Choice([each.value for each in DocumentStatus]), help="Only this status."
)
@click.option("--gaps", "has_gaps", is_flag=True, help="Only those of whose file not all was read.")
@click.option("--copies", "each_copy", is_flag=True, help="Each file of the same words; else one of them.")
@common_options
def list_documents(
    bucket: str | None, status: str | None, has_gaps: bool, each_copy: bool, common: Common
) -> int:
    """List the documents that you may see, files of the same words as one."""
    with common.open() as session:
        common.require_bucket(session, bucket)
        rows = session.documents.list(bucket=bucket, status=status, has_gaps=has_gaps, once=not each_copy)
        alike = session.documents.copies([row.id for row in rows], bucket)
    more = 0 if each_copy else sum(map(len, alike.values()))
    said = f"{len(rows):,} documents" + (f" in {len(rows) + more:,} files" if more else "")
    return common.table(
        ("id", "bucket", "status", "title", "pages", "passages", "gaps", "copies", "reason"),
        (
            (
                r.id,
                r.bucket,
                r.status.value,
                r.name,
                r.pages,
                r.passages,
                r.gaps or "",
                len(alike[r.id]) + 1 if r.id in alike else "",
                r.note,
            )
            for r in rows
        ),
        is_last_whole=True,
        said=f"{said}." if rows else "No documents yet. Add some with: groundwork ingest PATH",
        documents=DocumentRow.lines(rows, alike),
    )


@documents.command("show")
@click.argument("ids", nargs=-1, metavar="ID...")
@click.option("--all", "everything", is_flag=True, help="Every document that you may see.")
@click.option("--version", "version", type=int, help="An older version instead of the current one.")
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="Write JSON lines to this file.")
@common_options
def show_documents(
    ids: tuple[str, ...], everything: bool, version: int | None, out: Path | None, common: Common
) -> int:
    """Show documents: what they state, and the text of all their pages."""
    if everything == bool(ids):
        raise UsageError("Which documents?", next_step="Give document ids, or --all.")
    with common.open() as session:
        chosen = [row.id for row in session.documents.list()] if everything else list(map(DocumentId, ids))
        if out is not None:
            with out.open("w", encoding="utf-8") as lines:
                for document in chosen:
                    found = session.documents.detail(document, version)
                    lines.write(json.dumps(found, ensure_ascii=False) + "\n")
            note(f"Wrote {len(chosen):,} documents to {str(out)!r}.")
            return 0
        for document in chosen:
            if not common.as_json:
                found_version = session.documents.get(document, version=version)
                _print_head(found_version)
                _print_parts(found_version)
                facts = session.documents.facts(document)
                if found_version.version == facts.document.version and not facts.document.is_gone:
                    print_facts(facts)
                _print_pages(found_version)
            elif len(chosen) == 1 and not everything:
                print_json(session.documents.detail(document, version))
            else:
                found = session.documents.detail(document, version)
                click.echo(json.dumps(found, ensure_ascii=False))
    return 0


@documents.command("remove")
@click.argument("ids", nargs=-1, required=True, metavar="ID...")
@click.option("--yes", is_flag=True, help="Do not ask.")
@common_options
def remove_documents(ids: tuple[str, ...], yes: bool, common: Common) -> int:
    """Remove documents with all their versions and originals."""
    with common.open() as session:
        titles = [session.documents.get(DocumentId(i)).summary.name for i in ids]
        if not (yes or common.as_json):
            note("This removes, with all versions and originals: " + "; ".join(titles))
            click.confirm("Remove?", abort=True, err=True)
        removed = session.documents.remove([DocumentId(i) for i in ids])
    return common.give(f"Removed {counted(len(removed), 'documents')}.", removed=list(removed))


@documents.command("withdraw")
@click.argument("ids", nargs=-1, metavar="ID...")
@click.option("--job", help="All documents that are no longer in the folder of this ingest.")
@common_options
def withdraw_documents(ids: tuple[str, ...], job: str | None, common: Common) -> int:
    """Take documents out of every search and count; adding their file again brings them back."""
    if bool(job) == bool(ids):
        raise UsageError("Which documents?", next_step="Give document ids, or --job.")
    with common.open() as session:
        chosen = [DocumentId(each) for each in ids]
        if job is not None:
            chosen = [each.id for each in session.documents.vanished(JobId(job))]
        withdrawn = session.documents.withdraw(chosen)
    return common.give(f"Withdrew {counted(len(withdrawn), 'documents')}.", withdrawn=list(withdrawn))


@documents.command("rename")
@click.argument("id", metavar="ID")
@click.argument("name", metavar="NAME")
@common_options
def rename_document(id: str, name: str, common: Common) -> int:
    """Give a document another name; "" for the one that its text says."""
    with common.open() as session:
        called = session.documents.rename(DocumentId(id), name)
    return common.give(f"The document is called {called!r} now.", id=id, name=called)


@documents.command("ocr")
@click.argument("ids", nargs=-1, metavar="ID...")
@click.option("--all", "everything", is_flag=True, help="Every PDF whose pages hold no text.")
@common_options
def read_scans(ids: tuple[str, ...], everything: bool, common: Common) -> int:
    """Read the text off the page images of scans, and make them readable."""
    if everything == bool(ids):
        raise UsageError("Which documents?", next_step="Give document ids, or --all.")
    with common.open() as session, JobProgress() as progress:
        if everything:
            chosen = [each.id for each in session.documents.scans()]
        else:
            chosen = [session.documents.get(DocumentId(each)).summary.id for each in ids]
        if not chosen:
            if common.as_json:
                print_json(envelope(job=None, items=[]))
            note("No PDF is without text.")
            return 0
        job = session.documents.read_scans(chosen, on_progress=progress.show)
        items = session.jobs.items(job.id)
    if job.state in (JobState.FAILED, JobState.CANCELLED):
        raise JobError(
            f"Reading stopped after {job.done:,} of {job.total:,} documents: {job.error or job.state.value}.",
            next_step=f"Pages that were read stay. Go on with: groundwork jobs resume {job.id}",
        )
    if common.as_json:
        print_json(job_detail_json(job, items))
    else:
        for item in items:
            outcome = "unreadable" if item.outcome is None else item.outcome.value
            note(f"{outcome}: {item.source}" + (f" ({item.reason})" if item.reason else ""))
    return SOME_FAILED if any(item.reason for item in items) else 0


def _print_head(document: DocumentVersion) -> None:
    summary = document.summary
    click.echo(f"{summary.name}\n{summary.source} · {summary.bucket} · version {document.version}")
    if summary.note:
        click.echo(f"{summary.status.value}: {summary.note}")
    if (sure := confidence_in(document.metadata)) is not None:
        click.echo(f"read by OCR, {100 * sure:.0f} % sure")


def _print_parts(document: DocumentVersion) -> None:
    lines = [
        f"{part.state.value}: {part_in_words(part)}" + (f" · {part.reason}" if part.reason else "")
        for part in document.parts
    ]
    _section("read of this file", lines)


def _print_pages(document: DocumentVersion) -> None:
    for page in document.pages:
        click.echo(f"\n--- page {page.page_no} ---\n{page.text}")


_WIDEST = 100
_WORDS = {
    CellStatus.PRESENT: "",
    CellStatus.ABSENT: "absent",
    CellStatus.UNCERTAIN: "uncertain",
    CellStatus.UNREADABLE: "unreadable",
}


def print_facts(facts: DocumentFacts) -> None:
    """Fields that are there or unsure line by line, absent ones in one line; then the rest."""
    if not facts.schema:
        click.echo("fields: not read yet")
        return
    titles = {column.name: column.title for column in facts.columns}
    said = [cell for cell in facts.cells if cell.finding.status is not CellStatus.ABSENT]
    _section(f"fields ({facts.schema})", [_field(cell, titles.get(cell.field, cell.field)) for cell in said])
    absent = [titles.get(c.field, c.field) for c in facts.cells if c.finding.status is CellStatus.ABSENT]
    if absent:
        click.echo(f"absent: {', '.join(absent)}")
    _section("parties", [_party(each) for each in facts.parties])
    _section("amounts", [_amount(each, titles) for each in facts.financials])
    for summary in facts.summaries:
        _section(f"{summary.kind.value} summary", [_flat(quote.quote) for quote in summary.sentences])


def _section(name: str, lines: Sequence[str]) -> None:
    if lines:
        click.echo(f"\n{name}")
        for line in lines:
            click.echo(f"  {line}")


def _field(cell: Cell, title: str) -> str:
    finding = cell.finding
    values = "; ".join(map(_value, finding.values)) if finding.status is CellStatus.PRESENT else ""
    parts = [values or _WORDS[finding.status]]
    if cell.review is not None:
        parts.append("check again" if cell.review.check_again else f"reviewed by {cell.review.user}")
    spans = shown_spans(finding)
    if spans:
        parts.append(f"page {spans[0].span.page_no}")
    return f"{title}: {' · '.join(parts)}"


def _party(party: DocumentParty) -> str:
    about = [party.role.replace("_", " "), party.entity_type, party.jurisdiction]
    about += [f"{kind} {number}" for kind, number in party.identifiers]
    about.append("not found in the document" if party.quote is None else f"page {party.quote.span.page_no}")
    return " · ".join(part for part in (party.name, *about) if part)


def _amount(financial: Financial, titles: dict[str, str]) -> str:
    what = titles.get(financial.metric, financial.metric.replace("_", " "))
    year = f", fiscal year {financial.fiscal_year}" if financial.fiscal_year is not None else ""
    dates = [f"from {financial.effective}" if financial.effective else ""]
    dates += [f"until {financial.expires}" if financial.expires else ""]
    page = f"page {financial.quote.span.page_no}"
    return " · ".join(part for part in (f"{what}{year}: {_value(financial.value)}", *dates, page) if part)


def _value(value: TypedValue) -> str:
    if isinstance(shown := value_json(value), bool):
        return "yes" if shown else "no"
    return f"{_flat(shown)} {value.unit}".strip()


def _flat(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 3 * _WIDEST else line[: 3 * _WIDEST - 1] + "…"
