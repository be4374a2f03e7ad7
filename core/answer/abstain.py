"""Abstention: when to abstain, and the words for it.

The two models are logistic regressions over `core.search.evidence.score.Features`; `abstain.json` holds their
weights and `abstain.md` says what they were trained on and how well they do. Both are written by
`python -m bench.train_abstention`.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from core.domain.answer import NearPassage
from core.search.evidence.base import Evidence, span_of
from core.search.evidence.score import Features, logistic
from core.text.markdown import escape

ARTEFACT = Path(__file__).with_name("abstain.json")
NEAREST = 5


@dataclass(frozen=True, slots=True)
class Model:
    """A logistic regression over the features, and the probability under which to act on it."""

    weights: tuple[float, ...]
    bias: float
    threshold: float

    def probability(self, features: Features) -> float:
        """0 to 1."""
        return logistic(self.weights, self.bias, features.as_row())


@cache
def load_models() -> dict[str, Model]:
    """The shipped models: `answerable` (does the collection hold it), `confidence` (is claim 1 it)."""
    stored = json.loads(ARTEFACT.read_text(encoding="utf-8"))
    return {
        name: Model(tuple(part["weights"]), part["bias"], part["threshold"])
        for name, part in stored["models"].items()
    }


def answerable_probability(features: Features) -> float:
    """Probability that the evidence holds an answer; fitted on collections with the answers taken out."""
    return load_models()["answerable"].probability(features)


def should_abstain(features: Features, threshold: float | None = None) -> bool:
    """True where the evidence is too thin to answer from. threshold None: the shipped one."""
    model = load_models()["answerable"]
    return model.probability(features) < (model.threshold if threshold is None else threshold)


def confidence(features: Features) -> float:
    """Probability that the first claim is the answer, 0 to 1.

    A logistic regression on whether the best sentence touched the answer, over public questions of which a
    fifth were counted as having no answer in the collection; abstain.md has the calibration table.
    """
    first = replace(features, best_coverage=features.first_coverage)
    return round(load_models()["confidence"].probability(first), 4)


def nearest_passages(evidence: Evidence) -> tuple[NearPassage, ...]:
    """The closest sentences, best first, as places to look at rather than as an answer."""
    return tuple(
        span_of(each).as_place(NearPassage, score=round(float(each.score), 6))
        for each in evidence.sentences[:NEAREST]
    )


_MOST_TABLES = 8
NO_DOCUMENTS = (
    "There are no documents yet, so nothing could be searched. Add some first: on the Documents page, or "
    "with `groundwork ingest FOLDER`."
)


def nothing_here(tables: Sequence[str]) -> str:
    """The answer where there is no document: add some, or ask the registered tables in a way that is read."""
    if not tables:
        return NO_DOCUMENTS
    named = ", ".join(f"“{escape(each)}”" for each in tables[:_MOST_TABLES])
    more = f" and {len(tables) - _MOST_TABLES:,} more" if len(tables) > _MOST_TABLES else ""
    return (
        f"The question was not read as one over the tables that are registered: {named}{more}. Ask with "
        "their names and those of their columns (“How many rows of … by …?”), or by SQL on the Datasets "
        "page. There are no documents whose text could be searched."
    )


def abstention_text(searched: str, gaps: Sequence[str], has_nearest: bool, unread: str = "") -> str:
    """Searches, gaps and next steps, as Markdown without citations.

    unread: a sentence on documents that could not be searched.
    """
    parts = [f"No answer was found. Searched {searched}.", *([unread] if unread else [])]
    if gaps:
        named = ", ".join(f"“{escape(gap)}”" for gap in gaps)
        parts.append(f"Nothing that was found mentions {named}.")
    if has_nearest:
        parts.append("The closest passages are listed below; none of them clearly answers the question.")
    parts.append(
        "Try the words that the document itself would use, name the document, widen the scope to more "
        "buckets, or add the documents that hold the answer."
    )
    return " ".join(parts)
