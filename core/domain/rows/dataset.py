"""Datasets: registered files of rows, with what is known of each column."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Literal

from core.domain.ids import DocumentId

ColumnKind = Literal["text", "number", "money", "date", "boolean"]
MEDIA_TYPE = "application/vnd.groundwork.dataset"
"""Media type of the document that the rows of a dataset are cited in."""


class DatasetState(StrEnum):
    """State of a dataset against its file."""

    READY = "ready"
    CHANGED = "changed"  # the file is another one than was read
    MISSING = "missing"  # the file is gone; what was read of it stays
    REMOVED = "removed"


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar of a small chart: rows with this value, or with values in this range; 0: nobody counted them."""

    label: str
    rows: int


@dataclass(frozen=True, slots=True)
class DatasetColumn:
    """A column. name: as SQL knows it; head: as the file writes it.

    unit: the currency of money, the unit of numbers; of money in several currencies "", and the column
    `currency` says it row by row; currencies: those of its amounts then, "" for none stated. filled: rows
    with a value. distinct: different values, "about" in large files. least, greatest: of numbers, money and
    dates. often: the most frequent values. chart: how values are spread. sketch: hashes that tell whether two
    columns share values; () where that is of no use.
    """

    name: str
    head: str
    type: ColumnKind
    unit: str = ""
    currency: str = ""
    filled: int = 0
    distinct: int = 0
    is_key: bool = False
    least: str = ""
    greatest: str = ""
    examples: tuple[str, ...] = ()
    often: tuple[Bar, ...] = ()
    chart: tuple[Bar, ...] = ()
    sketch: tuple[int, ...] = ()
    currencies: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DatasetProblem:
    """Something of the file that was not as it should be, in words. rows: the first of those it is about."""

    text: str
    column: str = ""
    rows: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class ReadTable:
    """What was read of a file or sheet. file: the Parquet file. pages: texts of the pages of its rows."""

    sheet: str
    rows: int
    columns: tuple[DatasetColumn, ...]
    problems: tuple[DatasetProblem, ...]
    file: str
    pages: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Dataset:
    """A registered table, in one version. table: its name in SQL. source: the file, as people know it.

    id: of the document that its rows are cited in, and whose access is its own. path: where the file is; ""
    of an upload, which is not kept. file: its Parquet file, below the folder of datasets. files: of several
    files that are asked as one, those; its id is its name in SQL then, and its path their folder.
    """

    id: DocumentId
    name: str
    table: str
    source: str
    path: str
    sheet: str
    bucket: str
    acl: tuple[str, ...]
    owner: str
    version: int
    rows: int
    columns: tuple[DatasetColumn, ...]
    problems: tuple[DatasetProblem, ...]
    file: str
    content_hash: str
    size_bytes: int
    modified_ns: int
    registered_at: datetime
    state: DatasetState = field(default=DatasetState.READY, compare=False)
    files: tuple[Dataset, ...] = ()

    def column(self, name: str) -> DatasetColumn | None:
        """The column of a name in SQL; None where there is none."""
        return next((each for each in self.columns if each.name == name), None)


@dataclass(frozen=True, slots=True)
class PossibleJoin:
    """Two columns that share values. share: of the values of the one with fewer, about."""

    column: str
    dataset: DocumentId
    dataset_name: str
    table: str
    other: str
    share: float


@dataclass(frozen=True, slots=True)
class DocumentTable:
    """A table of ingested spreadsheets, which SQL asks like a dataset. table: its name in SQL.

    places: "document|table" of all tables with these columns. columns: (name as written, type).
    """

    table: str
    name: str
    places: tuple[str, ...]
    documents: tuple[DocumentId, ...]
    rows: int
    columns: tuple[tuple[str, str], ...]


def document_source(source: str, sheet: str) -> str:
    """The source of the document of a table: never that of a file that is ingested as a document, too."""
    return f"dataset:{source}#{sheet}" if sheet else f"dataset:{source}"
