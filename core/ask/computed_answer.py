"""Questions that fields and sets answer: planned, run node by node, and composed from exact results."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from core.answer.cite import Verifier, list_sources
from core.answer.computed.compose import StandIns, compose, conclude, weigh
from core.answer.computed.draft import ComputedDraft
from core.answer.computed.estimates import estimate_count, estimate_sum
from core.answer.computed.rows import RowSource
from core.answer.computed.source import AmendedCells, AnswerFacts, ClauseSource
from core.answer.computed.wording import in_words
from core.answer.standing import HIGH, MOST_CONFIDENT_IN_PART
from core.ask.clarification import (
    ask_back,
    hop_of,
    not_quoted,
    settled,
    stopped,
    too_many,
    which_one,
)
from core.ask.conversation import in_hand
from core.ask.request import QuestionRequest, answer_to
from core.ask.suggestions import going_on
from core.config.models import RetrievalSettings
from core.domain.answer import Answer, Degradation, Kind, Ledger, OtherReading, Route, Status
from core.domain.event import Degraded, Event, NodeChanged, PlanDrawn
from core.domain.fields import FieldType
from core.domain.ids import DocumentId
from core.domain.llm.cells import RestingCells, resting_said
from core.domain.predicate import Operator
from core.domain.results import Documents, Groups, Passages, QueryTable, Result, Stopped
from core.domain.trust.failures import USUAL, Habit
from core.errors import PlanError
from core.plan.catalogue import Catalogue
from core.plan.clarify import AskBackError, Clarify, Option, is_whole
from core.plan.conversation_state import base_of, conditions_of, source_of
from core.plan.corrections import LearnedPlanner, correction_said
from core.plan.ir.graph_edits import estimated
from core.plan.ir.hashing import ancestors, result_hash
from core.plan.ir.nodes import Plan, SelectionNode, flattened, schema_of
from core.plan.ir.serialization import plan_of, stored_plan
from core.plan.ir.statistics import Statistics
from core.plan.ir.validate import validate
from core.plan.operators.as_query import as_query
from core.plan.operators.base import documents_of
from core.plan.reading_line.parts import reading_parts, reading_text
from core.plan.reading_planner import Planned
from core.plan.run.executor import Executor, NodeFinished, NodeStarted, NodeStopped, PlanFinished, RunContext
from core.plan.summary_plan import plan_of_summary
from core.store.cells.facts import FactRecords
from core.store.database.visibility import Visibility
from core.store.documents.documents import DocumentRecords

SURE = 0.88
"""Probability of a whole reading of the trained reader from which on no model is asked."""
MOST = 3
Count = Callable[[Plan], int | None]
"""Number of documents or rows that a plan lists, counts or computes over; None where it has none."""
SURE_READING = 0.8
"""Probability of a reading from which on nothing is said of it: .91 right of writers that it never saw."""
DOUBTFUL_READING = 0.6
"""Probability of a reading below which confidence is low, however sure the values are."""
_OF_PRESENCE = (Operator.IS, Operator.MISSING)
UNSURE_READING = "The question may mean something else: see above the answer how it was read."


def offered(plan: Plan, others: Sequence[Plan], catalogue: Catalogue) -> tuple[OtherReading, ...]:
    """Plans that come to another result than the one that runs, and can run; none is counted yet."""
    known, said = {result_hash(plan)}, {reading_text(plan, catalogue)}
    found: list[OtherReading] = []
    for each in others:
        text, result = reading_text(each, catalogue), result_hash(each)
        if text and text not in said and result not in known and not validate(each, catalogue):
            known.add(result)
            said.add(text)
            found.append(OtherReading(text=text, plan=stored_plan(each), by=each.by))
    return tuple(found[:MOST])


def as_read(answer: Answer, plan: Plan, others: Sequence[Plan], catalogue: Catalogue) -> Answer:
    """The answer with the reading that it rests on, and other plausible ones; a question back has none."""
    if answer.plan is None:
        return answer
    shown = offered(plan, others, catalogue)
    is_told = shown or _sureness(plan) < DOUBTFUL_READING
    gaps = answer.gaps if is_told else tuple(each for each in answer.gaps if each != UNSURE_READING)
    told = {"reading": reading_parts(plan, catalogue), "other_readings": shown, "gaps": gaps}
    return answer.model_copy(update=told)


def _sureness(plan: Plan) -> float:
    """Probability of the reading of a whole question."""
    return min((note.confidence for note in plan.notes if not note.node), default=1.0)


def counted(readings: Sequence[OtherReading], route: Route, count: Count) -> tuple[OtherReading, ...]:
    """The readings with their counts. route: of the answer; beside passages, none that finds nothing."""
    found = tuple(each.model_copy(update={"count": count(plan_of(each.plan))}) for each in readings)
    return found if route is Route.STRUCTURED else tuple(each for each in found if each.count != 0)


def with_counts(clarify: Clarify, catalogue: Catalogue, count: Count) -> Clarify:
    """The question back, each choice of a whole plan as a reading with its count."""
    texts = [reading_text(each.plan, catalogue) if each.plan is not None else "" for each in clarify.options]
    alike = Counter(texts)

    def of(option: Option, text: str) -> Option:
        plan, number = option.plan, option.documents
        if plan is None:
            return option
        if number is None and plan.route is Route.STRUCTURED and not validate(plan, catalogue):
            number = count(plan)
        is_reading = bool(text) and alike[text] == 1 and not option.document
        told = {"label": text if is_reading else option.label, "documents": number}
        return option.model_copy(update=told)

    options = tuple(map(of, clarify.options, texts))
    return clarify.model_copy(update={"options": options})


def is_agreed(
    plan: Plan | Clarify, planner: LearnedPlanner, buckets: tuple[str, ...], catalogue: Catalogue
) -> bool:
    """True where the trained reader is sure of a whole reading that comes to the same as a plan.

    Not of one that compares with a text that no document states: other words may mean one that is stated.
    Nor of one over rows: sureness was learnt over fields, and of seven such readings one was wrong.
    """
    if not is_whole(plan) or not _is_stated(plan, catalogue):
        return False
    reading = planner.read(plan.question)
    try:
        is_sure = reading.probability >= SURE and not any(step.is_rows for step in reading.all_steps)
        read = planner.compiled(reading, buckets) if is_sure else None
    except (PlanError, AskBackError):
        return False
    return read is not None and read.is_whole and result_hash(read) == result_hash(plan)


def _is_stated(plan: Plan, catalogue: Catalogue) -> bool:
    """True where each text that a plan compares with is stated somewhere."""
    for node in plan.nodes:
        for each in flattened(node.conditions) if isinstance(node, SelectionNode) else ():
            entry = catalogue.field(each.field, schema_of(node, {n.id: n for n in plan.nodes}))
            if entry is None or entry.type not in (FieldType.TEXT, FieldType.ENUM) or each.op is Operator.IS:
                continue
            stated = {*entry.options, *(v.text.casefold() for v in catalogue.values if v.field == entry.name)}
            if not each.texts or any(text.casefold() not in stated for text in each.texts):
                return False
    return True


@dataclass(frozen=True, slots=True)
class ComputedAnswer:
    """An answer from fields and sets, and what plans the questions that lead on from it, if any do."""

    answer: Answer
    suggest: Callable[[], tuple[str, ...]] | None = None

    @property
    def whole(self) -> Answer:
        """The answer with its follow-ups, which are planned for it."""
        questions = self.suggest() if self.suggest is not None else ()
        return self.answer.model_copy(update={"follow_ups": questions})


@dataclass(frozen=True, slots=True)
class Structured:
    """Plans questions and runs the plans. Thread-safe.

    stand_ins: by field and document which amendment states what holds. resting: those of some documents of
    which a cell of these fields was decided by a language model alone. habit: what is tried first of a plan.
    """

    catalogue: Callable[[Visibility], Catalogue]
    planner_over: Callable[[Catalogue, Visibility], LearnedPlanner]
    executor: Executor
    cells: ClauseSource
    documents: DocumentRecords
    table_rows: RowSource
    stand_ins: StandIns
    limits: RetrievalSettings
    statistics: Callable[[Visibility], Statistics]
    resting: Callable[[Visibility, Collection[DocumentId], Collection[str]], RestingCells]
    facts: FactRecords | None = None
    habit: Callable[[Plan | Clarify, Visibility], Habit] = lambda _plan, _seen: USUAL

    def planner(self, visibility: Visibility) -> LearnedPlanner:
        """Planner of what may be seen, which compiles readings that somebody else made, too."""
        return self.planner_over(self.catalogue(visibility), visibility)

    def plan(self, question: str, visibility: Visibility, buckets: tuple[str, ...] = ()) -> Planned:
        """Plan for a question, estimated; nothing has run."""
        planner = self.planner(visibility)
        if (summary := plan_of_summary(question, planner, buckets)) is not None:
            return Planned(self.estimated(summary, visibility))
        found = self.ready(planner.plan(question, buckets), visibility, buckets)
        return Planned(found, planner.readings(question, buckets) if isinstance(found, Plan) else ())

    def ready(
        self, made: Plan | Clarify, visibility: Visibility, buckets: tuple[str, ...] = ()
    ) -> Plan | Clarify:
        """A plan estimated; a question back about documents that are called alike, each choice a plan."""
        if isinstance(made, Plan):
            return self.estimated(made, visibility)
        planner = self.planner(visibility)
        return settled(made, lambda text: planner.plan(text, buckets), self.catalogue(visibility))

    def estimated(self, plan: Plan, visibility: Visibility) -> Plan:
        """A plan with an estimate on every node."""
        return estimated(plan, self.catalogue(visibility), self.statistics(visibility))

    def count(self, plan: Plan, asked: QuestionRequest) -> int | None:
        """Documents or rows that a plan lists, counts or computes over, of which only what that needs is run.

        None where it has none, or may not be run.
        """
        id = source_of(plan)
        if not id:
            return None
        nodes = tuple(node for node in plan.nodes if node.id in ancestors(plan, id))
        part = plan.model_copy(update={"nodes": nodes, "answer_node": id})
        if asked.door.refusal(part) is not None:
            return None
        *_, done = self.executor.run(part, self._context(asked))
        given = done.answer if isinstance(done, PlanFinished) else None
        if isinstance(given, Documents):
            return len(given.present)
        return given.counted if isinstance(given, QueryTable) else None

    def _context(self, asked: QuestionRequest) -> RunContext:
        fingerprint = self.catalogue(asked.visibility).fingerprint
        return RunContext(asked.visibility, asked.data_version, asked.door, fingerprint)

    def run(
        self,
        plan: Plan,
        asked: QuestionRequest,
        others: tuple[Plan, ...] = (),
        cancelled: threading.Event | None = None,
    ) -> Iterator[Event | PlanFinished | ComputedAnswer]:
        """The events of a run, what every node gave and, last, the answer. Raises RefusedError.

        No answer where the plan's fallback should be tried. others: plausible plans beside it.
        """
        plan, promise = as_query(plan, self.catalogue(asked.visibility)), asked.visibility.promise
        if (refused := asked.door.refusal(plan)) is not None:
            raise refused
        plan = plan.model_copy(update={"promise": promise.level if promise is not None else None})
        yield PlanDrawn(at_ms=asked.at_ms(), plan=plan.model_dump(mode="json"))
        done: PlanFinished | None = None
        for event in self.executor.run(plan, self._context(asked), cancelled):
            if isinstance(event, PlanFinished):
                done = event
            else:
                yield _told(event, asked.at_ms())
        assert done is not None  # every run ends with it
        yield done
        catalogue = self.catalogue(asked.visibility)
        computed = self._concluded(done, catalogue, asked)
        if computed is not None:
            yield from (Degraded(at_ms=asked.at_ms(), degradation=d) for d in computed.answer.degradations)
            yield replace(computed, answer=as_read(computed.answer, plan, others, catalogue))

    def _concluded(
        self, done: PlanFinished, catalogue: Catalogue, asked: QuestionRequest
    ) -> ComputedAnswer | None:
        plan, given, seen = done.plan, done.answer, asked.visibility
        may_search = Route.HYBRID in plan.fallbacks
        if given is None or isinstance(given, Stopped):
            said = stopped(plan, _why(done, catalogue), asked)
            return ComputedAnswer(said) if said is not None else None
        amended = AmendedCells(self.cells, self.stand_ins)
        draft = compose(plan, done.results, amended, catalogue, seen, self.table_rows, self.facts)
        if draft is None or (
            may_search
            and (_says_nothing(plan, draft, given, self.limits) or _lacks_value(plan, draft, catalogue))
        ):
            return None
        unclear = which_one(plan, draft, given, catalogue)
        if unclear is not None:
            return ComputedAnswer(ask_back(unclear, asked))
        concluded = conclude(draft, Verifier(self.documents, seen, asked.question))
        left = not_quoted(plan, concluded.claims)
        if left and may_search:
            return None
        about = documents_of(given)
        weighed = weigh(
            plan,
            done.results,
            about.present if about is not None else frozenset(),
            concluded.claims,
            self.cells,
            catalogue,
            seen,
            self.stand_ins,
        )
        estimate = None  # of what is not certain
        if isinstance(given, Groups) and given.conversion is not None:
            pass  # what is not certain may be in any currency
        elif isinstance(given, Groups) and given.function == "sum":
            estimate = estimate_sum(plan, given, self.cells, seen)
        elif about is not None and not isinstance(given, QueryTable):
            estimate = estimate_count(plan, about, self.cells, seen)
        doubts = {note.phrase: note.reading for note in reversed(plan.notes) if note.confidence < 1}
        uncovered = tuple(
            f"Not sure: “{words}” {doubts[words]}." if doubts.get(words) else f"Not covered: “{words}”."
            for words in left
        )
        halted = tuple(in_words(said, plan, catalogue).reason for said in done.stopped.values())
        is_undecided = plan.decides not in ("", "why") and not plan.uncovered and draft.value is None
        is_being_read = draft.ledger is not None and draft.ledger.pending > 0
        is_partial = bool(uncovered or halted or concluded.struck) or is_undecided or is_being_read
        sureness = _sureness(plan)
        of_parts = min((note.confidence for note in plan.notes), default=1.0)
        unsure = (UNSURE_READING,) if sureness < SURE_READING or of_parts < DOUBTFUL_READING else ()
        is_doubtful = bool(uncovered) or sureness < DOUBTFUL_READING
        most = MOST_CONFIDENT_IN_PART if is_doubtful else min(sureness, HIGH - 0.01) if unsure else sureness
        confidence = min(draft.confidence, most, of_parts)  # no surer than the reading of any part
        searched = (each for each in done.results.values() if isinstance(each, Passages))
        degradations = (
            *(Degradation(code="E004", message=why) for why in concluded.struck),
            *dict.fromkeys(each for passages in searched for each in passages.degradations),
        )
        answer = answer_to(
            asked,
            plan,
            status=Status.PARTIAL if is_partial or _is_open(given) else Status.ANSWERED,
            text=concluded.text,
            claims=concluded.claims,
            value=draft.value,
            table=concluded.table,
            ledger=self._told_of(draft.ledger, plan, seen),
            unread=draft.unread,
            converts_to=draft.converts_to,
            confidence=confidence,
            gaps=(*uncovered, *unsure, *draft.gaps, *halted, *correction_said(plan)),
            clarification=too_many(done, given, self.limits, asked),
            conflicts=weighed.conflicts,
            evidence=weighed.evidence,
            sources=list_sources(concluded.claims),
            degradations=degradations,
            estimate=estimate,
        )
        held = in_hand(plan, about, answer, AnswerFacts(catalogue, {}), catalogue)
        answer = answer.model_copy(update={"conversation": held})

        def suggest() -> tuple[str, ...]:
            found = going_on(plan, answer, catalogue)
            if asked.door.allows_all:
                return found
            planner = self.planner_over(catalogue, seen)
            plans = [(each, planner.plan(each)) for each in found]
            return tuple(q for q, made in plans if isinstance(made, Plan) and not asked.door.refusal(made))

        return ComputedAnswer(answer, suggest)

    def _told_of(self, ledger: Ledger | None, plan: Plan, visibility: Visibility) -> Ledger | None:
        """The ledger with what its parts mean, the level by which clauses were decided for it, and how many
        of its decided documents rest on a language model.
        """
        if ledger is None:
            return None
        asked = [each for each in conditions_of(plan) if not each.narrows]
        is_compared = any(e.op not in _OF_PRESENCE and e.value not in ("true", "false", True) for e in asked)
        fulfils = is_compared or len({e.field for e in asked}) > 1  # of several fields none is "present"
        told: dict[str, object] = {"promise": plan.promise.value if plan.promise else "", "fulfils": fulfils}
        decided = [DocumentId(id) for id in (*ledger.documents.present, *ledger.documents.absent)]
        fields = [name for name in ledger.field.split(", ") if name]
        resting = self.resting(visibility, decided, fields)
        if resting.documents:
            count, sample = len(resting.documents), resting.sample
            told |= {"by_model": count, "model_checked": sample.checked, "model_right": sample.right}
            told["model_said"] = resting_said(count, sample)
        return ledger.model_copy(update=told)


def _is_open(given: Result) -> bool:
    """True where nothing is known to fulfil what was asked, and of something it is not known."""
    if isinstance(given, Groups) and not given.group_by:
        return not any(group.value for group in given.groups) and bool(given.documents.uncertain)
    return isinstance(given, Documents) and not given.present and bool(given.uncertain)


def _why(done: PlanFinished, catalogue: Catalogue) -> Stopped | None:
    """Reason for no answer: a hop's clarification, else the reason of the answer node."""
    for said in done.stopped.values():
        hop = hop_of(done.plan, said.node)
        if said.is_question and said.options and hop is not None and hop.phrase:
            return said
    given = done.answer
    return in_words(given, done.plan, catalogue) if isinstance(given, Stopped) else None


