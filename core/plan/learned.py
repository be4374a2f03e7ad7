"""A planner that remembers what a question like this one was corrected to."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Protocol

import numpy as np

from core.domain.answer import Route
from core.encode.base import Encoder, TokenCounter
from core.errors import PlanError
from core.plan.canonical import outline
from core.plan.catalogue import Catalogue
from core.plan.clarify import Clarify
from core.plan.exchange import plan_of
from core.plan.grammar.read import read
from core.plan.ir import Note, Plan, Read, Search, Select
from core.plan.planner import RulePlanner, lexicon_of
from core.plan.question import clean_question
from core.plan.shape import Shape, shape_of, with_slots
from core.plan.validate import validate

ALIKE = 0.84
"""Cosine of two questions, values left out, from which on one may be a paraphrase of the other.

MiniLM, 12 pairs of questions about contracts: paraphrases had .85 to .96 (and .74, .77 of those that share
few words), questions about something else .48 to .73.
"""

ALIKE_UNKNOWN = 0.57
"""The same of the words that nothing is called by: .60 to .96 against .14 to .53."""


@dataclass(frozen=True, slots=True)
class Correction:
    """What a question was corrected to. plan: what was made of it before, None where nothing was."""

    question: str
    slots: Mapping[str, str]
    plan: Mapping[str, Any] | None
    corrected: Mapping[str, Any]
    at: datetime
    by: str


class Corrections(Protocol):
    """Past corrections; `core.workbench.lessons` reads them from the records."""

    def exist(self) -> bool:
        """Whether there is any; cheap."""
        ...

    def of_shape(self, shape: str) -> Sequence[Correction]:
        """The corrections of questions of one shape, the newest first."""
        ...


class LearnedPlanner:
    """Plans by rules, and by the nearest past correction where the rules would fail again. Thread-safe.

    A correction is used where they ask back, leave words uncovered, or come to what was rejected; and only
    where its plan can run over what the one who asks may see.
    """

    def __init__(
        self,
        catalogue: Catalogue,
        rules: RulePlanner,
        corrections: Corrections,
        encoder: Callable[[], Encoder],
        *,
        today: date | None = None,
        words: TokenCounter | None = None,
    ) -> None:
        self._catalogue = catalogue
        self._rules = rules
        self._corrections = corrections
        self._encoder = encoder
        self._today = today
        self._words = words

    def plan(self, question: str, buckets: tuple[str, ...] = ()) -> Plan | Clarify:
        """The plan of a question, or what has to be asked back."""
        planned = self._rules.plan(question, buckets)
        if not self._corrections.exist():
            return planned
        return self._corrected(question, buckets, planned) or planned

    def shape(self, question: str) -> Shape:
        """The shape of a question over this catalogue."""
        today = self._today or date.today()
        return shape_of(read(clean_question(question), lexicon_of(self._catalogue), today, self._words))

    def _corrected(self, question: str, buckets: tuple[str, ...], planned: Plan | Clarify) -> Plan | None:
        shape = self.shape(question)
        for known in self._nearest(shape, self._corrections.of_shape(shape.text)):
            if not _fails(planned, known):
                continue
            try:
                plan = with_slots(plan_of(known.corrected), known.slots, shape.slots)
            except PlanError:
                continue  # of another version of this program
            if plan is None:
                continue
            made = self._as_made(plan, question, buckets, known)
            if not validate(made, self._catalogue):
                return made
        return None

    def _nearest(self, shape: Shape, found: Sequence[Correction]) -> list[Correction]:
        """Those that ask the same, the most alike first."""
        if not found:
            return []
        others = [self.shape(each.question) for each in found]
        texts = [
            shape.masked,
            shape.unknown,
            *(text for each in others for text in (each.masked, each.unknown)),
        ]
        vectors = np.asarray(self._encoder().encode_queries([text or "nothing" for text in texts]))
        scored = []
        for number, each in enumerate(found):
            own, words = vectors[2 + 2 * number], vectors[3 + 2 * number]
            alike, unknown = float(vectors[0] @ own), float(vectors[1] @ words)
            is_same = shape.unknown.casefold() == others[number].unknown.casefold()
            if alike >= ALIKE and (is_same or unknown >= ALIKE_UNKNOWN):
                scored.append((alike, each))
        return [each for _, each in sorted(scored, key=lambda pair: -pair[0])]

    def _as_made(self, plan: Plan, question: str, buckets: tuple[str, ...], known: Correction) -> Plan:
        is_same = clean_question(question).casefold() == clean_question(known.question).casefold()
        which = "This question" if is_same else "A question like this one"
        said = f"{which} was corrected by {known.by} on {known.at.day} {known.at:%b %Y}; that plan is used."
        nodes = tuple(
            node.model_copy(update={"scope": node.scope.model_copy(update={"buckets": buckets})})
            if buckets and isinstance(node, Search | Select | Read)
            else node
            for node in plan.nodes
        )
        return plan.model_copy(
            update={
                "question": clean_question(question),
                "nodes": nodes,
                "uncovered": (),
                "notes": (Note(phrase="", reading=said),),
                "today": (self._today or date.today()).isoformat(),
            }
        )


def _fails(planned: Plan | Clarify, known: Correction) -> bool:
    """Whether the rules ask back, leave something out, or come to what was corrected."""
    if isinstance(planned, Clarify) or planned.uncovered or planned.route is not Route.STRUCTURED:
        return True
    if known.plan is None:
        return False
    try:
        return outline(planned) == outline(plan_of(known.plan))
    except PlanError:
        return False
