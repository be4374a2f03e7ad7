"""A request compared with the crawls that there are: dry runs of it, and others at work beside it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.config.load import load_settings
from core.domain.crawl.request import CrawlPace
from core.domain.job import JobState
from core.domain.principal import Principal
from core.errors import RefusedError
from core.store.store import Records
from core.workbench import Workbench
from core.workbench.services.crawls import CrawlService
from tests.support.crawled import REQUEST, crawl_of
from tests.support.given_encoder import PartsWith
from tests.support.hashed_encoder import HashedEncoder
from tests.support.roles import MAY_ASK


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[tuple[Workbench, Records]]:
    parts = PartsWith(load_settings(tmp_path / "home"), HashedEncoder())
    with Workbench(parts) as opened:
        yield opened, parts.records


@pytest.fixture
def crawls(bench: tuple[Workbench, Records]) -> CrawlService:
    return bench[0].local.crawls


@pytest.fixture
def records(bench: tuple[Workbench, Records]) -> Records:
    return bench[1]


def test_a_dry_run_stands_for_a_request_that_differs_in_pace_and_place_only(
    crawls: CrawlService, records: Records
) -> None:
    assert crawls.dry_run_of(REQUEST) is None
    crawl_of(records)
    assert crawls.dry_run_of(REQUEST) is None
    dry = crawl_of(records, is_dry_run=True)
    elsewhere = {"bucket": "other", "acl": ("staff",), "pace": CrawlPace(delay_s=3)}
    assert crawls.dry_run_of(REQUEST.model_copy(update=elsewhere)) == dry
    for other in (
        {"depth": 2},
        {"user_agent": "Another/1.0"},
        {"timeout_s": 2.0},
    ):
        assert crawls.dry_run_of(REQUEST.model_copy(update=other)) is None


def test_another_crawl_of_the_host_into_the_bucket_is_found_while_it_is_at_work(
    crawls: CrawlService, records: Records
) -> None:
    crawl_of(records, ends=JobState.DONE)
    crawl_of(records, is_dry_run=True, ends=None)
    assert crawls.at_work_beside(REQUEST) == []
    busy = crawl_of(records, ends=None)
    assert [each.id for each in crawls.at_work_beside(REQUEST)] == [busy]
    assert crawls.at_work_beside(REQUEST.model_copy(update={"bucket": "other"})) == []
    assert crawls.at_work_beside(REQUEST.model_copy(update={"urls": ("https://other.example/",)})) == []


def test_all_of_it_is_for_admins(bench: tuple[Workbench, Records], records: Records) -> None:
    crawl = crawl_of(records)
    ann = bench[0].for_principal(Principal("ann", MAY_ASK)).crawls
    for act in (
        lambda: ann.dry_run_of(REQUEST),
        lambda: ann.at_work_beside(REQUEST),
        lambda: ann.shares(crawl),
    ):
        with pytest.raises(RefusedError):
            act()