def _says_nothing(plan: Plan, draft: ComputedDraft, given: object, limits: RetrievalSettings) -> bool:
    """True where text may answer instead of the fields: too little was found, or nothing is stated.

    What is lacking no text tells: passages would quote those that have it.
    """
    asks_lack = any(each.op is Operator.MISSING and not each.narrows for each in conditions_of(plan))
    if draft.value is not None or asks_lack:
        return False
    if not isinstance(given, Documents):
        return not any(line.text for line in draft.lines)
    is_told = any(line.spans for line in draft.lines)
    if plan.decides and not plan.uncovered:
        why = {given.unknown[id].reason if id in given.unknown else "" for id in given.scope}
        return not is_told and (plan.decides not in ("any", "all") or why == {"not extracted"})
    return len(given.present) < limits.min_hits or not is_told


def _lacks_value(plan: Plan, draft: ComputedDraft, catalogue: Catalogue) -> bool:
    """True where values are asked for, and all that is stated is that there is a clause of that name.

    "How much notice must be given": that there are notices answers nothing, and the text may say how much.
    """
    base = base_of(plan)
    if plan.kind is not Kind.LOOKUP or plan.decides or base is None or not base.fields:
        return False
    fields = [catalogue.field(name, base.scope.schema_name) for name in base.fields]
    asks_value = any(each is not None and each.type is not FieldType.BOOLEAN for each in fields)
    return asks_value and draft.value is None and not any(line.text for line in draft.lines)


def _told(event: NodeStarted | NodeFinished | NodeStopped, at_ms: float) -> NodeChanged:
    match event:
        case NodeStarted():
            return NodeChanged(at_ms=at_ms, node=event.node, state="running")
        case NodeFinished():
            return NodeChanged(at_ms=at_ms, node=event.node, state="done", **event.figures.model_dump())
        case NodeStopped():
            spent, why = event.latency_ms, event.stopped.reason
            return NodeChanged(at_ms=at_ms, node=event.node, state="stopped", latency_ms=spent, message=why)
