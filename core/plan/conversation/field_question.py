"""Fields that a turn asks one document for, by the trained reader: shown, or checked."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.domain.answer import Kind, Route
from core.domain.fields import FieldType
from core.plan.catalogue import SchemaEntry
from core.plan.conversation.proposals import (
    LIKELY,
    READ_AS_FOLLOW_UP,
    FieldMention,
    asks_for_value,
    field_mentions,
)
from core.plan.ir.nodes import Note, Plan, Scope
from core.plan.ir.steps import PlanSteps
from core.plan.reader.reading import SURE_OF_FIELD, QuestionReading, SpanRole

_VALUES = (SpanRole.ASKED, SpanRole.GROUP, SpanRole.ORDER)
_CLAUSES = (SpanRole.CONDITION,)
_KNOWN = 0.4  # probability that words mean a field, of one document that was spoken of: "who sent it" .52
_WHO = re.compile(r"\b(?:who|whom|whose|who['’]s|who['’]re|counterpart(?:y|ies))\b", re.IGNORECASE)


def asks_who(text: str, reading: QuestionReading | None) -> bool:
    """True where a text asks who is in a document, and names no field of its own."""
    if not _WHO.search(text):
        return False
    return reading is None or not any(
        span.role in (SpanRole.CONDITION, SpanRole.VALUE) and span.probability >= SURE_OF_FIELD
        for span in reading.spans
    )


def parties_of(schema: SchemaEntry) -> tuple[str, ...]:
    """The field of a schema that says who the parties are: the one that most documents state; () for none."""
    stated = [each for each in schema.fields if each.type is FieldType.PARTY and each.documents]
    best = max(stated, key=lambda each: each.documents, default=None)
    return (best.name,) if best is not None else ()


def plan_field_question(
    text: str, reading: QuestionReading | None, schema: SchemaEntry, *, least: float = LIKELY
) -> Plan | None:
    """The plan that shows what a text asks of a document, or checks it; None where no field is meant.

    What somebody did to it ("who drafted it") is no field because it asks for somebody.
    """
    if reading is not None and not reading.asks_for_known(_KNOWN):
        return None
    if asks_who(text, reading):
        named = field_mentions(reading, schema.name, _VALUES, SURE_OF_FIELD) if reading is not None else ()
        own = [each.name for each in named if _is_party(each, schema)]
        return show_fields(text, own or parties_of(schema), schema)
    if reading is None:
        return None
    values = [each for each in field_mentions(reading, schema.name, _VALUES, least) if _is_of(each, schema)]
    clauses = [each for each in field_mentions(reading, schema.name, _CLAUSES, least) if _is_of(each, schema)]
    if len(clauses) == 1 and not values:
        return _checking(text, clauses[0], schema, is_value=asks_for_value(reading))
    if len(values) == 1 and not clauses:
        return _checking(text, values[0], schema, is_value=True)
    if clauses:
        return None
    return show_fields(text, [each.name for each in values], schema)


def _is_of(field: FieldMention, schema: SchemaEntry) -> bool:
    return schema.field(field.name) is not None


def _is_party(field: FieldMention, schema: SchemaEntry) -> bool:
    entry = schema.field(field.name)
    return entry is not None and entry.type is FieldType.PARTY and bool(entry.documents)


def _checking(text: str, field: FieldMention, schema: SchemaEntry, *, is_value: bool) -> Plan | None:
    """The plan that says whether a clause is there, or what the field states where it is no clause."""
    entry = schema.field(field.name)
    if entry is None:
        return None
    plan = show_fields(text, (field.name,), schema)
    if plan is None or (entry.type is not FieldType.BOOLEAN and is_value):
        return plan
    return plan.model_copy(update={"decides": "missing" if field.is_negated else "there"})


def show_fields(text: str, fields: Sequence[str], schema: SchemaEntry) -> Plan | None:
    """The plan that shows fields of the documents of a schema; None for no fields."""
    if not fields:
        return None
    steps = PlanSteps()
    scope = Scope(schema_name=schema.name)
    node = steps.select("Show what it states", scope, fields=tuple(fields), reason="it is asked for")
    return Plan(
        question=text[:500],
        kind=Kind.LOOKUP,
        route=Route.STRUCTURED,
        nodes=(node,),
        answer_node=node.id,
        notes=(Note(phrase="", reading=READ_AS_FOLLOW_UP),),
    )
