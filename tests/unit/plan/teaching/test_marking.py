"""Markings of questions: their parts, and what a question and a schema allow."""

from __future__ import annotations

import pytest

from core.domain.fields import FieldType
from core.errors import UsageError
from core.plan.catalogue import FieldEntry, SchemaEntry
from core.plan.reader.reading import NAMING, FieldLink, Operation, SpanRole
from core.plan.teaching.marking import Mark, Marking, Part, checked, marked_reading, parts_of

QUESTION = "Which deals let us walk?"
FIELDS = (
    FieldEntry("deals", "exit", "Exit", FieldType.BOOLEAN),
    FieldEntry("deals", "worth", "Worth", FieldType.MONEY),
)
DEALS = SchemaEntry("deals", "Deals", fields=FIELDS)
THERE = Part(role=SpanRole.CONDITION)


def mark(start: int = 12, end: int = 23, field: str = "exit", part: Part = THERE) -> Mark:
    return Mark(start=start, end=end, part=part, field=field)


def marking(*marks: Mark) -> Marking:
    return Marking(operation=Operation.COUNT, schema_name="deals", marks=marks)


def test_the_reading_of_a_marking_says_the_same() -> None:
    made = marking(
        mark(6, 11, "", Part(role=SpanRole.KIND)), mark(part=Part(role=THERE.role, is_negated=True))
    )
    reading = marked_reading(QUESTION, made)

    assert (reading.operation, [reading.text(each) for each in reading.spans]) == (
        Operation.COUNT,
        ["deals", "let us walk"],
    )
    assert reading.spans[1].links == (FieldLink("deals", "exit", 1.0),)


def test_a_new_mark_takes_the_place_of_those_that_it_lies_over() -> None:
    made = marking(mark(12, 15), mark(19, 23)).with_mark(mark(12, 18, "worth"))

    assert [(each.start, each.field) for each in made.marks] == [(12, "worth"), (19, "exit")]
    assert [each.start for each in made.without(0).marks] == [19]


def test_the_parts_of_words_follow_from_the_type_of_their_field() -> None:
    assert [each.is_negated for each in parts_of(FIELDS[0])] == [False, True]
    roles = [each.role for each in parts_of(FIELDS[1])]
    assert roles[0] is SpanRole.ASKED
    assert SpanRole.ORDER in roles
    assert SpanRole.GROUP not in roles
    assert {each.role for each in parts_of(None)} == set(NAMING)


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (marking(mark(12, 90)), "outside of the question"),
        (marking(mark(11, 12)), "outside of the question"),
        (marking(mark(field="moon")), "have no field 'moon'"),
        (marking(mark(part=Part(role=SpanRole.ORDER))), "“let us walk” cannot say this of Exit"),
        (marking(mark(field="")), "cannot say this of no field"),
        (marking(mark(12, 18), mark(15, 23)), "lie over one another"),
    ],
)
def test_what_nobody_can_have_marked_is_refused(made: Marking, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        checked(QUESTION, made, DEALS)


def test_a_marking_needs_documents_of_its_kind() -> None:
    assert checked(QUESTION, marking(mark()), DEALS) == marking(mark())
    with pytest.raises(UsageError, match="no documents of the kind 'deals'"):
        checked(QUESTION, marking(mark()), None)
