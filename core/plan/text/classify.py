"""What a question asks for, where its answer is looked for, and the fusion weight that goes with it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from core.domain.answer import Kind, Route
from core.plan.text import comparison, patterns

# Weight of the vector list against BM25 in relative-score fusion. Chosen on all sets but one, it was .5 for
# each of five public sets: R@8 or nDCG@10 at alpha .25 / .5 / .75 was
#   chunking_eval (lookup, summary)      .967 / .969 / .948
#   LegalBench-RAG (lookup, compliance)  .688 / .698 / .689
#   Cranfield (lookup)                   .417 / .427 / .417
#   ACORD (clause search, comparison)    .503 / .529 / .516
# An alpha learned per query was worse on all five than .5 for all. So no kind departs from it; a kind
# gets a weight of its own here when a measurement says so.
ALPHA: dict[Kind, float] = {
    Kind.LOOKUP: 0.5,
    Kind.AGGREGATE: 0.5,
    Kind.COMPLIANCE: 0.5,
    Kind.COMPARISON: 0.5,
    Kind.SUMMARY: 0.5,
    Kind.GENERAL: 0.5,
}


class Intent(StrEnum):
    """Whether an answer needs the collection at all."""

    GENERAL = "general"
    RAG_REQUIRED = "rag_required"


@dataclass(frozen=True, slots=True)
class Classification:
    """What was understood of a question.

    normalised: the question without greeting and politeness, never empty.
    over_collection: the answer is a count, sum or list over all documents, which a top-k list cannot give.
    is_procedure: asks for steps, which belong together and in order.
    small_talk: which general reply fits; "" for questions that need the collection.
    """

    intent: Intent
    kind: Kind
    route: Route
    normalised: str
    alpha: float
    over_collection: bool = False
    is_procedure: bool = False
    small_talk: str = ""


def classify(question: str) -> Classification:
    """Classify a cleaned, non-empty question by rules; the same question always gives the same result."""
    normalised = patterns.without_courtesies(question)
    topic = patterns.small_talk(question)
    if topic:
        return Classification(
            Intent.GENERAL, Kind.GENERAL, Route.NONE, normalised, ALPHA[Kind.GENERAL], small_talk=topic
        )
    kind = _kind(normalised)
    over_collection = kind in (Kind.AGGREGATE, Kind.COMPLIANCE) and patterns.asks_over_collection(normalised)
    is_procedure = kind in (Kind.LOOKUP, Kind.SUMMARY) and patterns.asks_for_steps(normalised)
    route = Route.LONG_TEXT if kind is Kind.SUMMARY or is_procedure else Route.HYBRID
    return Classification(
        Intent.RAG_REQUIRED, kind, route, normalised, ALPHA[kind], over_collection, is_procedure
    )


def _kind(question: str) -> Kind:
    if comparison.read_comparison(question):
        return Kind.COMPARISON
    if patterns.asks_for_compliance(question):
        return Kind.COMPLIANCE
    if patterns.asks_for_aggregate(question):
        return Kind.AGGREGATE
    if patterns.asks_for_steps(question):
        return Kind.LOOKUP
    if patterns.asks_for_summary(question):
        return Kind.SUMMARY
    return Kind.LOOKUP
