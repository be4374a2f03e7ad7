"""Markings of questions: their parts, and what a question and a schema allow."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bench.reader.marks import all_questions
from bench.reader.marks import reading_of as read
from core.domain.answer import Route
from core.domain.fields import FieldType
from core.errors import UsageError
from core.plan.catalogue import FieldEntry, SchemaEntry
from core.plan.compile.context import CompileContext
from core.plan.readers.trained.reading import (
    NAMING,
    FieldLink,
    Operation,
    QuestionReading,
    ReadSpan,
    SpanRole,
)
from core.plan.readers.trained.to_reading import reading_of
from core.plan.teaching import (
    Mark,
    Marking,
    Part,
    TaughtPlan,
    checked,
    example_phrases,
    first_marking,
    marked,
    marked_reading,
    parts_of,
    taught_plan,
)
from tests.support.compact_readings import COLLECTION, TODAY
from tests.support.known_collection import in_a_line
from tests.support.marked_reader import marking_of

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


def test_a_mark_is_taken_out_by_its_number() -> None:
    assert [each.start for each in marking(mark(12, 15), mark(19, 23)).without(0).marks] == [19]


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


def phrases(said: str) -> list[str]:
    reading = read("list", said, "contracts")
    found = example_phrases(reading.question, marking_of(reading), COLLECTION)
    return [f"{each.field}: {each.text}" for each in found]


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("deals that [Let us walk  away]{+termination_for_convenience}",
         ["termination_for_convenience: let us walk away"]),
        ("deals [without a ceiling on what we owe]{-cap_on_liability}",
         ["cap_on_liability: ceiling on what we owe"]),
        ("the ones [wobbling before March 2025]{=expiration_date}", ["expiration_date: wobbling"]),
        ("the ones [worth above 5,000 dollars in dosh]{=contract_value}", ["contract_value: dosh"]),
        ("[how far ahead must we say so]{?termination_notice} in the [Halden deal]{doc}",
         ["termination_notice: how far ahead must we say so"]),
        ("the three with the [highest dosh]{order contract_value}", ["contract_value: dosh"]),
        ("count them [per boss]{by vendor}", ["vendor: boss"]),
        ("contracts with [insurance]{+insurance}", []),
        ("contracts [under Texas law]{=governing_law}", []),
        ("contracts with [Halden]{party}", []),
        ("the ones that [end]{=expiration_date}", []),
    ],
)  # fmt: skip
def test_a_phrase_is_what_speaks_of_the_field_and_of_nothing_else(said: str, found: list[str]) -> None:
    assert phrases(said) == found


def test_a_phrase_that_was_taught_before_is_found_again() -> None:
    said = "deals that [let us walk away]{+termination_for_convenience}"
    schemas = tuple(
        replace(
            schema,
            fields=tuple(
                replace(each, phrases=("let us walk away",))
                if each.name == "termination_for_convenience"
                else each
                for each in schema.fields
            ),
        )
        for schema in COLLECTION.schemas
    )
    taught = replace(COLLECTION, fingerprint="taught", schemas=schemas)
    reading = read("list", said, "contracts")

    found = example_phrases(reading.question, marking_of(reading), taught)

    assert [each.text for each in found] == ["let us walk away"]


def made(operation: str, said: str) -> TaughtPlan:
    reading = read(operation, said, "contracts")
    marking = marking_of(reading)
    return taught_plan(reading.question, marking, CompileContext(COLLECTION, TODAY))


def test_marks_make_the_plan_that_they_say() -> None:
    found = made("count", "How many [let us skedaddle]{+termination_for_convenience}?")

    assert found.plan is not None
    assert in_a_line(found.plan) == ("contracts[termination_for_convenience = true] -> count()")


def test_words_that_no_mark_takes_are_left_over() -> None:
    found = made("list", "Which gaudy ones [end in 2025]{=expiration_date}?")

    assert found.plan is not None
    assert in_a_line(found.plan) == (
        "contracts[expiration_date between 2025-01-01 .. 2025-12-31] (not covered: gaudy ones)"
    )


def test_a_question_about_the_text_is_searched() -> None:
    found = made("text", "What do our contracts say about moonlight?")

    assert found.plan is not None
    assert found.plan.route is Route.HYBRID


NOTHING_WHOLE = "These marks make no whole reading yet."


NO_VALUE = "“cheap” cannot be read as a value of contract value here."


NO_NAME = "“Zorblax” cannot be read as the name of an organisation here."


NO_DOCUMENT = "“the Zorblax deal” cannot be read as the name of a document here."


@pytest.mark.parametrize(
    ("operation", "said", "problem", "unread"),
    [
        ("list", "Which ones?", "No words are marked yet.", None),
        ("list", "Which are [cheap]{=contract_value}?", NO_VALUE, 0),
        ("list", "Which with [insurance]{+insurance} are [cheap]{=contract_value}?", NO_VALUE, 1),
        ("list", "Which are with [Zorblax]{party}?", NO_NAME, 0),
        ("lookup", "What is the [worth]{?contract_value} of [the Zorblax deal]{doc}?", NO_DOCUMENT, 1),
        ("compute", "What is the average with [insurance]{+insurance}?", NOTHING_WHOLE, None),
        ("compare", "Compare [insurance]{+insurance}", NOTHING_WHOLE, None),
        ("rank", "Which is the best with [insurance]{+insurance}?", NOTHING_WHOLE, None),
    ],
)  # fmt: skip
def test_marks_that_make_no_plan_say_why(operation: str, said: str, problem: str, unread: int | None) -> None:
    found = made(operation, said)

    assert (found.plan, found.problem, found.unread) == (None, problem, unread)
    assert found.next_step


@pytest.mark.parametrize(
    "said",
    [
        "deals that [let us walk]{+exit} but [don't cap it]{-cap}",
        "[signed before 2019]{=date}, [not under Texas law]{!law}, per [vendor]{by vendor}",
        "[how much]{?total} does the [Sonos deal]{doc} with [Acme]{party} have",
        "the [longest]{order term} [leases]{kind}",
        "no mark at all",
        "the [three]{limit} [cheapest]{order price} after the [first]{skip}, not the [second]{nth}",
        "[over 5k]{>total} or [at least 3 years]{|>=term}, [in 2019]{..date}, [not before May]{!<date}",
        "[by month of signing]{by agreement_date.month}, [a cap]{+cap} or [no law]{|-law}",
    ],
)
def test_what_is_read_is_written_as_it_was(said: str) -> None:
    assert marked(read("list", said, "deals")) == said


def test_every_question_of_the_writers_is_written_as_it_was_read() -> None:
    questions = list(all_questions())[:500]

    for each in questions:
        text = marked(each.reading)
        assert read(each.reading.operation.value, text, each.schema) == each.reading


def test_brackets_of_the_question_itself_become_round() -> None:
    span = ReadSpan(0, 9, SpanRole.DOCUMENT, False, (), 1.0)
    reading = QuestionReading("deal [A]\t{x} now", ((Operation.LIST, 1.0),), (span,), 1.0)

    assert marked(reading) == "[deal (A) ]{doc}(x) now"
