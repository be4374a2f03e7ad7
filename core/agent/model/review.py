"""Review of evidence by a model: whether it is enough, and what to look for where it is not."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Literal

from pydantic import BaseModel, ConfigDict

from core.agent.model.tool_evidence import ToolEvidence
from core.answer.prose.prompts import evidence_text
from core.answer.prose.units import EvidencePool
from core.domain.event import Event, StageFinished, StageStarted
from core.domain.llm.use import ModelOutcome, ModelRole
from core.errors import LlmError
from core.llm.base import ModelCalls
from core.llm.prompts import fence, load_prompt

MOST_ROUNDS = 3
MOST_RESULT_CHARS = 1_500  # of a call that finds no passages
_LABELS = {
    "enough": "The evidence is enough",
    "none": "Nothing more is to be found",
    "unreviewed": "Not looked again: the tokens are kept for writing",
}


class EvidenceReview(BaseModel):
    """Reply of a review. arguments: JSON of the arguments of `tool`, "" where none is wanted."""

    model_config = ConfigDict(extra="forbid")

    decision: Literal["enough", "more", "none"]
    tool: str
    arguments: str
    reason: str


def review_evidence(
    question: str, pool: EvidencePool, tools: ToolEvidence, calls: ModelCalls, at_ms: Callable[[], float]
) -> Generator[Event, None, str]:
    """Have the model look at the evidence, and search for more where it says so; gives its last decision.

    At most three rounds; every call is a tool's, with the checks of one. Where the budget does not reach, or
    writing would not have enough of it left, there is no review: "unreviewed". Raises LlmError.
    """
    began, rounds, decision = at_ms(), 0, "more"
    yield StageStarted(at_ms=began, stage="review", label="Looking whether the evidence is enough")
    told = "\n".join(f"- {spec.name}: {spec.description} {spec.parameters}" for spec in tools.specs())
    before = ""
    while decision == "more" and rounds < MOST_ROUNDS:
        prompt = load_prompt(
            "review",
            ModelRole.REVIEW,
            question=fence("question", question),
            evidence=evidence_text(pool.packed),
            tools=told,
            before=before,
            left=str(MOST_ROUNDS - rounds - 1),
        )
        try:
            reply = calls.structured(prompt, EvidenceReview)
        except LlmError as error:
            if error.outcome != ModelOutcome.OVER_BUDGET:
                raise
            decision = "unreviewed"  # an answer does without, and not without the tokens to write it
            break
        decision, rounds = reply.decision, rounds + 1
        if decision == "more":
            known = _quotes(pool)
            result = tools.call(reply.tool, reply.arguments, at_ms())
            yield result.event.model_copy(update={"tokens": calls.made[-1].tokens})
            before += f"\nYou called {reply.tool} with {fence('arguments', reply.arguments)}\n"
            before += _added(known, _quotes(pool)) if result.is_of_text else result.text[:MOST_RESULT_CHARS]
    done = at_ms()
    yield StageFinished(
        at_ms=done,
        stage="review",
        label=_LABELS.get(decision, "Looked as often as allowed"),
        latency_ms=round(done - began, 3),
        source="model",
        counts={"rounds": rounds},
    )
    return decision


def _quotes(pool: EvidencePool) -> dict[str, str]:
    return {unit.id: unit.place.quote for unit in pool.packed.units}


def _added(before: dict[str, str], now: dict[str, str]) -> str:
    """What a search changed in the evidence, for the model that asked for it."""
    added = [id for id, quote in now.items() if before.get(id) != quote]
    said = (
        f"It added {', '.join(added)}." if added else "It found nothing that is not in the evidence already."
    )
    gone = [id for id in before if id not in now]
    return said + (f" {', '.join(gone)} went for it." if gone else "")
