"""Questions that fields and sets answer: planned, run node by node, and composed from exact results."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from core.agent.alike_documents import settled
from core.agent.base import DocumentSource
from core.agent.conversation.clarification import ask_back, hop_of, not_quoted, stopped, too_many, which_one
from core.agent.conversation.question_division import divided
from core.agent.conversation.state import in_hand
from core.agent.readings import counted, offered, reading_with_rows, with_counts
from core.agent.request import HIGH, Cutoffs, QuestionRequest, answer_to, label_of
from core.agent.suggestions.computed import GoingOn
from core.agent.suggestions.examples import Examples
from core.answer.cite import Verifier, list_sources
from core.answer.computed.compose import StandIns, Weighed, compose, conclude, weigh
from core.answer.computed.count_estimate import estimate_count
from core.answer.computed.draft import ComputedDraft
from core.answer.computed.inventory import kinds_said
from core.answer.computed.row_facts import RowSource
from core.answer.computed.source import AmendedCells, AnswerFacts, ClauseSource
from core.answer.computed.stop_reasons import in_words
from core.answer.computed.sum_estimate import estimate_sum
from core.domain.answer import (
    Answer,
    Claim,
    ConfidenceLabel,
    CountEstimate,
    Degradation,
    Kind,
    Ledger,
    OtherReading,
    Route,
    Status,
)
from core.domain.conversation import Turn
from core.domain.event import Degraded, Event, NodeChanged, PlanDrawn
from core.domain.fields import FieldType
from core.domain.ids import DocumentId
from core.domain.llm.cells import RestingCells, resting_said
from core.domain.predicate import Operator
from core.domain.results import Documents, Groups, Passages, Result, Rows, Stopped
from core.plan.catalogue import Catalogue
from core.plan.clarify import Clarify, is_whole
from core.plan.conversation_state import ConversationState, base_of
from core.plan.corrections import LearnedPlanner, correction_said
from core.plan.door import PlanDoor
from core.plan.ir.estimate import estimated
from core.plan.ir.hashing import ancestors
from core.plan.ir.nodes import Condition, Plan, SelectionNode, flattened
from core.plan.ir.statistics import Statistics
from core.plan.ir.validate import check
from core.plan.reading_line.parts import reading_parts, set_of
from core.records.database.sql_log import SqlStatement
from core.records.database.visibility import Visibility
from core.retrieval.executor import (
    Executor,
    NodeFinished,
    NodeStarted,
    NodeStopped,
    Operators,
    PlanFinished,
    RunContext,
)
from core.retrieval.operators.base import documents_of

LOW_CONFIDENCE = "low_confidence"
SURE_READING = 0.8
"""Probability of a reading from which on nothing is said of it: .91 right of writers that it never saw."""
DOUBTFUL_READING = 0.6
"""Probability of a reading below which confidence is low, however sure the values are."""
_OF_PRESENCE = (Operator.IS, Operator.MISSING)
UNSURE_READING = "The question may mean something else: see above the answer how it was read."


RestOnModel = Callable[[Visibility, Collection[DocumentId], Collection[str]], RestingCells]
"""Gives those of some documents of which a cell of these fields was decided by a language model alone."""


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
class Planned:
    """A plan, or a question back, with the catalogue that it was made from. others: other plausible plans."""

    plan: Plan | Clarify
    catalogue: Catalogue
    others: tuple[Plan, ...] = ()


@dataclass(frozen=True, slots=True)
class FollowedUp:
    """keeps_set: what was in hand stays so. standalone: the whole question, "" where none is alike."""

    planned: Planned
    keeps_set: bool
    standalone: str = ""


class Structured:
    """Plans questions and runs the plans. Thread-safe."""

    def __init__(
        self,
        catalogue: Callable[[Visibility], Catalogue],
        planner: Callable[[Catalogue, Visibility], LearnedPlanner],
        executor: Executor,
        cells: ClauseSource,
        documents: DocumentSource,
        table_rows: RowSource,
        stand_ins: StandIns = lambda _visible, _fields: {},
        cutoffs: Cutoffs | None = None,
        statistics: Callable[[Visibility], Statistics] = lambda _visible: Statistics(),
        by_model: RestOnModel = lambda _visible, _documents, _fields: RestingCells(),
    ) -> None:
        """stand_ins: by field and document which amendment states what holds."""
        self._by_model = by_model
        self._catalogue = catalogue
        self._planner = planner
        self._executor = executor
        self._cells = cells
        self._documents = documents
        self._table_rows = table_rows
        self._stand_ins = stand_ins
        self._cutoffs = cutoffs or Cutoffs()
        self._statistics = statistics
        self._going_on = GoingOn()
        self._examples = Examples()

    def visible(self, history: Sequence[Turn], visibility: Visibility) -> tuple[Turn, ...]:
        """The turns without answers that hold something of a document that may not, or no longer, be seen."""
        seen = {each.id for each in self._catalogue(visibility).documents}
        return tuple(
            turn if turn.answer is None or turn.answer.document_ids <= seen else replace(turn, answer=None)
            for turn in history
        )

    def divided(self, text: str, visibility: Visibility, buckets: tuple[str, ...] = ()) -> tuple[str, ...]:
        """The whole questions that a text is answered as; () where it is answered as it is."""
        planner = self.planner(visibility)
        return divided(text, planner.read, lambda whole: is_whole(planner.plan(whole, buckets)))

    def plan(self, question: str, visibility: Visibility, buckets: tuple[str, ...] = ()) -> Planned:
        """Plan for a question, estimated; nothing has run."""
        catalogue = self._catalogue(visibility)
        planner = self._planner(catalogue, visibility)
        planned = _settling(planner, catalogue, buckets)(question)
        if not isinstance(planned, Plan):
            return Planned(planned, catalogue)
        others = planner.readings(question, buckets)
        return Planned(estimated(planned, catalogue, self._statistics(visibility)), catalogue, others)

    def with_rows(self, planned: Planned, asked: QuestionRequest) -> Planned:
        """The plan, or another reading where no row fulfils this one; only counts are run."""
        if isinstance(planned.plan, Clarify) or not planned.others:
            return planned
        chosen = reading_with_rows(planned.plan, planned.others, lambda plan: self._count(plan, asked))
        if chosen is planned.plan:
            return planned
        others = (planned.plan, *(each for each in planned.others if each is not chosen))
        known = estimated(chosen, planned.catalogue, self._statistics(asked.visibility))
        return replace(planned, plan=known, others=others)

    def given(
        self, plan: Plan, visibility: Visibility, buckets: tuple[str, ...], state: ConversationState
    ) -> Planned:
        """A plan that was chosen, estimated over what may be seen. Raises PlanError where it cannot run."""
        catalogue = self._catalogue(visibility)
        check(plan, catalogue)
        plan = self._planner(catalogue, visibility).owned(plan, buckets, state)
        return Planned(estimated(plan, catalogue, self._statistics(visibility)), catalogue)

    def as_read(self, answer: Answer, plan: Plan, others: Sequence[Plan], visibility: Visibility) -> Answer:
        """An answer with the reading of its plan, and other plausible ones."""
        return _as_read(answer, plan, others, self._catalogue(visibility))

    def counted(self, answer: Answer, asked: QuestionRequest) -> tuple[OtherReading, ...]:
        """The other readings of an answer, each with its count: only what that needs is run."""
        return counted(answer.other_readings, answer.route, lambda plan: self._count(plan, asked))

    def with_counts(self, planned: Planned, clarify: Clarify, asked: QuestionRequest) -> Clarify:
        """A question back whose choices are plans, each with its count."""
        return with_counts(clarify, planned.catalogue, lambda plan: self._count(plan, asked))

    def _count(self, plan: Plan, asked: QuestionRequest) -> int | None:
        id = set_of(plan)
        if id is None:
            return None
        nodes = tuple(node for node in plan.nodes if node.id in ancestors(plan, id))
        part = plan.model_copy(update={"nodes": nodes, "answer_node": id})
        catalogue = self._catalogue(asked.visibility)
        if asked.door.refusal(part) is not None:
            return None
        context = RunContext(asked.visibility, asked.data_version, asked.door, catalogue.fingerprint)
        *_, done = self._executor.run(part, context)
        given = done.answer if isinstance(done, PlanFinished) else None
        if isinstance(given, Documents):
            return len(given.present)
        return given.total if isinstance(given, Rows) else None

    def introduction(
        self, visibility: Visibility, data_version: int, door: PlanDoor, buckets: tuple[str, ...] = ()
    ) -> tuple[str, tuple[str, ...]]:
        """The kinds of documents with their counts in words, and examples of questions that are answered."""
        catalogue = self._catalogue(visibility)
        inside = [each for each in catalogue.documents if not buckets or each.bucket in buckets]

        def is_answered(question: str) -> bool:
            planned = self.plan(question, visibility, buckets)
            plan = planned.plan
            if not is_whole(plan) or door.refusal(plan) is not None:
                return False
            asked = QuestionRequest(question, "", data_version, visibility, door, lambda: 0.0)
            last = list(self.answer(planned, plan, asked))[-1]
            return isinstance(last, ComputedAnswer) and last.answer.status is Status.ANSWERED

        return kinds_said(inside, catalogue), self._examples.questions(
            catalogue, buckets, is_answered, door.known_by
        )

    def follow(
        self, question: str, state: ConversationState, visibility: Visibility, buckets: tuple[str, ...] = ()
    ) -> FollowedUp | None:
        """The plan of a question that goes on from a conversation, estimated; None where it is none."""
        catalogue = self._catalogue(visibility)
        planner = self._planner(catalogue, visibility)
        found = planner.follow(question, state, buckets)
        if found is None:
            return None
        plan = found.planned.planned
        if isinstance(plan, Clarify):
            plan = settled(plan, lambda text: planner.plan(text, buckets), catalogue)
        if isinstance(plan, Plan):
            plan = estimated(plan, catalogue, self._statistics(visibility))
        return FollowedUp(Planned(plan, catalogue, found.planned.others), found.keeps_set, found.standalone)

    def planner(self, visibility: Visibility) -> LearnedPlanner:
        """Planner of what may be seen, which compiles readings that somebody else made, too."""
        return self._planner(self._catalogue(visibility), visibility)

    def _counted_by_model(self, ledger: Ledger | None, visibility: Visibility) -> Ledger | None:
        """The ledger with how many of its decided documents rest on a language model."""
        if ledger is None:
            return None
        decided = [DocumentId(id) for id in (*ledger.documents.present, *ledger.documents.absent)]
        fields = [name for name in ledger.field.split(", ") if name]
        resting = self._by_model(visibility, decided, fields)
        if not resting.documents:
            return ledger
        count, sample = len(resting.documents), resting.sample
        told = {"by_model": count, "model_checked": sample.checked, "model_right": sample.right}
        return ledger.model_copy(update={**told, "model_said": resting_said(count, sample)})

    @property
    def operators(self) -> Operators:
        """Operators that do the work of single nodes."""
        return self._executor.operators

    def statements(
        self, plan: Plan, node: str, visibility: Visibility, data_version: int, door: PlanDoor
    ) -> tuple[SqlStatement, ...]:
        """Database statements of a node, with their values. Raises RefusedError."""
        context = RunContext(visibility, data_version, door, self._catalogue(visibility).fingerprint)
        return self._executor.statements(plan, node, context)

    def answer(
        self, planned: Planned, plan: Plan, asked: QuestionRequest
    ) -> Iterator[Event | ComputedAnswer]:
        """The events of a run and, last, the answer; no answer where the plan's fallback should be tried."""
        for event in self.inspect(planned, plan, asked):
            if not isinstance(event, PlanFinished):
                yield event

    def inspect(
        self, planned: Planned, plan: Plan, asked: QuestionRequest, cancelled: threading.Event | None = None
    ) -> Iterator[Event | PlanFinished | ComputedAnswer]:
        """The same, with what every node gave before the answer. Raises RefusedError."""
        if (refused := asked.door.refusal(plan)) is not None:
            raise refused
        promise = asked.visibility.promise
        plan = plan.model_copy(update={"promise": promise.level if promise is not None else None})
        yield PlanDrawn(at_ms=asked.at_ms(), plan=plan.model_dump(mode="json"))
        done: PlanFinished | None = None
        context = RunContext(asked.visibility, asked.data_version, asked.door, planned.catalogue.fingerprint)
        for event in self._executor.run(plan, context, cancelled):
            if isinstance(event, PlanFinished):
                done = event
            else:
                yield _told(event, asked.at_ms())
        assert done is not None  # every run ends with it
        yield done
        computed = self._concluded(done, planned.catalogue, asked)
        if computed is not None:
            yield from (Degraded(at_ms=asked.at_ms(), degradation=d) for d in computed.answer.degradations)
            yield replace(computed, answer=_as_read(computed.answer, plan, planned.others, planned.catalogue))

    def _concluded(
        self, done: PlanFinished, catalogue: Catalogue, asked: QuestionRequest
    ) -> ComputedAnswer | None:
        plan, given = done.plan, done.answer
        if given is None or isinstance(given, Stopped):
            said = stopped(plan, _why(done, catalogue), asked)
            return ComputedAnswer(said) if said is not None else None
        draft = compose(
            plan,
            done.results,
            AmendedCells(self._cells, self._stand_ins),
            catalogue,
            asked.visibility,
            self._table_rows,
        )
        if draft is None or (
            Route.HYBRID in plan.fallbacks
            and (_says_nothing(plan, draft, given, self._cutoffs) or _lacks_value(plan, draft, catalogue))
        ):
            return None
        unclear = which_one(plan, draft, given, catalogue)
        if unclear is not None:
            return ComputedAnswer(ask_back(unclear, asked))
        concluded = conclude(draft, Verifier(self._documents, asked.visibility, asked.question))
        weighed = self._weighed(done, given, concluded.claims, catalogue, asked.visibility)
        left = not_quoted(plan, concluded.claims)
        if left and Route.HYBRID in plan.fallbacks:
            return None
        uncovered = tuple(_not_covered(phrase, plan) for phrase in left)
        halted = tuple(in_words(said, plan, catalogue).reason for said in done.stopped.values())
        is_open = _is_open(given) or (
            plan.decides not in ("", "why") and not plan.uncovered and draft.value is None
        )
        is_being_read = draft.ledger is not None and draft.ledger.pending > 0
        is_partial = bool(uncovered or halted or concluded.struck) or is_open or is_being_read
        sureness = min((note.confidence for note in plan.notes if not note.node), default=1.0)
        unsure = (UNSURE_READING,) if sureness < SURE_READING else ()
        is_doubtful = bool(uncovered) or sureness < DOUBTFUL_READING
        most = 0.35 if is_doubtful else min(sureness, HIGH - 0.01) if unsure else sureness
        confidence = min(draft.confidence, most)
        label = label_of(confidence)
        answer = answer_to(
            asked,
            plan,
            status=Status.PARTIAL if is_partial else Status.ANSWERED,
            text=concluded.text,
            claims=concluded.claims,
            value=draft.value,
            table=concluded.table,
            ledger=self._counted_by_model(_said_of(draft.ledger, plan), asked.visibility),
            unread=draft.unread,
            confidence=confidence,
            confidence_label=label,
            gaps=(*uncovered, *unsure, *draft.gaps, *halted, *correction_said(plan)),
            clarification=too_many(done, given, self._cutoffs, asked),
            conflicts=weighed.conflicts,
            evidence=weighed.evidence,
            sources=list_sources(concluded.claims),
            degradations=(
                *(Degradation(code="E004", message=why) for why in concluded.struck),
                *searched_with(done.results),
            ),
            flags=(LOW_CONFIDENCE,) if label is ConfidenceLabel.LOW else (),
            estimate=self._estimated(plan, given, asked.visibility),
        )

        names = AnswerFacts.read(self._cells, catalogue, asked.visibility, (), (), "")
        held = in_hand(plan, documents_of(given), answer, names, catalogue)
        answer = answer.model_copy(update={"conversation": held})

        def suggest() -> tuple[str, ...]:
            found = self._going_on.questions(plan, answer, given, catalogue)
            if asked.door.allows_all:
                return found
            planner = self._planner(catalogue, asked.visibility)
            plans = [(each, planner.plan(each)) for each in found]
            kept = [
                each for each, made in plans if isinstance(made, Plan) and asked.door.refusal(made) is None
            ]
            return tuple(kept)

        return ComputedAnswer(answer, suggest)

    def _estimated(self, plan: Plan, given: Result, visible: Visibility) -> CountEstimate | None:
        """The estimate of a count or a sum over what is not certain."""
        about = documents_of(given)
        if isinstance(given, Groups) and given.function == "sum":
            return estimate_sum(plan, given, self._cells, visible)
        if about is None or isinstance(given, Rows):
            return None
        return estimate_count(plan, about, self._cells, visible)

    def _weighed(
        self,
        done: PlanFinished,
        given: Result,
        claims: tuple[Claim, ...],
        catalogue: Catalogue,
        visible: Visibility,
    ) -> Weighed:
        """Evidence under the answer, and statements that contradict it."""
        about = documents_of(given)
        present = about.present if about is not None else frozenset[str]()
        return weigh(
            done.plan, done.results, present, claims, self._cells, catalogue, visible, self._stand_ins
        )


