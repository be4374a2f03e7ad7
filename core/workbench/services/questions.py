"""Questions with their answers, and conversations of them."""

from __future__ import annotations

from collections.abc import Collection, Generator, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from core.answer.export import Export, export_of, export_of_all, has_list
from core.ask.request import Question, QuestionHandle
from core.domain.answer import Answer, Citation
from core.domain.conversation import Conversation, Turn, TurnState, find_turn
from core.domain.event import Answered, Event, Finished, StageFinished, Trace, last_answer
from core.domain.fields import PromiseLevel, Quote
from core.domain.ids import ConversationId, DocumentId, TraceId, TurnId, document_id
from core.domain.span import PageSpan
from core.domain.trust.review import FEEDBACK_REASONS, Feedback, FeedbackWord, Flag, FlagReason
from core.errors import NotFoundError, RecordsError, UsageError
from core.guard.question_guard import masked_question
from core.review.flags import answer_in, flagged
from core.store.database.visibility import Visibility
from core.store.store import Records
from core.workbench.exports.exported_cell import place_address
from core.workbench.recorded import recorded
from core.workbench.services.base import Service, watched
from core.workbench.services.learning import LearningService


class QuestionService(Service):
    """Answers to questions, and what becomes of them."""

    _learning = cached_property(lambda self: LearningService(self._parts, self._principal))

    def trace(self, trace: TraceId) -> Trace:
        """Trace of one of this principal's questions. Raises NotFoundError."""
        return self._mask.trace(self._parts.records.traces.get(trace, self._principal.user))

    def kept(self, trace: TraceId) -> Answer:
        """The answer of one of this principal's questions, as its trace has it.

        Raises NotFoundError, and RefusedError where its plan would be refused now.
        """
        found = _answer_of(self.trace(trace))
        if found is None:
            raise NotFoundError("This question was not answered.", next_step="Ask it again.")
        return self.allowed(found)

    def allowed(self, answer: Answer) -> Answer:
        """The answer, where its plan would be allowed now. Raises RefusedError."""
        self._permit_answer(answer)
        return answer

    def starters(self) -> list[str]:
        """Starter questions that documents which this principal may see answer; [] where there are none."""
        return starters(self._parts.records, self._visible)

    def ask(
        self, question: Question | str, *, handle: QuestionHandle | None = None, **options: Any
    ) -> Answer:
        """The answer to a question; see `stream`."""
        return last_answer(self.stream(question, handle=handle, **options))

    def stream(
        self, question: Question | str, *, handle: QuestionHandle | None = None, **options: Any
    ) -> Iterator[Event]:
        """Typed events of one question, the last one with the Answer; safe to close at any yield.

        options: of a question that is given by its words, the fields of `Question`; whoever it names, it is
        asked as this principal. Raises PlanError where the plan that was chosen for it cannot run. handle:
        stops it from another thread, and is told at once what it waits for.
        """
        if isinstance(question, str):
            question = Question(question, self._principal, **options)
        earlier = tuple(self._earlier(question))
        if question.plan is not None:
            self._check(question.plan)
        events = self._parts.orchestrator.stream(
            replace(question, principal=self._principal, buckets=tuple(question.buckets), history=earlier),
            promise=self._promise(_level(question, earlier)),
            handle=handle,
        )
        return watched(self._watched(events, question.buckets))

    def _earlier(self, question: Question) -> Sequence[Turn]:
        """The answered turns that a question may go on from."""
        if question.conversation is None:
            return question.history
        cleared = self._parts.records.conversations.get(question.conversation, self._principal.user).cleared
        return [
            turn
            for turn in self._turns(question.conversation)
            if turn.answer is not None
            and turn.ordinal > cleared
            and not turn.answer.is_masked
            and (question.before is None or turn.ordinal < question.before)
        ]

    @recorded("answer.feedback", "turn", "feedback", "reason")
    def give_feedback(
        self, turn: TurnId, feedback: Literal["right", "wrong", ""], *, reason: str = "", note: str = ""
    ) -> Turn:
        """Keep whether the answer was right; one that was wrong goes to the reviewers, with the reason.

        A plan whose answer was wrong is kept to learn from. reason: as `FeedbackService.give` takes it.
        """
        given = self._parts.records.conversations.give_feedback(turn, feedback, self._principal.user)
        answer = given.answer
        if answer is not None:
            lessons = self._parts.records.lessons
            if feedback == "wrong":
                self._learning.note(answer, "rejected", self._learning.uncovered_words(answer), ())
            else:
                lessons.withdraw(answer.trace_id, self._principal.user)
            seen, user = self._visible, self._principal.user
            self._parts.past_tries.judge(answer, feedback == "wrong", reason, seen, user)
            with suppress(NotFoundError):  # the trace of this answer could not be kept
                word = {"right": "up", "wrong": "down"}.get(feedback, "")
                own = FeedbackService(self._parts, self._principal)
                own.give(TraceId(answer.trace_id), word, reason=reason if word else "", note=note)
        return self._mask.turn(given)

    @recorded("answer.export", "answer")
    def export(self, answer: TraceId | Answer, *, address: str = "") -> Export:
        """The list of an answer, or of the kept one with that trace. address: see `MatrixService.export`.

        A kept answer is there for who asked, as long as its conversation is; documents that are gone, or that
        may no longer be seen, are left out and counted. Raises NotFoundError, also where nothing is listed,
        and RefusedError where its plan would be refused now.
        """
        found = answer if isinstance(answer, Answer) else self._own_answer(answer)
        self._permit_answer(found)
        visible = self._visible
        documents = self._parts.records.documents
        base = self._address(address)

        def link(document: str, place: Citation | None) -> str:
            if place is None:
                return place_address(base, document)
            span = PageSpan(place.page, place.start, place.end)
            return place_address(base, document, place.version, Quote(span, place.quote))

        if found is not None and has_list(found) and found.table is not None:
            ids = [DocumentId(id) for id in found.table.documents]
            return export_of(found, documents.get_many(ids, visible), link)
        asked = found.clarification if found is not None else None
        if found is not None and asked is not None and asked.export:  # it was asked for everything
            return export_of_all(found.question, documents.list(visible), link)
        raise NotFoundError("This answer lists no documents.", next_step="Ask for a list of documents.")

    @recorded("answer.export", "answer")
    def write_list(self, answer: TraceId | Answer, file: Path) -> Export:
        """Write the list of an answer as CSV; see `export`. Raises UsageError for a bad place."""
        from core.spreadsheet import write_lines

        found = self.export(answer)
        write_lines(file, found.heads, found.lines)
        return found

    def _watched(self, events: Generator[Event, None, None], buckets: Sequence[str]) -> Iterator[Event]:
        """The events of a question as they come; once it is answered, what went wrong is noted.

        What somebody chose of several meanings is no correction: it holds in that conversation, and the next
        one is asked anew.
        """
        answer: Answer | None = None
        steps: list[StageFinished] = []
        try:
            for event in events:
                if isinstance(event, Answered | Finished):
                    answer = event.answer
                elif isinstance(event, StageFinished):
                    steps.append(event)
                yield event
        finally:  # also where nobody waits for the follow-ups
            events.close()
            if answer is not None:
                self._learning.learn(answer, tuple(buckets))
                seen = self._visible.at(answer.data_version)
                own = (seen, self._principal.user, tuple(buckets))
                self._parts.past_tries.note(answer, steps, *own)
                self._read_first(answer)

    def _read_first(self, answer: Answer) -> None:
        """Have the documents read next that an answer waits for."""
        try:
            self._parts.records.reading_queue.add({DocumentId(id) for id in answer.pending})
        except RecordsError:
            return  # the answer says what is still to be read, and that is read in its turn

    def _own_answer(self, trace: TraceId) -> Answer | None:
        """As it was given, for what leaves out and counts by itself whatever may no longer be seen."""
        return _answer_of(self._parts.records.traces.get(trace, self._principal.user))


