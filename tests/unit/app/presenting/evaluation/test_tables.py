"""Tables of evaluations, and figures over time."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from app.presenting.evaluation.tables import (
    HEADS,
    case_lines,
    chosen_cases,
    figure_rows,
    shape_rows,
    state_counts,
    table_file,
)
from app.presenting.evaluation.trends import trend_chart
from core.evaluate.figures import figures
from core.evaluate.measured import CaseMeasures, EvaluationRun, MeasuredCase, RunVersions
from core.evaluate.metrics import METRICS
from core.evaluate.suite import AnswerShape
from tests.unit.app.presenting.evaluation.test_words import case


def test_a_table_is_saved_with_the_heads_of_its_rows() -> None:
    rows = [{"Metric": "Exactly right", "Figure": "0.741"}, {"Metric": "=1+1", "Figure": "–"}]

    saved = table_file("csv", rows).decode("utf-8-sig").splitlines()

    assert saved == ["Metric,Figure", "Exactly right,0.741", "'=1+1,–"]


CASES = [
    case("right", measures=CaseMeasures(latency_ms=90.0, reciprocal_rank=0.5)),
    case("silent", exact=False, silently_wrong=True, shape=AnswerShape.COUNT),
    case("wrong", exact=False, problems=("misses a.pdf",)),
    case("muted", exact=False, muted="Nobody asks this."),
]


def run(cases: list[MeasuredCase], day: int = 0, **told: Any) -> EvaluationRun:
    at = datetime(2026, 3, 1, tzinfo=UTC) + timedelta(days=day)
    given = {"with_model": False, "user": "ann", "done": len(cases), "total": len(cases), **told}
    versions = RunVersions(product="1.0", data_version=3)
    return EvaluationRun(
        id=f"r{day}", suite="own", created_at=at, versions=versions, figures=figures(cases), **given
    )


def ids(show: str = "all", shape: str = "", text: str = "", by: str = "", down: bool = False) -> list[str]:
    return [each.id for each in chosen_cases(CASES, show, shape, text, by, down)]


def test_failures_come_first_and_cases_are_filtered_and_sorted() -> None:
    assert ids() == ["silent", "wrong", "right", "muted"]
    assert ids("failed") == ["silent", "wrong"]
    assert ids("silent") == ["silent"]
    assert ids("muted") == ["muted"]
    assert ids(shape="count") == ["silent"]
    assert ids(text="A.PDF") == ["wrong"]
    assert ids(by="ms", down=True)[0] == "right"
    assert ids(by="question") == ["muted", "right", "silent", "wrong"]
    assert ids("none", by="none") == ids()


def test_every_metric_stands_with_its_definition_and_every_shape_with_its_rates() -> None:
    rows = figure_rows(run(CASES))
    assert [each["Metric"] for each in rows] == [each.title for each in METRICS.values()]
    exact = rows[0]
    assert (exact["Figure"], exact["Cases"]) == ("0.333", "3")
    assert "Share of answers with the expected status" in exact["What it is"]
    assert "No language model was called." in rows[-1]["What it is"]
    lookup, count = shape_rows(CASES)
    assert (lookup["Kind of answer"], lookup["Cases"], lookup["Exactly right"]) == ("Lookup", "2", "0.500")
    assert (count["Kind of answer"], count["Silently wrong"]) == ("Count", "1.000")


def test_files_have_a_line_for_each_case() -> None:
    lines = case_lines(CASES)
    assert {len(each) for each in lines} == {len(HEADS)}
    told = dict(zip(HEADS, lines[0], strict=True))
    assert (told["id"], told["latency_ms"], told["reciprocal_rank"]) == ("right", 90.0, 0.5)
    assert dict(zip(HEADS, lines[2], strict=True))["problems"] == "misses a.pdf"


def test_cases_are_counted_by_their_state() -> None:
    counts = state_counts(CASES)
    assert counts == {"■ Silently wrong": 1, "▲ Wrong": 1, "● Right": 1, "○ Muted": 1}
    assert next(iter(counts)) == "■ Silently wrong"


def test_figures_over_time_are_a_line_each_way_with_a_table() -> None:
    runs = [run(CASES[:1], 0), run(CASES, 1), run(CASES, 2, with_model=True)]
    chart = trend_chart(runs, "exact")
    alone, model = chart.figure["data"]
    assert (alone["customdata"], model["customdata"]) == (["r0", "r1"], ["r2"])
    assert alone["y"] == [1.0, 1 / 3]
    assert [each["Exactly right"] for each in chart.rows] == ["1.000", "0.333", "0.333"]
    assert "3 runs" in chart.name
