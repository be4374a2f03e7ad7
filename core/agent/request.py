"""What every answer of a plan carries: who asks what, and how much is too little or too much."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from core.domain.answer import Answer, Kind, Route
from core.plan.ir.nodes import Plan
from core.records.database.visibility import Visibility


@dataclass(frozen=True, slots=True)
class Asked:
    """What every answer carries, and who asks. is_kept: whether its answer can be fetched by its trace."""

    question: str
    trace_id: str
    data_version: int
    visibility: Visibility
    at_ms: Callable[[], float]
    is_kept: bool = False


@dataclass(frozen=True, slots=True)
class Cutoffs:
    """How many documents are too few for a look-up to end with, and too many to read."""

    min_hits: int = 1
    max_hits: int = 100


def answer_to(asked: Asked, plan: Plan | None, **fields: object) -> Answer:
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
