"""`groundwork datasets`: files of rows registered, shown, asked by SQL."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import click

from core.cli.options import Common, common_options
from core.cli.output import SOME_FAILED, note, print_json, print_table
from core.cli.progress import JobProgress
from core.domain.document import IngestOutcome
from core.domain.rows.dataset import Dataset, DatasetState, DocumentTable
from core.domain.wire.datasets import DatasetRecord, DatasetRow
from core.domain.wire.shapes import envelope
from core.errors import NotFoundError

_NEXT = "Ask them with: groundwork datasets query 'SELECT ...'"


@click.group()
def datasets() -> None:
    """Register files of rows (CSV, XLSX, Parquet, JSON lines) and ask them by SQL."""


@datasets.command("register")
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--name", default="", help="Its name, where one file is registered.")
@click.option("--bucket", default="default", show_default=True, help="The bucket to put them in.")
@click.option("--acl", multiple=True, metavar="GROUP", help="Only this group may ask them (repeatable).")
@click.option(
    "--header",
    type=click.Choice(["auto", "first", "none"]),
    default="auto",
    show_default=True,
    help="Where the names of columns stand.",
)
@common_options
def register(
    paths: tuple[Path, ...], name: str, bucket: str, acl: tuple[str, ...], header: str, common: Common
) -> int:
    """Register files, or all such files of a folder; a file that is known becomes a new version."""
    with common.open() as session, JobProgress() as progress:
        items = session.datasets.register(
            paths,
            bucket=bucket,
            acl=acl or None,
            name=name,
            header=header,  # type: ignore[arg-type]
            on_progress=progress.show,
        )
        sources = {each.source for each in items}
        found = [each for each in session.datasets.list() if (each.path or each.source) in sources]
        of_them = {each.id for each in found}
        whole = session.datasets.whole()
        new = (each for each in whole if of_them & {f.id for f in each.files or (each,)})
        notes = [line for each in new for line in _of_files(each, session.datasets.apart(each, whole))]
    failed = [each for each in items if each.outcome is IngestOutcome.FAILED]
    if common.as_json:
        counts = Counter(each.outcome.value for each in items)
        files = [{"source": i.source, "status": i.outcome.value, "reason": i.reason} for i in items]
        print_json(envelope(datasets=list(map(DatasetRow.of_dataset, found)), files=files, counts=counts))
    else:
        rows = ((each.outcome.value, each.source, each.reason) for each in items)
        print_table(("status", "source", "reason"), rows, widest=70)
        for line in notes:
            note(line)
        note(_NEXT if found else "Correct what the reasons say and run the command again.")
    return SOME_FAILED if failed else 0


@datasets.command("list")
@click.option("--removed", is_flag=True, help="Those that were removed, instead.")
@common_options
def list_datasets(removed: bool, common: Common) -> int:
    """List the datasets, with how each stands to its file; files with the same columns are one."""
    with common.open() as session:
        found = session.datasets.list(removed=removed)
        whole = found if removed else session.datasets.whole()
        of_documents = [] if removed else session.datasets.of_documents()
    if common.as_json:
        families = [DatasetRow.of_dataset(each) for each in whole if each.files]
        print_json(envelope(datasets=list(map(DatasetRow.of_dataset, found)), families=families))
        return 0
    print_table(
        ("id", "table", "state", "files", "rows", "columns", "problems", "source"),
        (
            (
                d.id,
                d.table,
                d.state.value,
                len(d.files) or 1,
                d.rows,
                len(d.columns),
                len(d.problems),
                d.source,
            )
            for d in whole
        ),
        widest=60,
    )
    if of_documents:
        note("Tables of documents, to be asked as well: " + ", ".join(each.table for each in of_documents))
    if not found:
        note("There is no dataset yet. Register one with: groundwork datasets register FILE")
    return 0


@datasets.command("show")
@click.argument("dataset", metavar="ID")
@common_options
def show(dataset: str, common: Common) -> int:
    """Show a dataset (by id or its name in SQL), or a table of documents: columns, problems, joins."""
    with common.open() as session:
        try:
            found = session.datasets.get(dataset)
        except NotFoundError:
            return _show_table(session.datasets.of_document(dataset), common)
        whole = session.datasets.whole()
        joins, apart = session.datasets.joins(found, whole), session.datasets.apart(found, whole)
    if common.as_json:
        print_json(envelope(**DatasetRecord.of_whole(found, joins, apart).json_ready()))
        return 0
    note(
        f"{found.name}: {found.rows:,} rows of {found.source}, version {found.version}, {found.state.value}."
    )
    print_table(
        ("column", "type", "unit", "filled", "different", "least", "greatest", "examples"),
        (
            (
                c.name,
                c.type,
                c.unit or c.currency,
                c.filled,
                c.distinct,
                c.least,
                c.greatest,
                ", ".join(c.examples),
            )
            for c in found.columns
        ),
        widest=40,
    )
    for line in _of_files(found, apart):
        note(line)
    for problem in found.problems:
        note(f"{problem.column}: {problem.text}" if problem.column else problem.text)
    for join in joins:
        note(f"{found.table}.{join.column} = {join.table}.{join.other} ({join.share:.0%} of values shared)")
    return 0


def _show_table(found: DocumentTable, common: Common) -> int:
    if common.as_json:
        columns = [{"name": name, "type": kind} for name, kind in found.columns]
        table = {"table": found.table, "name": found.name, "rows": found.rows, "documents": found.documents}
        print_json(envelope(**table, columns=columns))
        return 0
    note(f"{found.name}: {found.rows:,} rows of {len(found.documents):,} documents, in SQL {found.table}.")
    print_table(("column", "type"), found.columns, widest=60)
    return 0


def _of_files(dataset: Dataset, apart: Iterable[tuple[Dataset, str]]) -> Iterator[str]:
    """Lines on the files that are one dataset, on those that changed, and on those that stay apart."""
    if dataset.files:
        names = ", ".join(Path(each.source).name for each in dataset.files)
        yield f"{dataset.table}: {len(dataset.files):,} files with the same columns as one: {names}"
    for each in dataset.files:
        if each.state is not DatasetState.READY:
            yield f"{each.table}: its file is {each.state.value}."
    for other, reason in apart:
        yield f"{other.table} is no part of {dataset.table}: {reason}."


@datasets.command("remove")
@click.argument("dataset", metavar="ID")
@common_options
def remove(dataset: str, common: Common) -> int:
    """Remove a dataset; answers that cite it can still be opened, and `restore` brings it back."""
    with common.open() as session:
        found = session.datasets.get(dataset)
        session.datasets.remove(dataset)
    ids = [each.id for each in found.files or (found,)]
    back = "; ".join(f"groundwork datasets restore {each}" for each in ids)
    return common.give(f"{found.name} is removed. Bring it back with: {back}", removed=ids)


@datasets.command("restore")
@click.argument("dataset", metavar="ID")
@common_options
def restore(dataset: str, common: Common) -> int:
    """Bring a removed dataset back."""
    with common.open() as session:
        session.datasets.restore(dataset)
        found = session.datasets.get(dataset)
    return common.give(f"{found.name} is there again.", restored=[found.id])


@datasets.command("query")
@click.argument("sql")
@common_options
def query(sql: str, common: Common) -> int:
    """Run one SELECT over the datasets and tables that may be seen; each row with the rows it rests on."""
    with common.open() as session:
        found = session.datasets.query(sql)
    if common.as_json:
        print_json(found.json_ready())
        return 0
    print_table([each["name"] for each in found.columns], found.rows, widest=60)
    cut = " There may be more: the result was cut." if found.is_cut else ""
    note(f"{_counted(len(found.rows))}, resting on {_counted(sum(found.source_rows))}.{cut}")
    for each in found.notes:
        note(each)
    return 0


def _counted(rows: int) -> str:
    return "1 row" if rows == 1 else f"{rows:,} rows"
