"""Running a plan's searches: one for most questions, one for each subject of a comparison."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass, replace

from core.agent.conversation.follow_up import FollowUp
from core.agent.multi_hop import has_hops, hop_along
from core.answer.abstain import answerable_probability
from core.answer.compose import SubjectSentences
from core.answer.value import stated_values
from core.domain.answer import Degradation, Kind
from core.domain.document import Page
from core.domain.ids import DocumentId
from core.domain.search import SearchQuery
from core.errors import NotFoundError
from core.evidence.base import Evidence, EvidenceFinder, PageSource
from core.evidence.comparison_sides import SideNames, best_of_parts, sides_of
from core.evidence.pack import pack
from core.evidence.score import features
from core.plan.ir.nodes import Figures, Plan, Search
from core.plan.text.classify import ComparisonQuestion, read_comparison
from core.plan.text.text_plan import TOP_K
from core.records.database.visibility import Visibility
from core.retrieval.sentences import ScoredSentence, rank_sentences
from core.text.analyse import analyse

SIDE_DOCUMENTS = 8  # of one side of a comparison that state a value
SIDE_SAMPLE = 2  # of one side, where no value is compared
STAYING = 0.8  # of the answerable probability elsewhere: "when does it expire" means what was just cited
STAYING_WITH_ITS = 0.4  # the same where the question says "its": that is a part of what was just cited
STATING = 0.5  # of the best score: from there on, a sentence that states the amount compared goes first
OPENING_CHARS = 1_500  # who the parties are stands in the opening of a contract


@dataclass(frozen=True, slots=True)
class SearchedPassages:
    """Passages from the searches of a plan; sides only for comparisons, in the order of the question."""

    plan: Plan
    evidence: Evidence
    sides: tuple[SubjectSentences, ...]
    degradations: tuple[Degradation, ...]
    timings_ms: dict[str, float]


@dataclass(frozen=True, slots=True)
class _Readers:
    """Finders and readers of one question; pool: how many passages a search gives at most."""

    finder: EvidenceFinder
    pages: PageSource
    visibility: Visibility
    pool: int


def gather(
    plan: Plan,
    follow_up: FollowUp,
    finder: EvidenceFinder,
    pages: PageSource,
    visibility: Visibility,
    *,
    pool: int = TOP_K,
) -> SearchedPassages:
    """Run every search of the plan, in order. Raises IndexUnavailableError.

    pool: how many passages a search gives at most; fewer mean that there were no more.
    """
    if has_hops(plan):
        return _along_hops(plan, follow_up, finder, visibility)
    comparison = _comparison(plan)
    nodes: list[Search] = []
    packed: list[Evidence] = []
    degradations: dict[tuple[str, str], Degradation] = {}
    timings: dict[str, float] = {}
    queries: list[SearchQuery] = []
    for node in plan.nodes:
        assert isinstance(node, Search)  # all that this plan is made of
        started = time.perf_counter()
        query = _query(node, follow_up)
        queries.append(query)
        retrieval = finder.retrieve(query, visibility)
        packed.append(_continued(query, _of_scope(node, pack(retrieval)), follow_up, finder, visibility))
        degradations.update({(d.code, d.message): d for d in retrieval.degradations})
        for name, value in (retrieval.timings_ms or {}).items():
            timings[name] = round(timings.get(name, 0.0) + value, 3)
        spent = round((time.perf_counter() - started) * 1000, 3)
        found = len(retrieval.candidates)
        ran = Figures(rows=min(found, node.top_k), hits=found, latency_ms=spent, source="index")
        nodes.append(node.model_copy(update={"ran": ran}))
    readers = _Readers(finder, pages, visibility, pool)
    named = sides_of(comparison.subjects)
    sides = tuple(
        _side(one, comparison.topic, evidence, query, readers)
        for one, evidence, query in zip(named, packed[1:], queries[1:], strict=False)
    )
    done = plan.model_copy(update={"nodes": tuple(nodes)})
    return SearchedPassages(done, _merged(packed), sides, tuple(degradations.values()), timings)


def _along_hops(
    plan: Plan, follow_up: FollowUp, finder: EvidenceFinder, visibility: Visibility
) -> SearchedPassages:
    first = plan.nodes[0]
    assert isinstance(first, Search)  # as `text_plan` has it
    query = _query(first, follow_up)
    hopped = hop_along(plan, query, finder, visibility)
    retrieval = hopped.retrieval
    evidence = _continued(query, pack(retrieval), follow_up, finder, visibility)
    return SearchedPassages(
        hopped.plan, evidence, (), retrieval.degradations, dict(retrieval.timings_ms or {})
    )


def _of_scope(node: Search, found: Evidence) -> Evidence:
    """The evidence of a search in one document, which is the one that is meant whatever its words name."""
    documents = tuple(DocumentId(each) for each in node.scope.documents)
    if len(documents) != 1 or found.named_documents:
        return found
    return replace(found, named_documents=documents)


def _query(node: Search, follow_up: FollowUp) -> SearchQuery:
    return SearchQuery(
        text=node.text,
        mode=node.mode,
        alpha=node.alpha,
        top_k=node.top_k,
        buckets=node.scope.buckets,
        documents=tuple(DocumentId(d) for d in node.scope.documents),
        carried=follow_up.carried,
        wordings=node.wordings,
    )


def _continued(
    query: SearchQuery, found: Evidence, follow_up: FollowUp, finder: EvidenceFinder, visibility: Visibility
) -> Evidence:
    """The evidence of the document that a follow-up points back at, where it is about as good."""
    best = found.best
    if not follow_up.documents or found.named_documents or best is None:
        return found
    if best.document in follow_up.documents:
        return replace(found, named_documents=follow_up.documents)
    # Within its document the question needs no more of the earlier ones, whose topic may be another.
    inside = replace(query, documents=follow_up.documents, carried="")
    within = pack(finder.retrieve(inside, visibility))
    there = answerable_probability(features(within))
    anywhere = answerable_probability(features(found))
    staying = STAYING_WITH_ITS if follow_up.is_of_document else STAYING
    if not within.sentences or there < staying * anywhere:
        return found
    return replace(within, named_documents=follow_up.documents)


def _comparison(plan: Plan) -> ComparisonQuestion:
    if plan.kind is not Kind.COMPARISON or not plan.nodes:
        return ComparisonQuestion((), "")
    first = plan.nodes[0]
    assert isinstance(first, Search)  # as `text_plan` has it
    return read_comparison(first.text) or ComparisonQuestion((), "")


def _merged(packed: list[Evidence]) -> Evidence:
    """The first search's evidence, with the passages that only the later ones found behind it."""
    first = packed[0]
    known = {candidate.stored.id for candidate in first.candidates}
    more = []
    for evidence in packed[1:]:
        for candidate in evidence.candidates[:TOP_K]:
            if candidate.stored.id not in known:
                known.add(candidate.stored.id)
                more.append(candidate)
    named = tuple(dict.fromkeys(d for evidence in packed for d in evidence.named_documents))
    return replace(first, candidates=(*first.candidates, *more), named_documents=named)


