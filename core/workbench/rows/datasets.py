"""Datasets: files of rows registered, described, asked by SQL."""

from __future__ import annotations

import builtins
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

from core.datasets.base import ROW, ROWS_OF_FILE
from core.datasets.engine import Asked, CitedRow
from core.datasets.families import OF_FILES, apart, families
from core.datasets.file_state import state_of
from core.datasets.job import RegisterPayload
from core.datasets.names import free
from core.datasets.profile import shared
from core.datasets.remarks import labels_of, query_notes
from core.datasets.sources import Header
from core.datasets.sql.statements import names_in
from core.domain.answer import Kind, Route
from core.domain.document import valid_bucket
from core.domain.ids import DocumentId, JobId
from core.domain.job import IngestItem, Job, JobState
from core.domain.principal import checked_keys
from core.domain.rows.dataset import Dataset, DatasetColumn, DatasetState, DocumentTable, PossibleJoin
from core.domain.rows.place import OF_FIELDS, RowPlace, TablePlace
from core.domain.trust.permission import Action
from core.domain.wire.datasets import QueryResult, SourceRow
from core.errors import JobError, NotFoundError, UsageError
from core.jobs import queue
from core.jobs.kinds import DATASETS
from core.plan.catalogue import Catalogue, TableEntry
from core.plan.ir.nodes import Plan, Query
from core.plan.ir.sql_tables import places_named, query_source, sql_said
from core.values.money import money_text
from core.values.numbers import plain_number
from core.workbench.recorded import recorded
from core.workbench.services.base import Service

_LEAST_SHARE = 0.3  # of values, from which on two columns may join
_MOST_JOINS = 50
_MOST_SOURCES = 200