def _level(question: Question, earlier: Sequence[Turn]) -> PromiseLevel | None:
    """The level that was asked for, else that of the plan that was chosen, or of the turn before."""
    if question.promise is not None:
        return None if question.promise == "bucket" else question.promise
    if question.plan is not None:
        return question.plan.promise
    last = earlier[-1].answer if earlier else None
    if last is None:
        return None
    plans = [each.plan for each in (last, *reversed(last.parts)) if each.plan is not None]
    found = next((level for each in plans if (level := each.get("promise"))), None)
    return PromiseLevel(found) if found else None


def _answer_of(trace: Trace) -> Answer | None:
    """The answer that a trace ended with."""
    return next((each.answer for each in reversed(trace.events) if isinstance(each, Finished)), None)


class ConversationService(Service):
    """Conversations of the principal."""

    @recorded("conversation.create", "buckets")
    def create(self, buckets: Sequence[str] = ()) -> Conversation:
        """A new, empty conversation over `buckets` (none: all)."""
        return self._parts.records.conversations.create(self._principal.user, buckets)

    def get(self, conversation: ConversationId) -> Conversation:
        """One conversation. Raises NotFoundError."""
        return self._parts.records.conversations.get(conversation, self._principal.user)

    def turns(self, conversation: ConversationId) -> list[Turn]:
        """The turns of a conversation, in order."""
        return self._turns(conversation)

    def turn(self, turn: TurnId) -> Turn:
        """One turn, by its id alone. Raises NotFoundError."""
        kept = self._parts.records.conversations
        found = find_turn(self.turns(kept.conversation_of(turn, self._principal.user)), turn)
        if found is None:
            raise NotFoundError(f"There is no turn {turn!r} of yours.", next_step="Ask again.")
        return found

    @recorded("conversation.rename", "conversation")
    def rename(self, conversation: ConversationId, title: str) -> None:
        """Give a conversation another title."""
        self._parts.records.conversations.rename(conversation, masked_question(title), self._principal.user)

    @recorded("conversation.set_scope", "conversation", "buckets")
    def set_scope(self, conversation: ConversationId, buckets: Sequence[str]) -> None:
        """Choose the buckets that a conversation is about (none: all)."""
        self._parts.records.conversations.set_scope(conversation, buckets, self._principal.user)

    @recorded("conversation.clear_set", "conversation")
    def clear_set(self, conversation: ConversationId) -> Conversation:
        """Put the set in hand away: later questions of the conversation refer to nothing before."""
        return self._parts.records.conversations.clear_set(conversation, self._principal.user)

    @recorded("conversation.delete", "conversation")
    def delete(self, conversation: ConversationId) -> None:
        """Delete a conversation with its turns."""
        self._parts.records.conversations.delete(conversation, self._principal.user)

    def start_turn(self, conversation: ConversationId, question: str) -> Turn:
        """Keep a question, with its personal data masked, before it is answered."""
        kept = masked_question(question)
        return self._parts.records.conversations.start_turn(conversation, kept, self._principal.user)

    def finish_turn(self, turn: TurnId, answer: Answer, state: TurnState = TurnState.DONE) -> Turn:
        """Keep the answer of a turn; one that was stopped stays so. state: how the turn ended."""
        kept = self._parts.records.conversations
        return self._mask.turn(kept.finish_turn(turn, answer, self._principal.user, state=state))

    @recorded("conversation.stop_turn", "turn")
    def stop_turn(self, turn: TurnId) -> Turn:
        """End a running turn without an answer."""
        return self._mask.turn(self._parts.records.conversations.stop_turn(turn, self._principal.user))

    def list(self) -> list[Conversation]:
        """This principal's conversations, the last used first."""
        return self._parts.records.conversations.list(self._principal.user)


