"""Running a plan's searches: one for most questions, one for each subject of a comparison, or along hops."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass, replace

from core.answer.abstain import answerable_probability
from core.answer.compose import SubjectSentences
from core.answer.value import stated_values
from core.ask.conversation import FollowUp
from core.domain.answer import Degradation, Kind
from core.domain.event import NodeChanged, PlanDrawn
from core.domain.ids import DocumentId
from core.domain.search import SearchQuery
from core.errors import NotFoundError
from core.plan.ir.nodes import Figures, Node, Note, Plan, Search, spec_of
from core.plan.ir.validate import gives
from core.plan.text_plan import TOP_K, with_hop
from core.search.classify import ComparisonQuestion, read_comparison
from core.search.evidence.base import Evidence, PageSource
from core.search.evidence.comparison_sides import SideNames, best_of_parts, sides_of
from core.search.evidence.pack import pack
from core.search.evidence.score import features
from core.search.multi_hop import HopSearch, MultiHop
from core.search.search import PassageFinder
from core.search.sentences import ScoredSentence, rank_sentences
from core.store.database.visibility import Visibility
from core.text.analyse import analyse

SIDE_DOCUMENTS = 8  # of one side of a comparison that state a value
SIDE_SAMPLE = 2  # of one side, where no value is compared
STAYING = 0.8  # of the answerable probability elsewhere: "when does it expire" means what was just cited
STAYING_WITH_ITS = 0.4  # the same where the question says "its": that is a part of what was just cited
STATING = 0.5  # of the best score: from there on, a sentence that states the amount compared goes first
OPENING_CHARS = 1_500  # who the parties are stands in the opening of a contract
_NOT_NEEDED = "Nothing that was found names a further document."


@dataclass(frozen=True, slots=True)
class SearchedPassages:
    """Passages from the searches of a plan; sides only for comparisons, in the order of the question."""

    plan: Plan
    evidence: Evidence
    sides: tuple[SubjectSentences, ...]
    degradations: tuple[Degradation, ...]
    timings_ms: dict[str, float]


def has_hops(plan: Plan) -> bool:
    """True where a plan over text goes on from what it finds."""
    return any(spec_of(node).is_hop and gives(node) == "documents" for node in plan.nodes)


def node_events(plan: Plan, at_ms: float) -> tuple[PlanDrawn | NodeChanged, ...]:
    """The plan as it came to be, and for each of its nodes what it did, or that it was not needed."""
    changes = (
        NodeChanged(at_ms=at_ms, node=node.id, state="done", **node.ran.model_dump())
        if node.ran is not None
        else NodeChanged(at_ms=at_ms, node=node.id, state="stopped", message=_NOT_NEEDED)
        for node in plan.nodes
    )
    return (PlanDrawn(at_ms=at_ms, plan=plan.model_dump(mode="json")), *changes)


@dataclass(frozen=True, slots=True)
class Gathering:
    """Runs the searches of one question. pool: passages that one gives at most; fewer: there are no more."""

    follow_up: FollowUp
    finder: PassageFinder
    pages: PageSource
    visibility: Visibility
    pool: int = TOP_K

    def gather(self, plan: Plan) -> SearchedPassages:
        """Run every search of the plan, in order. Raises IndexUnavailableError."""
        if has_hops(plan):
            return self._along_hops(plan)
        nodes: list[Search] = []
        packed: list[Evidence] = []
        queries: list[SearchQuery] = []
        degradations: dict[tuple[str, str], Degradation] = {}
        timings: dict[str, float] = {}
        for node in plan.nodes:
            assert isinstance(node, Search)  # all that this plan is made of
            started = time.perf_counter()
            query = self._query(node)
            retrieval = self.finder.retrieve(query, self.visibility)
            found = pack(retrieval)
            if len(query.documents) == 1 and not found.named_documents:  # meant whatever its words name
                found = replace(found, named_documents=query.documents)
            queries.append(query)
            packed.append(self._continued(query, found))
            degradations.update({(d.code, d.message): d for d in retrieval.degradations})
            for name, value in (retrieval.timings_ms or {}).items():
                timings[name] = round(timings.get(name, 0.0) + value, 3)
            spent = round((time.perf_counter() - started) * 1000, 3)
            ran = _figures(len(retrieval.candidates), node.top_k, spent)
            nodes.append(node.model_copy(update={"ran": ran}))
        compared = read_comparison(queries[0].text) if plan.kind is Kind.COMPARISON and queries else None
        compared = compared or ComparisonQuestion((), "")
        named = zip(sides_of(compared.subjects), packed[1:], queries[1:], strict=False)
        sides = tuple(self._side(one, compared.topic, each, query) for one, each, query in named)
        done = plan.model_copy(update={"nodes": tuple(nodes)})
        return SearchedPassages(done, _merged(packed), sides, tuple(degradations.values()), timings)

    def _along_hops(self, plan: Plan) -> SearchedPassages:
        """Search in hops, a third one where the first two do not cover the question."""
        first, nodes = plan.nodes[0], plan.nodes
        assert isinstance(first, Search)  # as `text_plan` has it
        query = self._query(first)
        found = MultiHop(self.finder).search(query, self.visibility)
        while 1 + sum(spec_of(node).is_hop for node in nodes) < len(found.steps):
            nodes = with_hop(nodes)
        note = Note(phrase="", reading=found.ended, node=nodes[-1].id)
        done = plan.model_copy(
            update={
                "nodes": tuple(_with_figures(nodes, found, query.top_k)),
                "answer_node": nodes[-1].id,
                "notes": (*plan.notes, note) if found.ended else plan.notes,
            }
        )
        retrieval = found.retrieval
        evidence, timings = self._continued(query, pack(retrieval)), dict(retrieval.timings_ms or {})
        return SearchedPassages(done, evidence, (), retrieval.degradations, timings)

    def _query(self, node: Search) -> SearchQuery:
        return SearchQuery(
            text=node.text,
            mode=node.mode,
            alpha=node.alpha,
            top_k=node.top_k,
            buckets=node.scope.buckets,
            documents=tuple(DocumentId(d) for d in node.scope.documents),
            carried=self.follow_up.carried,
            wordings=node.wordings,
        )

    def _continued(self, query: SearchQuery, found: Evidence) -> Evidence:
        """The evidence of the document that a follow-up points back at, where it is about as good."""
        best, documents = found.best, self.follow_up.documents
        if not documents or found.named_documents or best is None:
            return found
        if best.document in documents:
            return replace(found, named_documents=documents)
        # Within its document the question needs no more of the earlier ones, whose topic may be another.
        within = pack(self.finder.retrieve(replace(query, documents=documents, carried=""), self.visibility))
        there, anywhere = (answerable_probability(features(each)) for each in (within, found))
        staying = STAYING_WITH_ITS if self.follow_up.is_of_document else STAYING
        stays = bool(within.sentences) and there >= staying * anywhere
        return replace(within, named_documents=documents) if stays else found

    def _side(self, side: SideNames, topic: str, evidence: Evidence, query: SearchQuery) -> SubjectSentences:
        """Statements of each document about the subject on the topic, best first; none of another side.

        Where documents state values, one line for each that does, at most SIDE_DOCUMENTS, from all that these
        documents hold; otherwise the best sentences of SIDE_SAMPLE of them, for each part of the topic.
        """
        if not side.wanted:
            return SubjectSentences(side.subject, ())
        about = self._about(side.wanted, evidence)
        stating: list[ScoredSentence] = []
        is_all = True
        if topic and about:
            inside = replace(query, text=topic, documents=about, resolve=False, wordings=())
            retrieval = self.finder.retrieve(inside, self.visibility)
            is_all = max(len(evidence.candidates), len(retrieval.candidates)) < self.pool
            ranked = rank_sentences(retrieval.analysis, retrieval.candidates, passages=self.pool)
            ranked = [s for s in ranked if side.may_be_of(s)]
            best = max((s.score for s in ranked), default=0.0)
            stating = [s for s in ranked if s.score >= STATING * best and stated_values(topic, s.text)]
            least = max((s.coverage for s in stating), default=0.0) / 2
            stating = [s for s in stating if s.coverage >= least]
        if stating:
            chosen, is_few = _one_each(stating), len({s.document for s in stating}) <= SIDE_DOCUMENTS
            return SubjectSentences(side.subject, chosen[:SIDE_DOCUMENTS], is_all and is_few)
        spoken = [
            s
            for s in evidence.sentences
            if side.may_be_of(s) and (s.document in about or side.wanted <= set(analyse(s.text)))
        ]
        return SubjectSentences(side.subject, best_of_parts(topic, spoken) or _one_each(spoken)[:SIDE_SAMPLE])

    def _about(self, wanted: frozenset[str], evidence: Evidence) -> tuple[DocumentId, ...]:
        """The documents found that have all words of the subject in their title, file name or opening."""
        about = []
        found = {c.stored.passage.document: c.stored for c in reversed(evidence.candidates)}
        for id, stored in found.items():
            try:
                opening = self.pages.page(id, stored.passage.version, 1, self.visibility).text[:OPENING_CHARS]
            except NotFoundError:
                opening = ""
            if wanted <= set(analyse(f"{stored.title} {stored.source} {opening}")):
                about.append(id)
        return tuple(about)


def _merged(packed: list[Evidence]) -> Evidence:
    """The first search's evidence, with the passages that only the later ones found behind it."""
    found = {candidate.stored.id: candidate for candidate in packed[0].candidates}
    for evidence in packed[1:]:
        for candidate in evidence.candidates[:TOP_K]:
            found.setdefault(candidate.stored.id, candidate)
    named = tuple(dict.fromkeys(d for evidence in packed for d in evidence.named_documents))
    return replace(packed[0], candidates=tuple(found.values()), named_documents=named)


def _one_each(sentences: Iterable[ScoredSentence]) -> tuple[ScoredSentence, ...]:
    first: dict[DocumentId, ScoredSentence] = {}
    for sentence in sentences:
        first.setdefault(sentence.document, sentence)
    return tuple(first.values())


def _with_figures(nodes: tuple[Node, ...], found: HopSearch, top_k: int) -> Iterable[Node]:
    """Searches and hops take turns; of a hop that was not made nothing ran but the look for titles."""
    for at, node in enumerate(nodes):
        step = found.steps[(at + 1) // 2] if (at + 1) // 2 < len(found.steps) else None
        if at % 2:
            links = len(step.links) if step is not None else 0
            yield node.model_copy(update={"ran": _figures(links, links, 0.0)})
        else:
            ran = _figures(step.found, top_k, step.latency_ms) if step is not None else None
            yield node.model_copy(update={"ran": ran})


def _figures(hits: int, most: int, latency_ms: float) -> Figures:
    return Figures(rows=min(hits, most), hits=hits, latency_ms=latency_ms, source="index")