class DatasetService(Service):
    """Datasets of the home, as far as this principal may see them. Changing them takes who may ingest."""

    @recorded("dataset.register", "bucket", "acl")
    def register(
        self,
        paths: Iterable[Path | str],
        *,
        bucket: str = "default",
        acl: Iterable[str] | None = None,
        name: str = "",
        header: Header = "auto",
        on_progress: Callable[[Job], None] | None = None,
    ) -> builtins.list[IngestItem]:
        """Register files and folders and wait for the end; what came of each file, in order.

        Raises JobError where the job failed or was cancelled; what it had done by then stays.
        """
        job = self.submit_register(paths, bucket=bucket, acl=acl, name=name, header=header)
        ended = self._writing.complete(job, on_progress)
        if ended.state in (JobState.FAILED, JobState.CANCELLED):
            raise JobError(
                f"Registering stopped after {ended.done:,} of {ended.total:,} files: "
                f"{ended.error or 'it was cancelled'}",
                next_step=f"What is done stays. Go on with: groundwork jobs resume {job}",
            )
        return self._parts.records.jobs.items(job)

    @recorded("dataset.register", "bucket", "acl")
    def submit_register(
        self,
        paths: Iterable[Path | str],
        *,
        bucket: str = "default",
        acl: Iterable[str] | None = None,
        name: str = "",
        header: Header = "auto",
        names: Sequence[str] | None = None,
    ) -> JobId:
        """Queue the registering of files and folders and return at once.

        acl: the groups that may ask them, () for everybody; None as their bucket, or as they had before.
        names: what each path is called where it was uploaded: its file is not looked for again.
        """
        self._permit(Action.INGEST, "register datasets")
        chosen = [Path(os.path.expanduser(path)).absolute() for path in paths]
        missing = next((each for each in chosen if not each.exists()), None)
        if missing is not None or not chosen:
            what = (
                f"There is no file or folder {str(missing)!r}." if chosen else "There is nothing to register."
            )
            raise UsageError(what, next_step="Name files of rows, or folders with some.")
        payload = RegisterPayload(
            paths=tuple(map(str, chosen)),
            names=None if names is None else tuple(names),
            bucket=valid_bucket(bucket),
            acl=None if acl is None else checked_keys(tuple(acl)),
            name=name.strip(),
            header=header,
        )
        title = chosen[0].name if len(chosen) == 1 else f"{chosen[0].name} and {len(chosen) - 1} more"
        shown = names[0] if names and len(names) == 1 else title
        records, user = self._parts.records, self._principal.user
        return queue.submit(records, DATASETS, f"Dataset {shown}", payload.model_dump(), user=user)

    def list(self, *, removed: bool = False) -> builtins.list[Dataset]:
        """The datasets that may be seen, by name, and how each stands to its file."""
        self._permit(Action.QUERY)
        found = self._parts.records.datasets.list(self._visible, removed=removed)
        return [replace(each, state=state_of(each)) for each in found]

    def whole(self) -> builtins.list[Dataset]:
        """The datasets as they are asked: files with the same columns as one."""
        return families(self.list())

    def apart(self, dataset: Dataset, whole: Sequence[Dataset] = ()) -> builtins.list[tuple[Dataset, str]]:
        """Datasets that have most of its columns, each with what keeps it from being one with it.

        whole: what `whole` gave, where it was asked before.
        """
        return apart(dataset, whole or self.whole())

    def get(self, dataset: str, version: int | None = None) -> Dataset:
        """One by its id or its name in SQL; version: an older one. Raises NotFoundError."""
        self._permit(Action.QUERY)
        if OF_FILES in dataset and (family := _family(self.whole(), dataset)) is not None:
            return family
        found = self._parts.records.datasets.get(dataset, self._visible, version)
        return replace(found, state=state_of(found))

    def joins(self, dataset: Dataset, whole: Sequence[Dataset] = ()) -> builtins.list[PossibleJoin]:
        """Columns of other datasets that share values with one of its own, the most alike first.

        whole: what `whole` gave, where it was asked before.
        """
        found = [
            PossibleJoin(own.name, other.id, other.name, other.table, column.name, share)
            for other in whole or self.whole()
            if other.id != dataset.id and dataset not in other.files
            for own, column, share in _alike(dataset, other)
        ]
        return sorted(found, key=lambda each: -each.share)[:_MOST_JOINS]

    @recorded("dataset.rename", "dataset")
    def rename(self, dataset: DocumentId, name: str) -> None:
        """Give it another name for people; in SQL it keeps its own."""
        self._permit(Action.INGEST, "rename datasets")
        if not name.strip():
            raise UsageError("The name is empty.", next_step="Give it some words.")
        found = self.get(dataset)
        if found.files:
            raise UsageError(f"{found.name!r} is named by its files.", next_step="Rename these.")
        self._parts.records.datasets.rename(found.id, name.strip())

    @recorded("dataset.remove", "dataset")
    def remove(self, dataset: str) -> None:
        """Take it out of every list and query; answers that cite it can be opened. `restore` undoes it."""
        self._permit(Action.INGEST, "remove datasets")
        found = self.get(dataset)
        if found.state is DatasetState.REMOVED:
            raise NotFoundError(f"There is no dataset {dataset!r}.", next_step="It was removed before.")
        for each in found.files or (found,):
            self._parts.records.datasets.set_removed(each.id, datetime.now(UTC))

    @recorded("dataset.restore", "dataset")
    def restore(self, dataset: str) -> None:
        """Bring back a dataset that was removed; files that were one by their name in SQL, all of them."""
        self._permit(Action.INGEST, "restore datasets")
        found = _family(families(self.list(removed=True)), dataset) or self.get(dataset)
        for each in found.files or (found,):
            self._parts.records.datasets.set_removed(each.id, None)

    def query(self, sql: str) -> QueryResult:
        """Rows of one SELECT over the tables that may be seen, each with the source rows it rests on.

        Raises QueryRefusedError for what is no checked select, QueryFailedError for what runs too long.
        """
        self._permit(Action.QUERY)
        places = self._places(sql)
        if places:
            self._door.require([_node(sql, places)])
        asked = self._parts.row_engine.ask(sql, places, self._visible)
        return _result(asked, self._sources(asked), self._words(asked))

    def rows(self, dataset: Dataset, first: int, count: int) -> QueryResult:
        """Rows of a dataset from the `first` on, counted from 1, with their numbers in the source."""
        listed = ", ".join(f'"{each.name}"' for each in dataset.columns)
        page = f"ORDER BY {ROW} LIMIT {count} OFFSET {max(0, first - 1)}"
        number = f"{ROW} % {ROWS_OF_FILE}" if dataset.files else ROW
        return self.query(f"SELECT {number} AS row_no, {listed} FROM {dataset.table} {page}")

    def source_rows(self, result: QueryResult, number: int) -> builtins.list[tuple[Dataset, QueryResult]]:
        """The rows of datasets that a row of a result rests on, by dataset. number: of the row, from 1."""
        wanted: dict[str, builtins.list[int]] = {}
        for each in result.sources:
            if each.result == number:
                wanted.setdefault(each.dataset, []).append(each.row)
        known = {each.id: each for each in self._parts.records.datasets.list(self._visible)}
        return [
            (known[DocumentId(id)], self._numbered(known[DocumentId(id)], rows))
            for id, rows in wanted.items()
            if id in known
        ]

    def plan(self, sql: str, question: str) -> Plan:
        """The plan that runs a query, to be kept as an audit. Raises QueryRefusedError, UsageError."""
        places = self._places(sql)
        if not places:
            raise UsageError("The query names no table.", next_step="Name one in FROM.")
        node, kind = _node(sql, places), Kind.AGGREGATE
        return Plan(question=question, kind=kind, route=Route.STRUCTURED, nodes=(node,), answer_node=node.id)

    def _places(self, sql: str) -> dict[str, tuple[str, ...]]:
        tables = self.tables()
        return {name: tables[name] for name in names_in(sql, tables)}

    def _numbered(self, dataset: Dataset, rows: Sequence[int]) -> QueryResult:
        listed = ", ".join(f'"{each.name}"' for each in dataset.columns)
        within = ", ".join(map(str, rows[:_MOST_SOURCES]))
        return self.query(
            f"SELECT {ROW} AS row_no, {listed} FROM {dataset.table} WHERE {ROW} IN ({within}) ORDER BY {ROW}"
        )

    def tables(self) -> dict[str, tuple[str, ...]]:
        """Every table that SQL may name, with the places ("document|table") that it is made of."""
        files = self._parts.records.datasets.list(self._visible)
        own = {
            each.table: tuple(str(TablePlace(file.id)) for file in each.files or (each,))
            for each in (*files, *families(files))
        }
        catalogue = self._catalogue
        every = [part.name for entry in catalogue.every_table for part in entry.parts]
        return {
            **places_named(every, catalogue),
            **{each.table: each.places for each in self.of_documents()},
            **own,
        }

    def of_document(self, name: str) -> DocumentTable:
        """The table of documents of that name in SQL. Raises NotFoundError."""
        found = next((each for each in self.of_documents() if each.table == name), None)
        if found is None:
            raise NotFoundError(
                f"There is no dataset or table {name!r}.", next_step="See: groundwork datasets list"
            )
        return found

    def of_documents(self) -> builtins.list[DocumentTable]:
        """Tables of spreadsheets and of fields that may be seen; those with the same columns are one."""
        self._permit(Action.QUERY)
        catalogue = self._catalogue
        taken = {each.table for each in self._parts.records.datasets.list(self._visible)}
        of_text = (*catalogue.tables, *catalogue.fields)
        entries = {part.name: entry for entry in of_text for part in entry.parts}
        return [
            _document_table(entries[places[0]], free(name, taken), places, catalogue)
            for name, places in places_named(entries, catalogue).items()
        ]

    def _words(self, asked: Asked) -> dict[RowPlace, CitedRow]:
        """Words of the first rows of fields, which have no number that one could look them up by."""
        every = (asked.mounts[table].key(row) for table, row in asked.rows.cited())
        keys = [each for each in every if each.table == OF_FIELDS][:_MOST_SOURCES]
        return self._parts.row_engine.cite(keys, labels_of(asked), self._visible)

    def _sources(self, asked: Asked) -> dict[str, str]:
        """By document what its file is called."""
        ids = {DocumentId(part.document) for mount in asked.mounts.values() for part in mount.parts}
        names = {each.id: each.source for each in self._parts.records.datasets.list(self._visible)}
        seen = self._parts.records.documents.get_many(sorted(ids - set(names)), self._visible)
        return {str(id): source for id, source in (*((i, d.source) for i, d in seen.items()), *names.items())}


