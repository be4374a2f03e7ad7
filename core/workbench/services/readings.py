"""Readings of questions: looked at, changed part by part, chosen among several, put back, and remembered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from core.answer.computed.scope import is_of_kind, scopes_of
from core.ask.request import Question
from core.domain.answer import Answer, AnswerChoice, OtherReading
from core.domain.conversation import Turn
from core.domain.ids import ConversationId, TurnId
from core.errors import NotFoundError, UsageError
from core.plan.catalogue import Catalogue
from core.plan.compile.conversion import converted
from core.plan.conversation_state import plan_read
from core.plan.corrections import correction_said
from core.plan.ir.graph_edits import with_node
from core.plan.ir.hashing import result_hash
from core.plan.ir.nodes import Plan, ScopedNode, SelectionNode
from core.plan.ir.serialization import plan_of, stored_plan
from core.plan.ir.validate import validate
from core.plan.reading_line.changes import ReadingChange, changed, worded
from core.plan.reading_line.choices import ReadingChoices, choices_of
from core.plan.reading_line.parts import reading_parts, reading_text
from core.search.classify import clean_question
from core.workbench.recorded import recorded
from core.workbench.services.base import Service
from core.workbench.services.learning import LearningService


@dataclass(frozen=True, slots=True)
class TurnPart:
    """An answer to look at: of a turn, or of one of the questions that it was made of."""

    turn: Turn
    answer: Answer
    number: int | None = None


class ReadingService(Service):
    """Readings of the principal's own turns; what is run for them is run as that principal."""

    _learning = cached_property(lambda self: LearningService(self._parts, self._principal))

    def choices(
        self, conversation: ConversationId, turn: TurnId, number: int | None = None
    ) -> ReadingChoices:
        """The fields, values and documents that the parts of a reading can be changed to."""
        plan = _plan(self._part(conversation, turn, number).answer)
        return choices_of(plan, self._catalogue, self._parts.reader)

    @recorded("reading.change", "conversation", "turn")
    def change(
        self, conversation: ConversationId, turn: TurnId, change: ReadingChange, number: int | None = None
    ) -> Turn:
        """Change a part of a reading; the answer of the turn is then that of the new reading.

        number: which of several questions in one. The wording is read so from now on, but for a value that
        the question says word for word. Raises UsageError with the reason where that cannot be.
        """
        part = self._part(conversation, turn, number)
        before = _plan(part.answer)
        plan = changed(before, change, self._catalogue, date.today())
        is_try = change.action == "value" and self._is_said(part.answer.question, before, change)
        return self._reread(part, plan, part.answer.other_readings, is_try=is_try)

    def of_all_kinds(self, conversation: ConversationId, turn: TurnId, number: int | None = None) -> Plan:
        """The plan of an answer over documents of every kind of what it counts, to be asked; none is run.

        Raises UsageError where it cannot run so.
        """
        plan = of_all_kinds(_plan(self._part(conversation, turn, number).answer), self._catalogue)
        self._require_runs(plan)
        return plan

    def converted(
        self, conversation: ConversationId, turn: TurnId, into: str, number: int | None = None
    ) -> Plan:
        """The plan of an answer with its amounts in one currency, to be asked; none is run.

        Raises UsageError where it cannot run so, such as without rates.
        """
        plan = converted(_plan(self._part(conversation, turn, number).answer), into, self._catalogue)
        if plan is None:
            raise UsageError("It holds no amounts of money.", next_step="Ask for amounts.")
        self._require_runs(plan)
        return plan.model_copy(update={"reading": None})

    @recorded("reading.choose", "conversation", "turn")
    def choose(
        self, conversation: ConversationId, turn: TurnId, reading: int, number: int | None = None
    ) -> Turn:
        """Take another reading that the answer offers; the one before is offered instead."""
        part = self._part(conversation, turn, number)
        others = list(part.answer.other_readings)
        if not 0 <= reading < len(others):
            raise UsageError("This reading is not offered any more.", next_step="Open the answer anew.")
        plan, before = plan_of(others[reading].plan), _plan(part.answer)
        text = reading_text(before, self._catalogue)
        others[reading] = OtherReading(text=text, count=_count(part.answer), plan=stored_plan(before))
        return self._reread(part, plan.model_copy(update={"question": before.question}), others)

    @recorded("reading.restore", "conversation", "turn")
    def restore(self, conversation: ConversationId, turn: TurnId) -> Turn:
        """Put the answer back to the question as it was first read, and forget what was kept of changes."""
        found = self._part(conversation, turn, None).turn
        if found.first is not None:
            self._learning.unlearn(found.first.trace_id)
        return self._mask.turn(self._parts.records.conversations.restore_answer(turn, self._principal.user))

    def is_remembered(self, turn: Turn) -> bool:
        """True where the wording of a turn is read from now on as it was changed."""
        if turn.first is None or turn.answer is None or turn.answer.parts:
            return False
        return self._learning.is_learned(turn.first.trace_id, _plan(turn.answer))

    @recorded("reading.forget", "conversation", "turn")
    def forget(self, conversation: ConversationId, turn: TurnId) -> None:
        """Keep the answer of a turn as it is, and read the wording as before it was changed."""
        found = self._part(conversation, turn, None)
        lesson = self._used(found.turn)
        if found.turn.first is not None:
            self._learning.unlearn(found.turn.first.trace_id)
        elif lesson:
            self._learning.forget(lesson)

    def is_reused(self, turn: Turn) -> bool:
        """True where a turn was read anew as its wording was changed earlier, and that can be forgotten."""
        return bool(self._used(turn))

    def _used(self, turn: Turn) -> str:
        """The id of the earlier change by which a turn was read; "" for none."""
        if turn.first is not None or turn.answer is None or turn.answer.parts:
            return ""
        plan = plan_read(turn.answer.plan)
        if plan is None or not correction_said(plan):
            return ""
        return self._learning.used(turn.answer.question, plan)

    @recorded("reading.choose", "conversation", "turn")
    def option(
        self, conversation: ConversationId, turn: TurnId, option: int, number: int | None = None
    ) -> AnswerChoice:
        """A choice of a question back; where it is a whole plan, the wording is read so from now on.

        Raises UsageError where there is none, or its plan cannot run.
        """
        part = self._part(conversation, turn, number)
        back = part.answer.clarification
        if back is None or not 0 <= option < len(back.options):
            raise UsageError("This choice is not offered any more.", next_step="Ask the question again.")
        choice = back.options[option]
        if choice.plan is not None:
            plan = plan_of(choice.plan)
            self._require_runs(plan)
            if number is None and self._is_own(part.turn, plan):
                self._learning.reread(part.answer, None, plan)
        return choice

    def _reread(
        self, part: TurnPart, plan: Plan, others: Sequence[OtherReading], *, is_try: bool = False
    ) -> Turn:
        """Run a plan for a turn in place of the one before, and keep it as the reading of its wording.

        is_try: it only tries another value, as does all that is changed after it.
        """
        self._require_runs(plan)
        conversations, user = self._parts.records.conversations, self._principal.user
        first = part.turn.first or part.turn.answer
        assert first is not None  # a turn without an answer has no parts
        is_kept = part.turn.first is None or self.is_remembered(part.turn)
        if part.number is None and self._is_first(plan, first):
            return self.restore(part.turn.conversation, part.turn.id)
        buckets = conversations.get(part.turn.conversation, user).buckets
        asked = Question(part.answer.question, self._principal, tuple(buckets), plan=plan)
        kept = tuple(each for each in others if result_hash(plan_of(each.plan)) != result_hash(plan))
        now = self._parts.orchestrator.ask(asked).model_copy(update={"other_readings": kept})
        turn = conversations.replace_answer(part.turn.id, _with_part(part, now), user)
        if is_kept and not is_try and part.number is None and self._is_own(part.turn, plan):
            self._learning.reread(first, _plan(first), plan)
        return self._mask.turn(turn)

    def _is_first(self, plan: Plan, first: Answer) -> bool:
        """True where a plan is read as the one of the first answer is, after all."""
        return reading_text(plan, self._catalogue) == reading_text(_plan(first), self._catalogue)

    def _is_said(self, question: str, plan: Plan, change: ReadingChange) -> bool:
        """True where the value that is changed stands in the question word for word: it was not misread."""
        parts = reading_parts(plan, self._catalogue)
        at = (change.node, change.kind, change.places)
        value = next((each.value for each in parts if (each.node, each.kind, each.places) == at), "")
        return bool(value) and _words(value) in _words(question)

    def _is_own(self, turn: Turn, plan: Plan) -> bool:
        """True where a question means the same whenever it is asked: it leans on no earlier one, and its plan
        names no documents but those that it names itself.
        """
        first = turn.first or turn.answer
        assert first is not None  # a turn without an answer has no reading
        named = {id for node in plan.nodes if isinstance(node, ScopedNode) for id in node.scope.documents}
        said = _words(clean_question(turn.question))
        wholes = {_words(first.question), _words(str((first.plan or {}).get("question", first.question)))}
        is_alone = wholes == {said} and not first.standalone
        return is_alone and named <= self._learning.documents_in(turn.question)

    def _require_runs(self, plan: Plan) -> None:
        """Raises UsageError with the first reason why a plan cannot run for this principal, RefusedError."""
        for problem in validate(plan, self._catalogue):
            raise UsageError(problem.message, next_step=problem.next_step)
        self._door.require_plan(plan)

    def _part(self, conversation: ConversationId, turn: TurnId, number: int | None) -> TurnPart:
        turns = self._turns(conversation)
        found = next((each for each in turns if each.id == turn), None)
        if found is None or found.answer is None:
            raise NotFoundError(f"There is no answer {turn!r} of yours.", next_step="Ask the question again.")
        if number is None:
            return TurnPart(found, found.answer)
        if not 0 <= number < len(found.answer.parts):
            raise NotFoundError("The answer has no such part.", next_step="Open it anew.")
        return TurnPart(found, found.answer.parts[number], number)