def _said_of(ledger: Ledger | None, plan: Plan) -> Ledger | None:
    """The ledger with what its parts mean, and the level by which clauses were decided for it."""
    if ledger is None:
        return None
    asked = [
        each
        for node in plan.nodes
        if isinstance(node, SelectionNode)
        for each in flattened(node.conditions)
        if not each.narrows
    ]
    fulfils = any(each.op not in _OF_PRESENCE and each.value not in ("true", "false", True) for each in asked)
    level = plan.promise.value if plan.promise is not None else ""
    return ledger.model_copy(update={"promise": level, "fulfils": fulfils})


def _settling(
    planner: LearnedPlanner, catalogue: Catalogue, buckets: tuple[str, ...]
) -> Callable[[str], Plan | Clarify]:
    """Plans of whole questions, settled where they are about documents that are called alike."""

    def plan(question: str) -> Plan | Clarify:
        return planner.plan(question, buckets)

    return lambda question: settled(plan(question), plan, catalogue)


def _as_read(answer: Answer, plan: Plan, others: Sequence[Plan], catalogue: Catalogue) -> Answer:
    """The answer with the reading that it rests on, and other plausible ones; a question back has none."""
    if answer.plan is None:
        return answer
    reading, others_read = reading_parts(plan, catalogue), offered(plan, others, catalogue)
    return answer.model_copy(update={"reading": reading, "other_readings": others_read})


