"""Clauses, parties, amounts and summaries of documents: typed tables, filled by the pass that fills cells."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from core.domain.fields import Clause, Extraction, Financial, PartyRow, Summary, SummaryKind
from core.domain.ids import DocumentId
from core.store.cells.field_rows import (
    full_value_row,
    quote_of_row,
    quote_row,
    quotes_json,
    quotes_of,
    value_of_row,
)
from core.store.database.db import Repository, from_row, matches, slices, to_row
from core.store.database.field_tables import clauses, extraction_state, financials, parties, summaries
from core.store.database.schema import documents as all_documents
from core.store.database.visibility import Visibility

Fact_co = TypeVar("Fact_co", Clause, PartyRow, Financial, Summary, covariant=True)


@dataclass(frozen=True, slots=True)
class DocumentFact(Generic[Fact_co]):
    """A fact with the document that states it; its spans point into the pages of `version`."""

    document: DocumentId
    version: int
    ordinal: int
    fact: Fact_co


class FactRecords(Repository):
    """Reads facts, by document in the order of the text. Thread-safe; what may not be seen is not there."""

    def of(
        self,
        kind: type[Fact_co],
        visible: Visibility,
        *,
        bucket: str | None = None,
        documents: Collection[DocumentId] | None = None,
    ) -> list[DocumentFact[Fact_co]]:
        """Facts of a kind; bucket and documents None for all."""
        table, fact_of = _KINDS[kind]
        statement = (
            sa.select(table)
            .join(all_documents, all_documents.c.id == table.c.document)
            .where(visible.condition(), matches(all_documents.c.bucket, bucket))
            .order_by(table.c.document, table.c["kind" if table is summaries else "ordinal"])
        )
        return [
            DocumentFact(DocumentId(row.document), row.version, getattr(row, "ordinal", 0), fact_of(row))
            for row in self._database.rows_among(statement, table.c.document, documents)
        ]

    def family(self, document: DocumentId, visible: Visibility) -> str:
        """The normalised title of the document that one says it amends; "" where it says none."""
        return self._state_of(extraction_state.c.family, document, visible) or ""

    def notes(self, document: DocumentId, visible: Visibility) -> tuple[str, ...]:
        """Notes of extraction on a document as a whole."""
        return tuple(self._state_of(extraction_state.c.notes, document, visible) or ())

    def _state_of(self, column: sa.Column[Any], document: DocumentId, visible: Visibility) -> Any:
        return self._database.scalar(
            sa.select(column)
            .join(all_documents, all_documents.c.id == extraction_state.c.document)
            .where(all_documents.c.id == document, visible.condition())
        )


def replace_facts(
    connection: Connection,
    document: DocumentId,
    version: int,
    extraction: Extraction,
    fields: Collection[str] | None,
    *,
    with_parties: bool = False,
) -> None:
    """Write the facts of a document in place of those there; with `fields`, only clauses of these types.

    with_parties: with `fields`, the parties too.
    """
    owner = {"document": document, "version": version}

    def numbered(rows: Iterable[dict[str, Any]], first: int = 0) -> list[dict[str, Any]]:
        return [{**owner, "ordinal": at, **row} for at, row in enumerate(rows, first)]

    if fields is None:
        _replace(connection, document, clauses, numbered(map(_clause_row, extraction.clauses)))
        _replace(connection, document, financials, numbered(map(_financial_row, extraction.financials)))
        made = [{**owner, **_summary_row(each)} for each in extraction.summaries]
        _replace(connection, document, summaries, made)
    else:
        of_document = clauses.c.document == document
        for some in slices(sorted(fields)):
            connection.execute(sa.delete(clauses).where(of_document, clauses.c.type.in_(some)))
        last = connection.execute(sa.select(sa.func.max(clauses.c.ordinal)).where(of_document)).scalar()
        if made := numbered(map(_clause_row, extraction.clauses), 0 if last is None else last + 1):
            connection.execute(sa.insert(clauses), made)
    if fields is None or with_parties:
        _replace(connection, document, parties, numbered(map(_party_row, extraction.parties)))


def _replace(
    connection: Connection, document: DocumentId, table: sa.Table, made: Sequence[dict[str, Any]]
) -> None:
    connection.execute(sa.delete(table).where(table.c.document == document))
    if made:
        connection.execute(sa.insert(table), list(made))


def _clause_row(clause: Clause) -> dict[str, Any]:
    return to_row(clauses, clause, **quote_row(clause.quote))


def _clause_of(row: Any) -> Clause:
    return Clause(
        row.type, row.title, quote_of_row(row), tuple(row.section), tuple(row.conditions), row.confidence
    )


def _party_row(party: PartyRow) -> dict[str, Any]:
    return to_row(parties, party, **quote_row(party.quote))


def _party_of(row: Any) -> PartyRow:
    identifiers = tuple((kind, number) for kind, number in row.identifiers)
    return from_row(PartyRow, row, quote=quote_of_row(row), identifiers=identifiers)


def _financial_row(financial: Financial) -> dict[str, Any]:
    return to_row(financials, financial, **full_value_row(financial.value, financial.quote))


def _financial_of(row: Any) -> Financial:
    return from_row(Financial, row, value=value_of_row(row), quote=quote_of_row(row))


def _summary_row(summary: Summary) -> dict[str, Any]:
    return {
        "kind": summary.kind.value,
        "sentences": quotes_json(summary.sentences),
        "entities": list(summary.entities),
        "risks": quotes_json(summary.risks),
    }


def _summary_of(row: Any) -> Summary:
    return Summary(SummaryKind(row.kind), quotes_of(row.sentences), tuple(row.entities), quotes_of(row.risks))


_KINDS: dict[type[Any], tuple[sa.Table, Callable[[Any], Any]]] = {
    Clause: (clauses, _clause_of),
    PartyRow: (parties, _party_of),
    Financial: (financials, _financial_of),
    Summary: (summaries, _summary_of),
}