def _family(whole: Iterable[Dataset], table: str) -> Dataset | None:
    return next((each for each in whole if each.files and each.table == table), None)


def _document_table(
    entry: TableEntry, table: str, places: tuple[str, ...], catalogue: Catalogue
) -> DocumentTable:
    first = entry.parts[0]
    known = catalogue.document(first.document)
    said = filter(None, (known.name if known is not None else first.document, first.sheet))
    name = " · ".join(dict.fromkeys(said))
    columns = tuple((each.name, each.type.value) for each in entry.columns)
    return DocumentTable(table, name, places, tuple(map(DocumentId, entry.documents)), entry.rows, columns)


def _node(sql: str, places: Mapping[str, tuple[str, ...]]) -> Query:
    named = tuple(query_source(name, own) for name, own in places.items())
    return Query(id="query", purpose=sql_said(sql), sql=sql, tables=named)


def _source(place: RowPlace, source: str, result: int, words: CitedRow | None) -> SourceRow:
    row = SourceRow(row=place.row, dataset=place.document, source=source, result=result)
    if words is None:
        return row
    quote = words.quotes[0]
    span = {"page": quote.span.page_no, "start": quote.span.start, "end": quote.span.end}
    return row.model_copy(update={"quote": quote.quote, "version": words.version, **span})


def _result(asked: Asked, sources: Mapping[str, str], words: Mapping[RowPlace, CitedRow]) -> QueryResult:
    return QueryResult(
        sql=asked.query.sql,
        columns=tuple({"name": name, "type": kind} for name, kind in asked.rows.columns),
        rows=tuple(
            tuple(_value(each, kind) for each, (_, kind) in zip(row, asked.rows.columns, strict=True))
            for row in asked.rows.rows
        ),
        sources=tuple(
            _source(place, sources.get(place.document, ""), result, words.get(place))
            for result, each in enumerate(asked.rows.sources, start=1)
            for place in (asked.mounts[table].key(number) for table, number in each.rows)
        ),
        source_rows=tuple(each.total for each in asked.rows.sources),
        is_cut=asked.rows.is_cut,
        seconds=asked.rows.seconds,
        notes=query_notes(asked),
    )


def _value(value: object, kind: str) -> object:
    """A value as JSON has it: exact numbers as text."""
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, Decimal):
        return money_text(value) if kind == "money" else plain_number(value)
    return str(value)


def _alike(one: Dataset, other: Dataset) -> Iterable[tuple[DatasetColumn, DatasetColumn, float]]:
    for own in one.columns:
        for column in other.columns:
            share = shared(own, column)
            if share >= _LEAST_SHARE and (own.is_key or column.is_key or share > 2 * _LEAST_SHARE):
                yield own, column, share
