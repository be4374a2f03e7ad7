"""Conditions on units, and on the values of two fields against each other."""

from __future__ import annotations

from datetime import date

import pytest

from core.domain.fields import FieldType
from core.domain.predicate import OfField, Operator, Predicate
from core.domain.results import Unknown
from core.errors import UsageError
from core.store.query.derived import UNIT, Ranked, RankedValue, Verdicts, is_derived, judged_derived
from core.store.query.sources import MISSING, NOT_ASKED, NOT_EXTRACTED, PRESENT


def money(document: str, amount: int, unit: str) -> RankedValue:
    return RankedValue(document, FieldType.MONEY, unit, amount, str(amount), "")


def day(document: str, said: str) -> RankedValue:
    return RankedValue(document, FieldType.DATE, "", date.fromisoformat(said).toordinal(), said, said)


def judge(predicate: Predicate, values: dict[str, list[RankedValue]], **other: set[str]) -> Verdicts:
    """The verdicts over fields with these values; other: documents of all fields by another state."""
    named = {"not_extracted": NOT_EXTRACTED, "missing": MISSING, "not_asked": NOT_ASKED}
    more = {named[state]: ids for state, ids in other.items()}
    ranked: Ranked = lambda name: values[name]  # noqa: E731
    return judged_derived(
        predicate, lambda name: {PRESENT: {each.document for each in values[name]}, **more}, ranked
    )


def test_a_condition_on_a_unit_or_another_field_is_derived() -> None:
    assert is_derived(Predicate("fee" + UNIT, Operator.EQUAL, "USD"))
    assert is_derived(Predicate("fee", Operator.GREATER, OfField("cap")))
    assert not is_derived(Predicate("fee", Operator.EQUAL, "5 USD"))


def test_units_are_compared_and_what_states_no_value_has_none() -> None:
    values = {"fee": [money("a", 1, "USD"), money("b", 1, "EUR")]}
    found = judge(
        Predicate("fee" + UNIT, Operator.EQUAL, "USD"),
        values,
        missing={"c"},
        not_extracted={"d"},
        not_asked={"e"},
    )
    assert found == Verdicts({"a"}, {"b", "c"}, {"d": Unknown(field="fee", reason=NOT_EXTRACTED)})


def test_units_have_no_order() -> None:
    with pytest.raises(UsageError, match="does not compare units"):
        judge(Predicate("fee" + UNIT, Operator.GREATER, "USD"), {"fee": []})


def test_amounts_of_two_units_are_not_compared() -> None:
    values = {
        "fee": [money("a", 5, "USD"), money("b", 5, "USD"), money("c", 1, "USD")],
        "cap": [money("a", 3, "USD"), money("b", 3, "EUR"), money("c", 3, "USD")],
    }
    found = judge(Predicate("fee", Operator.GREATER, OfField("cap")), values)
    assert (found.holds, found.fails) == ({"a"}, {"c"})
    assert found.unknown["b"].reason == "in USD, not in EUR"


def test_a_calendar_year_from_its_first_to_its_last_day_is_one_year() -> None:
    values = {
        "end": [day("a", "2025-12-31"), day("b", "2025-12-30")],
        "start": [day("a", "2025-01-01"), day("b", "2025-01-01")],
    }
    found = judge(Predicate("end", Operator.GREATER_EQUAL, "1 year", minus="start"), values)
    assert (found.holds, found.fails) == ({"a"}, {"b"})


def test_two_fields_are_compared_by_an_order_or_equality_only() -> None:
    with pytest.raises(UsageError, match="does not compare two fields"):
        judge(Predicate("fee", Operator.CONTAINS, OfField("cap")), {"fee": [], "cap": []})
