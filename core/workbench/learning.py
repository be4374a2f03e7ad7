"""What is learned from questions that went wrong: corrections for the planner, and words that it lacks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from core.config.fields import FieldDefinition, Schema
from core.domain.answer import Answer, Route, Status
from core.domain.audit import Audit, Lesson, Outcome, Parameter, UncoveredPhrase
from core.domain.conversation import Turn
from core.domain.event import Event, Finished
from core.domain.ids import TurnId
from core.domain.principal import LOCAL_ADMIN, Principal
from core.errors import NotFoundError, RecordsError, UsageError
from core.plan.ir.nodes import Plan
from core.plan.ir.validate import check
from core.plan.learned import LearnedPlanner
from core.plan.planner import RulePlanner
from core.records.database.visibility import Visibility
from core.records.work.corrections import Failed
from core.workbench.access import require_admin
from core.workbench.audits import AuditCalls, stored_plan
from core.workbench.corrections import PastCorrections
from core.workbench.wiring import Parts

_OUTCOMES: dict[Status, Outcome] = {Status.ABSTAINED: "abstained", Status.CLARIFY: "clarified"}


class LearningCalls(AuditCalls):
    """What Workbench offers to learn from failures: everybody sees their own questions, admins all."""

    _parts: Parts

    def lessons(
        self, principal: Principal = LOCAL_ADMIN, *, limit: int = 200, only_corrected: bool = False
    ) -> list[Lesson]:
        """Questions that were rejected, abstained from, asked back or left something out, newest first."""
        return self._parts.records.lessons.list(principal, limit, only_corrected=only_corrected)

    def correct(
        self, question: str, plan: Plan, principal: Principal = LOCAL_ADMIN, *, lesson: str = ""
    ) -> Lesson:
        """Teach what a question should have been planned as; questions like it are planned so from now on.

        lesson: the id of the failure that this corrects; "" for the last one of these words, or a new one.
        Raises PlanError where the plan cannot run, NotFoundError.
        """
        check(plan, self._parts.catalogues.load(Visibility.of(principal)))
        lessons = self._parts.records.lessons
        known = lessons.latest(question, principal.user) if not lesson else None
        id = lesson or (known.id if known is not None else "")
        if not id:
            trace = f"taught {principal.user} {question}"
            failed = self._failed(question, None, "rejected", "", trace, (), principal)
            id = lessons.note(failed, principal.user)
        said = plan.question if plan.question != question else ""
        return self._correct(id, principal, plan, said)

    def forget_lesson(self, lesson: str, principal: Principal = LOCAL_ADMIN) -> None:
        """Delete a failure with its correction: questions like it are planned by the rules again."""
        self._parts.records.lessons.forget(lesson, principal)

    def uncovered(self, principal: Principal = LOCAL_ADMIN, *, limit: int = 50) -> list[UncoveredPhrase]:
        """The words of questions that no condition took, the most frequent first, with example questions."""
        return self._parts.records.lessons.uncovered(principal, limit)

    def add_synonym(
        self, field: str, phrase: str, principal: Principal = LOCAL_ADMIN, *, schema: str = ""
    ) -> FieldDefinition:
        """Let a phrase mean a field from now on; the planner knows it with the next question.

        schema: where several have a field of that name; "" for the first. Nothing is extracted anew. Raises
        RefusedError, NotFoundError, and UsageError where the phrase means something already.
        """
        require_admin(principal, "change schemas")
        said = " ".join(phrase.split()).casefold()
        if not said or len(said) > 100:
            raise UsageError(
                "A synonym has 1 to 100 characters.", next_step="Write the words as people say them."
            )
        found, definition = self._field(field, schema)
        _require_free(found, definition, said)
        changed = definition.model_copy(update={"synonyms": (*definition.synonyms, said)})
        self._parts.schema_editor.change_field(found.name, changed)
        self._parts.records.lessons.settle(said, "known", principal.user)
        return changed

    def remove_synonym(
        self, field: str, phrase: str, principal: Principal = LOCAL_ADMIN, *, schema: str = ""
    ) -> FieldDefinition:
        """Take back what `add_synonym` added; the phrase is counted again with the questions that had it.

        Raises RefusedError, NotFoundError, and UsageError where the field has no such synonym.
        """
        require_admin(principal, "change schemas")
        said = " ".join(phrase.split()).casefold()
        found, definition = self._field(field, schema)
        kept = tuple(each for each in definition.synonyms if each.casefold() != said)
        if len(kept) == len(definition.synonyms):
            raise UsageError(
                f"{said!r} is no synonym of {definition.title!r}.", next_step="See the schemas for them."
            )
        changed = definition.model_copy(update={"synonyms": kept})
        self._parts.schema_editor.change_field(found.name, changed)
        self._parts.records.lessons.unsettle(said)
        return changed

    def ignore_phrase(self, phrase: str, principal: Principal = LOCAL_ADMIN, *, undo: bool = False) -> None:
        """Leave words out of `uncovered` for good, or count them again. Raises RefusedError."""
        require_admin(principal, "ignore uncovered phrases")
        if undo:
            self._parts.records.lessons.unsettle(phrase)
        else:
            self._parts.records.lessons.settle(phrase, "ignored", principal.user)

    def ignored_phrases(self, principal: Principal = LOCAL_ADMIN) -> list[str]:
        """The words that admins ignore, by their letters; raises RefusedError."""
        require_admin(principal, "see ignored phrases")
        return self._parts.records.lessons.ignored()

    def give_feedback(
        self, turn: TurnId, feedback: Literal["right", "wrong", ""], principal: Principal = LOCAL_ADMIN
    ) -> Turn:
        """Keep whether the answer was right; a plan whose answer was wrong is kept to learn from."""
        given = self._parts.records.conversations.give_feedback(turn, feedback, principal.user)
        answer = given.answer
        if answer is not None:
            lessons = self._parts.records.lessons
            if feedback == "wrong":
                self._note(answer, "rejected", self._uncovered(answer, principal), (), principal)
            else:
                lessons.withdraw(answer.trace_id, principal.user)
        return given

    def save_audit(
        self,
        plan: Plan,
        name: str,
        principal: Principal = LOCAL_ADMIN,
        *,
        acl: Sequence[str] | None = None,
        parameters: Sequence[Parameter] | None = None,
    ) -> Audit:
        """Keep a plan under a name; see `AuditCalls`. It also corrects its question where that went wrong."""
        made = super().save_audit(plan, name, principal, acl=acl, parameters=parameters)
        failed = self._parts.records.lessons.latest(plan.question, principal.user)
        if failed is not None and failed.corrected is None:
            self._correct(failed.id, principal, plan)
        return made

    # -- noticing ----------------------------------------------------------------------------------------

    def _watched(
        self,
        events: Iterator[Event],
        principal: Principal,
        buckets: Sequence[str],
    ) -> Iterator[Event]:
        """The events of a question as they come; once it is answered, what went wrong is noted.

        What somebody chose of several meanings is no correction: it holds in that conversation, and the next
        one is asked anew.
        """
        for event in events:
            yield event
            if isinstance(event, Finished):
                self._learn(event.answer, principal, tuple(buckets))

    def _learn(self, answer: Answer, principal: Principal, buckets: tuple[str, ...]) -> None:
        try:
            uncovered = self._uncovered(answer, principal)
            outcome = _OUTCOMES.get(answer.status) or ("uncovered" if uncovered else None)
            if outcome is not None:
                self._note(answer, outcome, uncovered, buckets, principal)
        except RecordsError:
            return  # the answer is there; that nothing was learned from it is no part of it

    def _correct(self, id: str, principal: Principal, plan: Plan, said: str = "") -> Lesson:
        lesson = self._parts.records.lessons.correct(id, principal, stored_plan(plan), said)
        self._learned(principal).remember(lesson.id, lesson.question, lesson.shape)
        return lesson

    def _note(
        self,
        answer: Answer,
        outcome: Outcome,
        uncovered: tuple[str, ...],
        buckets: tuple[str, ...],
        principal: Principal,
    ) -> None:
        plan = Plan.model_validate(answer.plan) if answer.plan else None
        trace, status = answer.trace_id, answer.status.value
        failed = self._failed(answer.question, plan, outcome, status, trace, uncovered, principal, buckets)
        self._parts.records.lessons.note(failed, principal.user)

    def _failed(
        self,
        question: str,
        plan: Plan | None,
        outcome: Outcome,
        status: str,
        trace: str,
        uncovered: tuple[str, ...],
        principal: Principal,
        buckets: tuple[str, ...] = (),
    ) -> Failed:
        shape = self._learned(principal).shape(question)
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

    def _uncovered(self, answer: Answer, principal: Principal) -> tuple[str, ...]:
        """The words of a question that no condition took, or that nothing is called by."""
        found = list(answer.plan.get("uncovered", ())) if answer.plan else []
        if answer.route is not Route.STRUCTURED:  # of a search: words of the question that no passage has
            gaps = [gap for gap in answer.gaps if gap.casefold() in answer.question.casefold()]
            found += [words for gap in gaps if (words := self._learned(principal).without_nouns(gap))]
        asked = answer.clarification
        if asked is not None and asked.type == "no_low" and asked.phrase:
            found.append(asked.phrase)
        return tuple(dict.fromkeys(found))

    def _learned(self, principal: Principal) -> LearnedPlanner:
        parts = self._parts
        catalogue = parts.catalogues.load(Visibility.of(principal))
        rules = RulePlanner(catalogue, parts.meanings, words=parts.words)
        past = PastCorrections(parts.records.lessons, lambda: parts.query_encoder)
        return LearnedPlanner(catalogue, rules, past, lambda: parts.query_encoder, words=parts.words)

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
        if phrase in (each.title.casefold(), *(known.casefold() for known in each.synonyms)):
            if each.name == definition.name:
                raise UsageError(
                    f"{phrase!r} means {each.title!r} already.", next_step="Nothing is to be done."
                )
            raise UsageError(
                f"{phrase!r} means {each.title!r} in this schema.",
                next_step="Take it out of that field first, or choose other words.",
            )
