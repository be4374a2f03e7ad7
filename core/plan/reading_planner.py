"""Planner over one reading: the trained reader reads, the compiler makes a plan, the checker judges it.

What no plan says whole is looked for in the text, with the plan beside it as another reading.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import chain

from core.domain.answer import Route
from core.domain.rows.place import TablePlace
from core.encode.base import TokenCounter
from core.plan.catalogue import Catalogue
from core.plan.check.checker import (
    PlanVerdict,
    asked_back,
    check,
    nothing_in_hand,
    titled_all,
    uncalled,
    unknown_attribute,
    which_field,
    which_meant,
)
from core.plan.clarify import AskBackError, Clarify, is_whole, unclear_day
from core.plan.compile.compiler import compile_reading
from core.plan.compile.context import CompileContext, ReadingError
from core.plan.compile.conversion import converted
from core.plan.compile.every_kind import of_every_kind
from core.plan.compile.names import is_name
from core.plan.conversation_state import ConversationState
from core.plan.follow_up import follow, goes_on
from core.plan.ir.hashing import result_hash
from core.plan.ir.nodes import Note, Plan
from core.plan.names.index import names_of
from core.plan.names.resolve import resolve
from core.plan.operators.as_query import as_query, is_by_sql
from core.plan.readers.trained.reading import QuestionReader, QuestionReading
from core.plan.readers.trained.to_reading import reading_of
from core.plan.readers.two_tables import read_two_tables, unread_table
from core.plan.reading import Operation, Reading
from core.plan.reading_edits import unfolded
from core.plan.text_plan import text_plan
from core.plan.turn import in_context
from core.search.classify import classify, clean_question
from core.values.accounting import question_currency
from core.values.dates import find_dates

READ_FROM_TEXT = "No field answers this, so the text is searched."
_OPENING = re.compile(
    r"\b(?:as (?:of|at|on)|counting from|counted from|seen from"
    r"|(?:assum(?:e|ing)|suppos(?:e|ing)|imagine|if|say)(?: that)? (?:today|it) (?:is|was|were|be)"
    r"|today is) $",
    re.IGNORECASE,
)
_LONGEST = 40  # characters of an opening
_CLOSING = " \t),.;:–—-"
_OF_NEGATIONS = ("lost_negation", "carried_negation")  # which are mended by turning a condition round


@dataclass(frozen=True, slots=True)
class Planned:
    """A plan, or a question back. others: plausible plans, best first.

    Of a turn that goes on from a conversation: keeps_set: what was in hand stays so; standalone: the whole
    question that it stands for.
    """

    plan: Plan | Clarify
    others: tuple[Plan, ...] = ()
    keeps_set: bool = False
    standalone: str = ""


@dataclass(slots=True)
class ReadingPlanner:
    """Plans of questions over a reader of them. It keeps what it made of the last question.

    today: None for the day of the question. others: readings of plug-ins, which go first where a question
    stands alone.
    """

    catalogue: Catalogue
    reader: QuestionReader
    counter: TokenCounter | None = None
    others: Callable[[str, Catalogue], Iterable[Reading]] = lambda _question, _catalogue: ()
    today: date | None = None
    now: Callable[[], date] = field(default=date.today)
    _last: dict[tuple[str, tuple[str, ...]], Planned] = field(default_factory=dict)

    def plan(self, question: str, buckets: tuple[str, ...] = ()) -> Plan | Clarify:
        """The plan of a question, or what has to be asked back. Never raises for what a person may type."""
        return self.planned(question, buckets).plan

    def readings(self, question: str, buckets: tuple[str, ...] = ()) -> tuple[Plan, ...]:
        """Other plausible plans of the question, best first; () for none."""
        return self.planned(question, buckets).others

    def read(self, question: str) -> Reading:
        """The trained reader's reading of a cleaned question."""
        return self._reading(self.reader.read(question, self.catalogue))

    def _reading(self, read: QuestionReading) -> Reading:
        return reading_of(
            read,
            self.catalogue,
            self._day,
            read_again=lambda text: self.reader.read(text, self.catalogue),
            is_name=lambda words: is_name(words, self.catalogue, self.counter),
            documents=lambda words: resolve(words, names_of(self.catalogue), counter=self.counter).documents,
        )

    def planned(self, question: str, buckets: tuple[str, ...] = ()) -> Planned:
        """The plan of a question with its reading."""
        question = clean_question(question)
        if not question:
            return Planned(Clarify(type="vague", question=question, reason="The question is empty."))
        unclear = unclear_day(question)
        if unclear is not None:
            return Planned(unclear)
        key = (question, buckets)
        found = self._last.get(key)
        if found is None:
            found = self._in_currency(question, buckets) or self._dated(question, buckets)
            self._last = {key: found}  # who asks for a plan asks for its other readings next
        return found

    def _in_currency(self, question: str, buckets: tuple[str, ...]) -> Planned | None:
        """The plan of a question with its amounts in the currency that it names; None for any other."""
        rest, into = question_currency(question, self.catalogue.accounting)
        found = self._dated(rest, buckets) if into else None
        if found is None or not isinstance(found.plan, Plan):
            return None
        if is_by_sql(found.plan):  # the rates stand in no table
            note = Note(phrase="", reading=f"amounts of tables are not converted to {into}")
            return replace(found, plan=_of_whole(found.plan, question, note))
        note = Note(phrase="", reading=f"amounts are converted to {into} by the rates that an admin set")
        every = [converted(plan, into, self.catalogue) for plan in (found.plan, *found.others)]
        plan, *others = [each and _of_whole(each, question, note) for each in every]
        return None if plan is None else replace(found, plan=plan, others=tuple(filter(None, others)))

    def _dated(self, question: str, buckets: tuple[str, ...]) -> Planned:
        """The plan of a question as of the day that it names, else as of today."""
        rest, day = question_day(question, self._day)
        if day == self._day:
            return self._alone(question, buckets)
        dated = replace(self, today=day, _last={})
        found = dated._alone(rest, buckets)
        plan = found.plan
        if isinstance(plan, Plan) and plan.route is not Route.STRUCTURED and plan.reading is not None:
            whole = plan.reading.model_copy(update={"question": question})
            return replace(found, plan=self.text_plan(whole, buckets, plan.asked))
        note = Note(phrase="", reading=f"today is taken to be {day.isoformat()}")
        others = tuple(_of_whole(each, question, note) for each in found.others)
        if isinstance(plan, Clarify):
            return replace(found, plan=plan.model_copy(update={"question": question}), others=others)
        return replace(found, plan=_of_whole(plan, question, note), others=others)

    def _alone(self, question: str, buckets: tuple[str, ...]) -> Planned:
        """The plan of a question with nothing in hand; asks what is meant where it goes on from something."""
        named = read_two_tables(question, self.catalogue, self.read, self._plan_of)
        for reading in chain(self.others(question, self.catalogue), named):
            with suppress(ReadingError, AskBackError):  # no plan comes of it: the next reader's turn
                return Planned(self.compiled(reading, buckets))
        read = self.reader.read(question, self.catalogue)
        reading = self._reading(read)
        found = self.of_reading(reading, buckets)
        lost = unread_table(question, reading, self.catalogue)
        if lost and isinstance(found.plan, Plan) and found.plan.route is Route.STRUCTURED:
            plan = found.plan.model_copy(update={"uncovered": (*found.plan.uncovered, lost)})
            found = Planned(self.text_plan(reading, buckets), (plan,))
        back = nothing_in_hand(found.plan, reading, self.catalogue, goes_on=goes_on(read, reading))
        return found if back is None else replace(found, plan=back, others=())

    def _plan_of(self, reading: Reading, is_whole: bool, is_called: bool) -> Plan | None:
        """The plan of a reading over rows; None where there is none.

        is_whole: it may leave no word out; is_called: it need not be likely, since fields are called by name.
        """
        with suppress(ReadingError, AskBackError):
            plan = compile_reading(reading, self._context(reading, (), None))
            verdict = check(plan, reading, self.catalogue)
            is_sure = is_called or verdict.answers or verdict.is_offered
            if is_whole and (verdict.plan is None or verdict.plan.uncovered or not is_sure):
                return None
            return as_query(plan, self.catalogue)
        return None

    def follow(
        self, question: str, state: ConversationState, buckets: tuple[str, ...] = ()
    ) -> Planned | None:
        """The plan of a turn that goes on from a conversation; None for one that stands alone."""
        question = clean_question(question)
        if not question or state.is_empty:
            return None
        read = in_context(self.reader.read(question, self.catalogue), state, self.catalogue)
        turn = reading_of(read, self.catalogue, self._day)
        found = follow(read, turn, state, self.catalogue)
        if found is None:
            return None
        planned = self.of_reading(found.reading, buckets, state)
        plan = planned.plan
        if isinstance(plan, Clarify):
            return replace(planned, keeps_set=True)
        if plan.route is not Route.STRUCTURED:
            return None
        plan = plan.model_copy(update={"question": question})
        return replace(planned, plan=plan, keeps_set=found.keeps_set, standalone=found.reading.question)

    def compiled(
        self, reading: Reading, buckets: tuple[str, ...] = (), state: ConversationState | None = None
    ) -> Plan:
        """The plan of a reading that somebody else made, compiled and checked.

        state: of the conversation that it may go on from. Raises ReadingError where it cannot be followed,
        AskBackError where two documents fit a name as well.
        """
        held = state.in_hand.plan if state is not None and state.in_hand is not None else None
        reading = unfolded(reading, held.reading if held is not None else None)
        plan = compile_reading(reading, self._context(reading, buckets, state))
        earlier = state.readings if state is not None else ()
        verdict = check(plan, reading, self.catalogue, earlier)
        if verdict.plan is None:
            first = verdict.problems[0]
            raise ReadingError(first.message, next_step=first.next_step, words=first.words)
        return as_query(verdict.plan, self.catalogue)

    def owned(
        self, plan: Plan, buckets: tuple[str, ...] = (), state: ConversationState | None = None
    ) -> Plan:
        """A plan from elsewhere, with its reading only where that gives this very plan here.

        Follow-ups go on from a reading. One that names what does not exist here is none of the plan either.
        """
        reading, again = plan.reading, None
        steps = reading.all_steps if reading is not None else ()
        named = [id for step in steps for name in step.names for id in name.documents]
        named += [TablePlace.of(table).document for step in steps for table in step.tables]
        if reading is not None and reading.doubt is None and all(map(self.catalogue.document, named)):
            with suppress(ReadingError, AskBackError):
                again = self.compiled(reading, buckets, state)
        if again is not None and (again.decides, result_hash(again)) == (plan.decides, result_hash(plan)):
            return plan
        return plan.model_copy(update={"reading": None})

    def of_reading(
        self,
        reading: Reading,
        buckets: tuple[str, ...] = (),
        state: ConversationState | None = None,
        *,
        is_mended: bool = False,
    ) -> Planned:
        """The plan of a reading, compiled and checked. state: of the conversation that it goes on from.

        is_mended: conditions were turned round already, which is done once.
        """
        back = asked_back(reading)
        if back is not None:
            return Planned(back)
        is_empty = not (self.catalogue.documents or self.catalogue.datasets)
        if reading.operation is Operation.HELP or reading.is_of_text or is_empty:
            return Planned(self.text_plan(reading, buckets, reading.text))
        if reading.operation is Operation.ALL:
            reading = reading.model_copy(update={"operation": Operation.LIST})
        if reading.by == "trained":
            lost = uncalled(reading, self.catalogue, self.counter)
            if lost:
                return Planned(self.text_plan(reading, buckets, lost))
        try:
            plan = compile_reading(reading, self._context(reading, buckets, state))
        except AskBackError as needs:
            return Planned(needs.clarify)
        except ReadingError:
            return Planned(self.text_plan(reading, buckets))
        verdict = check(plan, reading, self.catalogue)
        if reading.by == "trained" and any(each.name == "lost_every" for each in verdict.problems):
            return self.of_reading(reading.model_copy(update={"operation": Operation.CHECK}), buckets, state)
        denied = {each.condition for each in verdict.problems if each.name in _OF_NEGATIONS} - {None}
        if verdict.plan is None and denied and reading.by == "trained" and not is_mended:
            turned = tuple(
                each.model_copy(update={"negated": not each.negated}) if each in denied else each
                for each in reading.conditions
            )
            mended = reading.model_copy(update={"conditions": turned})
            found = self.of_reading(mended, buckets, state, is_mended=True)
            if is_whole(found.plan):
                return found
        found = self._judged(reading, verdict, buckets)
        if not isinstance(found.plan, Plan):
            return found
        with suppress(ReadingError):
            return replace(found, plan=as_query(of_every_kind(found.plan, self.catalogue), self.catalogue))
        return Planned(self.text_plan(reading, buckets))

    def text_plan(self, reading: Reading, buckets: tuple[str, ...] = (), asked: str = "") -> Plan:
        """The search of the text for a question. asked: words that the text has to speak of."""
        found = classify(reading.question)
        note = Note(phrase="", reading=READ_FROM_TEXT)
        document, called = self._only_document(reading) if reading.is_of_text else ("", "")
        of_one = {"document": document, "called": called, "asked": asked}
        today = self._day.isoformat()
        plan = text_plan(found, reading.question, buckets, notes=(note,), today=today, **of_one)
        return plan.model_copy(update={"reading": reading})

    def _only_document(self, reading: Reading) -> tuple[str, str]:
        """The one document that a reading names, with the words that name it; empty where it names others."""
        named = [each for each in reading.names if each.role == "document"]
        if len(named) != 1 or named[0].negated:
            return "", ""
        words = named[0].words
        found = resolve(words, names_of(self.catalogue), counter=self.counter).documents
        is_one = len(found) == 1 and len(titled_all(words, self.catalogue)) < 2
        return (found[0].id, words) if is_one else ("", "")

    def _context(
        self, reading: Reading, buckets: tuple[str, ...], state: ConversationState | None
    ) -> CompileContext:
        held = state.in_hand if state is not None else None
        return CompileContext(
            self.catalogue,
            self._day,
            reading.buckets or buckets,
            self.counter,
            held.plan if held is not None else None,
            held.documents if held is not None else (),
        )

    def _judged(self, reading: Reading, verdict: PlanVerdict, buckets: tuple[str, ...]) -> Planned:
        plan = verdict.plan
        if plan is None:
            return Planned(self.text_plan(reading, buckets))
        meant = which_field(reading, self.catalogue) or unknown_attribute(reading, self.catalogue)
        if meant is None and verdict.answers:
            meant = which_meant(plan, reading, self.catalogue)
        if meant is not None and meant.type == "absent":  # the text may say what no field is called by
            return Planned(self.text_plan(reading, buckets, meant.phrase))
        if meant is not None:
            return Planned(meant)
        if verdict.answers:
            return Planned(plan)
        return Planned(self.text_plan(reading, buckets), (plan,) if verdict.is_offered else ())

    @property
    def _day(self) -> date:
        return self.today or self.now()


def _of_whole(plan: Plan, question: str, note: Note) -> Plan:
    """A plan of what a question asks of a day as one of the whole question."""
    return plan.model_copy(update={"question": question, "notes": (note, *plan.notes)})


def question_day(question: str, today: date) -> tuple[str, date]:
    """The question without words such as "as of 31 March 2025", and the day that they set, else today."""
    for start, end, value in find_dates(question):
        if value.amount is None or value.special:
            continue
        opened = _OPENING.search(question[max(0, start - _LONGEST) : start])
        if opened is None:
            continue
        before = question[: start - len(opened[0])].rstrip(" ,;(-–—")
        rest = f"{before} {question[end:].lstrip(_CLOSING)}".strip()
        if any(char.isalnum() for char in rest):
            return rest, date.fromordinal(value.amount or 1)
    return question, today
