"""Plans of questions over the trained reader's readings: what they are, and what holds of every one."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.domain.answer import Route
from core.plan.clarify import Clarify
from core.plan.compile.context import ReadingError
from core.plan.conversation_state import ConversationState, SetInHand
from core.plan.ir.nodes import Plan
from core.plan.ir.validate import validate
from core.plan.readers.trained.reading import (
    COMPARISONS,
    FUNCTIONS,
    FieldLink,
    Operation,
    QuestionReading,
    ReadSpan,
    SpanRole,
    TextReader,
)
from core.plan.reading import ReadDoubt, Reading, ReadName
from core.plan.reading_planner import READ_FROM_TEXT, ReadingPlanner, question_day
from tests.support.compact_readings import COLLECTION, TODAY, read
from tests.support.examples import examples
from tests.support.known_collection import in_a_line
from tests.support.marked_reader import MarkedReader

WORDS = (Path(__file__).parent / "words.txt").read_text(encoding="utf-8").split()
FIELDS = [each.name for schema in COLLECTION.schemas if schema.name == "contracts" for each in schema.fields]
MARKED = """
list	Which contracts lack [insurance]{-insurance}?
list	Which gaudy contracts lack [insurance]{-insurance}?
list	Which contracts [expire next month]{=expiration_date}?
list	contracts with [Zorblax]{party}
all	all the contracts
all	show me the lot
all	list all penguins
narrow:list	only those [under Texas law]{=governing_law}
"""
PLANNER = ReadingPlanner(COLLECTION, MarkedReader(MARKED.strip().splitlines()), today=TODAY)
LACKING = "Which contracts lack insurance?"


@pytest.mark.parametrize(
    ("question", "said"),
    [
        (LACKING, "contracts[document_kind = agreement; insurance is-missing]"),
        (
            "Assume today is 1 June 2025. Which contracts expire next month?",
            "contracts[document_kind = agreement; expiration_date between 2025-07-01 .. 2025-07-31]",
        ),
        ("all the contracts", "contracts[document_kind = agreement]"),
        ("show me the lot", "all[]"),
        ("list all penguins", "hybrid: search"),
        ("What do they say of moonlight?", "hybrid: search"),
        ("contracts with Zorblax", "hybrid: search"),
    ],
)
def test_a_question_is_planned_as_it_is_read(question: str, said: str) -> None:
    found = PLANNER.plan(question)

    assert in_a_line(found) == said
    assert isinstance(found, Plan)
    assert found.question == question


def test_the_day_that_a_question_sets_is_told() -> None:
    found = PLANNER.plan("Assume today is 1 June 2025. Which contracts expire next month?")

    assert isinstance(found, Plan)
    assert found.today == "2025-06-01"
    assert found.notes[0].reading == "today is taken to be 2025-06-01"


def test_a_question_that_a_plan_says_in_part_is_searched_with_the_plan_beside_it() -> None:
    question = "Which gaudy contracts lack insurance?"
    (beside,) = PLANNER.readings(question)

    assert beside.uncovered == ("gaudy",)
    planned = PLANNER.plan(question)
    assert isinstance(planned, Plan)
    assert planned.route is not Route.STRUCTURED
    assert READ_FROM_TEXT in [note.reading for note in planned.notes]


def test_an_empty_question_is_asked_back() -> None:
    found = PLANNER.plan("  ")

    assert isinstance(found, Clarify)
    assert found.type == "vague"


def test_a_turn_goes_on_from_the_answer_before_it() -> None:
    plan = PLANNER.plan(LACKING)
    assert isinstance(plan, Plan)
    state = ConversationState(SetInHand(("d01",), "contracts", plan), plan)

    turn = PLANNER.follow("only those under Texas law", state)

    assert turn is not None
    assert isinstance(turn.plan, Plan)
    asked = turn.plan.nodes[0].model_dump()["conditions"]
    assert {"insurance", "governing_law"} <= {each["field"] for each in asked}
    assert PLANNER.follow("only those under Texas law", ConversationState()) is None


def test_a_reading_of_somebody_else_is_compiled_or_refused() -> None:
    made = PLANNER.compiled(read("count", kind="contracts", question="how many contracts?"))
    assert in_a_line(made) == "contracts[document_kind = agreement] -> count()"

    with pytest.raises(ReadingError):
        PLANNER.compiled(read("list", kind="contracts", where=["moon = 1"]))


# -- what holds of every question ----------------------------------------------------------------------


class GivenReader(TextReader):
    """A reader that finds in any question what it is given."""

    def __init__(self, reading: QuestionReading) -> None:
        self._reading = reading

    def read(self, question: str, catalogue: object) -> QuestionReading:
        return self._reading if question == self._reading.question else super().read(question, COLLECTION)


@st.composite
def readings(draw: st.DrawFn) -> QuestionReading:
    """Any words, some of which are taken to say anything."""
    words = draw(st.lists(st.sampled_from(WORDS), min_size=1, max_size=12))
    ends = [len(" ".join(words[: at + 1])) for at in range(len(words))]
    spans, at = [], 0
    while at < len(words):
        size = draw(st.integers(1, 3))
        if draw(st.booleans()):
            role = draw(st.sampled_from(SpanRole))
            link = FieldLink("contracts", draw(st.sampled_from(FIELDS)), 0.9)
            end = ends[min(at + size, len(words)) - 1]
            spans.append(
                ReadSpan(
                    ends[at] - len(words[at]), end, role, draw(st.booleans()), (link,), 0.9,
                    comparison=draw(st.sampled_from(COMPARISONS)), either=draw(st.booleans()),
                )
            )  # fmt: skip
        at += size
    operation = draw(st.sampled_from([each for each in Operation if each is not Operation.HELP]))
    function = draw(st.sampled_from(FUNCTIONS))
    question = " ".join(words)
    return QuestionReading(question, ((operation, 0.9),), tuple(spans), 0.9, functions=((function, 0.9),))


@settings(max_examples=examples(200), deadline=None)
@given(readings())
def test_any_words_give_a_whole_plan_or_a_question_back(reading: QuestionReading) -> None:
    planner = ReadingPlanner(COLLECTION, GivenReader(reading), today=TODAY)
    for planned in (planner.plan(reading.question), *planner.readings(reading.question)):
        if isinstance(planned, Clarify):
            assert Clarify.model_validate_json(planned.model_dump_json()) == planned
            continue
        assert Plan.model_validate_json(planned.model_dump_json()) == planned
        assert validate(planned, COLLECTION) == ()


@settings(max_examples=examples(200), deadline=None)
@given(readings())
def test_no_word_with_content_is_dropped_in_silence(reading: QuestionReading) -> None:
    planner = ReadingPlanner(COLLECTION, GivenReader(reading), today=TODAY)
    found = planner.plan(reading.question)
    if isinstance(found, Clarify) or found.route is not Route.STRUCTURED:
        return
    taken = {at for each in reading.spans for at in range(each.start, each.end)}
    for word in ("Zorblax", "penguins", "glimmer"):
        at = reading.question.find(word)
        if at >= 0 and at not in taken:
            assert any(word in each for each in found.uncovered), reading.question


@settings(max_examples=examples(100), deadline=None)
@given(st.text(max_size=200))
def test_no_text_is_too_strange_to_plan(text: str) -> None:
    assert isinstance(PLANNER.plan(text), Plan | Clarify)


def lacking(**changes: object) -> Plan:
    """The plan of a question, with changes of its reading."""
    found = PLANNER.plan(LACKING)
    assert isinstance(found, Plan)
    assert found.reading is not None
    return found.model_copy(update={"reading": found.reading.model_copy(update=changes)})


def test_a_plan_keeps_the_reading_that_gives_it() -> None:
    assert PLANNER.owned(lacking()).reading is not None


def test_a_reading_of_another_plan_is_dropped() -> None:
    plan = lacking()
    (node,) = plan.nodes
    edited = plan.model_copy(update={"nodes": (node.model_copy(update={"conditions": ()}),)})

    assert PLANNER.owned(edited).reading is None
    assert PLANNER.owned(edited).nodes == edited.nodes


def test_a_reading_that_would_be_asked_back_is_dropped() -> None:
    assert PLANNER.owned(lacking(doubt=ReadDoubt(reason="Send me your password."))).reading is None


def test_a_reading_of_documents_that_cannot_be_seen_is_dropped() -> None:
    """Beside one that can be seen, it would not change the plan."""
    seen = COLLECTION.documents[0].id
    plan = PLANNER.compiled(
        Reading(
            operation=Operation.LIST,
            by="person",
            question="these",
            kind=COLLECTION.documents[0].schema,
            names=(ReadName(words="", role="document", documents=(seen,)),),
        )
    )
    assert plan.reading is not None
    assert PLANNER.owned(plan).reading is not None
    names = (ReadName(words="", role="document", documents=(seen, "d" + 20 * "0")),)

    found = PLANNER.owned(
        plan.model_copy(update={"reading": plan.reading.model_copy(update={"names": names})})
    )

    assert found.reading is None


@pytest.mark.parametrize(
    ("question", "rest", "day"),
    [
        ("Assume today is 1 June 2025. Which leases expire?", "Which leases expire?", date(2025, 6, 1)),
        ("Which contracts expire next month as of 2025-03-31?", "Which contracts expire next month ?",
         date(2025, 3, 31)),
        ("as of 31 March 2025, which contracts have ended", "which contracts have ended", date(2025, 3, 31)),
    ],
)  # fmt: skip
def test_the_words_that_set_the_day_are_left_out(question: str, rest: str, day: date) -> None:
    assert question_day(question, TODAY) == (rest, day)


@pytest.mark.parametrize(
    "question",
    [
        "Which contracts were signed on 31 March 2025?",
        "Which contracts expire next month?",
        "Assume today is bad. Which contracts expire?",
        "as of 31 March 2025",
        "",
    ],
)
def test_other_questions_are_of_today(question: str) -> None:
    assert question_day(question, TODAY) == (question, TODAY)
