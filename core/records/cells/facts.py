"""Clauses, parties, amounts and summaries of documents: typed tables, filled by the pass that fills cells."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from core.domain.fields import Clause, Extraction, Financial, PartyRow, Summary, SummaryKind
from core.domain.ids import DocumentId
from core.records.cells.field_rows import (
    full_value_row,
    quote_of_row,
    quote_row,
    quotes_json,
    quotes_of,
    value_of_row,
)
from core.records.database.db import Repository, slices
from core.records.database.field_tables import clauses, extraction_state, financials, parties, summaries
from core.records.database.schema import documents
from core.records.database.visibility import Visibility

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

    def clauses(
        self,
        visible: Visibility,
        *,
        bucket: str | None = None,
        document: DocumentId | None = None,
        documents: Collection[DocumentId] | None = None,
        type: str = "",
    ) -> list[DocumentFact[Clause]]:
        """Clauses; `type` "" for all."""
        only = [clauses.c.type == type] if type else []
        return [
            DocumentFact(DocumentId(row.document), row.version, row.ordinal, _clause_of(row))
            for row in self._rows(clauses, visible, bucket, _some(document, documents), only)
        ]

    def parties(
        self,
        visible: Visibility,
        *,
        bucket: str | None = None,
        document: DocumentId | None = None,
        documents: Collection[DocumentId] | None = None,
    ) -> list[DocumentFact[PartyRow]]:
        """Parties."""
        return [
            DocumentFact(DocumentId(row.document), row.version, row.ordinal, _party_of(row))
            for row in self._rows(parties, visible, bucket, _some(document, documents), [])
        ]

    def financials(
        self,
        visible: Visibility,
        *,
        bucket: str | None = None,
        document: DocumentId | None = None,
        documents: Collection[DocumentId] | None = None,
        metric: str = "",
    ) -> list[DocumentFact[Financial]]:
        """Amounts; `metric` "" for all."""
        only = [financials.c.metric == metric] if metric else []
        return [
            DocumentFact(DocumentId(row.document), row.version, row.ordinal, _financial_of(row))
            for row in self._rows(financials, visible, bucket, _some(document, documents), only)
        ]

    def summaries(
        self,
        visible: Visibility,
        *,
        bucket: str | None = None,
        document: DocumentId | None = None,
        documents: Collection[DocumentId] | None = None,
    ) -> list[DocumentFact[Summary]]:
        """Summaries."""
        return [
            DocumentFact(DocumentId(row.document), row.version, 0, _summary_of(row))
            for row in self._rows(summaries, visible, bucket, _some(document, documents), [])
        ]

    def families(self, visible: Visibility, bucket: str | None = None) -> dict[DocumentId, str]:
        """The documents that say they amend another, with that one's normalised title."""
        statement = (
            sa.select(extraction_state.c.document, extraction_state.c.family)
            .join(documents, documents.c.id == extraction_state.c.document)
            .where(extraction_state.c.family != "", visible.condition())
        )
        if bucket is not None:
            statement = statement.where(documents.c.bucket == bucket)
        return {DocumentId(row.document): row.family for row in self._database.rows(statement)}

    def notes(self, document: DocumentId, visible: Visibility) -> tuple[str, ...]:
        """Notes of extraction on a document as a whole."""
        statement = (
            sa.select(extraction_state.c.notes)
            .join(documents, documents.c.id == extraction_state.c.document)
            .where(documents.c.id == document, visible.condition())
        )
        return tuple(self._database.scalar(statement) or ())

    def _rows(
        self,
        table: sa.Table,
        visible: Visibility,
        bucket: str | None,
        wanted: Collection[DocumentId] | None,
        only: Sequence[sa.ColumnElement[bool]],
    ) -> Iterator[Any]:
        order = table.c["kind" if table is summaries else "ordinal"]
        statement = (
            sa.select(table)
            .join(documents, documents.c.id == table.c.document)
            .where(visible.condition(), *only)
            .order_by(table.c.document, order)
        )
        if bucket is not None:
            statement = statement.where(documents.c.bucket == bucket)
        with self._database.read() as connection:
            if wanted is None:
                yield from connection.execute(statement)
                return
            for some in slices(sorted(wanted)):
                yield from connection.execute(statement.where(table.c.document.in_(some)))


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
    of_parties = [{**owner, "ordinal": at, **_party_row(each)} for at, each in enumerate(extraction.parties)]
    if fields is not None:
        _replace_some_clauses(connection, owner, extraction.clauses, fields)
        if with_parties:
            _replace(connection, document, parties, of_parties)
        return
    rows: dict[sa.Table, list[dict[str, Any]]] = {
        clauses: [
            {**owner, "ordinal": at, **_clause_row(each)} for at, each in enumerate(extraction.clauses)
        ],
        parties: of_parties,
        financials: [
            {**owner, "ordinal": at, **_financial_row(each)} for at, each in enumerate(extraction.financials)
        ],
        summaries: [{**owner, **_summary_row(each)} for each in extraction.summaries],
    }
    for table, made in rows.items():
        _replace(connection, document, table, made)


