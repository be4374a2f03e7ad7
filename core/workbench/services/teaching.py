"""Questions that went wrong, by their wording, and how their words are to be read: taught, taken back."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from pydantic import ValidationError

from core.cache import Cache
from core.config.fields import Schema
from core.config.schema_store import shipped_schemas
from core.domain.answer import Route
from core.domain.audit import FailedWording, Lesson, WordingPage, WordingQuery
from core.domain.predicate import Operator
from core.domain.results import Documents, QueryTable
from core.domain.trust.permission import Action
from core.errors import NotFoundError, PlanError, SettingsError, UsageError
from core.plan.compile.context import CompileContext
from core.plan.conversation_state import source_of
from core.plan.ir.hashing import ancestors
from core.plan.ir.node import SelectionNode, clause_parts
from core.plan.ir.nodes import Plan
from core.plan.ir.serialization import plan_of, stored_plan
from core.plan.reading_line.parts import reading_text
from core.plan.teaching import (
    ExamplePhrase,
    MarkedQuestion,
    Marking,
    TaughtPlan,
    TaughtReading,
    checked,
    example_phrases,
    first_marking,
    marked_file,
    marked_json,
    marked_reading,
    taught_plan,
)
from core.search.classify import clean_question
from core.workbench.recorded import recorded
from core.workbench.services.base import Service
from core.workbench.services.learning import LearningService
from core.workbench.services.plans import PlanRan, PlanService

_KEPT = 4_000
_readings: Cache[tuple[str, str, bool], str] = Cache(_KEPT)  # of lessons, over a catalogue


@dataclass(frozen=True, slots=True)
class QuestionToTeach:
    """A question that went wrong. reading: as its plan read it, corrected: as it is read since; "" for none.

    marking: as it was taught, else what the plan made of its words.
    """

    lesson: Lesson
    question: str
    reading: str
    corrected: str
    marking: Marking


@dataclass(frozen=True, slots=True)
class MarkingPreview:
    """Outcome of a marking. plan: None for a problem. reading: in words; count: documents or rows.

    uncovered: words with content that no mark takes. unread: the mark that cannot be read.
    """

    plan: Plan | None
    reading: str = ""
    count: int | None = None
    uncovered: tuple[str, ...] = ()
    problem: str = ""
    next_step: str = ""
    unread: int | None = None


@dataclass(frozen=True, slots=True)
class Taught:
    """Outcome of teaching. phrases: examples that fields have now."""

    lesson: Lesson
    phrases: tuple[ExamplePhrase, ...]


@dataclass(frozen=True, slots=True)
class MarkedQuestions:
    """Questions that were taught. text: as a file of marked questions; questions: as JSON."""

    text: str
    questions: tuple[dict[str, object], ...]


class TeachingService(Service):
    """Wordings that went wrong and their teaching: users have their own, admins all.

    What a user teaches is kept for its wording, for everybody where a reviewer or an admin does; only what an
    admin teaches gives fields example phrases.
    """

    _learning = cached_property(lambda self: LearningService(self._parts, self._principal))
    _plans = cached_property(lambda self: PlanService(self._parts, self._principal))

    def wordings(self, query: WordingQuery) -> WordingPage:
        """The wordings that went wrong."""
        return self._parts.records.wordings.page(self._principal, query)

    def readings(self, wordings: Iterable[FailedWording]) -> dict[str, tuple[str, str]]:
        """By the lead of each wording, the reading that was used and the one that it was corrected to."""
        fingerprint = self._catalogue.fingerprint
        found: dict[str, tuple[str, str]] = {}
        for wording in wordings:
            version = "" if wording.corrected_at is None else wording.corrected_at.isoformat()
            key = f"{wording.lead} {version}"
            lines = [_readings.get((fingerprint, key, is_now)) for is_now in (False, True)]
            if None in lines:
                lesson = self._parts.records.lessons.get(wording.lead, self._principal)
                lines = [self._line(lesson.plan), self._line(lesson.corrected)]
                for is_now, line in zip((False, True), lines, strict=True):
                    _readings.put((fingerprint, key, is_now), line or "")
            found[wording.lead] = (lines[0] or "", lines[1] or "")
        return found

    def open(self, lesson: str) -> QuestionToTeach:
        """A question that went wrong, to be taught. Raises NotFoundError for another's."""
        found = self._parts.records.lessons.get(lesson, self._principal)
        question = clean_question(found.question)
        taught = _taught(found)
        marking = taught.marking if taught is not None else self._first(question, found)
        return QuestionToTeach(found, question, self._line(found.plan), self._line(found.corrected), marking)

    def preview(self, question: str, marking: Marking) -> MarkingPreview:
        """The reading that a marked question comes to now, with its count; nothing is kept.

        Raises UsageError where the marks do not fit the question or the schema.
        """
        made = self._made(question, marking)
        if made.plan is None:
            return MarkingPreview(None, "", None, (), made.problem, made.next_step, made.unread)
        line = reading_text(made.plan, self._catalogue)
        return MarkingPreview(made.plan, line, self._count(made.plan), made.plan.uncovered)

    @recorded("teaching.teach", "lesson")
    def teach(self, lesson: str, marking: Marking) -> Taught:
        """Read a wording as it is marked from now on; what an admin marks is an example of its field, too.

        Raises NotFoundError, UsageError where the marks make no plan, and RefusedError where a policy does
        not allow what that asks.
        """
        found = self._parts.records.lessons.get(lesson, self._principal)
        question = clean_question(found.question)
        made = self._made(question, marking)
        if made.plan is None:
            raise UsageError(made.problem, next_step=made.next_step)
        self._door.require_plan(made.plan)
        if found.taught is not None:  # what it gave is not left behind where other words are marked now
            self.take_back(lesson)
            found = self._parts.records.lessons.get(lesson, self._principal)
        phrases: list[ExamplePhrase] = []
        settled: tuple[str, ...] = ()
        if self._door.may(Action.CONFIGURE):
            offered = example_phrases(question, marking, self._catalogue)
            phrases = [each for each in offered if self._add(each)]
            for phrase in self._misread(question, made.plan, phrases):
                self._remove(phrase)
                phrases.remove(phrase)
            settled = self._settle(question, marking, found)
        reading = TaughtReading(marking=marking, phrases=tuple(phrases), settled=settled)
        shape = self._learning.shape(question)
        kept = self._parts.records.lessons.teach(
            lesson,
            self._principal,
            reading.model_dump(mode="json"),
            stored_plan(made.plan),
            shape.text,
            shape.slots,
            is_shared=self._door.may(Action.REVIEW),
        )
        self._learning.remember(kept)
        return Taught(kept, tuple(phrases))

    @recorded("teaching.take_back", "lesson")
    def take_back(self, lesson: str) -> Lesson:
        """Undo what was taught of a question: its correction, and the phrases that nothing else taught.

        Raises NotFoundError, also where it was not taught.
        """
        taught = self._parts.records.lessons.unteach(lesson, self._principal)
        self._withdraw(taught)
        return self._parts.records.lessons.get(lesson, self._principal)

    @recorded("teaching.forget", "lessons")
    def forget(self, lessons: Sequence[str]) -> None:
        """Put questions away, with what was taught of them; `bring_back` undoes that for a time."""
        for id in lessons:
            found = self._parts.records.lessons.get(id, self._principal)
            self._parts.records.lessons.forget(id, self._principal)
            self._withdraw(found)

    @recorded("teaching.bring_back", "lessons")
    def bring_back(self, lessons: Sequence[str]) -> None:
        """Undo that questions were put away. Raises NotFoundError for what is gone for good."""
        for id in lessons:
            taught = _taught(self._parts.records.lessons.bring_back(id, self._principal))
            if taught is not None and self._door.may(Action.CONFIGURE):
                for phrase in taught.phrases:
                    self._add(phrase)
                for words in taught.settled:
                    self._parts.records.lessons.settle(words, "known", self._principal.user)

    def marked(self) -> MarkedQuestions:
        """The questions that are read as they were taught, in the order in which they were.

        One whose schema, or a field of it, is gone since is left out.
        """
        leads = {each.lead for each in self._parts.records.wordings.all(self._principal) if each.is_taught}
        found = []
        for lesson in self._parts.records.lessons.taught(self._principal):
            taught = _taught(lesson) if lesson.id in leads else None
            schema = self._catalogue.schema(taught.marking.schema_name) if taught is not None else None
            if taught is None or schema is None:
                continue
            question = clean_question(lesson.question)
            try:
                reading = marked_reading(question, checked(question, taught.marking, schema))
            except UsageError:
                continue
            at = "" if lesson.corrected_at is None else lesson.corrected_at.isoformat(timespec="seconds")
            found.append(MarkedQuestion(schema, reading, lesson.corrected_by, at))
        shipped = {each.name: [f.name for f in each.fields] for each in shipped_schemas().values()}
        return MarkedQuestions(marked_file(found, shipped), tuple(marked_json(each) for each in found))

    # -- readings --------------------------------------------------------------------------------------

    def _line(self, plan: Mapping[str, object] | None) -> str:
        """A kept plan in words; "" for none, and for one of another version of this program."""
        if plan is None:
            return ""
        try:
            return reading_text(plan_of(plan), self._catalogue)
        except PlanError:
            return ""

    def _first(self, question: str, lesson: Lesson) -> Marking:
        kept = lesson.corrected or lesson.plan
        plan = None
        if kept is not None:
            with contextlib.suppress(PlanError):  # of another version of this program
                plan = plan_of(kept)
        reading = plan.reading if plan is not None else None
        return first_marking(reading or self._learning.read(question), self._catalogue)

    def _made(self, question: str, marking: Marking) -> TaughtPlan:
        checked(question, marking, self._catalogue.schema(marking.schema_name))
        context = CompileContext(self._catalogue, date.today(), counter=self._parts.words)
        return taught_plan(question, marking, context)

    def _count(self, plan: Plan) -> int | None:
        """Documents or rows that a plan lists, counts or computes over; None where it has no such set."""
        id = source_of(plan)
        if not id or plan.route is not Route.STRUCTURED:
            return None
        nodes = tuple(node for node in plan.nodes if node.id in ancestors(plan, id))
        part = plan.model_copy(update={"nodes": nodes, "answer_node": id})
        for event in self._plans.stream(part):
            if isinstance(event, PlanRan):
                given = event.results.get(id)
                if isinstance(given, Documents):
                    return len(given.present)
                return given.counted if isinstance(given, QueryTable) else None
        return None

    # -- phrases ---------------------------------------------------------------------------------------

    def _add(self, phrase: ExamplePhrase) -> bool:
        """Give a field a phrase; False where it cannot have it."""
        schemas = self._parts.schemas.schemas()
        schema = next((each for each in schemas if each.name == phrase.schema_name), None)
        if schema is None or schema.field(phrase.field) is None or _means_other(schema, phrase):
            return False
        try:
            self._parts.schema_editor.add_phrase(schema.name, phrase.field, phrase.text)
        except SettingsError:
            return False
        return True

    def _remove(self, phrase: ExamplePhrase) -> None:
        try:
            self._parts.schema_editor.remove_phrase(phrase.schema_name, phrase.field, phrase.text)
        except NotFoundError:
            return  # somebody took it away, or the field, in the meantime

    def _misread(self, question: str, plan: Plan, phrases: Sequence[ExamplePhrase]) -> list[ExamplePhrase]:
        """The phrases that are now read as the opposite: "unlimited" says that there is no cap."""
        planned = self._parts.planners.planner(self._catalogue).plan(question) if phrases else None
        wanted, read = _polarities(plan), _polarities(planned) if isinstance(planned, Plan) else {}
        return [
            each
            for each in phrases
            if each.field in read and each.field in wanted and read[each.field] is not wanted[each.field]
        ]

    def _settle(self, question: str, marking: Marking, lesson: Lesson) -> tuple[str, ...]:
        """Take the words that are marked now off the list of those that nobody knows."""
        marked = [question[mark.start : mark.end].casefold() for mark in marking.marks]
        found = tuple(words for words in lesson.uncovered if any(words.casefold() in each for each in marked))
        for words in found:
            self._parts.records.lessons.settle(words, "known", self._principal.user)
        return found

    def _withdraw(self, lesson: Lesson) -> None:
        """Take the phrases of a lesson away that no other one gave, and count its words again."""
        taught = _taught(lesson)
        if taught is None or not self._door.may(Action.CONFIGURE):
            return
        others = {
            phrase
            for each in self._parts.records.lessons.taught(self._principal)
            if each.id != lesson.id and (other := _taught(each)) is not None
            for phrase in other.phrases
        }
        for phrase in taught.phrases:
            if phrase not in others:
                self._remove(phrase)
        for words in taught.settled:
            self._parts.records.lessons.unsettle(words)


def _taught(lesson: Lesson) -> TaughtReading | None:
    if lesson.taught is None:
        return None
    try:
        return TaughtReading.model_validate(lesson.taught)
    except ValidationError:
        return None  # of another version of this program


def _means_other(schema: Schema, phrase: ExamplePhrase) -> bool:
    """True where words mean another field of a schema already."""
    others = (each for each in schema.fields if each.name != phrase.field)
    names = (name for each in others for name in (each.title, *each.synonyms, *each.phrases))
    return phrase.text.casefold() in (name.casefold() for name in names)


def _polarities(plan: Plan) -> dict[str, bool]:
    """By field, whether the conditions of a plan want something there."""
    found: dict[str, bool] = {}
    for node in plan.nodes:
        for clause in node.conditions if isinstance(node, SelectionNode) else ():
            for each in clause_parts(clause):
                is_there = each.op is not Operator.MISSING and each.value != "false"
                found.setdefault(each.field, is_there)
    return found
