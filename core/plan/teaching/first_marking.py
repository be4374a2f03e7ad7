"""The marking that a question is shown with before anybody changes it: how it was read, word by word."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from core.plan.catalogue import Catalogue
from core.plan.check.polarity import is_negative
from core.plan.kinds import elected, kind_names
from core.plan.reader.reading import SpanRole
from core.plan.reading import Reading
from core.plan.teaching.marking import Mark, Marking, Part, parts_of


def first_marking(reading: Reading, catalogue: Catalogue) -> Marking:
    """The marking that says how a question was read, over one kind of documents."""
    schema = _schema(reading, catalogue)
    marking = Marking(operation=reading.operation, schema_name=schema)
    for words, field, part in _parts(reading):
        if not words or part not in parts_of(catalogue.field(field, schema) if field else None):
            continue
        start = -1
        while (start := reading.question.find(words, start + 1)) >= 0:
            mark = Mark(start=start, end=start + len(words), part=part, field=field)
            if all(each.end <= mark.start or each.start >= mark.end for each in marking.marks):
                marking = marking.with_mark(mark)
                break
    return marking


def _schema(reading: Reading, catalogue: Catalogue) -> str:
    """The kind whose fields a reading names, else that which its words name, else that of most documents."""
    votes: Counter[str] = Counter(step.kind for step in reading.all_steps)
    votes.update(each.schema_name for step in reading.all_steps for each in step.fields)
    votes.update(each.kind.schema for each in kind_names(catalogue).find(reading.question))
    most = {each.name: 1 + each.documents for each in catalogue.schemas}
    schema = elected(votes, catalogue) or elected(most, catalogue)
    return schema.name if schema is not None else ""


def _parts(reading: Reading) -> Iterator[tuple[str, str, Part]]:
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
