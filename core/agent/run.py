"""State of one question on its way from guard to answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from core.agent.request import Question, QuestionHandle, QuestionRequest
from core.config.models import LlmSettings
from core.domain.answer import Degradation, Understood
from core.domain.event import Degraded, StageFinished, StageStarted, Waiting
from core.guardrails.masking import Masking
from core.llm.base import ModelCalls
from core.plan.conversation_state import ConversationState
from core.plan.door import PlanDoor
from core.plan.ir.nodes import Plan
from core.plan.reading import Reading
from core.records.database.visibility import Snapshot


@dataclass(slots=True)
class Run:
    """State of one question through its stages. understood: what the planner made of it, if it did.

    buckets: those of the question, or of what a model read. others: other plausible plans.
    door: of the policies, which every plan passes before it runs.
    calls: of language models; None where there is none, or none is wanted. suggest: plans the follow-ups of
    the answer once it is there; None where it has them already. is_part: it answers one of several questions
    of a text. masking: of personal data of the question, for its events. handle: of who asked. waits: of its
    calls, that the stream has not given yet.
    """

    trace_id: str
    tick: Callable[[], float]
    question: Question
    visibility: Snapshot
    door: PlanDoor
    buckets: tuple[str, ...] = ()
    degradations: tuple[Degradation, ...] = ()
    understood: Plan | None = None
    known: dict[str, Understood] = field(default_factory=dict)  # by the words that were chosen for
    chosen: tuple[Understood, ...] = ()
    suggest: Callable[[], tuple[str, ...]] | None = None
    is_part: bool = False
    others: tuple[Plan, ...] = ()
    state: ConversationState = field(default_factory=ConversationState)
    follows: bool = False  # the question goes on from the conversation
    keeps_set: bool = True
    calls: ModelCalls | None = None
    handle: QuestionHandle = field(default_factory=QuestionHandle)
    waits: list[Waiting] = field(default_factory=list)
    unkept: list[Degradation] = field(default_factory=list)  # of its calls, that could not be recorded
    reading: Reading | None = None  # the model's, where it was asked
    standalone: str = ""  # the whole question that a follow-up was turned into
    llm: LlmSettings = field(default_factory=LlmSettings)
    masking: Masking = field(default_factory=Masking)
    hides_personal_data: bool = False
    may_ask: bool = True  # it was not asked back just before
    started: float = 0.0
    began: dict[str, float] = field(default_factory=dict)  # when each stage did, in milliseconds
    timings: dict[str, float] = field(default_factory=dict)  # what each stage took

    def at(self) -> float:
        """Milliseconds since the question came."""
        return round((self.tick() - self.started) * 1000, 3)

    @property
    def divided(self) -> tuple[str, ...]:
        """The questions that a model read the question as; () where it read one, or none did."""
        return self.reading.questions if self.reading is not None else ()

    def choose(self, chosen: Understood | None) -> None:
        """Take words as they were just chosen to mean; None: nothing was."""
        if chosen is not None:
            self.known[chosen.phrase.casefold()] = chosen
            self.chosen = (*self.chosen, chosen)

    def asking(self, question: str) -> QuestionRequest:
        """The question as what computes its answer is given it; what it computes is kept."""
        seen = self.visibility
        return QuestionRequest(
            question, self.trace_id, seen.data_version, seen, self.door, self.at, is_kept=True
        )

    def require(self, plan: Plan | None) -> None:
        """Raise RefusedError where the policies do not allow a plan, or None any question, to who asks."""
        refused = self.door.refusal(plan)
        if refused is not None:
            raise refused

    def degrade(self, *degradations: Degradation) -> Iterator[Degraded]:
        """Note what did not work, with the events that tell of it."""
        self.degradations += degradations
        for each in degradations:
            yield Degraded(at_ms=self.at(), degradation=each)

    def start_stage(self, stage: str, label: str) -> StageStarted:
        """The event that a stage began."""
        self.began[stage] = at = self.at()
        return StageStarted(at_ms=at, stage=stage, label=label)

    def finish_stage(self, stage: str, label: str, source: str, **counts: int) -> StageFinished:
        """The event that a stage is done, with the milliseconds that it took since it began."""
        at = self.at()
        self.timings[stage] = spent = round(at - self.began[stage], 3)
        return StageFinished(
            at_ms=at, stage=stage, label=label, latency_ms=spent, source=source, counts=counts
        )

    def finish_plan(self, plan: Plan, source: str = "rules") -> StageFinished:
        """The event that a plan is there, with the number of its steps."""
        count = len(plan.nodes)
        return self.finish_stage("plan", f"Planned {steps_label(count)}", source, nodes=count)


def steps_label(count: int) -> str:
    """`2 steps`."""
    return f"{count} step{'s' if count != 1 else ''}"
