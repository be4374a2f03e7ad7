from __future__ import annotations

import pytest

from core.values.stated_years import years_said


@pytest.mark.parametrize(
    ("question", "years"),
    [
        ("What is Amazon's FY2017 net income?", ("2017",)),
        ("sales in Q2'23", ("2023",)),
        ("the average of FY2015 - FY2017", ("2015", "2017")),
        ("from 2015 to 2017", ("2015", "2016", "2017")),
        ("in March 2021 and in 2019", ("2021", "2019")),
        ("as of FY2022", ("2022",)),
        ("between FY2023 and the FY2022 period", ("2022", "2023")),
        ("the last year", ()),
        ("since 1900", ("1900",)),
        ("after 1900", ()),
        ("invoice 2017083", ()),
        ("", ()),
    ],
)
def test_years_are_read_however_they_are_written(question: str, years: tuple[str, ...]) -> None:
    assert years_said(question) == years
