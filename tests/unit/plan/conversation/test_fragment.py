"""Plans of the forms of a turn, on the fields that were spoken of."""

from __future__ import annotations

from core.plan.conversation.fragment import clauses_of, computes, focus_fields, on_fields_in_hand, plan_forms
from core.plan.conversation_state import base_of
from tests.support.conversations import CATALOGUE, PLANNER, plan_of, reading_of


def test_the_first_form_that_is_planned_whole_is_taken() -> None:
    found = plan_forms(("contracts under gibberish", "contracts under Texas law", "contracts"), PLANNER.plan)
    assert found.question == "contracts under Texas law"
    assert found.plan is found.whole


def test_where_none_is_whole_there_is_what_there_is() -> None:
    found = plan_forms(("what do the contracts say about penguins",), PLANNER.plan)
    assert found.whole is None
    assert found.text is not None or found.clarify is not None


def test_a_day_without_a_field_is_of_the_field_that_was_spoken_of() -> None:
    before = plan_of("Which contracts expire in 2025?")
    made = on_fields_in_hand(plan_of("contracts in 2026"), reading_of("in 2026"), before, CATALOGUE)
    assert [clause.field for clause in clauses_of(made)] == ["expiration_date"]  # type: ignore[union-attr]


def test_an_order_goes_on_in_its_direction() -> None:
    before = plan_of("List the contracts sorted by expiration date")
    made = on_fields_in_hand(plan_of("top three contracts"), reading_of("top three"), before, CATALOGUE)
    base = base_of(made)
    assert base is not None
    assert (base.order_by, base.descending, base.limit) == ("expiration_date", False, 3)


def test_what_is_computed_is_the_amount_that_was_spoken_of() -> None:
    before = plan_of("What is the average liability cap of the contracts?")
    made = on_fields_in_hand(plan_of("sum of the contracts"), reading_of("the sum"), before, CATALOGUE)
    node = computes(made)
    assert node is not None
    assert node.field == "liability_cap_amount"


def test_a_field_that_is_named_stays() -> None:
    before = plan_of("Which contracts expire in 2025?")
    plan = plan_of("contracts signed in 2026")
    assert on_fields_in_hand(plan, reading_of("signed in 2026"), before, CATALOGUE) == plan


def test_the_fields_that_were_spoken_of() -> None:
    assert (
        focus_fields(plan_of("What is the average liability cap of the contracts?"))[0]
        == "liability_cap_amount"
    )
    assert focus_fields(None) == ()
