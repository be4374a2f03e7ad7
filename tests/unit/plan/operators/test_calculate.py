"""Values that are calculated of those of other nodes."""

from __future__ import annotations

import pytest

from core.domain.results import Documents, FoundValue, Group, Groups, Result, Stopped
from core.errors import UsageError
from core.plan.ir.nodes import Calculate
from tests.support.operating import Desk


def number(text: str, unit: str = "") -> FoundValue:
    return FoundValue(kind="number", text=text, unit=unit, field="qty")


def money(text: str, unit: str = "EUR") -> FoundValue:
    return FoundValue(kind="money", text=text, unit=unit, field="net")


def day(text: str) -> FoundValue:
    return FoundValue(kind="date", text=text, field="due")


def groups(*values: str | None, function: str = "sum", kind: str = "money", unit: str = "EUR") -> Groups:
    made = tuple(Group(key=(f"g{at}",), value=value, unit=unit, rows=1) for at, value in enumerate(values))
    return Groups(function=function, field="net", value_type=kind, groups=made)


def calculated(desk: Desk, how: str, *given: Result, labels: tuple[str, ...] = ()) -> FoundValue | Stopped:
    names = tuple(f"n{at}" for at in range(len(given)))
    node = Calculate.model_validate(
        {"id": "c", "purpose": "p", "inputs": names, "how": how, "labels": labels}
    )
    found = desk.run(node, dict(zip(names, given, strict=True)))
    assert isinstance(found, FoundValue | Stopped)
    return found


def said(found: FoundValue | Stopped) -> tuple[str, str, str]:
    """Kind, text and unit of a value."""
    assert isinstance(found, FoundValue), found
    return found.kind, found.text, found.unit


def reason(found: FoundValue | Stopped) -> str:
    assert isinstance(found, Stopped), found
    return found.reason


@pytest.mark.parametrize(
    ("how", "expected"),
    [
        ("difference", ("money", "-2.5", "EUR")),
        ("gap", ("money", "2.5", "EUR")),
        ("sum", ("money", "12.5", "EUR")),
        ("ratio", ("number", "0.666667", "")),
        ("share", ("number", "66.666667", "%")),
        ("change", ("number", "-33.333333", "%")),
        ("more", ("boolean", "false", "")),
        ("less", ("boolean", "true", "")),
        ("equal", ("boolean", "false", "")),
    ],
)
def test_two_amounts_are_calculated_with(desk: Desk, how: str, expected: tuple[str, str, str]) -> None:
    assert said(calculated(desk, how, money("5.00"), money("7.50"))) == expected


def test_sums_are_exact_and_of_any_number(desk: Desk) -> None:
    assert said(calculated(desk, "sum", number("0.1"), number("0.2"), number("0.3"))) == ("number", "0.6", "")
    assert said(calculated(desk, "difference", number("5"), number("5"))) == ("number", "0", "")


def test_a_change_is_measured_by_the_size_of_what_it_was(desk: Desk) -> None:
    assert said(calculated(desk, "change", number("50"), number("-100"))) == ("number", "150", "%")


def test_days_are_days_apart(desk: Desk) -> None:
    for how in ("gap", "difference"):
        found = calculated(desk, how, day("2024-01-01"), day("2024-03-01"))
        assert said(found) == ("number", "60", "days")
    assert said(calculated(desk, "more", day("2024-03-01"), day("2024-01-01"))) == ("boolean", "true", "")


def test_the_greatest_is_named_and_those_that_are_equal_to_it(desk: Desk) -> None:
    given = (number("5"), number("7"), number("7"))
    assert said(calculated(desk, "greatest", *given, labels=("a", "b", "c")))[1] == "b and c"
    assert said(calculated(desk, "least", *given, labels=("a", "b", "c")))[1] == "a"


def test_all_is_as_many_as_there_are_and_never_none_of_none(desk: Desk) -> None:
    assert said(calculated(desk, "all", number("3"), number("3")))[1] == "true"
    assert said(calculated(desk, "all", number("2"), number("3")))[1] == "false"
    assert said(calculated(desk, "all", number("0"), number("0")))[1] == "false"


def test_units_of_one_kind_are_converted_into_the_first(desk: Desk) -> None:
    assert said(calculated(desk, "difference", number("5", "kg"), number("500", "g"))) == (
        "number",
        "4.5",
        "kg",
    )


@pytest.mark.parametrize(
    ("one", "other", "units"),
    [
        (money("5"), money("5", "USD"), "EUR and USD"),
        (number("5", "kg"), number("5", "km"), "kg and km"),
        (money("5"), number("5"), "EUR and number"),
        (FoundValue(kind="text", text="a"), FoundValue(kind="text", text="a"), "text"),
    ],
)
def test_what_has_nothing_in_common_is_not_calculated_with(
    desk: Desk, one: FoundValue, other: FoundValue, units: str
) -> None:
    assert f" is in {units}, " in reason(calculated(desk, "sum", one, other))


@pytest.mark.parametrize("how", ["ratio", "share", "change"])
def test_nothing_is_divided_by_nothing(desk: Desk, how: str) -> None:
    assert reason(calculated(desk, how, number("1"), number("0"))) == "What it is divided by is 0."


def test_an_input_without_a_value_stops_it_by_its_name(desk: Desk) -> None:
    found = calculated(desk, "sum", groups(None), money("5"), labels=("May", "June"))
    assert reason(found) == "“May” comes to no value: no row takes part."
    assert "“n0”" in reason(calculated(desk, "sum", groups(None), money("5")))


def test_the_one_group_of_a_computation_is_its_value(desk: Desk) -> None:
    assert said(calculated(desk, "sum", groups("5"), money("7"))) == ("money", "12", "EUR")


def test_several_groups_are_no_value(desk: Desk) -> None:
    with pytest.raises(UsageError, match="gives 2 values"):
        calculated(desk, "sum", groups("5", "6"), money("7"))


def test_groups_and_rows_are_counted(desk: Desk) -> None:
    assert said(calculated(desk, "groups", groups("5", "6", None))) == ("number", "3", "")
    assert said(calculated(desk, "groups", groups())) == ("number", "0", "")
    assert said(calculated(desk, "groups", Documents())) == ("number", "0", "")


def test_the_values_of_groups_are_taken_together(desk: Desk) -> None:
    assert said(calculated(desk, "average", groups("5", "6", None))) == ("money", "5.5", "EUR")
    assert said(calculated(desk, "total", groups("5", "6", None))) == ("money", "11", "EUR")


def test_the_average_of_counts_is_a_number(desk: Desk) -> None:
    found = calculated(desk, "average", groups("1", "2", function="count", unit=""))
    assert said(found) == ("number", "1.5", "")


def test_groups_without_values_or_in_several_units_are_not_taken_together(desk: Desk) -> None:
    mixed = groups("5").model_copy(update={"groups": (*groups("5").groups, *groups("5", unit="USD").groups)})
    for given in (groups(), groups(None), mixed):
        assert reason(calculated(desk, "total", given)) == "The groups have no values of one unit."


def test_values_stand_beside_each_other_whatever_their_units(desk: Desk) -> None:
    found = calculated(
        desk, "values", number("5"), money("7.50"), groups(None), labels=("insured", "fees", "none yet")
    )
    assert said(found) == ("text", "insured: 5; fees: 7.50 EUR; none yet: none", "")
