"""Catalogue of a collection, as a planner and a validator see it, and what may be asked of its text.

Loaded by `core.workbench.catalogue` for one visibility: what a principal may not see is not in it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from typing import TypeVar

from core.cache import Cache
from core.domain.annotation import Accounting
from core.domain.document import OpeningNames
from core.domain.fields import FieldType
from core.domain.rows.place import TablePlace
from core.text.analyse import text_terms

Made = TypeVar("Made")
_CATALOGUES_HELD = 8  # one for each visibility that asks
_FIRST_YEAR, _LAST_YEAR = 1900, 2100
_AFFIRMATIVE = ("yes", "true", "y", "x", "1")
_MOST_ANSWERS = 8  # of a column of yes and no: yes, no, n/a, not yet
_BANNING = ("no", "non")
_SHEETS = (".xlsx", ".xlsm", ".xls", ".csv", ".tsv", ".ods")


def column_key(name: str) -> str:
    """The name of a column as conditions know it."""
    return " ".join(name.split()).casefold()


@dataclass(frozen=True, slots=True)
class FieldEntry:
    """A field of a schema. documents: how many state it; units: in which units or currencies they do.

    verbs: what documents do by it; loose_verbs: where no other schema has the verb. phrases: examples of how
    questions speak of it. group: under which the schema shows it.
    """

    schema: str
    name: str
    title: str
    type: FieldType
    many: bool = False
    unit: str = ""
    description: str = ""
    synonyms: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    documents: int = 0
    units: tuple[str, ...] = ()
    verbs: tuple[str, ...] = ()
    loose_verbs: tuple[str, ...] = ()
    phrases: tuple[str, ...] = ()
    group: str = ""


@dataclass(frozen=True, slots=True)
class NounEntry:
    """A noun for documents of a schema. titles: words one of which their name holds; () for all of them.

    is_thing: it is said of what they describe.
    """

    word: str
    titles: tuple[str, ...] = ()
    is_thing: bool = False


@dataclass(frozen=True, slots=True)
class SchemaEntry:
    """A schema. words: what documents of it are called; documents: how many there are, unread ones too.

    counts: the kinds that its words mean where none is named, () for all.
    """

    name: str
    title: str
    buckets: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    fields: tuple[FieldEntry, ...] = ()
    documents: int = 0
    nouns: tuple[NounEntry, ...] = ()
    counts: tuple[str, ...] = ()

    def field(self, name: str) -> FieldEntry | None:
        """The field of that name; None where there is none."""
        return next((each for each in self.fields if each.name == name), None)

    @property
    def usual_amount(self) -> FieldEntry | None:
        """The amount of money that most of its documents state."""
        amounts = (each for each in self.fields if each.type is FieldType.MONEY)
        return max(amounts, key=lambda each: each.documents, default=None)


@dataclass(frozen=True, slots=True)
class PartyEntry:
    """An organisation that documents name. name: as it is written best; fields: (schema, field) with it."""

    name: str
    normal: str
    documents: int = 1
    fields: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class DocumentEntry:
    """A document. schema: "" where it was never extracted and its bucket says nothing.

    kind: the value of its field `document_kind`, "" where it has none; parties: their normal names.
    unreadable: why nothing of it can be read, "" where it can. opening: what its first words name. name: as
    people see it, its title for "". is_of_unknown_kind: it cannot be read, and nothing tells what it is.
    """

    id: str
    title: str
    source: str
    bucket: str
    schema: str = ""
    kind: str = ""
    parties: tuple[str, ...] = ()
    unreadable: str = ""
    opening: OpeningNames = field(default_factory=OpeningNames)
    name: str = ""
    is_of_unknown_kind: bool = False

    def __post_init__(self) -> None:
        if not self.name:
            object.__setattr__(self, "name", self.title)


@dataclass(frozen=True, slots=True)
class ValueEntry:
    """A text that is the value of a text or enum field in some documents."""

    schema: str
    field: str
    text: str
    documents: int = 1


@dataclass(frozen=True, slots=True)
class ColumnEntry:
    """A column of tables. name: as it is written; type: of most of its values; unit: of the most frequent.

    texts: its different texts, those that most rows have first; is_whole: whether these are all of them.
    units: all in which its amounts are. numbers: its different numbers, of a table that is not long.
    low, high: its least and greatest amount, number or (as ordinal) day.
    """

    name: str
    type: FieldType
    unit: str = ""
    rows: int = 0
    texts: tuple[str, ...] = ()
    is_whole: bool = True
    units: tuple[str, ...] = ()
    numbers: tuple[str, ...] = ()
    low: Decimal | None = None
    high: Decimal | None = None

    @property
    def is_of_years(self) -> bool:
        """True of numbers that are all years, which nobody adds up."""
        low, high = self.low, self.high
        if self.type is not FieldType.NUMBER or low is None or high is None:
            return False
        return self.unit == "year" or (_FIRST_YEAR <= low <= high <= _LAST_YEAR and low == int(low))

    @property
    def key(self) -> str:
        """By what conditions know it."""
        return column_key(self.name)

    @property
    def affirmed(self) -> str:
        """The text of a column of yes and no that says yes; "" for other columns."""
        return affirmed(self.texts) if self.is_whole else ""


@dataclass(frozen=True, slots=True)
class TablePart:
    """One table of a document. sheet: the name of the sheet that it is on; caption: the line above it."""

    document: str
    number: int
    sheet: str = ""
    caption: str = ""

    @property
    def name(self) -> str:
        """By what nodes know it: "document|number"."""
        return str(TablePlace(self.document, self.number))


@dataclass(frozen=True, slots=True)
class TableEntry:
    """Tables with the same columns, in one document or several; parts: each of them.

    title: of several registered files what they are called in SQL as one, which has a column of files.
    """

    columns: tuple[ColumnEntry, ...]
    documents: tuple[str, ...]
    schema: str = ""
    rows: int = 0
    parts: tuple[TablePart, ...] = ()
    title: str = ""


@dataclass(frozen=True)
class Catalogue:
    """Content of a collection. Equal fingerprints mean equal contents.

    schemas: in the order in which they are shown. parties: by name. documents: those that may be seen, by
    title. values: texts of fields of texts and choices, by schema, field and text. columns: of tables, as
    they are written first. tables: those with the same columns as one, by their documents. copies: documents
    that may be seen of the words of one of `documents`; nothing of theirs is in the rest. accounting: the
    exchange rates and the fiscal year. datasets: registered tables. fields: the documents of a schema
    as rows, and the values of their lists.
    """

    fingerprint: str = ""
    schemas: tuple[SchemaEntry, ...] = ()
    parties: tuple[PartyEntry, ...] = ()
    documents: tuple[DocumentEntry, ...] = ()
    values: tuple[ValueEntry, ...] = ()
    columns: tuple[str, ...] = ()
    tables: tuple[TableEntry, ...] = ()
    copies: tuple[DocumentEntry, ...] = ()
    accounting: Accounting = field(default_factory=Accounting)
    datasets: tuple[TableEntry, ...] = ()
    fields: tuple[TableEntry, ...] = ()

    @cached_property
    def rows_by_sql(self) -> tuple[TableEntry, ...]:
        """Tables with rows of their own."""
        return (*self.tables, *self.datasets)

    @cached_property
    def every_table(self) -> tuple[TableEntry, ...]:
        """All tables that SQL may ask."""
        return (*self.rows_by_sql, *self.fields)

    @cached_property
    def _by_schema(self) -> Mapping[str, SchemaEntry]:
        return {each.name: each for each in self.schemas}

    @cached_property
    def _by_id(self) -> Mapping[str, DocumentEntry]:
        of_no_text = (*self.datasets, *self.fields)
        rows = (DocumentEntry(p.document, p.sheet, p.sheet, t.schema) for t in of_no_text for p in t.parts)
        return {each.id: each for each in (*self.documents, *self.copies, *rows)}

    def schema(self, name: str) -> SchemaEntry | None:
        """The schema of that name; None where there is none."""
        return self._by_schema.get(name)

    def field(self, name: str, schema: str = "") -> FieldEntry | None:
        """The field of that name in a schema, or in the first that has it; None where there is none."""
        asked = [self._by_schema[schema]] if schema in self._by_schema else [] if schema else self.schemas
        return next((found for each in asked if (found := each.field(name)) is not None), None)

    def document(self, id: str) -> DocumentEntry | None:
        """The document of that id; None where there is none that may be seen."""
        return self._by_id.get(id)


def once_for_each(make: Callable[[Catalogue], Made]) -> Callable[[Catalogue], Made]:
    """The function, which makes its result once for each of the catalogues used last, by fingerprint."""
    made: Cache[str, Made] = Cache(_CATALOGUES_HELD)

    def of(catalogue: Catalogue) -> Made:
        key = catalogue.fingerprint
        return made.get_or_make(key, lambda: make(catalogue)) if key else make(catalogue)

    return of


def affirmed(texts: Sequence[str]) -> str:
    """The first of some texts that says yes; "" for none, and where these are too many to be yes and no."""
    few = texts if len(texts) <= _MOST_ANSWERS else ()
    return next((each for each in few if each.casefold() in _AFFIRMATIVE), "")


def bans(field: str, words: str) -> bool:
    """True where a field is called by what is not to be, and words say just that: "competing"."""
    first, _, rest = field.partition("_")
    said = text_terms(words)
    return first in _BANNING and bool(said) and said <= text_terms(rest.replace("_", " "))


def sheets_of(catalogue: Catalogue) -> frozenset[str]:
    """The documents that are tables and nothing else, registered ones among them."""
    held = {id for table in catalogue.tables for id in table.documents}
    named = (e.id for e in catalogue.documents if e.id in held and e.source.lower().endswith(_SHEETS))
    return frozenset((*named, *(id for table in catalogue.datasets for id in table.documents)))


def document_title(document: str, catalogue: Catalogue) -> str:
    """The name of a document; its id where it has gone since."""
    entry = catalogue.document(document)
    return entry.name if entry is not None else document
