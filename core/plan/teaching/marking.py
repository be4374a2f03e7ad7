"""A question marked by a person: which words say what, and what is to be done."""

from __future__ import annotations

from itertools import pairwise

from pydantic import Field

from core.domain.answer import Frozen
from core.domain.fields import AMOUNTS, ORDERED, FieldType
from core.errors import UsageError
from core.plan.catalogue import FieldEntry, SchemaEntry
from core.plan.reader.reading import NAMING, FieldLink, Operation, QuestionReading, ReadSpan, SpanRole

MOST_MARKS = 20


class Part(Frozen):
    """The part that marked words play. is_negated: what they say is not to hold."""

    role: SpanRole
    is_negated: bool = False


class Mark(Frozen):
    """Words question[start:end] with their part. field: "" of names and kinds."""

    start: int = Field(ge=0)
    end: int = Field(gt=0)
    part: Part
    field: str = Field(default="", max_length=200)


class Marking(Frozen):
    """A question as a person marks it: its marks in order, apart. schema_name: whose fields they name."""

    operation: Operation = Operation.LIST
    schema_name: str = Field(default="", max_length=100)
    marks: tuple[Mark, ...] = Field(default=(), max_length=MOST_MARKS)

    def with_mark(self, mark: Mark) -> Marking:
        """The marking with another mark, in place of those that it lies over."""
        kept = (each for each in self.marks if each.end <= mark.start or each.start >= mark.end)
        return self.model_copy(
            update={"marks": tuple(sorted((*kept, mark), key=lambda each: each.start))[:MOST_MARKS]}
        )

    def without(self, number: int) -> Marking:
        """The marking without one of its marks, by its number."""
        return self.model_copy(update={"marks": (*self.marks[:number], *self.marks[number + 1 :])})


def parts_of(field: FieldEntry | None) -> tuple[Part, ...]:
    """Parts that words for a field may play, the likeliest first; None: words that name something."""
    if field is None:
        return tuple(Part(role=role) for role in NAMING)
    there, missing = Part(role=SpanRole.CONDITION), Part(role=SpanRole.CONDITION, is_negated=True)
    if field.type is FieldType.BOOLEAN:
        return there, missing
    value, other = Part(role=SpanRole.VALUE), Part(role=SpanRole.VALUE, is_negated=True)
    asked, group = Part(role=SpanRole.ASKED), Part(role=SpanRole.GROUP)
    order = (Part(role=SpanRole.ORDER),) if field.type in ORDERED else ()
    groups = () if field.type in AMOUNTS else (group,)
    return asked, value, other, there, missing, *groups, *order


def marked_reading(question: str, marking: Marking) -> QuestionReading:
    """The reading that a marking states, with certainty."""
    spans = tuple(
        ReadSpan(
            each.start,
            each.end,
            each.part.role,
            each.part.is_negated,
            (FieldLink(marking.schema_name, each.field, 1.0),) if each.field else (),
            1.0,
        )
        for each in marking.marks
    )
    return QuestionReading(question, ((marking.operation, 1.0),), spans, 1.0)


def checked(question: str, marking: Marking, schema: SchemaEntry | None) -> Marking:
    """The marking, where it fits question and schema. Raises UsageError where nobody can have made it."""
    if schema is None:
        raise UsageError(
            f"There are no documents of the kind {marking.schema_name!r}.", next_step="Choose another kind."
        )
    for mark in marking.marks:
        words = question[mark.start : mark.end]
        if mark.end > len(question) or not words.strip():
            raise UsageError("A mark lies outside of the question.", next_step="Mark the words anew.")
        field = schema.field(mark.field) if mark.field else None
        if mark.field and field is None:
            raise UsageError(
                f"{schema.title} have no field {mark.field!r}.", next_step="Choose another field."
            )
        if mark.part not in parts_of(field):
            title = field.title if field is not None else "no field"
            raise UsageError(
                f"“{words}” cannot say this of {title}.", next_step="Choose what else the words say."
            )
    if any(one.end > other.start for one, other in pairwise(marking.marks)):
        raise UsageError("Two marks lie over one another.", next_step="Take one of them away.")
    return marking