def _side(
    side: SideNames, topic: str, evidence: Evidence, query: SearchQuery, readers: _Readers
) -> SubjectSentences:
    """Statements of each document about the subject on the topic, best first; none that is of another side.

    Where documents state values, one line for each that does, at most SIDE_DOCUMENTS, from all that these
    documents hold; otherwise the best sentences of SIDE_SAMPLE of them, for each part of the topic.
    """
    if not side.wanted:
        return SubjectSentences(side.subject, ())
    about = _about(side.wanted, evidence, readers)
    stating: list[ScoredSentence] = []
    is_all = True
    if topic and about:
        inside = replace(query, text=topic, documents=about, resolve=False, wordings=())
        retrieval = readers.finder.retrieve(inside, readers.visibility)
        is_all = len(evidence.candidates) < readers.pool and len(retrieval.candidates) < readers.pool
        ranked = rank_sentences(retrieval.analysis, retrieval.candidates, passages=readers.pool)
        ranked = [s for s in ranked if side.may_be_of(s)]
        best = max((s.score for s in ranked), default=0.0)
        stating = [s for s in ranked if s.score >= STATING * best and stated_values(topic, s.text)]
        least = max((s.coverage for s in stating), default=0.0) / 2
        stating = [s for s in stating if s.coverage >= least]
    if stating:
        chosen = _one_each(stating)
        return SubjectSentences(
            side.subject, chosen[:SIDE_DOCUMENTS], is_all and len(chosen) <= SIDE_DOCUMENTS
        )
    spoken = [
        s
        for s in evidence.sentences
        if side.may_be_of(s) and (s.document in about or side.wanted <= set(analyse(s.text)))
    ]
    return SubjectSentences(side.subject, best_of_parts(topic, spoken) or _one_each(spoken)[:SIDE_SAMPLE])


def _about(wanted: frozenset[str], evidence: Evidence, readers: _Readers) -> tuple[DocumentId, ...]:
    """The documents found that have all words of the subject in their title, file name or opening."""
    versions = {c.stored.passage.document: c.stored for c in reversed(evidence.candidates)}
    found = []
    for document, stored in versions.items():
        opening = _opening(document, stored.passage.version, readers.pages, readers.visibility)
        if wanted <= set(analyse(f"{stored.title} {stored.source} {opening}")):
            found.append(document)
    return tuple(found)


def _one_each(sentences: Iterable[ScoredSentence]) -> tuple[ScoredSentence, ...]:
    first: dict[DocumentId, ScoredSentence] = {}
    for sentence in sentences:
        first.setdefault(sentence.document, sentence)
    return tuple(first.values())


def _opening(document: DocumentId, version: int, pages: PageSource, visibility: Visibility) -> str:
    try:
        page: Page = pages.page(document, version, 1, visibility)
    except NotFoundError:
        return ""
    return page.text[:OPENING_CHARS]
