"""A question marked by a person: which words say what, and what is to be done.

The first marking, before anybody changes it, is how the question was read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from pydantic import Field

from core.domain.answer import Frozen
from core.domain.fields import AMOUNTS, ORDERED, FieldType
from core.errors import UsageError
from core.plan.catalogue import Catalogue, FieldEntry, SchemaEntry
from core.plan.check.polarity import is_negative
from core.plan.kinds import elected, kind_names
from core.plan.reader.reading import NAMING, FieldLink, Operation, QuestionReading, ReadSpan, SpanRole
from core.plan.reading import Reading

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


def first_marking(reading: Reading, catalogue: Catalogue) -> Marking:
    """The marking that says how a question was read, over one kind of documents."""
    schema = _schema_meant(reading, catalogue)
    marking = Marking(operation=reading.operation, schema_name=schema)
    for words, field, part in _read_parts(reading):
        if not words or part not in parts_of(catalogue.field(field, schema) if field else None):
            continue
        start = -1
        while (start := reading.question.find(words, start + 1)) >= 0:
            mark = Mark(start=start, end=start + len(words), part=part, field=field)
            if all(each.end <= mark.start or each.start >= mark.end for each in marking.marks):
                marking = marking.with_mark(mark)
                break
    return marking


def _schema_meant(reading: Reading, catalogue: Catalogue) -> str:
    """The kind whose fields a reading names, else that which its words name, else that of most documents."""
    votes: Counter[str] = Counter(step.kind for step in reading.all_steps)
    votes.update(each.schema_name for step in reading.all_steps for each in step.fields)
    votes.update(each.kind.schema for each in kind_names(catalogue).find(reading.question))
    most = {each.name: 1 + each.documents for each in catalogue.schemas}
    schema = elected(votes, catalogue) or elected(most, catalogue)
    return schema.name if schema is not None else ""


def _read_parts(reading: Reading) -> Iterator[tuple[str, str, Part]]:
    """Parts of a reading: their words, the field that they speak of ("" for none), and what they say."""
    for step in reading.all_steps:
        for each in step.conditions:
            is_presence = not each.values or set(each.values) <= {"true", "false"}
            role = SpanRole.CONDITION if is_presence else SpanRole.VALUE
            yield each.words, each.field.name, Part(role=role, is_negated=is_negative(each))
        yield from ((each.words, "", Part(role=SpanRole(each.role))) for each in step.names)
        for role, fields in ((SpanRole.ASKED, step.asked), (SpanRole.GROUP, step.groups)):
            yield from ((each.words, each.name, Part(role=role)) for each in fields)
        if step.order is not None and step.order.field is not None:
            words = step.order.words or step.order.field.words
            yield words, step.order.field.name, Part(role=SpanRole.ORDER)