def _not_covered(phrase: str, plan: Plan) -> str:
    """That words are in no node, or that what was made of them is not sure."""
    doubt = next((note.reading for note in plan.notes if note.phrase == phrase and note.confidence < 1), "")
    return f"Not sure: “{phrase}” {doubt}." if doubt else f"Not covered: “{phrase}”."


def searched_with(results: Mapping[str, Result]) -> tuple[Degradation, ...]:
    """Degradations while the searches of a plan ran, each said once."""
    found = (
        each for result in results.values() if isinstance(result, Passages) for each in result.degradations
    )
    return tuple(dict.fromkeys(found))


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


def _says_nothing(plan: Plan, draft: ComputedDraft, given: object, cutoffs: Cutoffs) -> bool:
    """True where text may answer instead of the fields: too little was found, or nothing is stated.

    What is lacking no text tells: passages would quote those that have it.
    """
    if draft.value is not None or _asks_what_is_missing(plan):
        return False
    if plan.decides and not plan.uncovered and isinstance(given, Documents):
        is_told = any(line.spans for line in draft.lines)
        return not is_told and (plan.decides not in ("any", "all") or _is_unread(given))
    if isinstance(given, Documents):
        return len(given.present) < cutoffs.min_hits or not any(line.spans for line in draft.lines)
    return not any(line.text for line in draft.lines)


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


def _is_unread(given: Documents) -> bool:
    """True where the fields asked for were filled for no document in scope."""
    return bool(given.scope) and all(
        id in given.unknown and given.unknown[id].reason == "not extracted" for id in given.scope
    )


def _asks_what_is_missing(plan: Plan) -> bool:
    selects = [node for node in plan.nodes if isinstance(node, SelectionNode)]
    clauses = [clause for node in selects for clause in node.conditions if isinstance(clause, Condition)]
    return any(each.op is Operator.MISSING and not each.narrows for each in clauses)


def _told(event: NodeStarted | NodeFinished | NodeStopped, at_ms: float) -> NodeChanged:
    if isinstance(event, NodeStarted):
        return NodeChanged(at_ms=at_ms, node=event.node, state="running")
    if isinstance(event, NodeStopped):
        return NodeChanged(
            at_ms=at_ms,
            node=event.node,
            state="stopped",
            latency_ms=event.latency_ms,
            message=event.stopped.reason,
        )
    figures = event.figures
    return NodeChanged(at_ms=at_ms, node=event.node, state="done", **figures.model_dump())
