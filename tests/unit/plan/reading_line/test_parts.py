"""The line that says how a question was read: it follows from the plan, whoever made that."""

from __future__ import annotations

import pytest

from core.domain.answer import ReadingPart
from core.domain.predicate import Operator
from core.plan.ir.nodes import Choice, Condition, Note
from core.plan.reading_line.parts import (
    PartWords,
    either,
    kind_word,
    negated_value,
    period,
    phrase,
    reading_parts,
    reading_text,
    subject_words,
)
from tests.support.read_questions import CATALOGUE, planned, questions, searched

WORDS = PartWords(CATALOGUE, "contracts")


def line(question: str) -> str:
    return reading_text(planned(question), CATALOGUE)


def parts(question: str) -> tuple[ReadingPart, ...]:
    return reading_parts(planned(question), CATALOGUE)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        (
            "How many contracts governed by Texas law have no force majeure?",
            "contracts · governing law Texas · no force majeure · count",
        ),
        ("Which contracts lack force majeure?", "contracts · no force majeure · list"),
        ("Are there any contracts without insurance?", "contracts · no insurance · is there any"),
        (
            "Is there a liability cap in the construction contract?",
            "contracts · Construction Contract · with cap on liability · yes or no",
        ),
        ("Who are the parties to the supply agreement?", "contracts · Supply Agreement · parties · look up"),
        ("contracts expiring in Q4 2024", "contracts · expiration date in Q4 2024 · list"),
        ("contracts expiring in 2025", "contracts · expiration date in 2025 · list"),
        (
            "which contracts end in june/july 2025",
            "contracts · expiration date in Jun 2025 or in Jul 2025 · list",
        ),
        (
            "contracts signed before 2023 with an audit right",
            "contracts · agreement date before 1 Jan 2023 · with audit rights · list",
        ),
        (
            "Which contracts have payment terms of more than 30 days?",
            "contracts · payment period above 30 days · list",
        ),
        (
            "Which contracts are not governed by New York law?",
            "contracts · governing law not New York · list",
        ),
        ("contracts other than those with Halden", "contracts · parties not Halden Corporation · list"),
        (
            "Sum the values of all contracts with Halden or Brightwater as vendor",
            "contracts · vendor Halden Corporation or Brightwater LLC · sum of contract value",
        ),
        ("What is the latest expiration date?", "contracts · latest expiration date"),
        ("What is the longest payment period?", "contracts · longest payment period"),
        ("Top 3 contracts by value", "contracts · 3 with the highest contract value · list"),
        ("List all contracts sorted by value", "contracts · highest contract value first · list"),
        (
            "Which vendor has the highest total contract value?",
            "contracts · by vendor · top 1 · sum of contract value",
        ),
        ("contracts by year of expiration", "contracts · by year of expiration date · count"),
        ("recipts in 2024", "receipts · date in 2024 · list"),
        ("How many documents do we have?", "documents · count"),
        ("receipts without tires", "receipts · but not · items mentioning “tire” · list"),
        ("contracts other than leases", "contracts · but not · lease agreements · list"),
        (
            "contracts valued in US dollars",
            "contracts · currency of contract value USD · list",
        ),
        (
            "Is the S-500 wider than the S-300?",
            "datasheets · model S-500 · model S-300 · width · is it more?",
        ),
        (
            "Compare the liability caps of Halden and Brightwater contracts",
            "contracts · with Halden Corporation · with Brightwater LLC · liability cap · "
            "compare Halden Corporation and Brightwater LLC",
        ),
        (
            "contracts with a value above average",
            "contracts · average contract value · contract value above that · list",
        ),
    ],
)
def test_a_plan_is_read_in_one_line(question: str, said: str) -> None:
    assert line(question) == said


def test_a_time_between_two_days_is_said() -> None:
    plan = planned("Which contracts lack force majeure?")
    long = Condition(field="expiration_date", op=Operator.GREATER, value="P30M", minus="effective_date")
    node = plan.nodes[0].model_copy(update={"conditions": (long,)})

    said = reading_text(plan.model_copy(update={"nodes": (node,)}), CATALOGUE)

    assert said == "contracts · time from effective date to expiration date above 30 months · list"


def test_a_search_says_that_the_text_is_searched() -> None:
    plan = searched("What does the cleaning contract say about keys?", "d02")

    assert reading_text(plan, CATALOGUE) == "Cleaning Contract · search of the text"


def test_every_plan_has_parts_at_nodes_of_its_own() -> None:
    for question in questions():
        plan = planned(question)
        found = reading_parts(plan, CATALOGUE)
        keys = [(part.node, part.kind, part.places) for part in found]

        assert found, question
        assert {part.node for part in found} <= {node.id for node in plan.nodes}, question
        assert all(part.text for part in found), question
        changeable = [key for key, part in zip(keys, found, strict=True) if part.actions]
        assert len(changeable) == len(set(changeable)), question


