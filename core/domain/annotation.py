"""Results of searches and computations over cells and table rows, and rates that amounts are converted by.

Rates are set by admins, to a base currency, and never fetched.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from enum import StrEnum
from functools import cached_property

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


NO_DAY = 0
"""In place of the day of an amount that has none: the latest rate is used."""

NO_RATE = ", for which there is no rate"
"""Behind "in JPY": why an amount takes no part."""


@dataclass(frozen=True, slots=True)
class Rate:
    """Worth of one of `currency` in the base, from `day` on."""

    currency: str
    rate: Decimal
    day: date
    source: str = ""

    @property
    def name(self) -> str:
        """As people and the audit log have it."""
        return f"{self.currency} {self.rate:f} on {self.day.isoformat()}" + (
            f", {self.source}" * bool(self.source)
        )


@dataclass(frozen=True)
class Accounting:
    """The rates of a base currency, and the calendar. base: "" for none. version: new after each change.

    dated_by: fields and columns whose date decides which rate an amount has, in order; () for the latest.
    fiscal_month: the first of the fiscal year, which is called by the calendar year that it ends in.
    """

    base: str = ""
    rates: tuple[Rate, ...] = ()
    dated_by: tuple[str, ...] = ()
    fiscal_month: int = 1
    version: str = ""

    @cached_property
    def _of(self) -> dict[str, list[Rate]]:
        found: dict[str, list[Rate]] = (
            {self.base: [Rate(self.base, Decimal(1), date.min)]} if self.base else {}
        )
        for each in sorted(self.rates, key=lambda rate: rate.day):
            found.setdefault(each.currency, []).append(each)
        return found

    @property
    def currencies(self) -> frozenset[str]:
        """All that have a worth here, the base among them; none where no rate is set."""
        return frozenset(self._of) if self.rates else frozenset()

    def of(self, currency: str, day: int = NO_DAY) -> Rate | None:
        """The rate at or before a day (ordinal), the latest for `NO_DAY`; None where there is none."""
        known = self._of.get(currency, [])
        end = bisect_right(known, day, key=lambda rate: rate.day.toordinal()) if day else len(known)
        return known[end - 1] if end else None

    def since(self, currency: str) -> int:
        """The first day (ordinal) of which a rate of a currency is known."""
        return self._of[currency][0].day.toordinal()

    def worth(self, amount: Decimal, currency: str, into: str, day: int = NO_DAY) -> Decimal | None:
        """An amount in another currency; exact in the base, else to the precision of the context."""
        one, other = self.of(currency, day), self.of(into, day)
        if one is None or other is None:
            return amount if currency == into else None
        return amount if currency == into else amount * one.rate / other.rate