def of_all_kinds(plan: Plan, catalogue: Catalogue) -> Plan:
    """The plan over documents of every kind of its schemas, its nodes worded anew.

    What only finds a value to compare with (the limit that a policy sets) stays of its kind.
    """
    assert plan.answer_node is not None
    nodes = {each.id: each for each in plan.nodes}
    changed: list[str] = []
    for node in scopes_of(nodes[plan.answer_node], nodes):
        if isinstance(node, SelectionNode) and any(map(is_of_kind, node.conditions)):
            kept = tuple(each for each in node.conditions if not is_of_kind(each))
            plan = with_node(plan, node.model_copy(update={"conditions": kept}))
            changed.append(node.id)
    return worded(plan, catalogue, *changed)


def _plan(answer: Answer) -> Plan:
    if not (answer.plan or {}).get("nodes"):
        raise UsageError("This answer rests on no plan.", next_step="Ask the question again.")
    return plan_of(answer.plan or {})


def _count(answer: Answer) -> int | None:
    """Documents or rows of an answer, as another reading of it counts them."""
    if answer.ledger is not None:
        return answer.ledger.present
    return len(answer.table.rows) if answer.table is not None else None


def _with_part(part: TurnPart, now: Answer) -> Answer:
    """The whole answer of a turn, with a new answer in the place of one."""
    whole = part.turn.answer
    if part.number is None or whole is None:
        return now
    parts = tuple(now if at == part.number else each for at, each in enumerate(whole.parts))
    return whole.model_copy(update={"parts": parts})


def _words(text: str) -> str:
    return " ".join("".join(each if each.isalnum() else " " for each in text.casefold()).split())
