from __future__ import annotations

from app.presenting.charts import MOST_BARS, chart_of, chart_page, plotly_gzipped
from core.domain.answer import Answer, Column, Kind, Route, Status, Table


def answer(columns: list[tuple[str, str]], *rows: tuple[object, ...]) -> Answer:
    table = Table(columns=tuple(Column(name=n, type=t) for n, t in columns), rows=rows)
    return Answer(
        question="How many by law?",
        trace_id="t",
        data_version=1,
        status=Status.ANSWERED,
        kind=Kind.AGGREGATE,
        route=Route.STRUCTURED,
        text="",
        table=table,
    )


BY_LAW = [("Governing law", "text"), ("Number", "number")]


def test_groups_are_bars_that_start_at_zero_and_say_what_they_are() -> None:
    chart = chart_of(answer(BY_LAW, ("Texas", "2"), ("Iowa", "5")))

    assert chart is not None
    [trace] = chart.figure["data"]
    assert (trace["type"], trace["x"], trace["y"]) == ("bar", ["Texas", "Iowa"], [2.0, 5.0])
    assert chart.figure["layout"]["yaxis"]["rangemode"] == "tozero"
    assert chart.name == "Bar chart: number by governing law. Its values are in the table."
    assert chart.note == ""


def test_a_series_is_a_line_whose_empty_periods_count_as_none() -> None:
    chart = chart_of(
        answer([("Expires", "quarter"), ("Number", "number")], ("2023-Q4", "1"), ("2024-Q2", "3"))
    )

    assert chart is not None
    [trace] = chart.figure["data"]
    assert trace["type"] == "scatter"
    assert trace["x"] == ["Q4 2023", "Q1 2024", "Q2 2024"]
    assert trace["y"] == [1.0, 0.0, 3.0]


def test_an_average_of_an_empty_period_is_a_gap_and_not_zero() -> None:
    chart = chart_of(answer([("Expires", "year"), ("Average", "number")], ("2021", "4"), ("2023", "6")))

    assert chart is not None
    assert chart.figure["data"][0]["y"] == [4.0, None, 6.0]


def test_currencies_are_never_drawn_on_one_axis() -> None:
    columns = [("Vendor", "text"), ("Sum", "money"), ("Unit", "text")]
    chart = chart_of(answer(columns, ("ACME", "10", "USD"), ("Beta", "7.50", "EUR"), ("Gamma", "1", "USD")))

    assert chart is not None
    usd, eur = chart.figure["data"]
    assert (usd["x"], eur["x"]) == (["ACME", "Gamma"], ["Beta"])
    assert eur["yaxis"] == "y2"
    assert chart.figure["layout"]["yaxis2"]["title"]["text"] == "Sum (EUR)"


def test_two_keys_are_a_series_for_each_second_one() -> None:
    columns = [("Law", "text"), ("Kind", "text"), ("Number", "number")]
    chart = chart_of(answer(columns, ("Texas", "a", "1"), ("Texas", "b", "2"), ("Iowa", "a", "3")))

    assert chart is not None
    assert [(each["name"], each["y"]) for each in chart.figure["data"]] == [
        ("a", [1.0, 3.0]),
        ("b", [2.0, None]),
    ]
    assert chart.figure["layout"]["showlegend"]


def test_what_is_not_drawn_is_said() -> None:
    rows = [(f"Law {n:03}", str(n)) for n in range(MOST_BARS + 10)]
    chart = chart_of(answer(BY_LAW, *rows))

    assert chart is not None
    assert len(chart.figure["data"][0]["y"]) == MOST_BARS
    assert chart.note == "The 40 largest groups are drawn; the table has all 50."


def test_lists_of_documents_and_single_groups_have_no_chart() -> None:
    listed = answer(BY_LAW, ("Texas", "2"), ("Iowa", "5"))
    table = listed.table
    assert table is not None
    listed = listed.model_copy(update={"table": table.model_copy(update={"documents": ("a", "b")})})

    assert chart_of(listed) is None
    assert chart_of(answer(BY_LAW, ("Texas", "2"))) is None
    assert chart_of(answer([("Law", "text"), ("Says", "text")], ("Texas", "x"), ("Iowa", "y"))) is None


def test_a_chart_as_a_page_holds_all_that_it_needs_and_no_markup_of_documents() -> None:
    found = answer(BY_LAW, ("</script><b>", "2"), ("Iowa", "5"))
    chart = chart_of(found)
    assert chart is not None

    page = chart_page(found, chart)

    assert "</script><b>" not in page
    assert 'src="http' not in page
    assert "Plotly.newPlot" in page
    assert len(plotly_gzipped()) > 500_000
