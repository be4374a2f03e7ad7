from __future__ import annotations

from decimal import Decimal

import pytest

from core.answer.cite import Numbering
from core.answer.prose.calculation.calculate import CalculatedValue, calculate
from core.answer.prose.calculation.expression import CalculationError
from core.answer.prose.claim_lines import WrittenCalculation, WrittenFigure
from core.answer.prose.units import EvidenceUnit, PackedEvidence
from core.domain.answer import QuotedPlace

PAGE = "Sales of 2020 and 2021 (in thousands)\nNorth 1,200 1,500\nSouth 800 900\n"
NORTH = WrittenFigure("a", "e1", "North 1,200 1,500", "1,500")
SOUTH = WrittenFigure("b", "e1", "South 800 900", "900")


def made(
    expression: str,
    *figures: WrittenFigure,
    id: str = "c1",
    known: dict[str, CalculatedValue] | None = None,
    page: str = PAGE,
) -> CalculatedValue:
    place = QuotedPlace(
        document="d", title="Sales", source="s.txt", version=1, page=1, start=0, end=len(page), quote=page
    )
    packed = PackedEvidence((EvidenceUnit("e1", place),), ())
    written = WrittenCalculation(0, id, "both", expression, figures)
    return calculate(written, packed, lambda _span: page, known or {})


def test_a_result_rests_on_its_rows_and_their_heads() -> None:
    found = made("a + b", NORTH, SOUTH)

    assert found.quantity.value == Decimal(2_400_000)
    assert found.shown == "1,500 + 900"
    assert [span.quote for span in found.rows] == ["North 1,200 1,500", "South 800 900"]
    assert {span.quote for each in found.figures for span in each.heads} == {
        "Sales of 2020 and 2021 (in thousands)"
    }
    part = found.as_part(Numbering())
    assert [each.name for each in part.figures] == ["a", "b"]
    assert part.value.value == "2400000"


def test_a_later_one_goes_on_from_an_earlier_one() -> None:
    first = made("a + b", NORTH, SOUTH)

    second = made("share(a, c1)", NORTH, id="c2", known={"c1": first})

    assert second.value.value == "62.5"
    assert "South 800 900" in {span.quote for span in second.rows}


@pytest.mark.parametrize(
    ("expression", "figures", "id"),
    [
        ("a + b", (NORTH,), "c1"),
        ("1 + 1", (), "c1"),
        ("a", (WrittenFigure("a", "e9", "North 1,200 1,500", "1,500"),), "c1"),
        ("a", (WrittenFigure("a b", "e1", "North 1,200 1,500", "1,500"),), "c1"),
        ("a", (WrittenFigure("a", "e1", "North 1,200 1,500", "1,700"),), "c1"),
        ("a", (NORTH,), "v1"),
        ("a", (NORTH,), ""),
    ],
)
def test_what_is_not_to_be_calculated_says_why(
    expression: str, figures: tuple[WrittenFigure, ...], id: str
) -> None:
    with pytest.raises(CalculationError) as error:
        made(expression, *figures, id=id)

    assert error.value.next_step


@pytest.mark.parametrize(
    ("page", "figure", "said"),
    [
        ("Pay goes on for 10 weeks of service.", "10 weeks", "10 weeks"),
        ("Pay goes on for 1 week of service.", "1 week", "1 week"),
        ("The box weighs 4 kg when full.", "4 kg", "4 kg"),
        ("The term is 365 days from then.", "365 days", "365 days"),
        ("Sales (in $ millions) were\nNorth 1,200 1,500", "1,200", "USD 1,200 million"),
    ],
)
def test_a_result_is_said_as_a_person_reads_it(page: str, figure: str, said: str) -> None:
    row = page.splitlines()[-1]

    assert made("a", WrittenFigure("a", "e1", row, figure), page=page).said == said


@pytest.mark.parametrize(
    "expression", ["a * 10000000000 * 10000000000", "share(a * 10000000000 * 10000000, b)"]
)
def test_what_nobody_can_say_is_not_calculated(expression: str) -> None:
    with pytest.raises(CalculationError, match="nothing that can be said"):
        made(expression, NORTH, SOUTH)


def test_a_day_of_no_calendar_is_not_calculated() -> None:
    page = "It began on 1 March 2020 and ended on 1 March 2021."
    figures = [
        WrittenFigure(name, "e1", page, day) for name, day in (("a", "1 March 2020"), ("b", "1 March 2021"))
    ]

    assert made("days(a, b)", *figures, page=page).said == "365 days"
    for expression in ("a + days(a, b) * 30000", "a + days(b, a) * 30000"):
        with pytest.raises(CalculationError):
            made(expression, *figures, page=page)
