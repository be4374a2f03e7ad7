"""Metrics of an evaluation, each defined once: pages, reports and the gate show these words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from core.domain.frozen import Frozen


class MetricDirection(StrEnum):
    """Direction in which a metric gets better."""

    HIGHER = "higher"
    LOWER = "lower"


class MetricGroup(StrEnum):
    """Group in which metrics are shown."""

    ANSWERS = "answers"
    RETRIEVAL = "retrieval"
    GROUNDS = "grounds"
    ABSTENTION = "abstention"
    SPEED = "speed"
    COST = "cost"


class MetricUnit(StrEnum):
    """Unit of a figure."""

    SHARE = "share"  # 0 to 1
    MS = "ms"
    TOKENS = "tokens"
    USD = "USD"


@dataclass(frozen=True, slots=True)
class MetricDefinition:
    """A metric. counts: what goes into it, and what does not. by: how it is computed.

    by_judge: the same where a language model judged; "" where none ever does.
    """

    name: str
    title: str
    group: MetricGroup
    definition: str
    counts: str
    by: str
    unit: MetricUnit = MetricUnit.SHARE
    direction: MetricDirection = MetricDirection.HIGHER
    by_judge: str = ""

    def is_better(self, one: float, other: float) -> bool:
        """True where the first figure is better than the second."""
        return one > other if self.direction is MetricDirection.HIGHER else one < other


class MetricFigure(Frozen):
    """A figure. value None: it could not be computed, `reason` says why. cases: how many it rests on."""

    name: str
    value: float | None
    cases: int = 0
    reason: str = ""
    by: str = ""


_ASKED = "Cases that were asked; those that are only searched for, and muted ones, are left out."
_GOLD = "Cases that name the documents or pages of their answer; muted ones are left out."
_SHOWN = "Answers that were shown with at least one claim; muted cases are left out."
_SEARCH = "The product's own search is asked with the question's words; nothing is judged by a model."
_CLAIMS = (
    "Each claim is checked anew: its words and figures against the stored text of its cited places, those of "
    "computed sentences against ledger, value and table."
)
_CLOCK = (
    "On the machine of the run, one question at a time; parts of plans that ran before are not run again."
)
_JUDGE = "A language model judged it; where a reply could not be used, code did."

_EVERY = (
    MetricDefinition(
        "exact",
        "Exactly right",
        MetricGroup.ANSWERS,
        "Share of answers with the expected status, documents, value, groups, ledger and steps.",
        _ASKED,
        "Compared by code with the case's expectation.",
    ),
    MetricDefinition(
        "silently_wrong",
        "Silently wrong",
        MetricGroup.ANSWERS,
        "Share of answers that are not exactly right and say nothing of it: no question back, no gap.",
        _ASKED,
        "Compared by code with the case's expectation.",
        direction=MetricDirection.LOWER,
    ),
    MetricDefinition(
        "precision_at_10",
        "Precision@10",
        MetricGroup.RETRIEVAL,
        "Of the first ten passages that a search gives, the share from an expected document or page.",
        f"{_GOLD} Fewer than ten passages count as ten: a short document cannot reach 1.",
        _SEARCH,
    ),
    MetricDefinition(
        "recall_at_50",
        "Recall@50",
        MetricGroup.RETRIEVAL,
        "Share of the expected documents or pages of which a passage is among the first fifty.",
        _GOLD,
        _SEARCH,
    ),
    MetricDefinition(
        "mrr",
        "Mean reciprocal rank",
        MetricGroup.RETRIEVAL,
        "Mean of one divided by the rank of the first passage from an expected document or page.",
        f"{_GOLD} Where none is among the first fifty it is 0.",
        _SEARCH,
    ),
    MetricDefinition(
        "hallucination_rate",
        "Hallucination rate",
        MetricGroup.GROUNDS,
        "Share of answers with a claim whose words or figures do not stand in what it cites or counts.",
        _SHOWN,
        _CLAIMS,
        direction=MetricDirection.LOWER,
    ),
    MetricDefinition(
        "citation_accuracy",
        "Citation accuracy",
        MetricGroup.GROUNDS,
        "Share of citations whose quote is, character for character, the stored page from start to end.",
        "Every citation of every answer, muted cases left out; a number of the text that no citation has "
        "counts as a wrong one.",
        "The stored page of the cited version is read again.",
    ),
    MetricDefinition(
        "faithfulness",
        "Faithfulness",
        MetricGroup.GROUNDS,
        "Mean over answers of the share of their claims that their sources support.",
        _SHOWN,
        _CLAIMS,
        by_judge=_JUDGE,
    ),
    MetricDefinition(
        "answer_relevancy",
        "Answer relevancy",
        MetricGroup.GROUNDS,
        "Mean likeness of answer and question: to what degree the answer speaks of what was asked.",
        "Answers that were given; questions back, abstentions and muted cases are left out.",
        "Cosine of the encoder's vectors of question and answer, negative ones counted as 0.",
        by_judge=_JUDGE,
    ),
    MetricDefinition(
        "context_precision",
        "Context precision",
        MetricGroup.GROUNDS,
        "Mean average precision of the places an answer was made from, in their order: expected ones first.",
        f"{_GOLD} Answers with no place of evidence are left out.",
        "A place is right where it is of an expected document or page.",
        by_judge=_JUDGE,
    ),
    MetricDefinition(
        "context_recall",
        "Context recall",
        MetricGroup.GROUNDS,
        "Share of the expected documents or pages among the places an answer was made from.",
        f"{_GOLD} What an answer lists or counts is a place of it, too.",
        "A place is right where it is of an expected document or page.",
    ),
    MetricDefinition(
        "abstention_precision",
        "Abstention precision",
        MetricGroup.ABSTENTION,
        "Of the answers that abstained, the share that had to.",
        _ASKED,
        "Compared by code with the expected status.",
    ),
    MetricDefinition(
        "abstention_recall",
        "Abstention recall",
        MetricGroup.ABSTENTION,
        "Of the questions that the collection cannot answer, the share that was abstained from.",
        _ASKED,
        "Compared by code with the expected status.",
    ),
    MetricDefinition(
        "p50_ms",
        "Median time",
        MetricGroup.SPEED,
        "Half of the answers came within this time.",
        _ASKED,
        _CLOCK,
        MetricUnit.MS,
        MetricDirection.LOWER,
    ),
    MetricDefinition(
        "p95_ms",
        "95th percentile of time",
        MetricGroup.SPEED,
        "95 of 100 answers came within this time.",
        _ASKED,
        _CLOCK,
        MetricUnit.MS,
        MetricDirection.LOWER,
    ),
    MetricDefinition(
        "tokens",
        "Tokens",
        MetricGroup.COST,
        "Tokens of all calls of a language model, prompts and completions.",
        "Every call for the cases of the run, those of its judge and muted cases included.",
        "As the server counted them.",
        MetricUnit.TOKENS,
        MetricDirection.LOWER,
    ),
    MetricDefinition(
        "cost_usd",
        "Cost",
        MetricGroup.COST,
        "Price of these calls in US dollars.",
        "Calls of models whose price is known.",
        "Tokens by the prices of the settings.",
        MetricUnit.USD,
        MetricDirection.LOWER,
    ),
)

METRICS: Mapping[str, MetricDefinition] = {each.name: each for each in _EVERY}
"""Every metric by its name, in the order in which they are shown."""
