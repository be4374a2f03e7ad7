"""Markings of questions: their parts, and what a question and a schema allow."""

from __future__ import annotations

import pytest

from bench.reader.marks import reading_of as read
from core.domain.fields import FieldType
from core.errors import UsageError
from core.plan.catalogue import FieldEntry, SchemaEntry
from core.plan.reader.markup import marked
from core.plan.reader.reading import NAMING, FieldLink, Operation, SpanRole
from core.plan.reader.to_reading import reading_of
from core.plan.teaching.marking import Mark, Marking, Part, checked, first_marking, marked_reading, parts_of
from tests.support.compact_readings import COLLECTION, TODAY

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


def first(schema: str, operation: str, said: str) -> str:
    """The first marking of a question that is read so, as it stands in a file of marked questions."""
    reading = reading_of(read(operation, said, schema), COLLECTION, TODAY)
    marking = first_marking(reading, COLLECTION)
    return f"{marking.schema_name} {marking.operation} {marked(marked_reading(reading.question, marking))}"


@pytest.mark.parametrize(
    "line",
    [
        "contracts list Which deals [governed by Texas law]{=governing_law} lack [insurance]{-insurance}?",
        "contracts list contracts not [governed by New York law]{!governing_law}",
        "contracts list Which contracts do not [expire in 2025]{!expiration_date}?",
        "contracts count How many [expire in 2025]{=expiration_date} and lack [insurance]{-insurance}?",
        "contracts count How many different [vendors]{?vendor} do we have?",
        "contracts compute average [contract value]{?contract_value} of the contracts with [Halden]{party}",
        "contracts group sum of [contract values]{?contract_value} per [customer]{by customer}",
        "contracts rank Which contract has the [highest value]{order contract_value}?",
        "contracts lookup When does the [Halden cleaning contract]{doc} [end]{?expiration_date}?",
        "contracts exists Is there any contract without [insurance]{-insurance}?",
        "contracts list contracts with a [value between $50,000 and $150,000]{=contract_value}",
        "invoices list Which [invoices]{kind} are [due in the next 30 days]{=due_date}?",
        "manuals text What does the manual say about torque?",
    ],
)
def test_a_question_is_marked_as_it_was_read(line: str) -> None:
    schema, operation, said = line.split(" ", 2)

    assert first(schema, operation, said) == line


def test_words_whose_field_another_kind_has_are_not_marked() -> None:
    reading = reading_of(read("list", "invoices with a [total]{?total}", "invoices"), COLLECTION, TODAY)
    moved = reading.model_copy(update={"kind": "contracts", "asked": (), "question": "with a total"})

    assert first_marking(moved, COLLECTION).marks == ()


def test_without_any_field_the_kind_is_that_of_most_documents() -> None:
    assert first("", "text", "what about torque?") == "contracts text what about torque?"
