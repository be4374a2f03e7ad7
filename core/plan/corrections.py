"""A planner that remembers what a question of the same shape was corrected to."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date
from itertools import chain
from typing import Protocol

import numpy as np

from core.domain.answer import REUSED
from core.domain.fields import ORDERED, TEXTS, FieldType
from core.domain.passage import Matrix
from core.domain.predicate import Operator
from core.encode.base import Encoder
from core.errors import EncoderError, PlanError
from core.plan.catalogue import Catalogue, FieldEntry
from core.plan.check.polarity import is_negative
from core.plan.clarify import Clarify, is_whole
from core.plan.compile.context import CompileContext, ReadingError
from core.plan.compile.names import documents_named, parties_named
from core.plan.compile.values import compiled, target_of
from core.plan.conversation_state import conditions_of
from core.plan.ir.graph_edits import in_buckets
from core.plan.ir.hashing import outline, result_hash
from core.plan.ir.nodes import (
    Choice,
    Condition,
    Node,
    Note,
    OtherField,
    Plan,
    Reference,
    ScopedNode,
    SelectionNode,
    without_aspect,
)
from core.plan.ir.serialization import plan_of
from core.plan.ir.validate import validate
from core.plan.kinds import kind_names
from core.plan.readers.trained.reading import SURE_OF_FIELD
from core.plan.reading import ReadCondition, ReadField, Reading, ReadName, Step
from core.plan.reading_planner import ReadingPlanner
from core.search.classify import clean_question
from core.store.conversations.corrections import Corrected

_STANDS_FOR = {
    "party": "a company", "document": "a document", "date": "some time", "text": "something",
    "enum": "something",
}  # fmt: skip
ALIKE = 0.84
"""Cosine of two questions, values left out, from which on one may be a paraphrase of the other.

