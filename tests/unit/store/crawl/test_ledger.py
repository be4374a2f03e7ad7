from __future__ import annotations

import pytest

from core.domain.crawl.ledger import Change, LedgerOrder, LedgerQuery, UrlReason, UrlState
from core.domain.crawl.outcome import FoundUrl, UrlOutcome
from core.domain.crawl.request import CrawlRequest
from core.domain.ids import ContentHash, CrawlId, DocumentId, JobId
from core.store.store import Records

HOST = "site.example"


@pytest.fixture
def crawl(records: Records) -> CrawlId:
    crawl = records.crawls.create(CrawlRequest.checked(urls=[f"http://{HOST}/"]), "Site")
    records.crawls.begin_run(crawl, JobId("j1"))
    records.crawls.hand_over(crawl, "me")
    frontier = records.frontier(crawl, "me")
    names = ("A%20b", "b", "c_d", "other")
    frontier.add_starts([FoundUrl(f"http://{HOST}/{name}", HOST) for name in names])
    for row in frontier.claim(9, 100, 100).rows:
        name = row.url.rpartition("/")[2]
        if name == "other":
            outcome = UrlOutcome(UrlState.FAILED, UrlReason.TIMEOUT)
        else:
            outcome = UrlOutcome(
                UrlState.KEPT, content_hash=ContentHash(name), size_bytes=10, media_type="x/y"
            )
        frontier.settle(row.url, outcome)
    return crawl


def test_rows_are_filtered_counted_and_paged(records: Records, crawl: CrawlId) -> None:
    ledger = records.crawl_ledger
    kept = LedgerQuery(states=(UrlState.KEPT,))
    assert ledger.count(crawl) == 4
    assert ledger.count(crawl, kept) == 3
    first, second = (ledger.rows(crawl, LedgerQuery(limit=2, offset=offset)) for offset in (0, 2))
    assert first + second == ledger.rows(crawl)
    assert [row.url for row in ledger.rows(crawl, LedgerQuery(text="C_D"))] == [f"http://{HOST}/c_d"]
    assert ledger.count(crawl, LedgerQuery(text="%")) == 1
    assert ledger.count(crawl, LedgerQuery(reasons=(UrlReason.TIMEOUT,), depth=0, host=HOST)) == 1
    assert ledger.count(crawl, LedgerQuery(host="elsewhere")) == 0
    assert ledger.find(crawl, f"http://{HOST}/nothing") is None


def test_counts_of_a_run_and_of_its_groups_agree(records: Records, crawl: CrawlId) -> None:
    progress = records.crawl_ledger.progress(crawl)
    assert (progress.fetched, progress.queued, progress.size_bytes, progress.repeats) == (4, 0, 30, 0)
    groups = records.crawl_ledger.groups(crawl)
    assert sum(each.urls for each in groups) == 4
    assert {(each.state, each.reason): each.urls for each in groups} == progress.reasons


def test_what_is_indexed_is_noted_by_address_and_found_by_document(records: Records, crawl: CrawlId) -> None:
    ledger = records.crawl_ledger
    first, second, third = ledger.to_index(crawl, 9)
    assert ledger.to_index(crawl, 1) == [first]
    ledger.note_indexed(crawl, {first.url: (DocumentId("d1"), first.content_hash)})
    ledger.note_unreadable(crawl, {second.url: "It is a picture."})
    assert ledger.to_index(crawl, 9) == [third]
    assert ledger.of_documents([DocumentId("d1"), DocumentId("d2")]).keys() == {"d1"}
    row = ledger.find(crawl, second.url)
    assert row is not None
    assert (row.state, row.reason, row.detail) == (UrlState.FAILED, UrlReason.UNREADABLE, "It is a picture.")


def test_failed_addresses_are_queued_again(records: Records, crawl: CrawlId) -> None:
    assert records.crawls.retry_failed(crawl) == 1
    assert records.crawl_ledger.progress(crawl).queued == 1
    assert [row.url for row in records.frontier(crawl, "me").claim(9, 100, 100).rows] == [
        f"http://{HOST}/other"
    ]


def test_rows_come_in_the_order_asked_for_and_what_is_missing_last(records: Records, crawl: CrawlId) -> None:
    def urls(order: LedgerOrder, *, descending: bool) -> list[str]:
        rows = records.crawl_ledger.rows(crawl, LedgerQuery(order=order, descending=descending))
        return [row.url.rpartition("/")[2] for row in rows]

    assert urls(LedgerOrder.URL, descending=True) == ["other", "c_d", "b", "A%20b"]
    assert urls(LedgerOrder.STATE, descending=False) == ["other", "A%20b", "b", "c_d"]
    assert urls(LedgerOrder.SIZE, descending=True) == ["A%20b", "b", "c_d", "other"]
    for descending in (False, True):
        assert len(urls(LedgerOrder.STATUS, descending=descending)) == 4


def test_a_page_that_became_a_duplicate_is_not_new(records: Records) -> None:
    crawl = records.crawls.create(CrawlRequest.checked(urls=[f"http://{HOST}/"]), "Site")
    records.crawls.begin_run(crawl, JobId("j1"))
    records.crawls.hand_over(crawl, "me")
    frontier = records.frontier(crawl, "me")
    frontier.add_starts([FoundUrl(f"http://{HOST}/{name}", HOST) for name in ("twin", "one")])
    for row in frontier.claim(9, 100, 100).rows[::-1]:
        frontier.settle(row.url, UrlOutcome(UrlState.KEPT, content_hash=ContentHash("same")))
    assert records.crawl_ledger.progress(crawl).changes == {Change.NEW: 1}
    assert records.crawl_ledger.count(crawl, LedgerQuery(changes=(Change.NEW,))) == 1
    records.crawls.end_run(crawl, 1)
    assert records.crawls.runs(crawl)[0].counts == {"kept": 1, "new": 1, "duplicate": 1}
