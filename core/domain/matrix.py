"""The matrix: documents down, fields across."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field

from core.domain.certainty.guess import GuessedValue
from core.domain.document import DocumentSummary, PageSize
from core.domain.fields import Cell, CellStatus, FieldType, Finding, ReviewEvent
from core.domain.ids import DocumentId
from core.domain.predicate import Predicate


@dataclass(frozen=True, slots=True)
class Asking:
    """Fields asked of each document: they depend on the schema by which it was extracted.

    fields: the schemas that ask for a field; one that is not named is asked of all. buckets: the schemas that
    documents of a bucket have; in one that is not named, or has none, every document is asked everything. A
    document that cannot be read, or was not read yet, is asked whatever any schema of its bucket asks for.
    recognised: the buckets without a schema of their own, where each document is of the kind that it looks
    like: one that cannot be read looks like none. places: field, schema and the buckets alone in which that
    schema asks for it.
    """

    fields: Mapping[str, frozenset[str]]
    buckets: Mapping[str, frozenset[str]]
    recognised: frozenset[str] = frozenset()
    places: frozenset[tuple[str, str, frozenset[str]]] = frozenset()

    @property
    def key(self) -> Hashable:
        """Equal where the same is asked of every document."""
        return frozenset(self.fields.items()), frozenset(self.buckets.items()), self.recognised, self.places

    def is_dropped(self, name: str) -> bool:
        """True where no schema asks for a field any more: what it left in cells counts nowhere."""
        return not self.fields.get(name, True)

    def strangers(self, name: str, bucket: str) -> frozenset[str]:
        """The schemas of a bucket that do not ask for a field."""
        known = self.buckets.get(bucket, frozenset())
        return known - (self.fields.get(name, known) - self._silent(name, bucket))

    def concerns(self, name: str, bucket: str) -> bool:
        """True where any document of a bucket may be asked for a field."""
        known, silent = self.buckets.get(bucket, frozenset()), self._silent(name, bucket)
        if not known:
            return not silent or bool(self.fields.get(name, silent) - silent)
        return bool(known & (self.fields.get(name, known) - silent))

    def _silent(self, name: str, bucket: str) -> frozenset[str]:
        """The schemas that ask for a field in other buckets alone."""
        return frozenset(
            schema for field, schema, buckets in self.places if field == name and bucket not in buckets
        )

    def asks(self, name: str, bucket: str, kind: str | None) -> bool:
        """True where a document is asked for a field. kind: None where it is not known."""
        return self.concerns(name, bucket) and kind not in self.strangers(name, bucket)


@dataclass(frozen=True, slots=True)
class MatrixColumn:
    """A field as a column of the matrix. schemas: those that ask for it."""

    name: str
    title: str
    type: FieldType
    many: bool = False
    group: str = ""
    schemas: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MatrixQuery:
    """Rows and fields of the matrix, and the order of the rows.

    bucket: None for all. schema: only documents extracted by it, or not at all yet, and of those that cannot
    be read the ones known to be of it; "" for all. text: as in `DocumentQuery`. where: conditions that must
    all hold, such as `law is uncertain`, `fee > 100 USD`, on a best guess `fee@guess > 100 USD`, on either
    `fee@any > 100 USD`, or by how sure a cell is `fee@sure >= 0.7`. order_field: a field by its values, then
    by the best guesses of others (documents without either last), "NAME@any" by both together, "NAME@status"
    by status, "NAME@sure" by how sure it is, "" or "@title" by title, or "@source", "@status", "@updated".
    asking: which documents are asked for which fields; None: as the cells tell.
    """

    bucket: str | None = None
    schema: str = ""
    fields: tuple[str, ...] = ()
    text: str = ""
    where: tuple[Predicate, ...] = ()
    order_field: str = ""
    descending: bool = False
    limit: int = 100
    offset: int = 0
    asking: Asking | None = None


@dataclass(frozen=True, slots=True)
class Matrix:
    """Documents and their cells, document by document, in the order of the columns.

    pending, not_asked: the fields of each document that were not read yet, or that its schema does not ask
    for; it has a cell of every other. A document that cannot be read has unreadable cells. copies: by
    document, of those that have any, the others of the same words, which have no row of their own.
    """

    columns: tuple[MatrixColumn, ...]
    documents: tuple[DocumentSummary, ...]
    cells: tuple[Cell, ...]
    pending: Mapping[DocumentId, frozenset[str]] = field(default_factory=dict)
    not_asked: Mapping[DocumentId, frozenset[str]] = field(default_factory=dict)
    copies: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class MatrixRow:
    """One document with its cells by field name.

    Every field asked for is in one of the three: it has a cell that counts, is pending (the current version
    was not read for it yet) or not asked (the document is of a kind that has no such field). A document that
    cannot be read has unreadable cells, but where a reviewer decided. guesses: of undecided cells, the
    likeliest first.
    """

    document: DocumentSummary
    cells: dict[str, Cell]
    pending: frozenset[str] = frozenset()
    not_asked: frozenset[str] = frozenset()
    guesses: Mapping[str, tuple[GuessedValue, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CellDetails:
    """A cell with what is shown beside it, all of one moment.

    history: newest first. document: as it was in `version`, whose pages are shown; 0 where its file never
    could be read. size: of the first page; None where it is not stored. data_version: of the collection.
    """

    cell: Cell
    history: tuple[ReviewEvent, ...]
    document: DocumentSummary
    version: int
    size: PageSize | None
    data_version: int


@dataclass(frozen=True, slots=True)
class MatrixPage:
    """Some rows of the matrix; total: how many rows there are. Cells come without their candidates."""

    total: int
    rows: tuple[MatrixRow, ...]


@dataclass(frozen=True, slots=True)
class FieldCounts:
    """Number of documents by status of a field; they add up to the documents that are asked for it.

    Uncertain are also those that wait to be read (pending) or to be looked at anew (check_again), and those
    with a best guess (guessed). not_asked: documents of other kinds, in no status. by_model: of all, those
    that rest on a language model.
    """

    statuses: dict[CellStatus, int] = field(default_factory=dict)
    reviewed: int = 0
    check_again: int = 0
    pending: int = 0
    not_asked: int = 0
    guessed: int = 0
    by_model: int = 0

    @property
    def total(self) -> int:
        """The documents that are asked for the field."""
        return sum(self.statuses.values())


@dataclass(frozen=True, slots=True)
class FieldLedger:
    """Documents by their status in one field, by id: each is in one of the first four, or not asked.

    pending, check_again: those of `uncertain` whose current version was not read yet, or whose reviewed words
    are gone. by_model: those of present and absent that rest on a language model.
    """

    field: str
    present: tuple[DocumentId, ...] = ()
    absent: tuple[DocumentId, ...] = ()
    uncertain: tuple[DocumentId, ...] = ()
    unreadable: tuple[DocumentId, ...] = ()
    pending: tuple[DocumentId, ...] = ()
    check_again: tuple[DocumentId, ...] = ()
    not_asked: tuple[DocumentId, ...] = ()
    by_model: tuple[DocumentId, ...] = ()

    @property
    def scope(self) -> int:
        """Number of documents that are asked for the field."""
        return len(self.present) + len(self.absent) + len(self.uncertain) + len(self.unreadable)


@dataclass(frozen=True, slots=True)
class WorkItem:
    """A cell that waits for a reviewer."""

    document: DocumentId
    field: str
    title: str
    check_again: bool
    probability: float


@dataclass(frozen=True, slots=True)
class CellDispute:
    """A cell that extraction and a language model decided differently, and no person has."""

    item: WorkItem
    extraction: Finding
    model: Finding