# Questions that need no extracted field, each with the document that answers it.
_QUESTIONS = (
    ("What is the minimum panel width for AlphaSolar models?", "datasheets", "alphasolar-product-family.md"),
    (
        "Explain the maintenance steps for battery cabinet B-120.",
        "manuals",
        "battery-cabinet-b-120-maintenance.pdf",
    ),
    ("Compare liability caps between ACME and Beta Corp", "contracts", "beta-services-agreement.pdf"),
    ("When does the warehouse lease expire?", "contracts", "delta-warehouse-lease.txt"),
)


def starters(records: Records, visible: Visibility) -> list[str]:
    """The starter questions whose documents the collection holds and shows, in order."""
    wanted = {document_id(bucket, f"{bucket}/{name}"): question for question, bucket, name in _QUESTIONS}
    found = records.documents.get_many(wanted, visible)
    return [question for document, question in wanted.items() if document in found]


LONGEST_NOTE = 1000


class FeedbackService(Service):
    """Up or down for each of one's own answers, and each citation, with a reason."""

    @recorded("answer.feedback", "trace", "word", "citation", "reason")
    def give(
        self, trace: TraceId, word: FeedbackWord | str, *, citation: int = 0, reason: str = "", note: str = ""
    ) -> None:
        """Keep an opinion; down puts the answer into the review queue. word "": take it back.

        citation: its number, 0 for the answer. Raises NotFoundError for an answer of somebody else and for a
        citation that it has not, UsageError for a reason that is none.
        """
        answer = answer_in(kept := self._parts.records.traces.get(trace, self._principal.user))
        numbers = (
            set() if answer is None else {each.n for one in (answer, *answer.parts) for each in one.citations}
        )
        if citation and citation not in numbers:
            raise NotFoundError(
                f"This answer has no citation {citation}.", next_step="Choose one that it has."
            )
        if word == "":
            self._parts.records.feedback.take_back(trace, citation, self._principal.user)
            return
        opinion = Feedback(
            trace,
            citation,
            self._principal.user,
            _word(word),
            _reason(reason),
            masked_question(" ".join(note.split()))[:LONGEST_NOTE],
        )
        self._parts.records.feedback.give(opinion)
        if opinion.word is FeedbackWord.DOWN:
            found = flagged(kept, self._parts.settings.review)
            if found is not None:
                of = f"citation {citation}" if citation else "answer"
                flag = Flag(FlagReason.THUMBS_DOWN, f"{of}: {FEEDBACK_REASONS[opinion.reason]}")
                self._parts.records.review_queue.add(replace(found, flags=(flag,)))

    def of_traces(self, traces: Collection[str]) -> dict[str, list[Feedback]]:
        """This principal's opinions, by trace."""
        return self._parts.records.feedback.of_traces(traces, self._principal.user) if traces else {}


def _word(word: FeedbackWord | str) -> FeedbackWord:
    try:
        return FeedbackWord(word)
    except ValueError:
        raise UsageError(f"{word!r} is neither 'up' nor 'down'.", next_step="Give one of them.") from None


def _reason(reason: str) -> str:
    if reason not in FEEDBACK_REASONS:
        known = ", ".join(each for each in FEEDBACK_REASONS if each)
        raise UsageError(
            f"{reason!r} is no reason. Expected one of: {known}.", next_step="Choose one, or give none."
        )
    return reason
