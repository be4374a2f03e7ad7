"""Turns of conversations as edits of the last reading: questions marked by hand, then the new reading."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from bench.reader.marks import reading_of as marked
from core.domain.fields import FieldType
from core.plan.catalogue import Catalogue, ColumnEntry, DocumentEntry, TableEntry
from core.plan.check.checker import check
from core.plan.compile.compiler import compile_reading
from core.plan.compile.context import CompileContext
from core.plan.conversation_state import ConversationState, Focus, SetInHand
from core.plan.follow_up import follow, relation_of
from core.plan.ir.nodes import Plan
from core.plan.readers.trained.reading import QuestionReading
from core.plan.readers.trained.to_reading import reading_of
from core.plan.reading import IN_HAND, Operation, Outcome, Reading
from tests.support.conversation_readings import MarkedConversation, plan_of_reading
from tests.support.known_collection import known_collection
from tests.support.reading_text import reading_text

TODAY = date(2024, 11, 22)
KNOWN = known_collection()
TABLES = Catalogue(
    "orders",
    documents=(DocumentEntry("t1", "Orders", "orders.xlsx", "b", "b", "", ()),),
    tables=(
        TableEntry(
            (
                ColumnEntry("Unit price", FieldType.MONEY, "EUR", 3, units=("EUR",)),
                ColumnEntry("Ship-to", FieldType.TEXT, rows=3, texts=("Leeds", "Oslo")),
            ),
            ("t1",),
            rows=3,
        ),
    ),
)
CONTRACTS = ("d01", "d02", "d03", "d04", "d05", "d06")
LAWS = ("New York", "Germany", "Texas")
FILE = Path(__file__).parent / "follow_up.txt"


def conversation(schema: str = "contracts") -> MarkedConversation:
    if schema == "tables":
        return MarkedConversation(TABLES, "", ("t1",))
    return MarkedConversation(KNOWN, schema, CONTRACTS[:5], LAWS)


def _cases() -> Iterator[tuple[str, tuple[tuple[str, str], ...], str]]:
    schema, turns = "", []
    for line in FILE.read_text(encoding="utf-8").splitlines():
        if line.startswith("# "):
            schema = line.removeprefix("# ")
        elif line.startswith("    "):
            yield schema, tuple(turns), line.strip()
            turns = []
        elif line:
            head, _, text = line.partition("\t")
            turns.append((head, text))


@pytest.mark.parametrize(("schema", "turns", "expected"), list(_cases()))
def test_a_turn_edits_the_last_reading(
    schema: str, turns: tuple[tuple[str, str], ...], expected: str
) -> None:
    talk = conversation(schema)

    found = talk.through(turns)

    assert talk.followed is not None
    assert reading_text(found).partition(" (left: ")[0] == expected


@pytest.mark.parametrize(("schema", "turns", "expected"), list(_cases()))
def test_what_a_turn_comes_to_compiles_and_contradicts_none_of_its_words(
    schema: str, turns: tuple[tuple[str, str], ...], expected: str
) -> None:
    talk = conversation(schema)
    reading = talk.through(turns)
    if reading.is_of_text:
        return
    context = CompileContext(talk.catalogue, TODAY)

    plan = compile_reading(reading, context)
    verdict = check(plan, reading, talk.catalogue)

    assert [each.message for each in verdict.problems if each.severity.value == "refuses"] == []


@pytest.mark.parametrize(
    ("turns", "keeps_set"),
    [
        (
            (
                ("list", "contracts [under Texas law]{=governing_law}"),
                ("narrow:list", "[insured]{+insurance}"),
            ),
            False,
        ),
        ((("list", "contracts"), ("ask:lookup", "their [law]{?governing_law}")), True),
        ((("list", "contracts"), ("ordinal:lookup", "[law]{?governing_law} of the [first]{nth}")), True),
        ((("list", "contracts"), ("count:count", "how many?")), True),
        ((("list", "contracts"), ("count:count", "how many [insured]{+insurance}?")), False),
    ],
)
def test_the_set_in_hand_stays_where_nothing_left_it(
    turns: tuple[tuple[str, str], ...], keeps_set: bool
) -> None:
    talk = conversation()

    talk.through(turns)

    assert talk.followed is not None
    assert talk.followed.keeps_set is keeps_set


@pytest.mark.parametrize(
    ("head", "text"),
    [
        ("new:list", "which [leases]{kind} have [insurance]{+insurance}?"),
        ("narrow:text", "what does it say about windows"),
        ("narrow:list", "hm"),
        ("ask:help", "what can you do"),
        ("ask:lookup", "what [law]{?governing_law} has the [Supply Agreement]{doc}"),
    ],
)
def test_a_turn_that_stands_alone_edits_nothing(head: str, text: str) -> None:
    talk = conversation()
    talk.turn("list", "contracts [under Texas law]{=governing_law}")

    talk.turn(head, text)

    assert talk.followed is None


def test_nothing_is_gone_on_from_before_anything_was_asked() -> None:
    talk = conversation()

    talk.turn("narrow:list", "[with insurance]{+insurance}")

    assert talk.followed is None


def test_after_an_answer_from_text_a_list_is_not_narrowed() -> None:
    talk = conversation()
    talk.turn("text", "what do the policies say about travel?")

    talk.turn("narrow:list", "[with insurance]{+insurance}")

    assert talk.followed is None


def _doubted(new: float) -> QuestionReading:
    read = marked("list", "[leases]{kind} [with insurance]{+insurance}", "contracts", is_labelled=True)
    shares = sorted((("new", new), ("narrow", 1 - new)), key=lambda each: -each[1])
    return QuestionReading(read.question, read.operations, read.spans, 1.0, relations=tuple(shares))


@pytest.mark.parametrize(("new", "relation"), [(0.6, "new"), (0.4, "new"), (0.1, "narrow")])
def test_a_turn_that_says_everything_itself_has_to_be_surely_one_that_goes_on(
    new: float, relation: str
) -> None:
    read = _doubted(new)

    assert relation_of(read, reading_of(read, KNOWN, TODAY), KNOWN) == relation


def test_a_place_that_the_set_has_not_is_asked_back() -> None:
    talk = conversation()
    talk.turn("list", "contracts")

    found = talk.turn("ordinal:lookup", "[law]{?governing_law} of the [9th]{nth}")

    assert found.doubt is not None
    assert found.doubt.reason == "There are only 5 documents in hand. Which is meant?"


def test_an_explanation_asks_each_condition_of_the_document() -> None:
    talk = conversation()
    talk.turn("list", "contracts [under Texas law]{=governing_law} with [insurance]{+insurance}")

    reading = talk.turn("explain:text", "why not the [Cleaning Contract]{doc}?")
    plan = compile_reading(reading, CompileContext(KNOWN, TODAY))

    assert reading.explains
    assert plan.decides == "why"
    assert {node.scope.documents for node in plan.nodes} == {("d02",)}  # type: ignore[union-attr]


def _before_readings(plan: Plan | None, documents: tuple[str, ...]) -> ConversationState:
    return ConversationState(SetInHand(documents, "contracts", plan), plan, Focus())


def _narrowed(state: ConversationState) -> Reading:
    read = marked("narrow:list", "[with insurance]{+insurance}", "contracts", is_labelled=True)
    found = follow(read, reading_of(read, KNOWN, TODAY), state, KNOWN)
    assert found is not None
    return found.reading


def test_where_the_plan_of_the_set_has_no_reading_the_set_itself_is_gone_on_from() -> None:
    plan = plan_of_reading(Reading(operation=Operation.LIST, by="trained", question="contracts"))

    found = _narrowed(_before_readings(plan.model_copy(update={"reading": None}), CONTRACTS))

    assert found.within == (IN_HAND,)


def test_documents_without_a_plan_are_named() -> None:
    found = _narrowed(_before_readings(None, ("d01", "d02")))

    assert found.names[0].documents == ("d01", "d02")
    assert [each.field.name for each in found.conditions] == ["insurance"]


@pytest.mark.parametrize(
    ("turns", "whole"),
    [
        (
            (
                ("list", "contracts [under Texas law]{=governing_law}"),
                ("narrow:list", "[with insurance]{+insurance}"),
            ),
            "Contracts: under Texas law, with insurance?",
        ),
        (
            (("list", "contracts [with insurance]{+insurance}"), ("rest:count", "and the others?")),
            "How many contracts: without insurance?",
        ),
        (
            (
                ("list", "contracts [under Texas law]{=governing_law}"),
                ("ordinal:lookup", "[value]{?contract_value} of the [second]{nth}"),
            ),
            "Value of “Cleaning Contract”?",
        ),
        (
            (
                ("list", "contracts [under Texas law]{=governing_law}"),
                ("ordinal:text", "what does the [second]{nth} say about windows?"),
            ),
            "what does the second say about windows, in “Cleaning Contract”?",
        ),
    ],
)
def test_a_turn_stands_for_a_whole_question(turns: tuple[tuple[str, str], ...], whole: str) -> None:
    talk = conversation()

    talk.through(turns)

    assert talk.followed is not None
    assert talk.followed.reading.question == whole


def test_a_conversation_of_more_steps_than_a_reading_holds_stands_alone() -> None:
    talk = conversation()
    talk.turn("rank/desc", "the [five]{limit} [largest]{order contract_value} contracts")
    for _ in range(10):
        talk.turn("order:rank/asc", "the [three]{limit} [newest]{order agreement_date}")
        talk.turn("order:rank/asc", "the [three]{limit} [largest]{order contract_value}")

    assert len(talk.turn("narrow:list", "[with insurance]{+insurance}").steps) <= 8


@pytest.mark.parametrize(
    ("question", "relation"),
    [
        ("and how many of those are under Delaware law?", "narrow"),
        ("Do they, too, have insurance?", "narrow"),
        ("How many contracts are under Delaware law?", "new"),
    ],
)
def test_a_turn_that_speaks_of_those_is_never_new(question: str, relation: str) -> None:
    read = QuestionReading(question, (), (), 0.9, relations=(("new", 0.95), ("narrow", 0.05)))

    turn = Reading(by="trained", question=question, operation=Operation.COUNT)

    assert relation_of(read, turn, KNOWN) == relation


def of_documents(*documents: str) -> MarkedConversation:
    talk = MarkedConversation(KNOWN, documents=documents, groups=("Texas", "Germany"))
    talk.turn("list", "contracts [under Texas law]{=governing_law}")
    return talk


@pytest.mark.parametrize(("place", "document"), [("1st", "d01"), ("second", "d02"), ("last", "d03")])
def test_the_member_at_a_place_is_meant_by_its_id(place: str, document: str) -> None:
    found = of_documents("d01", "d02", "d03").turn(
        "ordinal:lookup", f"[law]{{?governing_law}} of the [{place}]{{nth}}"
    )

    assert found.names[0].documents == (document,)


def test_the_group_at_a_place_becomes_a_condition() -> None:
    talk = of_documents("d01")
    talk.turn("ask:group/count", "[per law]{by governing_law}")

    found = talk.turn("ordinal:list", "those of the [second]{nth}")

    assert found.conditions[-1].values == ("Germany",)


def test_a_group_that_is_not_there_is_not_gone_on_from() -> None:
    talk = of_documents("d01")
    talk.turn("ask:group/count", "[per law]{by governing_law}")

    talk.turn("ordinal:list", "those of the [ninth]{nth}")

    assert talk.followed is None


def test_an_explanation_of_nothing_named_gives_the_set_once_more() -> None:
    talk = of_documents("d01", "d02")

    found = talk.turn("explain:text", "how do you know?")

    assert found.operation is Operation.LIST
    assert not found.explains


def test_a_set_of_one_is_explained_by_its_conditions() -> None:
    found = of_documents("d01").turn("explain:text", "how do you know?")

    assert found.explains
    assert [each.conditions[0].field.name for each in found.steps] == ["governing_law"]


def test_an_order_by_nothing_is_not_gone_on_from() -> None:
    talk = of_documents("d01")

    talk.turn("order:rank", "sorted please")

    assert talk.followed is None


def of_texans(text: str = "contracts [under Texas law]{=governing_law}") -> MarkedConversation:
    talk = MarkedConversation(KNOWN, documents=("d01", "d02", "d03"))
    talk.turn("list", text)
    return talk


def test_what_is_taken_back_and_stands_nowhere_is_a_step_back() -> None:
    talk = of_texans()
    talk.turn("narrow:list", "[with insurance]{+insurance}")

    found = talk.turn("widen:list", "show everything again")

    assert [each.field.name for each in found.conditions] == ["governing_law"]


def test_the_list_is_shown_again_after_a_figure_of_it() -> None:
    talk = of_texans()
    talk.turn("narrow:list", "[with insurance]{+insurance}")
    talk.turn("count:count", "how many?")

    found = talk.turn("undo:list", "the list again please")

    assert (found.operation, len(found.conditions)) == (Operation.LIST, 2)


def test_nothing_was_before_the_first_set() -> None:
    talk = of_texans()

    talk.turn("undo:list", "back")

    assert talk.followed is None


def test_parties_of_no_known_kind_are_joined_as_sets() -> None:
    talk = MarkedConversation(KNOWN, documents=("d01", "d02"))
    talk.turn("list", "anything with [Halden]{party}")

    found = talk.turn("widen:list", "and [Brightwater]{party}")

    assert found.sides == ("s1", "s2")


def test_the_rest_of_a_narrowing_by_two_conditions_is_what_lacks_one_of_them() -> None:
    talk = of_texans()
    talk.turn("narrow:list", "those [with insurance]{+insurance} and [a cap]{+cap_on_liability}")

    found = talk.turn("rest:list", "and the others?")

    assert (found.outcome, [len(each.conditions) for each in found.steps]) == (Outcome.WITHOUT, [1, 3])


def test_a_condition_of_the_set_is_exchanged_though_one_document_was_spoken_of_since() -> None:
    talk = of_texans()
    talk.turn("ordinal:lookup", "[value]{?contract_value} of the [first]{nth}")

    found = talk.turn("replace:list", "and those [under German law]{=governing_law}?")

    assert (found.names, [each.values for each in found.conditions]) == ((), [("Germany",)])


def test_all_that_no_condition_says_has_no_rest() -> None:
    talk = of_texans("contracts")

    talk.turn("rest:list", "and the others?")

    assert talk.followed is None
