"""What kind of question it is, and what is learned from one for others of its kind."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, date, datetime

import pytest

from core.domain.answer import Kind, Route
from core.domain.passage import Matrix
from core.domain.predicate import Operator
from core.plan.catalogue import Catalogue, DocumentEntry
from core.plan.corrections import LearnedPlanner, shape_of, with_slots
from core.plan.ir.nodes import Condition, Plan, Scope, Select
from core.plan.reading import Operation as ReadOperation
from core.plan.reading import ReadCondition, ReadField, Reading, ReadName
from core.store.conversations.corrections import Corrected
from tests.support.hashed_encoder import HashedEncoder
from tests.support.known_collection import known_collection
from tests.support.marked_reader import MarkedReader

TODAY = date(2026, 3, 1)
WALK = "Which contracts with Halden over $100,000 let us skedaddle?"
PLAIN = "Which contracts with Halden are over $100,000?"
CATALOGUE = known_collection()
MARKED = """
list Which contracts with [Halden]{party} [over $100,000]{>} let us skedaddle?
list List contracts with [Brightwater LLC]{party} [over $5.5 million]{>} let us skedaddle
list Which contracts with [Castor Builders Inc.]{party} [over 20 EUR]{>} let us vamoose?
list Which contracts with [Halden]{party} [under $100,000]{<} let us skedaddle?
list Which contracts [without Halden]{!vendor} [over $100,000]{>} let us skedaddle?
count How many contracts with [Halden]{party} [over $100,000]{>} let us skedaddle?
list Which [invoices]{kind} with [Halden]{party} [over $100,000]{>} let us skedaddle?
list Which contracts with [Halden]{=vendor} or [over $100,000]{|>} let us skedaddle?
list Which contracts with [Brightwater LLC]{party} [over $250,000]{>} let us skedaddle?
list Which contracts with [Halden]{party} [over $7 million]{>} let us skedaddle?
list Which contracts with [Halden]{party} [over $100,000]{>} mention unicorns?
list Which contracts with [Halden]{party} are [over $100,000]{>}?
list Which [Halden]{party} contracts are [over $100,000]{>}?
list Which contracts [end this month]{=expiration_date} and let us skedaddle?
"""
READER = MarkedReader(
    line.replace(" ", "\t", 1).replace(">}", ">contract_value}").replace("<}", "<contract_value}")
    for line in MARKED.strip().splitlines()
)


class Past:
    """Corrections in memory."""

    def __init__(self, *known: tuple[str, Corrected]) -> None:
        self.known = known
        self.kept: dict[str, Matrix] = {}

    def exist(self) -> bool:
        return bool(self.known)

    def of_shape(self, shape: str, question: str = "") -> list[Corrected]:
        return [replace(each, vectors=self.kept.get(each.id)) for known, each in self.known if known == shape]

    def keep(self, vectors: Mapping[str, Matrix]) -> None:
        self.kept.update(vectors)


def planner(*known: tuple[str, Corrected], catalogue: Catalogue = CATALOGUE) -> LearnedPlanner:
    return learning_from(Past(*known), HashedEncoder(), catalogue)


def learning_from(
    past: Past, encoder: HashedEncoder, catalogue: Catalogue = CATALOGUE, today: date = TODAY
) -> LearnedPlanner:
    return LearnedPlanner(catalogue, READER, today=today, corrections=past, encoder=lambda: encoder)


def corrected(question: str = WALK, party: str = "halden", amount: str = "100000 USD") -> Plan:
    conditions = (
        Condition(field="parties", op=Operator.EQUAL, value=party),
        Condition(field="contract_value", op=Operator.GREATER, value=amount),
        Condition(field="termination_for_convenience", op=Operator.EQUAL, value="true"),
    )
    node = Select(id="a", purpose=f"of {party}", scope=Scope(schema_name="contracts"), conditions=conditions)
    return Plan(question=question, kind=Kind.LOOKUP, route=Route.STRUCTURED, nodes=(node,), answer_node="a")


def taught(plan: Plan, rejected: Plan | None = None) -> tuple[str, Corrected]:
    shape = planner().shape(plan.question)
    before = None if rejected is None else rejected.model_dump(mode="json")
    at = datetime(2026, 2, 3, tzinfo=UTC)
    correction = Corrected("q1", plan.question, shape.slots, before, plan.model_dump(mode="json"), at, "ann")
    return shape.text, correction


@pytest.mark.parametrize(
    "other",
    [
        "List contracts with Brightwater LLC over $5.5 million let us skedaddle",
        "Which contracts with Castor Builders Inc. over 20 EUR let us vamoose?",
    ],
)
def test_questions_that_differ_in_values_have_one_shape(other: str) -> None:
    assert planner().shape(other).text == planner().shape(WALK).text


@pytest.mark.parametrize(
    "other",
    [
        "Which contracts with Halden under $100,000 let us skedaddle?",
        "Which contracts without Halden over $100,000 let us skedaddle?",
        "How many contracts with Halden over $100,000 let us skedaddle?",
        "Which invoices with Halden over $100,000 let us skedaddle?",
        "Which contracts with Halden or over $100,000 let us skedaddle?",
    ],
)
def test_what_makes_the_sense_of_a_question_stays_in_its_shape(other: str) -> None:
    assert planner().shape(other).text != planner().shape(WALK).text


def test_a_question_that_was_corrected_is_planned_as_its_correction_and_says_so() -> None:
    plan = planner(taught(corrected())).plan(WALK)
    assert isinstance(plan, Plan)
    assert plan.nodes == corrected().nodes
    assert plan.uncovered == ()
    assert plan.notes[-1].reading == "This question was corrected by ann on 3 Feb 2026; that plan is used."


def test_a_question_like_it_takes_the_correction_with_its_own_values() -> None:
    plan = planner(taught(corrected())).plan(
        "Which contracts with Brightwater LLC over $250,000 let us skedaddle?"
    )
    assert isinstance(plan, Plan)
    assert plan.nodes == corrected(party="brightwater", amount="250000 USD").nodes
    assert plan.notes[-1].reading.startswith("A question like this one was corrected by ann")


def test_a_day_that_the_question_did_not_say_goes_over_to_no_other() -> None:
    plan = corrected()
    own = Condition(field="expiration_date", op=Operator.GREATER, value="2024-12-30")
    node = plan.nodes[0].model_copy(update={"conditions": (*plan.nodes[0].conditions, own)})  # type: ignore[attr-defined]
    past = taught(plan.model_copy(update={"nodes": (node,)}))
    question = "Which contracts with Brightwater LLC over $250,000 let us skedaddle?"
    assert planner(past).plan(question) == planner().plan(question)


def test_a_question_about_something_else_is_not_touched() -> None:
    question = "Which contracts with Halden over $100,000 mention unicorns?"
    assert planner(taught(corrected())).plan(question) == planner().plan(question)


def test_a_question_that_is_read_whole_is_left_as_it_is() -> None:
    other = "Which Halden contracts are over $100,000?"
    past = taught(corrected(PLAIN))
    shape = planner().shape(other).text
    assert planner((shape, past[1])).plan(other) == planner().plan(other)


def test_the_very_words_that_were_corrected_are_read_so_whatever_is_made_of_them() -> None:
    plan = planner(taught(corrected(PLAIN))).plan(PLAIN)
    assert isinstance(plan, Plan)
    assert plan.nodes == corrected().nodes


def test_a_correction_that_is_come_to_without_it_is_said_no_more() -> None:
    own = planner().plan(PLAIN)
    assert isinstance(own, Plan)
    assert planner(taught(own)).plan(PLAIN) == own


class Anyone(Past):
    """Corrections in memory that are found by their words, whatever their shape."""

    def of_shape(self, shape: str, question: str = "") -> list[Corrected]:
        return [each for _, each in self.known if each.question == question]


@pytest.mark.parametrize(
    "slots", [{}, {"party1": "Halden Corporation"}, {"party1": "Halden Corporation", "money1": "1 EUR"}]
)
def test_the_words_that_were_corrected_are_known_where_they_read_otherwise_since(
    slots: dict[str, str],
) -> None:
    _, correction = taught(corrected())
    past = Anyone(("of an earlier version", replace(correction, slots=slots)))
    plan = learning_from(past, HashedEncoder()).plan(WALK)
    assert isinstance(plan, Plan)
    assert plan.nodes == corrected().nodes


def test_what_was_rejected_is_not_planned_again() -> None:
    rejected = planner().plan(PLAIN)
    assert isinstance(rejected, Plan)
    plan = planner(taught(corrected(PLAIN), rejected)).plan("Which Halden contracts are over $100,000?")
    assert isinstance(plan, Plan)
    assert plan.nodes == corrected().nodes


def test_a_correction_that_cannot_run_here_is_not_used() -> None:
    less = Catalogue("less", (), CATALOGUE.parties, CATALOGUE.documents, CATALOGUE.values)
    known = taught(corrected())
    shape = planner(catalogue=less).shape(WALK).text
    assert planner((shape, known[1]), catalogue=less).plan(WALK) == planner(catalogue=less).plan(WALK)


def test_a_past_question_is_encoded_once_and_the_new_one_alone_from_then_on() -> None:
    past, encoder = Past(taught(corrected())), HashedEncoder()
    other = "Which contracts with Halden over $7 million let us skedaddle?"
    first = learning_from(past, encoder).plan(other)
    assert past.kept.keys() == {"q1"}
    encoder.queries.clear()
    assert learning_from(past, encoder).plan(other) == first
    masked = "Which contracts with a company some amount let us skedaddle?"
    assert encoder.queries == [masked, "skedaddle"]


def test_a_question_of_the_same_words_is_known_without_being_encoded() -> None:
    encoder = HashedEncoder()
    plan = learning_from(Past(taught(corrected())), encoder).plan(WALK)
    assert isinstance(plan, Plan)
    assert plan.nodes == corrected().nodes
    assert encoder.queries == []


def test_nothing_is_encoded_where_a_question_is_read_whole() -> None:
    encoder = HashedEncoder()
    learning_from(Past(taught(corrected(PLAIN))), encoder).plan(PLAIN)
    assert encoder.queries == []


def test_vectors_of_a_question_that_reads_otherwise_for_who_asks_are_not_kept() -> None:
    past = Past()
    learned = learning_from(past, HashedEncoder())
    learned.remember("q1", WALK, "another shape")
    assert past.kept == {}
    learned.remember("q1", WALK, learned.shape(WALK).text)
    assert past.kept.keys() == {"q1"}


def test_a_correction_is_kept_where_nothing_can_be_encoded() -> None:
    past, encoder = Past(), HashedEncoder()
    encoder.fail()
    learning_from(past, encoder).remember("q1", WALK, planner().shape(WALK).text)
    assert past.kept == {}


def test_nouns_of_schemas_are_no_words_to_be_learned() -> None:
    assert planner().without_nouns("contracts") == ""
    assert planner().without_nouns("contracts skedaddle") == "skedaddle"
    assert planner().without_nouns("zero-day  Skedaddle") == "zero-day  Skedaddle"


def test_values_without_a_place_in_the_plan_are_not_guessed() -> None:
    old = {"party1": "halden", "money1": "100000 USD"}
    assert with_slots(corrected(), old, {**old, "money1": "5 USD"}) == corrected(amount="5 USD")
    elsewhere = {**old, "money1": "7 USD"}
    assert with_slots(corrected(), elsewhere, old) is None
    assert with_slots(corrected(), old, {"party1": "halden"}) is None


def test_words_that_say_a_day_by_today_are_read_anew_on_another_day() -> None:
    question = "Which contracts end this month and let us skedaddle?"
    end = Condition(field="expiration_date", op=Operator.BETWEEN, value=("2026-03-01", "2026-03-31"))
    node = Select(id="a", purpose="those", scope=Scope(schema_name="contracts"), conditions=(end,))
    plan = Plan(question=question, kind=Kind.LOOKUP, route=Route.STRUCTURED, nodes=(node,), answer_node="a")
    later = learning_from(Past(taught(plan)), HashedEncoder(), today=date(2026, 5, 9)).plan(question)

    assert isinstance(later, Plan)
    (found,) = later.nodes
    assert isinstance(found, Select)
    assert found.conditions == (end.model_copy(update={"value": ("2026-05-01", "2026-05-31")}),)


def test_a_field_that_is_a_guess_is_no_part_of_a_shape() -> None:
    def read(*fields: ReadField, negated: bool = False) -> Reading:
        conditions = tuple(ReadCondition(field=each, words="let us go", negated=negated) for each in fields)
        operation = ReadOperation.LIST
        return Reading(by="trained", question="Which let us go?", operation=operation, conditions=conditions)

    guess, other = (
        ReadField(name="insurance", probability=0.3),
        ReadField(name="audit_rights", probability=0.2),
    )
    shapes = [shape_of(read(each), CATALOGUE) for each in (guess, other)]

    assert {each.text for each in shapes} == {"list ?"}
    assert shapes[0].unknown == "let us go"
    assert shape_of(read(guess, negated=True), CATALOGUE).text != shapes[0].text
    assert shape_of(read(ReadField(name="insurance")), CATALOGUE).unknown == ""


def test_a_name_of_more_documents_than_can_be_pointed_at_is_kept_as_its_words() -> None:
    name = ReadName(words="Orders", role="document")
    question = Reading(by="trained", question="Which Orders?", operation=ReadOperation.LIST, names=(name,))

    def slots(documents: int) -> Mapping[str, str]:
        entries = (DocumentEntry(f"t{n}", "Orders", f"{n}.pdf", "b", "contracts") for n in range(documents))
        return shape_of(question, replace(CATALOGUE, documents=tuple(entries))).slots

    assert list(slots(2).items()) == [("document1", "t0"), ("document2", "t1")]
    assert list(slots(5_000).items()) == [("document1", "Orders")]


def test_a_question_is_read_once_for_its_plan_and_its_shape() -> None:
    learned = learning_from(Past(taught(corrected())), HashedEncoder())
    READER.read_questions.clear()
    learned.plan(PLAIN)
    assert READER.read_questions == [PLAIN]
