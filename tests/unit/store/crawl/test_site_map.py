from __future__ import annotations

from core.domain.crawl.ledger import HostShare, UrlReason, UrlState
from core.domain.crawl.outcome import FoundUrl
from core.domain.crawl.request import CrawlRequest
from core.domain.ids import CrawlId, JobId
from core.store.store import Records
from tests.support.crawled import HOST, crawl_of


def test_addresses_are_counted_below_the_folder_that_all_share(records: Records) -> None:
    shares = records.crawl_ledger.shares(crawl_of(records))
    counts = {(share.host, share.folder, share.state): share.urls for share in shares}
    assert counts == {
        (HOST, "/manual/", UrlState.KEPT): 1,
        (HOST, "/manual/", UrlState.REDIRECTED): 1,
        (HOST, "/manual/", UrlState.FAILED): 1,
        (HOST, "/manual/admin/", UrlState.KEPT): 2,
        (HOST, "/manual/sql/", UrlState.KEPT): 1,
        (HOST, "/manual/old/", UrlState.SKIPPED): 1,
        ("elsewhere.org", "", UrlState.SKIPPED): 1,
    }


def crawl(records: Records, *found: FoundUrl) -> CrawlId:
    crawl = records.crawls.create(CrawlRequest.checked(urls=["http://a.example/"]), "Site")
    records.crawls.begin_run(crawl, JobId("j1"))
    records.crawls.hand_over(crawl, "me")
    records.frontier(crawl, "me").add_starts(found)
    return crawl


def test_schemes_ports_and_slashes_after_a_question_mark_do_not_mislead(records: Records) -> None:
    host = "a.example:8080"
    urls = [
        f"http://{host}/x/one?next=/far/away",
        f"https://{host}/x/two",
        f"http://{host}/y/deep/three",
    ]
    shares = records.crawl_ledger.shares(crawl(records, *(FoundUrl(url, host) for url in urls)))
    assert shares == [
        HostShare(host, "/x/", UrlState.QUEUED, 2),
        HostShare(host, "/y/", UrlState.QUEUED, 1),
    ]


def test_what_was_left_out_of_another_place_has_no_folder(records: Records) -> None:
    left_out = FoundUrl("http://a.example/private/x", "a.example", UrlState.SKIPPED, UrlReason.ROBOTS)
    pages = [FoundUrl(f"http://a.example/docs/{name}", "a.example") for name in ("a/1", "b/2")]
    shares = records.crawl_ledger.shares(crawl(records, left_out, *pages))
    assert [(share.folder, share.urls) for share in shares] == [("", 1), ("/docs/a/", 1), ("/docs/b/", 1)]


def test_an_empty_ledger_has_an_empty_map(records: Records) -> None:
    assert records.crawl_ledger.shares(crawl(records)) == []
    odd = FoundUrl("mailto:ann", "", UrlState.SKIPPED, UrlReason.SCHEME)
    assert records.crawl_ledger.shares(crawl(records, odd)) == [HostShare("", "", UrlState.SKIPPED, 1)]
