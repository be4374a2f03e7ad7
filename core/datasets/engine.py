"""The one engine for rows: mounts what a principal may see, checks, runs, and cites the rows of results."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from core.datasets.base import (
    CheckedQuery,
    DataColumn,
    DataTable,
    DataType,
    QueryFailedError,
    QueryRefusedError,
    QueryRows,
)
from core.datasets.pages import ROWS_OF_PAGE, page_of
from core.datasets.sheets import SheetPart, SheetTables
from core.datasets.sql.process import QueryProcess
from core.domain.document import DocumentSummary
from core.domain.fields import Quote
from core.domain.ids import DocumentId
from core.domain.rows.dataset import Dataset, DatasetState
from core.domain.span import PageSpan
from core.errors import NotFoundError
from core.store.cells.field_rows import column_key
from core.store.database.visibility import Visibility
from core.store.store import Records

DATASET = 0
"""Number of the table of a registered dataset in its document."""

_MOST_QUOTE = 1_000  # characters of a row of a dataset


@dataclass(frozen=True, slots=True)
class TablePlace:
    """A table by what a query calls it. places: "document|table" of each table that it is made of."""

    name: str
    places: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Mount:
    """A table that may be asked. parts: those it is made of; keys: of each row its part and number there.

    is_dataset: it is a registered one, whose rows are counted by themselves.
    """

    table: DataTable
    file: Path
    parts: tuple[SheetPart, ...]
    keys: tuple[tuple[int, int], ...] = ()
    is_dataset: bool = False

    def key(self, row: int) -> tuple[str, int, int]:
        """Document, table and row there of a row of the file."""
        if self.is_dataset:
            return self.parts[0].document, self.parts[0].table_no, row
        part, number = self.keys[row - 1]
        return self.parts[part].document, self.parts[part].table_no, number


@dataclass(frozen=True, slots=True)
class Asked:
    """Result of a query."""

    query: CheckedQuery
    rows: QueryRows
    mounts: Mapping[str, Mount]


@dataclass(frozen=True, slots=True)
class CitedRow:
    """Characters of a row that a result rests on, with the version of its document."""

    document: str
    version: int
    quotes: tuple[Quote, ...]


class RowEngine:
    """Thread-safe. What may not be seen is not mounted, and changes no figure."""

    def __init__(self, records: Records, home: Path, process: QueryProcess) -> None:
        self._records = records
        self._datasets = home / "datasets"
        self._sheets = SheetTables(home / "tables", records.row_selection)
        self._process = process

    def ask(
        self, sql: str, places: Sequence[TablePlace], visible: Visibility, timeout_s: float | None = None
    ) -> Asked:
        """Rows of a query over some tables. Raises QueryRefusedError, QueryFailedError."""
        from core.datasets.sql.gate import check

        mounts = {each.name: self._mount(each, visible) for each in places}
        query = check(sql, [each.table for each in mounts.values()])
        rows = self._process.run(query, {name: each.file for name, each in mounts.items()}, timeout_s)
        return Asked(query, rows, mounts)

    def words_among_numbers(
        self, asked: Asked, places: Sequence[TablePlace], visible: Visibility, timeout_s: float | None = None
    ) -> tuple[tuple[str, str, int], ...]:
        """Columns of numbers with a word that stands in rows of a query, and in how many of them."""
        from core.datasets.sql.words import words_queries

        found = []
        for label, sql in words_queries(asked.query, {n: each.table for n, each in asked.mounts.items()}):
            ((rows, word),) = self.ask(sql, places, visible, timeout_s).rows.rows
            if rows:
                found.append((label, str(word), int(rows)))
        return tuple(found)

    def close(self) -> None:
        """End the processes that run queries."""
        self._process.close()

    def cite(
        self, keys: Sequence[tuple[str, int, int]], columns: Collection[str], visible: Visibility
    ) -> dict[tuple[str, int, int], CitedRow]:
        """The characters of rows: of cells in some columns (by label), or of the row of a dataset."""
        wanted = [(DocumentId(document), table, row) for document, table, row in keys]
        found = self._records.row_selection.read(wanted)
        versions = self._records.row_selection.versions({key[0] for key in found})
        named = {column_key(each) for each in columns}
        cited: dict[tuple[str, int, int], CitedRow] = {}
        for key in wanted:
            row = found.get(key)
            if row is None:
                line = self._line(key[0], key[2], visible)
                cited |= {(str(key[0]), *key[1:]): line} if line is not None else {}
                continue
            cells = [each for each in row.cells if each.quote.quote]
            chosen = [each for each in cells if column_key(each.column) in named] or cells[:1]
            quotes = tuple(each.quote for each in chosen)
            cited[str(key[0]), key[1], key[2]] = CitedRow(str(key[0]), versions.get(key[0], 1), quotes)
        return cited

    def _line(self, document: DocumentId, row: int, visible: Visibility) -> CitedRow | None:
        """The row of a dataset on its stored page, whose first line names the columns."""
        with suppress(NotFoundError):
            version = self._records.datasets.get(document, visible).version
            text = self._records.documents.page(document, version, page_of(row), visible).text
            lines = text.split("\n")
            at = 1 + (row - 1) % ROWS_OF_PAGE
            if at < len(lines):
                start = sum(len(line) + 1 for line in lines[:at])
                quote = lines[at][:_MOST_QUOTE]
                span = PageSpan(page_of(row), start, start + len(quote))
                return CitedRow(str(document), version, (Quote(span, quote),))
        return None

    def _mount(self, place: TablePlace, visible: Visibility) -> Mount:
        ids = [DocumentId(each.rpartition("|")[0]) for each in place.places]
        dataset = self._dataset(ids[0], visible) if len(ids) == 1 else None
        if dataset is not None:
            return self._mount_dataset(place.name, dataset)
        seen = self._records.documents.get_many(ids, visible)
        if not ids or any(each not in seen for each in ids):
            raise QueryRefusedError(
                f"There is no table {place.name!r} that you may ask.", next_step="Choose another one."
            )
        titles = self._titles(place.places, seen)
        parts = tuple(
            SheetPart(document, int(number), titles[f"{document}|{number}"])
            for document, _, number in (each.rpartition("|") for each in place.places)
        )
        made = self._sheets.get(place.name, parts)
        return Mount(made.table, made.file, parts, made.keys)

    def _titles(
        self, places: Sequence[str], seen: Mapping[DocumentId, DocumentSummary]
    ) -> dict[str, tuple[str, str]]:
        names = {str(id): each.name for id, each in seen.items()}
        sheets = self._records.row_selection.sheets(names)
        return {each: (names[each.rpartition("|")[0]], sheets.get(each, "")) for each in places}

    def _dataset(self, id: DocumentId, visible: Visibility) -> Dataset | None:
        with suppress(NotFoundError):
            found = self._records.datasets.get(id, visible)
            return found if found.state is not DatasetState.REMOVED else None
        return None

    def _mount_dataset(self, name: str, dataset: Dataset) -> Mount:
        file = self._datasets / dataset.file
        if not file.is_file():
            raise QueryFailedError(
                f"The rows of the dataset {dataset.name!r} are no longer in the home.",
                next_step="Register its file again.",
            )
        table = dataset_table(dataset, name)
        return Mount(table, file, (SheetPart(str(dataset.id), DATASET),), is_dataset=True)


def dataset_table(dataset: Dataset, name: str = "") -> DataTable:
    """The table of a registered dataset."""
    columns = tuple(
        DataColumn(
            name=each.name,
            type=DataType(each.type),
            label=each.head,
            units=_units(dataset, each.name),
            unit_column=each.currency,
            examples=each.examples,
        )
        for each in dataset.columns
    )
    return DataTable(name or dataset.table, columns, dataset.rows, dataset.name, str(dataset.id), DATASET)


def _units(dataset: Dataset, name: str) -> tuple[str, ...]:
    column = dataset.column(name)
    if column is None or column.type != "money":
        return ()
    if not column.currency:
        return (column.unit,)
    holder = dataset.column(column.currency)
    said = tuple(bar.label for bar in holder.often) if holder is not None else ()
    return said if len(said) > 1 else (*said, "")
