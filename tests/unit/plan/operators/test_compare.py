"""What sides come to, and what is said of two of them."""

from __future__ import annotations

import pytest

from core.domain.results import Comparison, Documents, Result, Stopped
from core.plan.ir.nodes import Compare
from tests.support.operating import Desk, condition, select
from tests.support.stated_values import absent, day, money, number, present, text


@pytest.fixture
def deals(desk: Desk) -> Desk:
    desk.put("a", law=present(text("Texas")), fee=present(money("0.10")), end=present(day("2024-11-01")))
    desk.put("b", law=present(text("Texas")), fee=present(money("0.20")), end=present(day("2024-12-31")))
    desk.put("c", law=present(text("Iowa")), fee=present(money("0.25")), end=present(day("2025-01-01")))
    desk.put("d", law=present(text("Iowa")), fee=absent(), mass=present(number("0.4", "kg")))
    desk.put("e", law=present(text("Ohio")), mass=present(number("150", "g")))
    return desk


def side(desk: Desk, law: str, *, only: str = "") -> Documents:
    found = desk.run(select(condition("law", "=", law)))
    assert isinstance(found, Documents)
    kept = found.present & {desk.ids[only]} if only else found.present
    return found.model_copy(update={"present": kept, "absent": found.absent | (found.present - kept)})


def compared(desk: Desk, sides: dict[str, Documents], **changes: object) -> Result | Stopped:
    given = {"id": "c", "purpose": "p", "inputs": tuple(sides), "labels": tuple(sides)}
    inputs: dict[str, Result] = dict(sides)
    return desk.run(Compare.model_validate(given | changes), inputs)


def test_each_side_comes_to_its_total(deals: Desk) -> None:
    sides = {"texas": side(deals, "Texas"), "iowa": side(deals, "Iowa")}
    found = compared(deals, sides, fields=("fee",), function="sum")
    assert isinstance(found, Comparison)
    assert [(each.side, each.values, each.units) for each in found.totals] == [
        ("texas", ("0.3",), ("USD",)),
        ("iowa", ("0.25",), ("USD",)),
    ]
    assert deals.names(found.documents.present) == ["a", "b", "c"]
    assert deals.ids["d"] in found.documents.absent


@pytest.mark.parametrize(
    ("outcome", "expected"),
    [
        ("difference", ("money", "0.15", "USD")),
        ("excess", ("money", "-0.15", "USD")),
        ("shortfall", ("money", "0.15", "USD")),
        ("more", ("boolean", "false", "")),
        ("less", ("boolean", "true", "")),
        ("greatest", ("text", "iowa", "")),
        ("least", ("text", "texas", "")),
    ],
)
def test_two_documents_are_held_against_one_another(
    deals: Desk, outcome: str, expected: tuple[str, str, str]
) -> None:
    sides = {"texas": side(deals, "Texas", only="a"), "iowa": side(deals, "Iowa", only="c")}
    found = compared(deals, sides, fields=("fee",), outcome=outcome)
    assert isinstance(found, Comparison)
    assert found.outcome is not None
    assert (found.outcome.kind, found.outcome.text, found.outcome.unit) == expected


def test_dates_are_days_apart(deals: Desk) -> None:
    sides = {"one": side(deals, "Texas", only="a"), "other": side(deals, "Iowa", only="c")}
    found = compared(deals, sides, fields=("end",), outcome="difference")
    assert isinstance(found, Comparison)
    assert found.outcome is not None
    assert (found.outcome.text, found.outcome.unit) == ("61", "days")


def test_numbers_are_compared_in_one_unit(deals: Desk) -> None:
    sides = {"iowa": side(deals, "Iowa"), "ohio": side(deals, "Ohio")}
    found = compared(deals, sides, fields=("mass",), outcome="excess")
    assert isinstance(found, Comparison)
    assert found.outcome is not None
    assert (found.outcome.text, found.outcome.unit) == ("0.25", "kg")


def test_a_side_that_may_be_several_documents_is_asked_about(deals: Desk) -> None:
    sides = {"texas": side(deals, "Texas"), "iowa": side(deals, "Iowa")}
    found = compared(deals, sides, fields=("fee",), outcome="excess")
    assert isinstance(found, Stopped)
    assert found.is_question
    assert len(found.options) == 2


def test_a_side_that_states_nothing_cannot_be_compared(deals: Desk) -> None:
    sides = {"texas": side(deals, "Texas", only="a"), "ohio": side(deals, "Ohio")}
    found = compared(deals, sides, fields=("fee",), outcome="more")
    assert isinstance(found, Stopped)
    assert not found.is_question
    assert "states no value that is known" in found.reason
