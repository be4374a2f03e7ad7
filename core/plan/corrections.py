"""A planner that remembers what a question like this one was corrected to."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from typing import Any, Protocol

import numpy as np

from core.domain.answer import REUSED
from core.domain.fields import ORDERED, TEXTS, FieldType
from core.domain.passage import Matrix
from core.domain.predicate import Operator
from core.encode.base import Encoder
from core.errors import EncoderError, PlanError
from core.plan.catalogue import FieldEntry
from core.plan.clarify import Clarify, is_whole
from core.plan.conversation_state import conditions_of
from core.plan.ir.graph_edits import in_buckets
from core.plan.ir.hashing import outline, result_hash
from core.plan.ir.nodes import Note, Plan, without_aspect
from core.plan.ir.serialization import plan_of
from core.plan.ir.validate import validate
from core.plan.kinds import kind_names
from core.plan.reading import Reading
from core.plan.reading_planner import ReadingPlanner
from core.plan.shape import QuestionShape, plain, shape_of, with_slots
from core.plan.text.classify import clean_question

ALIKE = 0.84
"""Cosine of two questions, values left out, from which on one may be a paraphrase of the other.

MiniLM, 12 pairs of questions about contracts: paraphrases had .85 to .96 (and .74, .77 of those that share
few words), questions about something else .48 to .73.
"""

ALIKE_UNKNOWN = 0.57
"""The same of the words that nothing is called by: .60 to .96 against .14 to .53."""


def correction_said(plan: Plan) -> tuple[str, ...]:
    """Words of a plan on the correction that it was taken from; () of any other."""
    return tuple(note.reading for note in plan.notes if not note.phrase and note.reading.endswith(REUSED))


@dataclass(frozen=True, slots=True)
class Correction:
    """Correction of a question. plan: what was made of it before, None where nothing was.

    vectors: as `LearnedPlanner.vectors` made them, None where the encoder of today did not.
    """

    id: str
    question: str
    slots: Mapping[str, str]
    plan: Mapping[str, Any] | None
    corrected: Mapping[str, Any]
    at: datetime
    by: str
    vectors: Matrix | None = None


class Corrections(Protocol):
    """Past corrections; `core.workbench.catalogue` reads them from the records."""

    def exist(self) -> bool:
        """True where there is any; cheap."""
        ...

    def of_shape(self, shape: str, question: str = "") -> Sequence[Correction]:
        """The corrections of questions of one shape or of these very words, the newest first."""
        ...

    def keep(self, vectors: Mapping[str, Matrix]) -> None:
        """Keep the vectors of corrections, by their ids."""
        ...


@dataclass(slots=True, kw_only=True)
class LearnedPlanner(ReadingPlanner):
    """A planner that takes the nearest past correction where it would fail again. Thread-safe.

    For the very words that were corrected, the correction is used; for words like these, where the planner
    leaves words out, guesses what they mean, or comes to what was rejected. Only where its plan can run over
    what the one who asks may see.
    """

    corrections: Corrections
    encoder: Callable[[], Encoder]

    def read(self, question: str) -> Reading:
        """The reading of a question, whatever was learned of it."""
        return ReadingPlanner.read(self, clean_question(question))

    def plan(self, question: str, buckets: tuple[str, ...] = ()) -> Plan | Clarify:
        """The plan of a question, or what has to be asked back."""
        planned = self.planned(question, buckets).plan
        if not self.corrections.exist():
            return planned
        return self._corrected(question, buckets, planned) or planned

    def readings(self, question: str, buckets: tuple[str, ...] = ()) -> tuple[Plan, ...]:
        """Other plausible plans of a question; () where a correction says which one is meant."""
        found = self.planned(question, buckets)
        is_open = found.others and self.corrections.exist()
        return () if is_open and self._corrected(question, buckets, found.plan) else found.others

    def shape(self, question: str, planned: Plan | Clarify | None = None) -> QuestionShape:
        """The shape of a question over this catalogue. planned: what was made of it, to save a reading."""
        reading = planned.reading if isinstance(planned, Plan) else None
        if reading is None or reading.by != "trained" or reading.question != clean_question(question):
            reading = self.read(question)
        return shape_of(reading, self.catalogue)

    def without_nouns(self, words: str) -> str:
        """Words of a question but for those that say which documents, such as "contracts"."""
        for kind in reversed(kind_names(self.catalogue).find(words)):
            words = f"{words[: kind.start].rstrip()} {words[kind.end :].lstrip()}".strip()
        return words

    def vectors(self, *shapes: QuestionShape) -> list[Matrix]:
        """Of each shape what it is compared by, (2, d): the masked question, and its unknown words."""
        texts = [text or "nothing" for shape in shapes for text in (shape.masked, shape.unknown)]
        made = np.asarray(self.encoder().encode_queries(texts), dtype=np.float32)
        return [made[at : at + 2] for at in range(0, len(texts), 2)]

    def remember(self, id: str, question: str, shape: str) -> None:
        """Make and keep the vectors of a question that was corrected, while nobody waits for them.

        shape: by which the correction is found. Where the question reads otherwise here, they are left to
        whoever reads it so.
        """
        own = self.shape(question)
        if own.text == shape:
            with contextlib.suppress(EncoderError):  # they are made when they are needed
                self.corrections.keep({id: self.vectors(own)[0]})

    def _corrected(self, question: str, buckets: tuple[str, ...], planned: Plan | Clarify) -> Plan | None:
        shape = self.shape(question, planned)
        found = self.corrections.of_shape(shape.text, question)
        same = [each for each in found if _is_same(question, each.question)]
        is_doubtful = bool(shape.unknown) or not is_whole(planned)
        others = [e for e in found if e not in same and (is_doubtful or _is_rejected(planned, e))]
        for known in chain(same, self._nearest(shape, others)):
            try:
                corrected = plan_of(known.corrected)
            except PlanError:
                continue  # of another version of this program
            is_same = _is_same(question, known.question)
            if is_same and is_whole(planned) and result_hash(corrected) == result_hash(planned):
                return None  # the planner has learned it since
            kinds = FieldType.DATE if is_same else ""  # dates alone may the same words say anew
            old, new = (
                {name: value for name, value in slots.items() if name.startswith(kinds)}
                for slots in (known.slots, shape.slots)
            )
            plan = with_slots(corrected, old, new) or (corrected if is_same else None)
            if not is_same and self._has_own_values(corrected, known):
                continue  # "from 1 Oct to 30 Dec" where the words were "90 days after 1 Oct"
            if plan is None or not self._are_known(plan, question, shape.slots.values()):
                continue
            made = self._as_made(plan, question, buckets, known)
            if not validate(made, self.catalogue):
                return made
        return None

    def _has_own_values(self, corrected: Plan, known: Correction) -> bool:
        """True where a correction compares with an amount or a day that its question does not say."""
        said = set(known.slots.values())
        for each in conditions_of(corrected):
            entry = self.catalogue.field(without_aspect(each.field))
            is_compared = entry is not None and entry.type in ORDERED and each.op is not Operator.IS
            if is_compared and any(said.isdisjoint((p, p.split()[0])) for p in map(plain, each.texts)):
                return True
        return False

    def _are_known(self, plan: Plan, question: str, said: Iterable[str]) -> bool:
        """True where all names and texts that a plan compares with are in the question, or in what may be
        seen here: whoever corrected it may have seen more.
        """
        folded, stated = question.casefold(), set(said)
        for each in conditions_of(plan):
            entry = self.catalogue.field(without_aspect(each.field))
            if entry is None or entry.type not in TEXTS or each.op is Operator.IS:
                continue
            known = self._texts_of(entry) | stated
            if any(value not in known and value.casefold() not in folded for value in each.texts):
                return False
        return True

    def _texts_of(self, entry: FieldEntry) -> frozenset[str]:
        """Texts of a field that stand in documents which may be seen, in any schema."""
        if entry.type is FieldType.PARTY:
            return frozenset(each.normal for each in self.catalogue.parties)
        stated = (each.text for each in self.catalogue.values if each.field == entry.name)
        return frozenset((*entry.options, *stated))

    def _nearest(self, shape: QuestionShape, found: Sequence[Correction]) -> Iterator[Correction]:
        """Those that ask the same, the most alike first; nothing is encoded before the first is wanted."""
        if not found:
            return
        wanted, others = self._compared(shape, found)
        scored = []
        for each in found:
            alike, unknown = (float(one) for one in np.sum(wanted * others[each.id], axis=1))
            if alike >= ALIKE and unknown >= ALIKE_UNKNOWN:
                scored.append((alike, each))
        yield from (each for _, each in sorted(scored, key=lambda pair: -pair[0]))

    def _compared(
        self, shape: QuestionShape, found: Sequence[Correction]
    ) -> tuple[Matrix, dict[str, Matrix]]:
        """The vectors of a question, and by id those of corrections; those made only now are kept."""
        missing = {each.id: self.shape(each.question) for each in found if each.vectors is None}
        wanted, *made = self.vectors(shape, *missing.values())
        new = dict(zip(missing, made, strict=True))
        self.corrections.keep({id: new[id] for id, own in missing.items() if own.text == shape.text})
        return wanted, new | {each.id: each.vectors for each in found if each.vectors is not None}

    def _as_made(self, plan: Plan, question: str, buckets: tuple[str, ...], known: Correction) -> Plan:
        is_same = _is_same(question, known.question)
        which = "This question" if is_same else "A question like this one"
        said = f"{which} was corrected by {known.by} on {known.at.day} {known.at:%b %Y}{REUSED}"
        told = {
            "question": clean_question(question),
            "reading": plan.reading if is_same else None,
            "uncovered": (),
            "notes": (Note(phrase="", reading=said),),
            "today": self._day.isoformat(),
        }
        made = plan.model_copy(update=told)
        return self.owned(in_buckets(made, buckets) if buckets else made, buckets)


def _is_same(question: str, other: str) -> bool:
    return clean_question(question).casefold() == clean_question(other).casefold()


def _is_rejected(planned: Plan | Clarify, known: Correction) -> bool:
    """True where a question is planned as another one was before that was corrected."""
    if known.plan is None or not isinstance(planned, Plan):
        return False
    try:
        return outline(planned) == outline(plan_of(known.plan))
    except PlanError:
        return False
