"""Other readings of a question: which of them are offered, and how they are counted."""

from __future__ import annotations

from core.agent.readings import MOST, SECOND_READING, counted, offered, reading_with_rows, with_counts
from core.domain.answer import OtherReading, Route
from core.plan.clarify import Clarify, Option
from core.plan.ir.nodes import Plan
from tests.support.compact_readings import TABLES, plan_of, read
from tests.support.read_questions import CATALOGUE, planned, searched

LACK = planned("Which contracts lack force majeure?")
COUNT = planned("How many contracts lack force majeure?")
HAVE = planned("Which contracts have force majeure?")
TEXT = searched("What does the cleaning contract say about keys?", "d02")


def texts(readings: tuple[OtherReading, ...]) -> list[str]:
    return [each.text for each in readings]


def test_plans_that_come_to_the_same_or_cannot_run_are_not_offered() -> None:
    node = HAVE.nodes[0]
    gone = HAVE.model_copy(update={"nodes": (node.model_copy(update={"order_by": "moon"}),)})

    found = offered(LACK, (LACK, COUNT, COUNT, gone, HAVE), CATALOGUE)

    assert texts(found) == ["contracts · no force majeure · count", "contracts · with force majeure · list"]
    assert [each.count for each in found] == [None, None]


def test_few_readings_are_offered() -> None:
    fields = ("insurance", "governing_law", "contract_value", "discount", "audit_rights")
    lack = (read("list", kind="contracts", where=[f"not {each} is present"]) for each in fields)
    others = tuple(map(plan_of, lack))

    assert len(offered(LACK, others, CATALOGUE)) == MOST


def test_a_reading_over_fields_may_be_offered_beside_a_search() -> None:
    assert texts(offered(TEXT, (LACK,), CATALOGUE)) == ["contracts · no force majeure · list"]


def test_readings_are_counted_by_their_plans() -> None:
    found = counted(offered(LACK, (COUNT, HAVE), CATALOGUE), Route.STRUCTURED, lambda plan: len(plan.nodes))

    assert [each.count for each in found] == [2, 1]


def test_beside_an_answer_from_text_a_reading_that_finds_nothing_is_not_offered() -> None:
    readings = offered(LACK, (COUNT, HAVE), CATALOGUE)

    assert counted(readings, Route.HYBRID, lambda plan: 0) == ()
    assert len(counted(readings, Route.HYBRID, lambda plan: None)) == len(readings)
    assert len(counted(readings, Route.STRUCTURED, lambda plan: 0)) == len(readings)


def back(*plans: Plan | None) -> Clarify:
    options = (Option(label=f"way {at}", question="Q", plan=plan) for at, plan in enumerate(plans))
    return Clarify(type="several_meanings", question="Q", reason="Which?", options=tuple(options))


def test_choices_that_are_plans_are_readings_with_counts() -> None:
    found = with_counts(back(LACK, COUNT, None), CATALOGUE, lambda _plan: 7)

    assert [(each.label, each.documents) for each in found.options] == [
        ("contracts · no force majeure · list", 7),
        ("contracts · no force majeure · count", 7),
        ("way 2", None),
    ]


def test_choices_that_read_alike_keep_their_own_words_and_a_search_has_no_count() -> None:
    found = with_counts(back(LACK, LACK, TEXT), CATALOGUE, lambda _plan: 7)

    searched = "Cleaning Contract · search of the text"
    assert [each.label for each in found.options] == ["way 0", "way 1", searched]
    assert [each.documents for each in found.options] == [7, 7, None]


SHIPPED = plan_of(read("list", is_rows=True, where=["Status = shipped"], question="orders shipped"), TABLES)
CANCELLED = plan_of(read("list", is_rows=True, where=["Status = cancelled"]), TABLES)
ALL = plan_of(read("count", is_rows=True, tables=["d1|0"]), TABLES)


def test_a_reading_that_finds_rows_stays() -> None:
    assert reading_with_rows(SHIPPED, (CANCELLED,), lambda _: 3) is SHIPPED


def test_where_no_row_fulfils_it_the_next_that_has_some_is_taken_and_says_so() -> None:
    found = reading_with_rows(SHIPPED, (CANCELLED,), lambda each: 0 if each is SHIPPED else 2)
    assert found.nodes == CANCELLED.nodes
    assert found.uncovered == (SHIPPED.question,)
    assert [(note.reading, note.confidence < 0.6) for note in found.notes[-1:]] == [(SECOND_READING, True)]


def test_where_none_has_rows_the_likeliest_stays() -> None:
    assert reading_with_rows(SHIPPED, (CANCELLED,), lambda _: 0) is SHIPPED


def test_rows_without_a_condition_are_no_other_reading() -> None:
    assert reading_with_rows(SHIPPED, (ALL,), lambda each: 0 if each is SHIPPED else 6) is SHIPPED
