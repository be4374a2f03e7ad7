"""Results of searches and computations over cells and table rows."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from core.domain.document import DocumentSummary
from core.domain.fields import AnnotationRow, Cell, FieldType


class AnnotationSource(StrEnum):
    """Source of a search: cells (a row is a document), or rows of the tables in documents."""

    CELLS = "cells"
    ROWS = "rows"


class Calculation(StrEnum):
    """Function of a computation. count and distinct take any values, sum and avg none of dates and texts."""

    COUNT = "count"
    SUM = "sum"
    MIN = "min"
    MAX = "max"
    AVG = "avg"
    MEDIAN = "median"
    DISTINCT = "distinct"


@dataclass(frozen=True, slots=True)
class AnnotationHit:
    """A document, or a row of one of its tables, that fulfils all conditions.

    cells: those of the fields that the conditions name, in their order; () of a table row, which is `row`.
    """

    document: DocumentSummary
    cells: tuple[Cell, ...] = ()
    row: AnnotationRow | None = None


@dataclass(frozen=True, slots=True)
class Excluded:
    """Rows that could not take part. field: whose value is in the way; "" for the document itself.

    reason: missing, uncertain, unreadable, check again, not extracted, blank, redacted, ambiguous,
    perpetual, not a number, too large, or another currency or unit by its name.
    """

    field: str
    reason: str
    rows: int


@dataclass(frozen=True, slots=True)
class AnnotationHits:
    """Result of a search. total: how many there are, also beyond `hits`; scope: documents or rows looked at.

    excluded: those of which it is not known whether they fulfil the conditions.
    """

    hits: tuple[AnnotationHit, ...]
    total: int
    scope: int
    source: AnnotationSource
    excluded: tuple[Excluded, ...] = ()


@dataclass(frozen=True, slots=True)
class ConvertedAmount:
    """What amounts of one currency come to, before and after. days: of whose rates (ordinals; 0: the
    latest); undated: amounts by the latest.
    """

    unit: str
    value: Decimal
    into: Decimal
    rows: int
    days: tuple[int, ...] = ()
    undated: int = 0


@dataclass(frozen=True, slots=True)
class AggregateGroup:
    """One group: `key` holds a text for each field grouped by, () where there is none.

    value: exact; dates and texts (of min and max) as text; None where no row took part. unit: ISO 4217 of
    money, the unit of a number, "days" of durations, "" else. rows: how many values it was computed of.
    parts: where amounts were converted, each currency by itself.
    """

    key: tuple[str, ...]
    value: Decimal | str | None
    unit: str
    rows: int
    documents: int
    parts: tuple[ConvertedAmount, ...] = ()


@dataclass(frozen=True, slots=True)
class AggregateResult:
    """Result of a computation: groups by key. type: of the values; a count and a distinct are numbers.

    scope: documents (or table rows) in the bucket that may be seen. rows: values that took part.
    members: of a computation over a set of documents, those that each group is made of; () else.
    """

    aggregate: Calculation
    field: str
    group_by: tuple[str, ...]
    groups: tuple[AggregateGroup, ...]
    type: FieldType
    source: AnnotationSource
    scope: int
    rows: int
    excluded: tuple[Excluded, ...] = ()
    rates: tuple[tuple[str, Decimal], ...] = ()
    members: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class DocumentMetadata:
    """Properties of a document that are known without reading it.

    file: what the file says of itself. cells: those of all fields. family: the title that an amendment names.
    """

    document: DocumentSummary
    file: dict[str, str]
    cells: tuple[Cell, ...] = ()
    family: str = ""
