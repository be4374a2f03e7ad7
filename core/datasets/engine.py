"""The one engine for rows: mounts what a principal may see, checks, runs, and cites the rows of results."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from core.datasets.base import (
    FILE,
    ROWS_OF_FILE,
    CheckedQuery,
    DataColumn,
    DataTable,
    DataType,
    QueryFailedError,
    QueryRefusedError,
    QueryRows,
    RowFile,
)
from core.datasets.families import (
    apart,
    family_of,
    file_names,
    near_remark,
    row_files,
    with_file_column,
)
from core.datasets.file_state import state_remark
from core.datasets.names import free
from core.datasets.pages import page_of, row_span
from core.datasets.sheets import SheetTables
from core.datasets.sql.process import QueryProcess
from core.domain.document import DocumentSummary
from core.domain.fields import Cell, Quote
from core.domain.ids import DocumentId
from core.domain.rows.dataset import Dataset, DatasetState
from core.domain.rows.place import OF_FIELDS, RowPlace, TablePlace
from core.domain.span import PageSpan
from core.errors import NotFoundError
from core.store.cells.field_rows import column_key
from core.store.database.visibility import Visibility
from core.store.store import Records

_MOST_QUOTE = 1_000  # characters of a row of a dataset
_MOST_WORDS = 3  # of the values of a cell
_UNKNOWN = ("", "?")  # currencies of which nobody knows how many they are


@dataclass(frozen=True, slots=True)
class Mount:
    """A table that may be asked. parts: tables it is made of; keys: of each row its part and number there.

    Without keys a row tells both by its number, as those of datasets do. alike: all tables that have its
    columns, those that are asked and others, with what they are called. undecided: of a table of fields, by
    field and status, the places of the parts of whose field nobody knows the value. remarks: on its files.
    """

    table: DataTable
    files: tuple[RowFile, ...]
    parts: tuple[TablePlace, ...]
    keys: tuple[tuple[int, int], ...] = ()
    alike: Mapping[TablePlace, str] = field(default_factory=dict)
    undecided: Mapping[str, Mapping[str, Sequence[int]]] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()

    def key(self, row: int) -> RowPlace:
        """The row of a document that a row of the file is."""
        part, number = self.keys[row - 1] if self.keys else divmod(row, ROWS_OF_FILE)
        return RowPlace(*self.parts[part], number)


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


class OtherTables(Protocol):
    """Tables of fields, and which tables are alike, as far as somebody may see them."""

    def mount(self, name: str, schema: str, field: str, visible: Visibility) -> Mount:
        """The documents of a schema as rows, or the values of one field. Raises QueryRefusedError."""
        ...

    def alike(self, place: TablePlace, visible: Visibility) -> Mapping[TablePlace, str]:
        """Every table with the columns of one, with what it is called; {} of one that is not known."""
        ...


class _NoOthers:
    def mount(self, name: str, schema: str, field: str, visible: Visibility) -> Mount:
        raise no_table(name)

    def alike(self, place: TablePlace, visible: Visibility) -> Mapping[TablePlace, str]:
        return {}


class RowEngine:
    """Thread-safe. What may not be seen is not mounted, and changes no figure."""

    def __init__(
        self, records: Records, home: Path, process: QueryProcess, others: OtherTables | None = None
    ) -> None:
        self._records = records
        self._others = others or _NoOthers()
        self._datasets = home / "datasets"
        self._sheets = SheetTables(home / "tables", records.row_selection)
        self._process = process

    def ask(
        self,
        sql: str,
        tables: Mapping[str, Sequence[str]],
        visible: Visibility,
        timeout_s: float | None = None,
    ) -> Asked:
        """Rows of a query over tables by name, each with its places.

        Raises QueryRefusedError, QueryFailedError.
        """
        from core.datasets.sql.gate import check
        from core.datasets.sql.statements import columns_in

        named = columns_in(sql)
        mounts = {
            name: self._mount(name, tuple(map(TablePlace.of, places)), visible, named)
            for name, places in tables.items()
        }
        query = check(sql, [each.table for each in mounts.values()])
        rows = self._process.run(query, {name: each.files for name, each in mounts.items()}, timeout_s)
        return Asked(query, rows, mounts)

    def words_among_numbers(
        self,
        asked: Asked,
        places: Mapping[str, Sequence[str]],
        visible: Visibility,
        timeout_s: float | None = None,
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
        self, keys: Sequence[RowPlace], columns: Collection[str], visible: Visibility
    ) -> dict[RowPlace, CitedRow]:
        """The characters of rows: of cells in some columns (by label), or of the row of a dataset."""
        wanted = [(DocumentId(document), table, row) for document, table, row in keys if table != OF_FIELDS]
        found = self._records.row_selection.read(wanted)
        versions = self._records.row_selection.versions({key[0] for key in found})
        named = {column_key(each) for each in columns}
        cited = self._of_fields([each for each in keys if each.table == OF_FIELDS], set(columns), visible)
        for key in wanted:
            row, place = found.get(key), RowPlace(*key)
            if row is None:
                line = self._line(key[0], key[2], visible)
                cited |= {place: line} if line is not None else {}
                continue
            cells = [each for each in row.cells if each.quote.quote]
            chosen = [each for each in cells if column_key(each.column) in named] or cells[:1]
            quotes = tuple(each.quote for each in chosen)
            cited[place] = CitedRow(str(key[0]), versions.get(key[0], 1), quotes)
        return cited

    def _of_fields(
        self, keys: Sequence[RowPlace], fields: Collection[str], visible: Visibility
    ) -> dict[RowPlace, CitedRow]:
        """Words of the cells of documents: of these fields, else the first that any cell has."""
        cells: dict[str, list[Cell]] = {}
        documents = [DocumentId(each.document) for each in keys]
        for cell in self._records.fields.cells(visible, documents=documents) if keys else ():
            if cell.finding.spans:
                cells.setdefault(str(cell.document), []).append(cell)
        cited: dict[RowPlace, CitedRow] = {}
        for key in keys:
            own = cells.get(key.document, [])
            asked = [quote for cell in own if cell.field in fields for quote in _words(cell, key.row)]
            quotes = asked or [min((cell.finding.spans[0] for cell in own), key=_place)] if own else []
            if quotes:
                cited[key] = CitedRow(key.document, own[0].version, tuple(dict.fromkeys(quotes)))
        return cited

    def _line(self, document: DocumentId, row: int, visible: Visibility) -> CitedRow | None:
        """The row of a dataset on its stored page; only its first pages are stored."""
        with suppress(NotFoundError):
            version = self._records.datasets.get(document, visible).version
            text = self._records.documents.page(document, version, page_of(row), visible).text
            if (found := row_span(text, row)) is not None:
                start, end = found[0], min(found[1], found[0] + _MOST_QUOTE)
                span = PageSpan(page_of(row), start, end)
                return CitedRow(str(document), version, (Quote(span, text[start:end]),))
        return None

    def _mount(
        self, name: str, places: tuple[TablePlace, ...], visible: Visibility, named: Collection[str]
    ) -> Mount:
        """named: by the statement; one file alone has the column FILE only where it is."""
        if places[0].fields is not None:
            return self._others.mount(name, *places[0].fields, visible)
        alike = self._others.alike(places[0], visible)
        files = self._registered(places, visible)
        if files:
            return self._mount_datasets(name, files, alike, named, visible)
        ids = [DocumentId(each.document) for each in places]
        seen = self._records.documents.get_many(ids, visible)
        if any(each not in seen for each in ids):
            raise no_table(name)
        columns, file, keys = self._sheets.get(places, self._titles(places, seen))
        return Mount(DataTable(name, columns, len(keys)), (RowFile(file),), places, keys, alike)

    def _titles(
        self, places: Sequence[TablePlace], seen: Mapping[DocumentId, DocumentSummary]
    ) -> list[tuple[str, str]]:
        names = {str(id): each.name for id, each in seen.items()}
        sheets = self._records.row_selection.sheets(names)
        return [(names[each.document], sheets.get(str(each), "")) for each in places]

    def _registered(self, places: Sequence[TablePlace], visible: Visibility) -> list[Dataset]:
        """The datasets of places; [] where one of these is none, or was removed."""
        with suppress(NotFoundError):
            found = [self._records.datasets.get(DocumentId(each.document), visible) for each in places]
            return found if all(each.state is not DatasetState.REMOVED for each in found) else []
        return []

    def _mount_datasets(
        self,
        name: str,
        files: Sequence[Dataset],
        alike: Mapping[TablePlace, str],
        named: Collection[str],
        visible: Visibility,
    ) -> Mount:
        gone = next((each for each in files if not (self._datasets / each.file).is_file()), None)
        if gone is not None:
            raise QueryFailedError(
                f"The rows of the dataset {gone.name!r} are no longer in the home.",
                next_step="Register its file again.",
            )
        whole, names = family_of(files, name), file_names(files)
        by_file = free(FILE, {each.name for each in whole.columns}) in named and len(files) == 1
        if by_file:
            group = self._registered(tuple(alike), visible) or list(
                files
            )  # by the name that it has among these
            names = [n for n, each in zip(file_names(group), group, strict=True) if each.id == files[0].id]
            whole = with_file_column(whole, names)
        near = apart(whole, self._records.datasets.list(visible)) if len(files) > 1 else ()
        return Mount(
            dataset_table(whole, name),
            row_files(whole, self._datasets, names if by_file or len(files) > 1 else ()),
            tuple(TablePlace(str(each.id)) for each in files),
            alike=alike,
            remarks=(*filter(None, map(state_remark, files)), *near_remark(near)),
        )


def no_table(name: str) -> QueryRefusedError:
    """The refusal of a table that may not be seen, or that is not there: nobody can tell these apart."""
    return QueryRefusedError(f"There is no table {name!r} that you may ask.", next_step="Choose another one.")


def _words(cell: Cell, value: int) -> Sequence[Quote]:
    """Words of one value of a cell, by its number, or the first of all."""
    spans = cell.finding.spans
    return spans[value - 1 : value] if len(cell.finding.values) > 1 and value else spans[:_MOST_WORDS]


def _place(quote: Quote) -> tuple[int, int]:
    return quote.span.page_no, quote.span.start


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
    return DataTable(name or dataset.table, columns, dataset.rows, dataset.name)


def _units(dataset: Dataset, name: str) -> tuple[str, ...]:
    column = dataset.column(name)
    if column is None or column.type != "money":
        return ()
    if not column.currency:
        return (column.unit,)
    if dataset.files:
        return tuple(dict.fromkeys(unit for each in dataset.files for unit in _units(each, name)))
    if column.currencies or (holder := dataset.column(column.currency)) is None:
        return column.currencies or _UNKNOWN
    # It was registered when no column kept its currencies: what is frequent tells them, but where none is.
    said = tuple(bar.label for bar in holder.often)
    return said if len(said) > 1 else _UNKNOWN if holder.filled and not said else (*said, "")