def _replace(
    connection: Connection, document: DocumentId, table: sa.Table, made: Sequence[dict[str, Any]]
) -> None:
    connection.execute(sa.delete(table).where(table.c.document == document))
    if made:
        connection.execute(sa.insert(table), list(made))


def _replace_some_clauses(
    connection: Connection, owner: dict[str, Any], found: Sequence[Clause], fields: Collection[str]
) -> None:
    of_document = clauses.c.document == owner["document"]
    for some in slices(sorted(fields)):
        connection.execute(sa.delete(clauses).where(of_document, clauses.c.type.in_(some)))
    last = connection.execute(sa.select(sa.func.max(clauses.c.ordinal)).where(of_document)).scalar()
    first = 0 if last is None else last + 1
    made = [{**owner, "ordinal": at, **_clause_row(each)} for at, each in enumerate(found, start=first)]
    if made:
        connection.execute(sa.insert(clauses), made)


def _some(
    document: DocumentId | None, wanted: Collection[DocumentId] | None
) -> Collection[DocumentId] | None:
    return wanted if document is None else (document,)


def _clause_row(clause: Clause) -> dict[str, Any]:
    return {
        "type": clause.type,
        "title": clause.title,
        "section": list(clause.section),
        "conditions": list(clause.conditions),
        "confidence": clause.confidence,
        **quote_row(clause.quote),
    }


def _clause_of(row: Any) -> Clause:
    return Clause(
        row.type, row.title, quote_of_row(row), tuple(row.section), tuple(row.conditions), row.confidence
    )


def _party_row(party: PartyRow) -> dict[str, Any]:
    return {
        "name": party.name,
        "normal": party.normal,
        "role": party.role,
        "entity_type": party.entity_type,
        "jurisdiction": party.jurisdiction,
        "identifiers": [list(pair) for pair in party.identifiers],
        **quote_row(party.quote),
    }


def _party_of(row: Any) -> PartyRow:
    identifiers = tuple((kind, number) for kind, number in row.identifiers)
    return PartyRow(
        row.name, row.normal, quote_of_row(row), row.role, row.entity_type, row.jurisdiction, identifiers
    )


def _financial_row(financial: Financial) -> dict[str, Any]:
    return {
        "metric": financial.metric,
        "effective": financial.effective,
        "expires": financial.expires,
        "terms": financial.terms,
        "fiscal_year": financial.fiscal_year,
        "fiscal_quarter": financial.fiscal_quarter,
        **full_value_row(financial.value, financial.quote),
    }


def _financial_of(row: Any) -> Financial:
    return Financial(
        row.metric,
        value_of_row(row),
        quote_of_row(row),
        row.effective,
        row.expires,
        row.terms,
        row.fiscal_year,
        row.fiscal_quarter,
    )


def _summary_row(summary: Summary) -> dict[str, Any]:
    return {
        "kind": summary.kind.value,
        "sentences": quotes_json(summary.sentences),
        "entities": list(summary.entities),
        "risks": quotes_json(summary.risks),
    }


def _summary_of(row: Any) -> Summary:
    return Summary(SummaryKind(row.kind), quotes_of(row.sentences), tuple(row.entities), quotes_of(row.risks))
