"""What spreadsheets alone do not say: no such column, and the columns that there are."""

from __future__ import annotations

from collections.abc import Sequence

from core.plan.catalogue import Catalogue, DocumentEntry, TableEntry
from core.plan.clarify import Clarify

_SHEETS = (".xlsx", ".xlsm", ".xls", ".csv", ".tsv", ".ods")
_MOST_TABLES = 4
_MOST_COLUMNS = 12


def are_sheets(documents: Sequence[DocumentEntry]) -> bool:
    """True where all of some documents are spreadsheets."""
    return all(each.source.casefold().endswith(_SHEETS) for each in documents)


def holds_sheets_alone(catalogue: Catalogue, buckets: tuple[str, ...]) -> bool:
    """True where there are tables of spreadsheets in these buckets, and no other documents."""
    documents = [each for each in catalogue.documents if not buckets or each.bucket in buckets]
    return bool(documents) and are_sheets(documents) and bool(_tables(catalogue, buckets))


def without_column(question: str, catalogue: Catalogue, buckets: tuple[str, ...]) -> Clarify:
    """The answer that no column says what is asked, with the columns of each table."""
    tables = _tables(catalogue, buckets)
    said = "; ".join(_said(each) for each in tables[:_MOST_TABLES])
    more = f"; and {len(tables) - _MOST_TABLES:,} more tables" if len(tables) > _MOST_TABLES else ""
    reason = f"No column that you may see says this. There are {said}{more}."
    return Clarify(type="absent", question=question, phrase="", reason=reason)


def _tables(catalogue: Catalogue, buckets: tuple[str, ...]) -> list[TableEntry]:
    within = {each.id for each in catalogue.documents if not buckets or each.bucket in buckets}
    return [each for each in catalogue.tables if each.columns and within & set(each.documents)]


def _said(table: TableEntry) -> str:
    sheet = next((part.sheet for part in table.parts if part.sheet), "a table")
    names = [column.name for column in table.columns]
    more = f" and {len(names) - _MOST_COLUMNS:,} more" if len(names) > _MOST_COLUMNS else ""
    return f"{sheet}: {', '.join(names[:_MOST_COLUMNS])}{more}"
