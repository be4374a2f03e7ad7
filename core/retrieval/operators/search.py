"""Search: the passages or facts that fit a text, within what was found before."""

from __future__ import annotations

from collections.abc import Mapping

from core.domain.ids import DocumentId
from core.domain.results import PassageHit, Passages, Result
from core.domain.search import SearchQuery
from core.plan.ir import Search
from core.records.visibility import Visibility
from core.retrieval.operators.base import OperatorParts, scope_of, sets_of


def search(node: Search, inputs: Mapping[str, Result], visible: Visibility, parts: OperatorParts) -> Passages:
    """The hits, best first; an input of documents narrows the search to those present."""
    documents = within(node, inputs, visible, parts)
    if documents is not None and not documents:
        return Passages()
    query = SearchQuery(
        text=node.text,
        mode=node.mode,
        alpha=node.alpha,
        top_k=node.top_k,
        buckets=node.scope.buckets,
        documents=documents or (),
        index=node.index,
        where=node.where,
    )
    report = parts.finder.search(query, visible)
    return Passages(
        hits=tuple(
            PassageHit(
                passage=hit.passage,
                document=hit.document,
                version=hit.version,
                page=hit.page,
                start=hit.start,
                end=hit.end,
                text=hit.text,
                score=hit.score,
                index=hit.index,
                method=node.mode,
            )
            for hit in report.hits
        )
    )


def within(
    node: Search, inputs: Mapping[str, Result], visible: Visibility, parts: OperatorParts
) -> tuple[DocumentId, ...] | None:
    """The documents to search; None for all of the buckets."""
    found = sets_of(inputs[name] for name in node.inputs)
    narrowed: frozenset[str] | None = None if found is None else found.present
    if node.scope.schema_name:
        of_kind = parts.records.judging.judge(visible, scope_of(node), (), parts.asking(visible)).present
        narrowed = of_kind if narrowed is None else narrowed & of_kind
    elif node.scope.documents:
        asked = frozenset(node.scope.documents)
        narrowed = asked if narrowed is None else narrowed & asked
    return None if narrowed is None else tuple(DocumentId(id) for id in sorted(narrowed))
