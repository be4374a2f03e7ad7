"""The collections of a home beside its passages: clauses, parties, amounts and summaries, each its own index.

A fact is indexed as if it were a passage: its words, the headings and kinds it belongs to, where it stands,
and the mean of the stored vectors of the sentences that it overlaps, so that nothing is encoded again. So any
SearchEngine holds any collection, and is fed by the same sequence of changes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeAlias

import numpy as np

from core.domain.document import DocumentSummary
from core.domain.evidence.sentence_vectors import SentenceVectors
from core.domain.fields import Clause, Financial, PartyRow, Quote, Summary
from core.domain.ids import DocumentId, PassageId
from core.domain.passage import Passage, StoredPassage, Vector
from core.store.base import ChangesUpTo, IndexedPassage
from core.store.cells.facts import DocumentFact
from core.store.database.visibility import Visibility
from core.store.store import Records

Fact: TypeAlias = Clause | PartyRow | Financial | Summary

_EVERYTHING = Visibility.everything()
_ID_BITS = 53  # Weaviate keeps whole numbers as float64


class Collection(StrEnum):
    """Collection that is indexed by itself; the names are those of `--index`."""

    PASSAGES = "passages"
    CLAUSES = "clauses"
    PARTIES = "parties"
    FINANCIALS = "financials"
    SUMMARIES = "summaries"


OF_FACTS = (Collection.CLAUSES, Collection.PARTIES, Collection.FINANCIALS, Collection.SUMMARIES)

COLUMNS: dict[Collection, dict[str, str]] = {
    Collection.CLAUSES: {"kind": "text", "confidence": "number", "conditions": "text[]"},
    Collection.PARTIES: {
        "name": "text",
        "normalised": "text",
        "role": "text",
        "entity_type": "text",
        "jurisdiction": "text",
        "identifiers": "text[]",
    },
    Collection.FINANCIALS: {
        "metric": "text",
        "amount": "number",
        "currency": "text",
        "effective": "text",
        "expires": "text",
        "terms": "text",
        "fiscal_year": "int",
        "fiscal_quarter": "int",
    },
    Collection.SUMMARIES: {"kind": "text", "entities": "text[]", "risks": "text[]"},
}
"""What of a fact a server holds beside what it is found by, with the server's types."""


@dataclass(frozen=True, slots=True)
class FactRow:
    """A fact as it is indexed and found: where it stands, its words, and what it is called.

    key: names it within its table, as `FactConditions` does.
    """

    id: PassageId
    key: tuple[DocumentId, int | str]
    document: DocumentId
    version: int
    quotes: tuple[Quote, ...]
    labels: tuple[str, ...]
    columns: dict[str, Any]

    @property
    def text(self) -> str:
        """Its words; those of several sentences with line feeds between."""
        return "\n".join(quote.quote for quote in self.quotes)


class FactFeed:
    """The facts of one collection as a PassageFeed: what `catch_up` and a rebuild read. Thread-safe."""

    def __init__(self, records: Records, collection: Collection) -> None:
        self._records = records
        self._collection = collection
        self.changes = _Changes(records)

    @property
    def passages(self) -> FactFeed:
        """The facts as they are now."""
        return self

    def of_documents(self, wanted: Iterable[DocumentId], /) -> Sequence[IndexedPassage]:
        """The facts of the newest version of each document, with their vectors."""
        known = self._records.documents.get_many(list(wanted), _EVERYTHING)
        rows: dict[DocumentId, list[FactRow]] = {}
        for row in read_facts(self._records, self._collection, _EVERYTHING, documents=list(known)):
            if row.version == known[row.document].version:
                rows.setdefault(row.document, []).append(row)
        return [
            IndexedPassage(stored_of(row, known[document]), vector, row.columns)
            for document, of_document in rows.items()
            for row, vector in _with_vectors(self._records, document, of_document)
        ]


class _Changes:
    """The change sequence with the changes of facts."""

    def __init__(self, records: Records) -> None:
        self._records = records

    def data_version(self) -> int:
        return self._records.changes.data_version()

    def since(self, sequence: int) -> ChangesUpTo:
        return self._records.changes.of_facts_since(sequence)


def read_facts(
    records: Records,
    collection: Collection,
    visible: Visibility,
    *,
    documents: Sequence[DocumentId] | None = None,
) -> Iterator[FactRow]:
    """The facts of a collection that may be seen, by document."""
    for stated in records.facts.of(_KINDS[collection], visible, documents=documents):
        yield row_of(collection, stated)


