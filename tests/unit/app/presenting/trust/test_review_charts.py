from __future__ import annotations

from app.presenting.trust.review_charts import agreement_chart, precision_chart
from core.domain.certainty.share import CheckedShare
from core.domain.trust.review import FlagReason
from core.review.agreement import FlagPrecision, ReviewerAgreement


def test_a_reason_has_a_point_with_its_interval_and_a_row() -> None:
    chart = precision_chart(
        [
            FlagPrecision(FlagReason.CONFLICT, CheckedShare(3, 4), 2),
            FlagPrecision(FlagReason.SAMPLE, CheckedShare(), 7),
        ]
    )

    [points] = chart.figure["data"]
    assert points["x"] == [0.75]
    assert 0 < points["error_x"]["arrayminus"][0] < 0.75
    assert chart.rows[0]["Precision"] == "75 %"
    low, high = chart.figure["layout"]["xaxis"]["range"]
    assert low < 0 < 1 < high  # a point at either end is drawn whole
    assert (chart.rows[1]["Precision"], chart.rows[1]["Still open"]) == ("not known", "7")


def test_two_reviewers_have_a_bar_where_kappa_is_defined() -> None:
    chart = agreement_chart(
        [ReviewerAgreement("ann", "bob", 10, 9, 0.8), ReviewerAgreement("ann", "eve", 2, 2, None)]
    )

    assert chart.figure["data"][0]["x"] == [0.8]
    assert [each["Cohen's kappa"] for each in chart.rows] == ["0.80", "not defined"]
    assert chart.rows[0]["Agreed"] == "9 (90 %)"
