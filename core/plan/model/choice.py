"""Choice between the plan of rules and reader and that of a model: when it is asked, what is run."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.domain.answer import Kind, Route
from core.plan.clarify import ABSENCES, Clarify, is_whole
from core.plan.ir.hashing import result_hash
from core.plan.ir.nodes import Plan

_COMPUTED = (Kind.AGGREGATE, Kind.COMPLIANCE, Kind.COMPARISON)


@dataclass(frozen=True, slots=True)
class ChosenPlan:
    """The plan or question back that is followed, and other plausible plans. by_model: it is a model's."""

    planned: Plan | Clarify
    others: tuple[Plan, ...]
    by_model: bool


def is_hard(planned: Plan | Clarify, others: Sequence[Plan]) -> bool:
    """True where a model may know better: nothing whole was read, or it was read in two ways.

    What is plainly not in the collection, or cannot be read, no model makes be there; and a look-up over text
    is searched for by its own words, unless it looks like several questions.
    """
    if isinstance(planned, Clarify):
        return planned.type not in ABSENCES
    if planned.route is not Route.STRUCTURED:
        return planned.kind in _COMPUTED or looks_like_several(planned.question)
    return bool(others) or not planned.is_whole


_SEVERAL = re.compile(
    r"\S{3,}.*(?:[,;?]|\b(?:and|or|also)\b)\s+(?:and\s+|also\s+|if so,?\s+)*"
    r"(?:what|which|who|whom|whose|when|where|why|how|whether)\b",
    re.IGNORECASE | re.DOTALL,
)


def looks_like_several(question: str) -> bool:
    """True where another question word begins a further part: "what is X, and who pays for it?"."""
    return bool(_SEVERAL.search(question))


def choose(planned: Plan | Clarify, others: tuple[Plan, ...], proposed: Plan | None) -> ChosenPlan:
    """Follow the model where the others have nothing whole; else its plan is one to choose.

    Where both readings of a disputed question are there, the model's agreement decides between them.
    proposed: the model's plan; None leaves all as it was.
    """
    if proposed is None:
        return ChosenPlan(planned, others, by_model=False)
    if not is_whole(planned):
        if isinstance(planned, Plan) and len(proposed.uncovered) > len(planned.uncovered):
            return ChosenPlan(planned, (proposed, *others), by_model=False)
        before = (planned,) if isinstance(planned, Plan) else ()
        return ChosenPlan(proposed, (*before, *others), by_model=True)
    agreed = next((each for each in others if result_hash(each) == result_hash(proposed)), None)
    if agreed is not None:
        rest = (each for each in others if each is not agreed)
        return ChosenPlan(agreed, (planned, *rest), by_model=False)
    if result_hash(planned) == result_hash(proposed):
        return ChosenPlan(planned, others, by_model=False)
    return ChosenPlan(planned, (proposed, *others), by_model=False)