MiniLM, 12 pairs of questions about contracts: paraphrases had .85 to .96 (and .74, .77 of those that share
few words), questions about something else .48 to .73.
"""
ALIKE_UNKNOWN = 0.57
"""The same of the words that nothing is called by: .60 to .96 against .14 to .53."""

MOST_NAMED = 50
"""Documents of one name whose ids a shape keeps: fifty thousand can be called filings."""


@dataclass(frozen=True, slots=True)
class QuestionShape:
    """text: equal for questions of one shape. slots: the values left out, in order, by name.

    unknown: the words that nothing is called by. masked: the question with plain words for its values.
    """

    text: str
    slots: Mapping[str, str]
    unknown: str
    masked: str


def shape_of(reading: Reading, catalogue: Catalogue) -> QuestionShape:
    """The shape of a question that was read, its values as plans over the catalogue write them."""
    shape = _Shape(CompileContext(catalogue, date.min), reading)  # its dates are dates already
    parts = [f"{len(reading.questions)} questions"] if reading.questions else []
    parts += [word for step in reading.all_steps for word in shape.words(step)]
    unknown = (*reading.uncovered, *shape.unsure, *((reading.question,) if reading.is_of_text else ()))
    parts += ["?"] if unknown else []
    return QuestionShape(" ".join(parts), shape.slots, " ".join(dict.fromkeys(unknown)), shape.masked)


def with_slots(plan: Plan, old: Mapping[str, str], new: Mapping[str, str]) -> Plan | None:
    """The plan with other values in the places of those that differ; None where one of them has no place."""
    if list(old) != list(new):
        return None
    changes = [(value, new[name]) for name, value in old.items() if value != new[name]]
    other = dict(changes)
    if len(other) < len(changes):
        return None  # one value in two places, which are to be two
    met: set[str] = set()
    nodes = tuple(_swapped(node, other, met) for node in plan.nodes)
    return plan.model_copy(update={"nodes": nodes}) if met == set(other) else None


@dataclass(slots=True)
class _Shape:
    """A shape while it is made. unsure: words whose field is a guess."""

    context: CompileContext
    reading: Reading
    slots: dict[str, str] = field(default_factory=dict)
    unsure: list[str] = field(default_factory=list)
    masked: str = ""

    def __post_init__(self) -> None:
        self.masked = self.reading.question

    def words(self, step: Step) -> Iterator[str]:
        """Words of a step: all that it says but for its values."""
        said = (step.operation, step.function, step.outcome if step.sides else "", *step.within, *step.sides)
        yield ":".join((*said, step.kind, "rows" if step.is_rows else "")).strip(":")
        for name in step.names:
            yield from self._name(name)
        for each in filter(None, (*step.conditions, step.having)):
            yield from self._condition(each, step)
        for role, fields in (("asked", step.asked), ("each", step.groups)):
            yield from (f"{role}:{known}" for each in fields if (known := self._field(each)) != "?")
        if (order := step.order) is not None:
            by = self._field(order.field) if order.field is not None else ""
            yield f"by:{by}{'-' if order.descending else '+'}{order.limit}/{order.skip}"

    def _field(self, read: ReadField, probability: float = 1.0, words: str = "") -> str:
        if min(read.probability, probability) >= SURE_OF_FIELD:
            return f"{read.name}.{read.part}".strip(".")
        self.unsure.append(words or read.words)
        return "?"

    def _name(self, name: ReadName) -> Iterator[str]:
        sign = "not:" if name.negated else ""
        if name.role == "kind":
            kind = kind_names(self.context.catalogue).of(name.words)
            own = (name.words.casefold(),) if kind is None else (kind.schema, *kind.kinds, *kind.titles)
            yield f"{sign}noun:{':'.join(own)}"
        elif name.described:
            yield f"{sign}{name.role}:{name.described}"
        else:
            yield f"{sign}{self._left_out(name.role, self._named(name), name.words)}"

    def _named(self, name: ReadName) -> tuple[str, ...]:
        if name.role == "party":
            parties = parties_named(name.words, self.context.catalogue)
            return tuple(each.normal for each in parties) or (name.words,)
        try:
            found = documents_named(name, self.context, None, self.reading.question, of_several=True)
        except ReadingError:
            return (name.words,)
        # A name of more documents than a person would point at is a word of the question.
        return tuple(each.id for each in found) if len(found) <= MOST_NAMED else (name.words,)

    def _condition(self, read: ReadCondition, step: Step) -> Iterator[str]:
        said = self._field(read.field, read.probability, read.words)
        sign = f"{'or:' if read.either else ''}{'not:' if read.negated else ''}{read.op.value}"
        entry = self.context.catalogue.field(read.field.name, read.field.schema_name or step.kind)
        if not read.values or (entry is not None and entry.type is FieldType.BOOLEAN):
            if said != "?":
                yield ":".join((said, sign, *read.values))
            elif is_negative(read):
                yield "not:?"
            return
        kind, values = FieldType.TEXT, read.values
        if entry is not None and not read.field.part:
            kind = entry.type
            with suppress(ReadingError):
                values = compiled(read.op, read.values, target_of(entry, self.context.catalogue)).texts
        yield f"{said}:{sign}:{self._left_out(kind.value, values, read.words)}"

    def _left_out(self, kind: str, values: tuple[str, ...], words: str) -> str:
        """A place in the shape; its values are slots, and its words stand in `masked` no more."""
        before = sum(each.rstrip("0123456789") == kind for each in self.slots)
        for number, value in enumerate(values, before + 1):
            self.slots[f"{kind}{number}"] = plain(value)
        if words:
            self.masked = self.masked.replace(words, _STANDS_FOR.get(kind, "some amount"), 1)
        return f"<{kind}>"


def plain(value: str) -> str:
    """A value without cents that are none: plans write amounts of money with them, and without."""
    return value.replace(".00 ", " ").removesuffix(".00")


def _swapped(node: Node, other: Mapping[str, str], met: set[str]) -> Node:
    """A node with other values in its conditions, its documents and its words."""

    def swap(value: str) -> str:
        bare = plain(value)
        for old, new in other.items():
            if old and f"{bare} ".startswith(f"{old} "):
                met.add(old)
                return new + bare[len(old) :]
        return value

    def condition(each: Condition) -> Condition:
        if isinstance(each.value, Reference | OtherField):
            return each
        value = swap(each.value) if isinstance(each.value, str) else tuple(swap(one) for one in each.value)
        return each.model_copy(update={"value": value})

    change: dict[str, object] = {}
    if isinstance(node, ScopedNode) and node.scope.documents:
        documents = tuple(map(swap, node.scope.documents))
        change["scope"] = node.scope.model_copy(update={"documents": documents})
    if isinstance(node, SelectionNode):
        change["conditions"] = tuple(
            Choice(any_of=tuple(map(condition, each.any_of))) if isinstance(each, Choice) else condition(each)
            for each in node.conditions
        )
    purpose = node.purpose
    for old, new in other.items():
        if old:
            purpose = purpose.replace(old, new)
    return node.model_copy(update={**change, "purpose": purpose[:300]})


def correction_said(plan: Plan) -> tuple[str, ...]:
    """Words of a plan on the correction that it was taken from; () of any other."""
    return tuple(note.reading for note in plan.notes if not note.phrase and note.reading.endswith(REUSED))


class Corrections(Protocol):
    """Past corrections; `core.workbench.catalogue` reads them from the records."""

    def exist(self) -> bool:
        """True where there is any; cheap."""
        ...

    def of_shape(self, shape: str, question: str = "") -> Sequence[Corrected]:
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

    def _has_own_values(self, corrected: Plan, known: Corrected) -> bool:
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

    def _nearest(self, shape: QuestionShape, found: Sequence[Corrected]) -> Iterator[Corrected]:
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

    def _compared(self, shape: QuestionShape, found: Sequence[Corrected]) -> tuple[Matrix, dict[str, Matrix]]:
        """The vectors of a question, and by id those of corrections; those made only now are kept."""
        missing = {each.id: self.shape(each.question) for each in found if each.vectors is None}
        wanted, *made = self.vectors(shape, *missing.values())
        new = dict(zip(missing, made, strict=True))
        self.corrections.keep({id: new[id] for id, own in missing.items() if own.text == shape.text})
        return wanted, new | {each.id: each.vectors for each in found if each.vectors is not None}

    def _as_made(self, plan: Plan, question: str, buckets: tuple[str, ...], known: Corrected) -> Plan:
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


def _is_rejected(planned: Plan | Clarify, known: Corrected) -> bool:
    """True where a question is planned as another one was before that was corrected."""
    if known.plan is None or not isinstance(planned, Plan):
        return False
    try:
        return outline(planned) == outline(plan_of(known.plan))
    except PlanError:
        return False