def test_a_part_says_what_can_be_done_with_it() -> None:
    subject, law, majeure, count = parts("How many contracts governed by Texas law have no force majeure?")

    assert (subject.kind, subject.actions) == ("subject", ("subject",))
    assert law.value == "Texas"
    assert law.actions == ("field", "value", "is_not", "there", "missing", "remove")
    assert majeure.actions == ("field", "there", "remove")
    assert (count.kind, count.actions) == ("operation", ("operation",))


def test_what_a_negation_denies_can_be_affirmed_again() -> None:
    (_, part, _) = parts("Which contracts don't have Halden as vendor?")

    assert (part.text, part.value) == ("vendor not Halden Corporation", "Halden Corporation")
    assert "is" in part.actions
    assert "is_not" not in part.actions


def test_an_organisation_on_no_side_is_one_part_of_several_clauses() -> None:
    (_, part, _) = parts("invoices other than those of Halden")

    assert len(part.places) == 2


def test_a_note_that_is_not_sure_lowers_the_parts_of_its_node() -> None:
    plan = planned("Which contracts lack force majeure?")
    note = Note(
        phrase="lack force majeure", reading="Force majeure is missing", node="select-1", confidence=0.6
    )

    found = reading_parts(plan.model_copy(update={"notes": (note,)}), CATALOGUE)

    assert {part.confidence for part in found} == {0.6}


def test_a_plan_without_nodes_has_no_parts() -> None:
    plan = planned("Which contracts lack force majeure?")

    assert reading_parts(plan.model_copy(update={"nodes": (), "answer_node": None}), CATALOGUE) == ()


@pytest.mark.parametrize(
    ("first", "last", "said"),
    [
        ("2025-01-01", "2025-12-31", "in 2025"),
        ("2024-10-01", "2024-12-31", "in Q4 2024"),
        ("2024-02-01", "2024-02-29", "in Feb 2024"),
        ("2024-02-01", "2024-02-28", "from 1 Feb 2024 to 28 Feb 2024"),
        ("9999-01-01", "9999-12-31", "from 1 Jan 9999 to 31 Dec 9999"),
        ("soon", "later", "from soon to later"),
    ],
)
def test_a_period_is_named_as_calendars_do(first: str, last: str, said: str) -> None:
    assert period(first, last) == said


def test_titles_stand_in_the_middle_of_a_line() -> None:
    assert phrase("Liability cap") == "liability cap"
    assert phrase("SLA credits") == "SLA credits"


def test_a_long_list_says_how_many_more_there_are() -> None:
    assert either(["a", "b", "c"]) == "a, b or c"
    assert either(["a", "b", "c", "d", "e", "f"]) == "a, b, c or 3 more"
    assert either([]) == ""


def test_documents_are_called_by_their_kind() -> None:
    kind = Condition(field="document_kind", op=Operator.IN, value=("receipt", "invoice"))

    assert subject_words(CATALOGUE.schema("invoices"), kind) == "receipts or invoices"
    assert subject_words(CATALOGUE.schema("contracts"), None) == "contracts"
    assert subject_words(None, None) == "documents"
    assert kind_word("agreement") == "contracts"


def test_a_value_as_written_is_what_a_person_types() -> None:
    mention = Condition(field="amendment_of", op=Operator.CONTAINS, value="Supply Agreement")
    after = Condition(field="effective_date", op=Operator.GREATER, value="2024-10-03")
    party = Condition(field="vendor", op=Operator.NOT_EQUAL, value="halden")

    assert WORDS.written(mention) == "Supply Agreement"
    assert WORDS.written(after) == "after 3 Oct 2024"
    assert WORDS.written(party) == "Halden Corporation"


def test_another_value_or_none_is_one_denial() -> None:
    other = Condition(field="vendor", op=Operator.NOT_EQUAL, value="halden")
    none = Condition(field="vendor", op=Operator.MISSING)

    assert negated_value(Choice(any_of=(other, none))) == other
    assert negated_value(Choice(any_of=(other, other))) is None
    assert negated_value(other) is None
    assert WORDS.clause(Choice(any_of=(other, none))) == "vendor not Halden Corporation"


def test_words_of_a_title_are_the_noun_that_stands_for_them() -> None:
    words = tuple(
        Condition(field="document_name", op=Operator.CONTAINS, value=word)
        for word in ("nondisclosure", "non-disclosure", "confidentiality")
    )
    one = Condition(field="document_name", op=Operator.CONTAINS, value="tolling")

    assert WORDS.clause(Choice(any_of=words)) == "confidentiality agreements"
    assert WORDS.clause(one) == "called “tolling”"
