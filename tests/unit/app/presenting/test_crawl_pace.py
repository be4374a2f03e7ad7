from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from app.presenting.crawl_charts import pages_a_second, seconds_left
from core.domain.crawl.ledger import CrawlProgress, CrawlRun, Sample, UrlState
from core.domain.ids import JobId

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def run(*points: tuple[int, int]) -> CrawlRun:
    samples = tuple(Sample(NOW + timedelta(seconds=at), fetched, 0, 0, 0) for at, fetched in points)
    return CrawlRun(1, JobId("j"), NOW, None, {}, samples)


def progress(kept: int, queued: int) -> CrawlProgress:
    return CrawlProgress({UrlState.KEPT: kept, UrlState.QUEUED: queued}, {}, kept, 0, 0, {})


@pytest.mark.parametrize("points", [(), ((0, 0),), ((5, 3), (5, 4))])
def test_before_two_moments_there_is_no_speed(points: tuple[tuple[int, int], ...]) -> None:
    assert pages_a_second(run(*points)) is None


def test_the_speed_is_that_of_the_last_half_minute() -> None:
    assert pages_a_second(run((0, 0), (100, 1000), (110, 1020), (130, 1060))) == pytest.approx(2.0)


def test_points_far_apart_still_tell_a_speed() -> None:
    assert pages_a_second(run((0, 0), (600, 300))) == pytest.approx(0.5)


def test_time_left_counts_what_still_fits_the_page_limit() -> None:
    assert seconds_left(progress(10, 40), 2.0, 1_000) == 20
    assert seconds_left(progress(10, 40), 2.0, 20) == 5
    assert seconds_left(progress(10, 40), None, 20) is None
    assert seconds_left(progress(10, 40), 0.0, 20) is None
