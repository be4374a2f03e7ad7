from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from app.presenting.crawl.charts import (
    MOST_FOLDERS,
    MOST_HOSTS,
    OTHER_FOLDERS,
    OTHER_HOSTS,
    OUTSIDE,
    by_host,
    by_type,
    depth_chart,
    pages_a_second,
    picked,
    seconds_left,
    site_map,
    states_of,
    time_chart,
)
from core.domain.crawl.ledger import (
    CrawlProgress,
    CrawlRun,
    HostShare,
    LedgerGroup,
    Sample,
    UrlReason,
    UrlState,
)
from core.domain.ids import JobId

NOW = datetime(2026, 1, 1, tzinfo=UTC)
GROUPS = [
    LedgerGroup(0, "a.example", UrlState.KEPT, UrlReason.NONE, "text/html", 1, 1_000_000),
    LedgerGroup(1, "a.example", UrlState.KEPT, UrlReason.NONE, "application/pdf", 4, 3_000_000),
    LedgerGroup(1, "b.example", UrlState.SKIPPED, UrlReason.OTHER_HOST, "", 9, 0),
]
KEPT = UrlState.KEPT


def test_pages_at_each_depth_are_parted_by_state() -> None:
    chart = depth_chart(GROUPS)
    kept, left = chart.figure["data"]
    assert (kept["name"], kept["x"], left["x"]) == ("Kept", [1, 4], [0, 9])
    assert picked(left["customdata"][1]) == ("1", "skipped")
    assert chart.rows == [{"Depth": 0, "Kept": 1, "Left out": 0}, {"Depth": 1, "Kept": 4, "Left out": 9}]


def test_hosts_with_pages_go_first_and_types_count_pages_only() -> None:
    assert by_host(GROUPS[::-1]) == [
        {"Host": "a.example", "Pages": 5, "Addresses": 5},
        {"Host": "b.example", "Pages": 0, "Addresses": 9},
    ]
    assert by_type(GROUPS) == [
        {"Type": "PDF", "Pages": 4, "Size": "3.0 MB"},
        {"Type": "HTML", "Pages": 1, "Size": "1.0 MB"},
    ]


def test_a_short_run_is_drawn_in_seconds_and_a_long_one_in_minutes() -> None:
    samples = [Sample(NOW + timedelta(seconds=60 * n), n, 5 - n, 0, n) for n in range(6)]
    short, long = time_chart(samples[:3]), time_chart(samples)
    assert short.figure["data"][0]["x"] == [0, 60, 120]
    assert long.figure["data"][0]["x"] == [0, 1, 2, 3, 4, 5]
    assert long.figure["layout"]["xaxis"]["title"]["text"].startswith("Minutes")
    assert long.rows[5] == {"Time": "00:05:00", "Fetched": 5, "Queued": 0, "Failed": 0, "Data": "5 B"}


def fields(shares: list[HostShare]) -> dict[str, int]:
    (trace,) = site_map(shares).figure["data"]
    return dict(zip(trace["ids"], trace["values"], strict=True))


def test_fields_of_the_map_add_up_to_those_that_hold_them() -> None:
    shares = [
        HostShare("a.example", "/docs/", KEPT, 3),
        HostShare("a.example", "/docs/", UrlState.FAILED, 1),
        HostShare("a.example", "/", KEPT, 2),
        HostShare("b.example", "/", UrlState.QUEUED, 5),
    ]
    (trace,) = site_map(shares).figure["data"]
    sums: dict[str, int] = {}
    for parent, value in zip(trace["parents"], trace["values"], strict=True):
        sums[parent] = sums.get(parent, 0) + value
    values = dict(zip(trace["ids"], trace["values"], strict=True))
    assert sums.pop("") == 11
    assert sums == {id: values[id] for id in sums}
    assert picked(trace["ids"][-1]) == ("b.example", "/", "queued")
    assert trace["marker"]["pattern"]["shape"][-1] == "/"
    assert states_of(shares) == [KEPT, UrlState.FAILED, UrlState.QUEUED]


def test_other_sites_are_counted_and_not_drawn() -> None:
    links = [HostShare(f"x{n}.example", "", UrlState.SKIPPED, 2) for n in range(3)]
    chart = site_map([HostShare("a.example", "/", KEPT, 2), *links])
    assert "x0.example" not in chart.figure["data"][0]["ids"]
    assert "6 addresses of 3 other sites" in chart.note
    assert chart.rows == [{"Host": "a.example", "Folder": "/", "Kept": 2, "All": 2}]


def test_many_folders_and_many_hosts_are_joined() -> None:
    folders = [HostShare("a.example", f"/f{n}/", KEPT, 100 - n) for n in range(MOST_FOLDERS + 5)]
    ids = fields(folders)
    assert ids[f"a.example\n{OTHER_FOLDERS}"] == sum(100 - n for n in range(MOST_FOLDERS, MOST_FOLDERS + 5))
    hosts = [HostShare(f"h{n}.example", "/", KEPT, 100 - n) for n in range(MOST_HOSTS + 5)]
    assert fields(hosts)[OTHER_HOSTS] == sum(100 - n for n in range(MOST_HOSTS, MOST_HOSTS + 5))


def test_folders_are_called_by_their_own_name() -> None:
    shares = [HostShare("a.example", folder, KEPT, 1) for folder in ("/docs/", "/docs/sql/", "")]
    (trace,) = site_map(shares).figure["data"]
    labels = [label.partition(" <b>")[0] for label in trace["labels"][1:4]]
    assert sorted(labels) == sorted(["pages", "sql", OUTSIDE])


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
