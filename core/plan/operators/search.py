"""Search: the passages or facts that fit a text, within what was found before."""

from __future__ import annotations

from collections.abc import Mapping

from core.domain.ids import DocumentId
from core.domain.results import PassageHit, Passages, Result
from core.domain.search import SearchQuery
from core.errors import UsageError
from core.plan.ir.nodes import Search
from core.plan.operators.base import OperatorParts, runs, scope_of, sets_of
from core.plan.operators.title_hops import paired

NO_LINKS = "Nothing that was found names a further document, so the first search stands."


@runs(Search)
def search(node: Search, inputs: Mapping[str, Result], parts: OperatorParts) -> Passages:
    """The hits, best first; an input of documents narrows the search to those present.

    The passages of an input that it pairs with do not narrow: they are ranked together with the hits.
    """
    beside = inputs.get(node.pairs_with.node) if node.pairs_with is not None else None
    if beside is not None and not isinstance(beside, Passages):
        raise UsageError("It pairs with what gives no passages.", next_step="Pair it with a search.")
    narrowing = {name: each for name, each in inputs.items() if each is not beside}
    documents = within(node, narrowing, parts)
    if documents is not None and not documents:
        return Passages() if beside is None else beside.model_copy(update={"notes": (NO_LINKS,)})
    query = SearchQuery(
        text=node.text,
        mode=node.mode,
        alpha=node.alpha,
        top_k=node.top_k,
        buckets=node.scope.buckets,
        documents=documents or (),
        index=node.index,
        where=node.where,
        wordings=node.wordings,
    )
    if beside is not None:
        return paired(query, beside, parts)
    report = parts.finder.search(query, parts.visible)
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
        ),
        degradations=report.degradations,
    )


def within(node: Search, inputs: Mapping[str, Result], parts: OperatorParts) -> tuple[DocumentId, ...] | None:
    """The documents to search; None for all of the buckets."""
    found = sets_of(inputs[name] for name in node.inputs if name in inputs)
    narrowed: frozenset[str] | None = None if found is None else found.present
    if node.scope.schema_name:
        of_kind = parts.records.judging.judge(parts.visible, scope_of(node), (), parts.asking).present
        narrowed = of_kind if narrowed is None else narrowed & of_kind
    elif node.scope.documents:
        asked = frozenset(node.scope.documents)
        narrowed = asked if narrowed is None else narrowed & asked
    return None if narrowed is None else tuple(DocumentId(id) for id in sorted(narrowed))
