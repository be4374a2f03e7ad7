"""Estimates from invented statistics: spreads of values, and what earlier runs took."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

import pytest

from core.domain.fields import MONEY_SCALE, FieldType
from core.domain.predicate import Operator
from core.plan.catalogue import Catalogue, DocumentEntry, FieldEntry, SchemaEntry
from core.plan.ir.graph_edits import estimated
from core.plan.ir.nodes import Condition, Estimate, Scope, Select
from core.plan.ir.statistics import Cost, Histogram, line_through
from tests.support.plans import plan_of

FEE = FieldEntry("contracts", "fee", "Fee", FieldType.MONEY, documents=800)
KNOWN = Catalogue(
    "k",
    (SchemaEntry("contracts", "Contracts", ("contracts",), (), (FEE,), 1_000),),
    (),
    tuple(DocumentEntry(f"d{n}", f"T{n}", f"s{n}", "contracts", "contracts") for n in range(1_000)),
)


class Invented:
    """800 fees: 600 of 1 to 600 USD, 200 of 100 EUR. A select takes 4 ms and 0.01 ms a document."""

    def amounts(self, schema: str, field: str) -> Mapping[str, Histogram]:
        dollars = [amount * 10**MONEY_SCALE for amount in range(1, 601)]
        euros = [100 * 10**MONEY_SCALE] * 200
        return {"USD": Histogram.of(dollars, 800), "EUR": Histogram.of(euros, 800)}

    def cost(self, kind: str) -> Cost | None:
        return Cost(4.0, 0.01) if kind == "select" else None


def estimate(op: str, value: str | tuple[str, ...]) -> Estimate:
    condition = Condition(field="fee", op=Operator(op), value=value)
    node = Select(id="a", purpose="", scope=Scope(schema_name="contracts"), conditions=(condition,))
    [made] = estimated(plan_of(node), KNOWN, Invented()).nodes
    assert made.estimate is not None
    return made.estimate


@pytest.mark.parametrize(
    ("op", "value", "true"),
    [
        (">", "300 USD", 300),
        ("<=", "60 USD", 60),
        (">=", "600 USD", 1),
        ("<", "1 USD", 0),
        ("between", ("101 USD", "200 USD"), 100),
        ("between", ("200 USD", "100 USD"), 0),
        ("=", "100 EUR", 200),
        ("!=", "100 EUR", 0),
        ("=", "5 USD", 1),
        ("in", ("5 USD", "6 USD"), 2),
        (">", "50 EUR", 200),
        (">", "100 JPY", 0),
    ],
)
def test_rows_are_estimated_from_how_values_are_spread(
    op: str, value: str | tuple[str, ...], true: int
) -> None:
    assert estimate(op, value).rows == pytest.approx(true, abs=8)


def test_latency_is_estimated_from_earlier_runs() -> None:
    assert estimate(">", "300 USD").latency_ms == 14.0


def test_without_statistics_the_usual_shares_are_taken() -> None:
    node = Select(
        id="a",
        purpose="",
        scope=Scope(schema_name="contracts"),
        conditions=(Condition(field="fee", op=Operator.GREATER, value="300 USD"),),
    )
    [made] = estimated(plan_of(node), KNOWN).nodes
    assert made.estimate is not None
    assert made.estimate.rows == round(800 / 3)


@pytest.mark.parametrize("count", [1, 2, 63, 64, 65, 66, 1_000])
def test_a_histogram_is_right_at_its_ends_and_nearly_so_between(count: int) -> None:
    draw = Random(count)
    amounts = sorted(draw.randrange(1_000) for _ in range(count))
    made = Histogram.of(amounts)
    assert (made.below(amounts[0]), made.at_most(amounts[-1])) == (0.0, 1.0)
    for value in range(-10, 1_010, 10):
        exact = sum(each <= value for each in amounts) / count
        assert made.at_most(value) == pytest.approx(exact, abs=1 / min(count, 64) + 0.02)
        assert made.below(value) <= made.at_most(value)


def test_no_values_give_no_share() -> None:
    empty = Histogram.of([])
    assert (empty.at_most(5), empty.below(5), empty.equal(5)) == (0.0, 0.0, 0.0)


def test_a_line_goes_through_exact_figures() -> None:
    points = [(float(x), 3.0 + 0.5 * x) for x in range(10)]
    sums = (
        10.0,
        sum(x for x, _ in points),
        sum(y for _, y in points),
        sum(x * x for x, _ in points),
        sum(x * y for x, y in points),
    )
    line = line_through(*sums)
    assert line is not None
    assert [line.base_ms, line.each_ms] == pytest.approx([3.0, 0.5])


def test_too_few_runs_say_nothing_and_equal_ones_their_mean() -> None:
    assert line_through(4, 40, 40, 400, 400) is None
    assert line_through(5, 50, 20, 500, 200) == Cost(4.0, 0.0)
