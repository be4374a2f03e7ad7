"""Failed questions, the corrections that planners learn from, and words that no condition took."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from core.config.fields import FieldDefinition, Schema
from core.domain.answer import Answer, Status
from core.domain.audit import Lesson, Outcome, UncoveredPhrase
from core.domain.trust.permission import Action
from core.errors import NotFoundError, RecordsError, UsageError
from core.plan.corrections import LearnedPlanner, QuestionShape
from core.plan.ir.graph_edits import in_buckets
from core.plan.ir.hashing import result_hash
from core.plan.ir.nodes import Plan
from core.plan.ir.serialization import plan_of, stored_plan
from core.plan.ir.validate import check
from core.plan.reading import Reading
from core.store.conversations.corrections import Corrected, Failed
from core.workbench.recorded import recorded
from core.workbench.runs.past_tries import uncovered_words
from core.workbench.services.base import Service

_LONGEST = 100  # characters of words that are made known one by one
_OUTCOMES: dict[Status, Outcome] = {Status.ABSTAINED: "abstained", Status.CLARIFY: "clarified"}


class LearningService(Service):
    """Failures and corrections: users have their own, admins all.

    What a reviewer or an admin corrects is read so for everybody; what anybody else does, for themselves.
    """

    def failures(self, *, limit: int = 200, only_corrected: bool = False) -> list[Lesson]:
        """Questions that were rejected, abstained from, asked back or left something out, newest first."""
        return self._parts.records.lessons.list(self._principal, limit, only_corrected=only_corrected)

    @recorded("learning.correct")
    def correct(self, question: str, plan: Plan, *, lesson: str = "") -> Lesson:
        """Teach what a question should have been planned as; questions like it are planned so from now on.

        lesson: the id of the failure that this corrects; "" for the last one of these words, or a new one.
        Raises PlanError where the plan cannot run, NotFoundError, and RefusedError where a policy does not
        allow what its nodes ask: it is going to answer for others, too.
        """
        check(plan, self._catalogue)
        self._door.require_plan(plan)
        lessons = self._parts.records.lessons
        known = lessons.latest(question, self._principal.user) if not lesson else None
        id = lesson or (known.id if known is not None else "")
        if not id:
            trace = f"taught {self._principal.user} {question}"
            failed = self._failed(question, None, "rejected", "", trace, ())
            id = lessons.note(failed, self._principal.user)
        said = plan.question if plan.question != question else ""
        return self._correct(id, plan, said)

    @recorded("learning.reread")
    def reread(self, first: Answer, plan: Plan | None, chosen: Plan) -> None:
        """Read the wording of a question as it was chosen from now on. plan: as it was read first."""
        uncovered = () if plan is None else plan.uncovered
        before = None if plan is None else self._uncorrected(first.question, plan)
        failed = self._failed(first.question, before, "reread", first.status.value, first.trace_id, uncovered)
        id = self._parts.records.lessons.note(failed, self._principal.user)
        self._correct(id, in_buckets(chosen, ()))  # those of a conversation are no part of a wording

    def _uncorrected(self, question: str, plan: Plan) -> Plan | None:
        """The plan as it was made at first, where this one is itself what the question was corrected to."""
        for known in self._corrections_of(self._learned().shape(question).text):
            is_used = known.question == question and result_hash(plan_of(known.corrected)) == result_hash(
                plan
            )
            if is_used:
                return None if known.plan is None else plan_of(known.plan)
        return plan

    def used(self, question: str, plan: Plan) -> str:
        """The id of the correction that a plan of a question was taken from; "" for none to be forgotten."""
        shape = self._learned().shape(question).text
        for known in self._corrections_of(shape, question):
            is_own = self._principal.is_admin or known.by == self._principal.user
            if is_own and result_hash(plan_of(known.corrected)) == result_hash(plan):
                return known.id
        return ""

    @recorded("learning.unlearn", "trace")
    def unlearn(self, trace: str) -> None:
        """Read a wording as before, whose reading was changed at the answer of that trace."""
        self._parts.records.lessons.withdraw(trace, self._principal.user, "reread")

    def is_learned(self, trace: str, plan: Plan | None = None) -> bool:
        """True where a wording is read as it was changed at the answer of that trace (to this very plan)."""
        lesson = self._parts.records.lessons.of_trace(trace, self._principal.user)
        if lesson is None or lesson.corrected is None:
            return False
        return plan is None or result_hash(plan_of(lesson.corrected)) == result_hash(plan)

    def documents_in(self, question: str) -> frozenset[str]:
        """The ids of the documents that a question names itself."""
        return frozenset(self._learned().shape(question).slots.values())

    @recorded("learning.forget", "lesson")
    def forget(self, lesson: str) -> None:
        """Delete a failure with its correction: questions like it are planned as before."""
        self._parts.records.lessons.forget(lesson, self._principal)

    def uncovered(self, *, limit: int = 50) -> list[UncoveredPhrase]:
        """The words of questions that no condition took, the most frequent first, with example questions."""
        return self._parts.records.lessons.uncovered(self._principal, limit)

    @recorded("learning.add_phrase", "field", "schema")
    def add_phrase(self, field: str, phrase: str, *, schema: str = "") -> FieldDefinition:
        """Let words mean a field from now on; readers of questions know them with the next question.

        schema: where several have a field of that name; "" for the first. Nothing is extracted anew. Raises
        RefusedError, NotFoundError, and UsageError where the words mean something already.
        """
        self._permit(Action.CONFIGURE, "change schemas")
        said = " ".join(phrase.split()).casefold()
        if not said or len(said) > _LONGEST:
            raise UsageError(
                f"A phrase has 1 to {_LONGEST} characters.", next_step="Write the words as people say them."
            )
        found, definition = self._field(field, schema)
        _require_free(found, definition, said)
        self._parts.schema_editor.add_phrase(found.name, definition.name, said)
        self._parts.records.lessons.settle(said, "known", self._principal.user)
        return self._field(field, found.name)[1]

    @recorded("learning.remove_phrase", "field", "schema")
    def remove_phrase(self, field: str, phrase: str, *, schema: str = "") -> FieldDefinition:
        """Take back what `add_phrase` added; the words are counted again with the questions that had them.

        Raises RefusedError, and NotFoundError, also where the field has no such phrase.
        """
        self._permit(Action.CONFIGURE, "change schemas")
        said = " ".join(phrase.split()).casefold()
        found, definition = self._field(field, schema)
        self._parts.schema_editor.remove_phrase(found.name, definition.name, said)
        self._parts.records.lessons.unsettle(said)
        return self._field(field, found.name)[1]

    @recorded("learning.ignore_phrase", "undo")
    def ignore_phrase(self, phrase: str, *, undo: bool = False) -> None:
        """Leave words out of `uncovered` for good, or count them again. Raises RefusedError."""
        self._permit(Action.CONFIGURE, "ignore uncovered phrases")
        if undo:
            self._parts.records.lessons.unsettle(phrase)
        else:
            self._parts.records.lessons.settle(phrase, "ignored", self._principal.user)

    def ignored_phrases(self) -> list[str]:
        """The words that admins ignore, by their letters; raises RefusedError."""
        self._permit(Action.CONFIGURE, "see ignored phrases")
        return self._parts.records.lessons.ignored()

    @recorded("learning.adopt")
    def adopt(self, plan: Plan) -> None:
        """Take a plan that was saved as the correction of its question, where that went wrong."""
        failed = self._parts.records.lessons.latest(plan.question, self._principal.user)
        if failed is not None and failed.corrected is None and self._door.refusal(plan) is None:
            self._correct(failed.id, plan)

    def learn(self, answer: Answer, buckets: tuple[str, ...]) -> None:
        """Note a question that was abstained from, asked back, or not wholly covered."""
        try:
            uncovered = self.uncovered_words(answer)
            outcome = _OUTCOMES.get(answer.status) or ("uncovered" if uncovered else None)
            if outcome is not None:
                self.note(answer, outcome, uncovered, buckets)
        except RecordsError:
            return  # the answer is there; that nothing was learned from it is no part of it

    def read(self, question: str) -> Reading:
        """The reading of a question, whatever was learned of it."""
        return self._learned().read(question)

    def shape(self, question: str) -> QuestionShape:
        """The shape of a question as it is read now."""
        return self._learned().shape(question)

    def remember(self, lesson: Lesson) -> None:
        """Make and keep the vectors of a question that was corrected."""
        self._learned().remember(lesson.id, lesson.question, lesson.shape)

    def _correct(self, id: str, plan: Plan, said: str = "") -> Lesson:
        lesson = self._parts.records.lessons.correct(
            id, self._principal, stored_plan(plan), said, is_shared=self._door.may(Action.REVIEW)
        )
        self.remember(lesson)
        return lesson

    def _corrections_of(self, shape: str, question: str = "") -> Sequence[Corrected]:
        return self._parts.records.lessons.corrections(shape, self._visible, question)

    def note(
        self, answer: Answer, outcome: Outcome, uncovered: tuple[str, ...], buckets: tuple[str, ...]
    ) -> None:
        """Keep an answer that went wrong, with its plan and the words that nothing took."""
        plan = Plan.model_validate(answer.plan) if answer.plan else None
        trace, status = answer.trace_id, answer.status.value
        failed = self._failed(answer.question, plan, outcome, status, trace, uncovered, buckets)
        self._parts.records.lessons.note(failed, self._principal.user)

    def _failed(
        self,
        question: str,
        plan: Plan | None,
        outcome: Outcome,
        status: str,
        trace: str,
        uncovered: tuple[str, ...],
        buckets: tuple[str, ...] = (),
    ) -> Failed:
        shape = self._learned().shape(question, plan)
        return Failed(
            trace=trace,
            question=question,
            outcome=outcome,
            status=status,
            plan=None if plan is None else stored_plan(plan),
            uncovered=uncovered,
            shape=shape.text,
            slots=dict(shape.slots),
            buckets=buckets,
        )

    def uncovered_words(self, answer: Answer) -> tuple[str, ...]:
        """Words of a question that no condition took, or that nothing is called by."""
        learned = cache(self._learned)  # once, and where there is such a word
        return uncovered_words(answer, lambda words: learned().without_nouns(words))

    def _learned(self) -> LearnedPlanner:
        return self._parts.planners.of(self._catalogue, self._visible)

    def _field(self, name: str, schema: str) -> tuple[Schema, FieldDefinition]:
        for each in self._parts.schemas.schemas():
            definition = each.field(name) if schema in ("", each.name) else None
            if definition is not None:
                return each, definition
        where = f" in schema {schema!r}" if schema else ""
        raise NotFoundError(
            f"There is no field {name!r}{where}.", next_step="See the schemas for their fields."
        )


def _require_free(schema: Schema, definition: FieldDefinition, phrase: str) -> None:
    for each in schema.fields:
        known = (each.title, *each.synonyms, *each.phrases)
        if phrase in (name.casefold() for name in known):
            if each.name == definition.name:
                raise UsageError(
                    f"{phrase!r} means {each.title!r} already.", next_step="Nothing is to be done."
                )
            raise UsageError(
                f"{phrase!r} means {each.title!r} in this schema.",
                next_step="Take it out of that field first, or choose other words.",
            )
