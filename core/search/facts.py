"""Searches in clauses, parties, amounts and summaries: conditions choose in SQL, then the engine ranks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from core.domain.answer import Degradation
from core.domain.document import DocumentSummary
from core.domain.ids import DocumentId
from core.domain.matrix import Asking
from core.domain.predicate import Predicate, parse_condition
from core.domain.search import SearchHit, SearchQuery, SearchReport
from core.encode.base import Encoder
from core.errors import UsageError
from core.index.base import EngineHit, Mode, SearchEngine, SearchRequest
from core.index.collections import OF_FACTS, Collection, FactRow, read_facts
from core.search.query import access_filter, analyse_question, clean_query, encode_question, mode_of
from core.store.database.visibility import Visibility
from core.store.query.annotations import Annotations
from core.store.query.fact_conditions import COLUMNS, FactConditions
from core.store.store import Records

ALPHA = 0.5
_EVERY = 1_000_000


class FactSearch:
    """Finds facts, within what a principal may see. Thread-safe.

    engine: gives that of a collection. asking: which documents are asked for the fields of conditions; None
    as their cells tell.
    """

    def __init__(
        self,
        records: Records,
        engine: Callable[[Collection], SearchEngine],
        encoder: Callable[[], Encoder],
        pool: int,
        degradation: Callable[[Collection], str] = lambda _collection: "",
        asking: Callable[[Visibility, str | None], Asking | None] = lambda _visible, _bucket: None,
    ) -> None:
        self._records = records
        self._engine = engine
        self._encoder = encoder
        self._pool = pool
        self._degradation = degradation
        self._asking = asking
        self._conditions = FactConditions(records.database)
        self._annotations = Annotations(records.database)

    def search(self, query: SearchQuery, visible: Visibility) -> SearchReport:
        """At most query.top_k hits, best first. Raises UsageError, IndexUnavailableError."""
        visible = self._records.copies.counted_once(visible.within(query.buckets), query.documents)
        collection = _collection(query.index)
        text, mode = clean_query(query.text), mode_of(query.mode)
        if not text:
            return SearchReport(())
        chosen = self._chosen(query, visible, collection)
        if chosen is not None and not chosen:
            return SearchReport(())
        engine = self._engine(collection)
        request = self._request(query, text, mode, engine, visible, chosen)
        hits = self._hits(collection, engine.search(request), visible)[: max(query.top_k, 0)]
        away = self._degradation(collection)
        notes = (Degradation(code="E003", message=away),) if away else ()
        return SearchReport(tuple(hits), degradations=notes)

    def documents(self, query: SearchQuery, visible: Visibility) -> frozenset[DocumentId] | None:
        """The documents whose cells fulfil the conditions of a query; None where it has none on fields."""
        columns = COLUMNS.get(query.index, {})
        predicates = [each for each in _predicates(query) if each.field.lower() not in columns]
        if not predicates:
            return None
        found: set[DocumentId] = set()
        for bucket in query.buckets or (None,):
            asking = self._asking(visible, bucket)
            hits = self._annotations.search(visible, bucket, predicates, _EVERY, asking=asking).hits
            found.update(hit.document.id for hit in hits)
        return frozenset(found)

    def _chosen(
        self, query: SearchQuery, visible: Visibility, collection: Collection
    ) -> list[FactRow] | None:
        """The facts that the conditions admit; None where there are none to fulfil."""
        if not query.where:
            return None
        columns = COLUMNS[collection.value]
        own = [each for each in _predicates(query) if each.field.lower() in columns]
        documents = self.documents(query, visible)
        keys = self._conditions.keys(visible, collection.value, own)
        wanted = {document for document, _ in keys if documents is None or document in documents}
        rows = read_facts(self._records, collection, visible, documents=sorted(wanted))
        return [row for row in rows if row.key in keys]

    def _request(
        self,
        query: SearchQuery,
        text: str,
        mode: Mode,
        engine: SearchEngine,
        visible: Visibility,
        chosen: Sequence[FactRow] | None,
    ) -> SearchRequest:
        vector = np.zeros(self._encoder().signature.dimension, np.float32)
        if mode is not Mode.KEYWORD:
            [vector] = encode_question([text], "", self._encoder())
        access = access_filter(self._records.changes, visible)
        analysis = analyse_question(text, text, vector, engine, within=access)
        return SearchRequest(
            analysis.engine_terms,
            vector,
            mode,
            ALPHA if query.alpha is None else query.alpha,
            max(query.top_k, 1),
            max(self._pool, query.top_k),
            analysis.phrases,
            replace(
                access,
                documents=frozenset(query.documents) if query.documents else None,
                passages=None if chosen is None else frozenset(row.id for row in chosen),
            ),
        )

    def _hits(
        self, collection: Collection, found: Sequence[EngineHit], visible: Visibility
    ) -> list[SearchHit]:
        """The facts behind hits; one that was replaced since it was indexed is left out."""
        documents = list(dict.fromkeys(hit.document for hit in found))
        summaries = self._records.documents.get_many(documents, visible)
        rows = {
            row.id: row for row in read_facts(self._records, collection, visible, documents=list(summaries))
        }
        kept = [(hit, rows[hit.passage]) for hit in found if hit.passage in rows]
        return [
            _hit(rank, collection, hit, row, summaries[row.document])
            for rank, (hit, row) in enumerate(kept, start=1)
        ]


def admitted_documents(search: FactSearch, query: SearchQuery, visible: Visibility) -> SearchQuery | None:
    """A search in passages with its conditions turned into documents; None where no document fulfils them."""
    found = search.documents(query, visible)
    if found is None:
        return query
    if query.documents:
        found &= frozenset(query.documents)
    if not found:
        return None
    return replace(query, documents=tuple(sorted(found)), where=())


def _hit(
    rank: int, collection: Collection, hit: EngineHit, row: FactRow, summary: DocumentSummary
) -> SearchHit:
    """A fact as a hit: of several sentences the place of the first."""
    first = row.quotes[0]
    return SearchHit(
        rank=rank,
        score=hit.score,
        index=collection.value,
        passage=row.id,
        document=row.document,
        version=row.version,
        title=summary.name,
        source=summary.source,
        bucket=summary.bucket,
        page=first.span.page_no,
        start=first.span.start,
        end=first.span.end,
        text=first.quote,
        section=row.labels,
        keyword=hit.keyword,
        cosine=hit.cosine,
        sentence_cosine=None,
    )


def _collection(name: str) -> Collection:
    known = [each.value for each in OF_FACTS]
    if name not in known:
        raise UsageError(
            f"Unknown index {name!r}. Expected one of: passages, {', '.join(known)}.",
            next_step="Use passages where in doubt.",
        )
    return Collection(name)


def _predicates(query: SearchQuery) -> list[Predicate]:
    return [parse_condition(condition) for condition in query.where]