_KINDS: dict[Collection, type[Any]] = {
    Collection.CLAUSES: Clause,
    Collection.PARTIES: PartyRow,
    Collection.FINANCIALS: Financial,
    Collection.SUMMARIES: Summary,
}


def row_of(collection: Collection, stated: DocumentFact[Any]) -> FactRow:
    """A fact as it is indexed."""
    fact: Fact = stated.fact
    quotes: tuple[Quote, ...]
    labels: tuple[str, ...]
    if isinstance(fact, Clause):
        quotes, labels = (fact.quote,), (_words(fact.type), fact.title, *fact.section)
        columns: dict[str, Any] = {
            "kind": fact.type,
            "confidence": fact.confidence,
            "conditions": list(fact.conditions),
        }
    elif isinstance(fact, PartyRow):
        quotes, labels = (fact.quote,), (fact.name, fact.role, fact.entity_type, fact.jurisdiction)
        columns = {
            "name": fact.name,
            "normalised": fact.normal,
            "role": fact.role,
            "entity_type": fact.entity_type,
            "jurisdiction": fact.jurisdiction,
            "identifiers": [f"{kind} {number}" for kind, number in fact.identifiers],
        }
    elif isinstance(fact, Financial):
        quotes, labels = (fact.quote,), (_words(fact.metric), fact.value.unit, fact.terms)
        amount = fact.value.decimal
        columns = {
            "metric": fact.metric,
            "amount": None if amount is None else float(amount),
            "currency": fact.value.unit,
            "effective": fact.effective,
            "expires": fact.expires,
            "terms": fact.terms,
            "fiscal_year": fact.fiscal_year,
            "fiscal_quarter": fact.fiscal_quarter,
        }
    else:
        quotes, labels = fact.sentences, (f"{fact.kind.value} summary", *fact.entities)
        columns = {
            "kind": fact.kind.value,
            "entities": list(fact.entities),
            "risks": [quote.quote for quote in fact.risks],
        }
    shown = tuple(dict.fromkeys(label for label in labels if label))
    identity = _identity(collection, stated, quotes, shown, columns)
    at = fact.kind.value if isinstance(fact, Summary) else stated.ordinal
    key = (stated.document, at)
    return FactRow(identity, key, stated.document, stated.version, quotes, shown, columns)


def stored_of(row: FactRow, summary: DocumentSummary) -> StoredPassage:
    """A fact in the shape of a passage."""
    passage = Passage(
        document=row.document,
        version=row.version,
        ordinal=0,
        parts=tuple(quote.span for quote in row.quotes),
        text=row.text,
        section=row.labels,
        tokens=0,
        sentences=(),
    )
    return StoredPassage(
        row.id, passage, summary.bucket, summary.title, summary.source, summary.doc_type, summary.acl
    )


def _with_vectors(
    records: Records, document: DocumentId, rows: Sequence[FactRow]
) -> Iterator[tuple[FactRow, Vector]]:
    """Each fact with the mean of its sentences; that of the whole document where it overlaps none."""
    passages = records.passages.of_documents([document])
    if not passages:
        return
    matrices = records.passages.sentence_vectors([one.stored.id for one in passages])
    known = [one.stored for one in passages if one.stored.id in matrices]
    sentences = SentenceVectors.of([one.passage for one in known], [matrices[one.id] for one in known])
    total = np.sum([one.vector for one in passages], axis=0, dtype=np.float32)
    average = np.asarray(total / max(float(np.linalg.norm(total)), 1e-12), np.float32)
    for row in rows:
        own = sentences.of_spans([quote.span for quote in row.quotes]) if len(sentences.matrix) else None
        yield row, average if own is None else own


def _identity(
    collection: Collection,
    stated: DocumentFact[Any],
    quotes: Sequence[Quote],
    labels: Sequence[str],
    columns: dict[str, Any],
) -> PassageId:
    """A number of all that is indexed of a fact: the same for the same, so that nothing is written twice."""
    spans = [(quote.span.page_no, quote.span.start, quote.span.end, quote.quote) for quote in quotes]
    told = (collection.value, stated.document, stated.version, stated.ordinal, spans, labels, columns)
    digest = hashlib.blake2b(repr(told).encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return PassageId(int.from_bytes(digest, "big") >> (64 - _ID_BITS))


def _words(name: str) -> str:
    """The name of a field as words: "cap_on_liability" is "cap on liability"."""
    return name.replace("_", " ")
