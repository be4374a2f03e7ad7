"""Other readings of a question: offered with its answer and counted, or taken where one finds no row."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from core.domain.answer import Answer, OtherReading, Route
from core.domain.fields import FieldType
from core.domain.predicate import Operator
from core.errors import PlanError
from core.plan.catalogue import Catalogue
from core.plan.clarify import AskBackError, Clarify, Option, is_whole
from core.plan.corrections import LearnedPlanner
from core.plan.ir.hashing import result_hash
from core.plan.ir.nodes import Note, Plan, SelectionNode, flattened, schema_of
from core.plan.ir.serialization import plan_of, stored_plan
from core.plan.ir.validate import validate
from core.plan.reading_line.parts import reading_parts, reading_text

SURE = 0.88
"""Probability of a whole reading of the trained reader from which on no model is asked."""

SECOND_READING = "as it is most likely meant fits no row, so it is read in the next best way"
_SURENESS = 0.5  # of a second reading: the first may be right, and nothing there
MOST = 3
Count = Callable[[Plan], int | None]
"""Number of documents or rows that a plan lists, counts or computes over; None where it has none."""


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
    told = {"reading": reading_parts(plan, catalogue), "other_readings": offered(plan, others, catalogue)}
    return answer.model_copy(update=told)


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


def reading_with_rows(plan: Plan, others: Sequence[Plan], count: Count) -> Plan:
    """The plan, or the first of the others over rows that has some where the plan has none.

    A question over a table is seldom about rows that are not there.
    Source: Wang et al. 2018, Robust Text-to-SQL Generation with Execution-Guided Decoding.
    """
    rivals = [each for each in others if _chooses_rows(each) and not each.uncovered]
    if not rivals or not _chooses_rows(plan) or count(plan) != 0:
        return plan
    found = next((each for each in rivals if count(each)), None)
    if found is None:
        return plan
    note = Note(phrase=plan.question[:500], reading=SECOND_READING, confidence=_SURENESS)
    return found.model_copy(update={"uncovered": (note.phrase,), "notes": (*found.notes, note)})


def _chooses_rows(plan: Plan) -> bool:
    """True where rows of a table are chosen by conditions."""
    selects = [node for node in plan.nodes if isinstance(node, SelectionNode)]
    return any(node.of == "rows" and node.conditions for node in selects)
