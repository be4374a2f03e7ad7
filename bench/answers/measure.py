"""Evidence for every question of a set, with and without the passages that hold its answer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime

import numpy as np

from bench.answers.collection import Collection
from bench.answers.sets import Question, QuestionSet
from core.ask.conversation import read_follow_up
from core.domain.conversation import Turn, TurnState
from core.domain.ids import ConversationId, TurnId
from core.domain.search import SearchQuery
from core.search.classify import classify, clean_question
from core.search.evidence.base import Evidence
from core.search.evidence.pack import pack
from core.search.evidence.score import Features, features
from core.search.rank import RankedPassage
from core.search.search import Retrieval
from core.store.database.visibility import Visibility


@dataclass(frozen=True, slots=True)
class Row:
    """One measured question. label: is the answer there; is_correct: the best sentence touches it."""

    set: str
    question: Question
    features: Features
    label: int
    is_correct: bool | None


def history_of(question: Question) -> list[Turn]:
    """The earlier turns as the product keeps them."""
    return [
        Turn(
            id=TurnId(f"{question.id}-{at}"),
            conversation=ConversationId(question.group),
            ordinal=at,
            question=text,
            state=TurnState.DONE,
            answer=None,
            asked_at=datetime(2026, 1, 1, tzinfo=UTC),
        )
        for at, text in enumerate(question.history)
    ]


def find(collection: Collection, question: Question) -> Retrieval | None:
    """What the product retrieves for a question; None where it would not search at all."""
    text = classify(clean_question(question.text)).normalised
    if not text:
        return None
    follow_up = read_follow_up(text, history_of(question))
    query = SearchQuery(text=text, top_k=20, buckets=(question.bucket,), carried=follow_up.carried)
    return collection.retriever.retrieve(query, Visibility.everything())


def measure(collection: Collection, questions: QuestionSet) -> Iterator[Row]:
    """A row for every question as it is, and one without its gold passages where gold is known."""
    for question in questions.questions:
        retrieval = find(collection, question)
        if retrieval is None:
            continue
        evidence = pack(retrieval)
        correct = is_right(evidence, question) if question.gold else None
        yield Row(questions.name, question, features(evidence), question.label, correct)
        if question.gold:
            left = tuple(c for c in retrieval.candidates if not holds_gold(c, question))
            without = pack(replace(retrieval, candidates=left))
            yield Row(questions.name, question, features(without), 0, None)


def is_right(evidence: Evidence, question: Question) -> bool:
    """Whether the best sentence touches a gold span."""
    best = evidence.best
    return best is not None and any(
        best.candidate.stored.source == source and best.span.start < end and start < best.span.end
        for source, start, end in question.gold
    )


def holds_gold(candidate: RankedPassage, question: Question) -> bool:
    """Whether a passage overlaps a gold span."""
    return any(
        candidate.stored.source == source and part.start < end and start < part.end
        for source, start, end in question.gold
        for part in candidate.stored.passage.parts
    )


def auc(scores: np.ndarray, labels: np.ndarray) -> float:
    """Area under the ROC curve; ties count half."""
    positive, negative = scores[labels == 1], scores[labels == 0]
    above = (positive[:, None] > negative[None, :]).sum()
    ties = (positive[:, None] == negative[None, :]).sum()
    return float((above + ties / 2) / max(1, len(positive) * len(negative)))


@dataclass(frozen=True, slots=True)
class Fifth:
    """A fifth of the rows by confidence: their mean confidence, and the share of them that came true."""

    confidence: float
    right: float
    rows: int


def calibration(confidences: np.ndarray, right: np.ndarray) -> list[Fifth]:
    """The fifths, least confident first; fewer than five where there are fewer rows."""
    parts = np.array_split(np.argsort(confidences), 5)
    return [
        Fifth(float(confidences[part].mean()), float(right[part].mean()), len(part))
        for part in parts
        if len(part)
    ]


def fit(
    rows: np.ndarray, labels: np.ndarray, weights: np.ndarray, ridge: float = 1.0
) -> tuple[np.ndarray, float]:
    """Logistic regression by Newton's method: weights and bias; `ridge` on unit-scaled features."""
    scale = rows.std(axis=0) + 1e-9
    centre = rows.mean(axis=0)
    design = np.column_stack([(rows - centre) / scale, np.ones(len(rows))])
    beta = np.zeros(design.shape[1])
    penalty = np.diag([ridge] * rows.shape[1] + [0.0])
    for _ in range(50):
        p = 1 / (1 + np.exp(-design @ beta))
        gradient = design.T @ (weights * (labels - p)) - penalty @ beta
        hessian = (design * (weights * p * (1 - p))[:, None]).T @ design + penalty
        step = np.linalg.solve(hessian, gradient)
        beta += step
        if np.abs(step).max() < 1e-9:
            break
    slopes = beta[:-1] / scale
    return slopes, float(beta[-1] - slopes @ centre)


def fit_rising(rows: np.ndarray, labels: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, float]:
    """As `fit`, with no weight below 0: more evidence must never count against an answer."""
    kept = list(range(rows.shape[1]))
    while True:
        slopes, bias = fit(rows[:, kept], labels, weights)
        if (slopes >= 0).all() or len(kept) == 1:
            break
        kept.pop(int(slopes.argmin()))
    full = np.zeros(rows.shape[1])
    full[kept] = np.maximum(slopes, 0)
    return full, bias
