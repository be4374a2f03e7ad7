"""A request and what every answer to it carries: who asks, and how much is too little or too much."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from core.domain.answer import Answer, ConfidenceLabel, Kind, Route
from core.plan.door import PlanDoor
from core.plan.ir.nodes import Plan
from core.records.database.visibility import Visibility

HIGH = 0.7
MEDIUM = 0.4


@dataclass(frozen=True, slots=True)
class QuestionRequest:
    """Question and principal of every answer. is_kept: whether its answer can be fetched by its trace.

    door: of the policies, which its plans pass.
    """

    question: str
    trace_id: str
    data_version: int
    visibility: Visibility
    door: PlanDoor
    at_ms: Callable[[], float]
    is_kept: bool = False


@dataclass(frozen=True, slots=True)
class Cutoffs:
    """Limits of documents: too few for a look-up to end with, and too many to read."""

    min_hits: int = 1
    max_hits: int = 100


def answer_to(asked: QuestionRequest, plan: Plan | None, **fields: object) -> Answer:
    """The answer with these fields; plan None: nothing was planned."""
    values: dict[str, object] = {
        "question": asked.question,
        "trace_id": asked.trace_id,
        "data_version": asked.data_version,
        "kind": plan.kind if plan is not None else Kind.LOOKUP,
        "route": plan.route if plan is not None else Route.NONE,
        "plan": plan.model_dump(mode="json") if plan is not None else None,
    }
    return Answer.model_validate({**values, **fields})


def label_of(confidence: float) -> ConfidenceLabel:
    """The word for a confidence: HIGH from .7, MEDIUM from .4, else LOW."""
    if confidence >= HIGH:
        return ConfidenceLabel.HIGH
    return ConfidenceLabel.MEDIUM if confidence >= MEDIUM else ConfidenceLabel.LOW
