"""A crawl in the records, as a crawler leaves it: pages, a redirect, a failure, what was left out."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from core.domain.crawl.ledger import Sample, UrlReason, UrlState
from core.domain.crawl.outcome import FoundUrl, UrlOutcome
from core.domain.crawl.request import CrawlRequest
from core.domain.ids import ContentHash, CrawlId, DocumentId
from core.domain.job import JobState
from core.jobs.kinds import CRAWL
from core.store.store import Records

HOST = "docs.example.org"
START = f"https://{HOST}/manual/"
PAGES = tuple(f"{START}{name}" for name in ("admin/backup.html", "admin/roles.html", "sql/select.html"))
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
REQUEST = CrawlRequest.checked(urls=[START], bucket="manual", depth=1, exclude=["*/old/*"])


def crawl_of(
    records: Records,
    request: CrawlRequest = REQUEST,
    *,
    is_dry_run: bool = False,
    ends: JobState | None = JobState.PARTIAL,
    schedule: str = "",
) -> CrawlId:
    """A crawl whose run ended so; None: it is still at work, and the pages below the start are queued."""
    crawl = records.crawls.create(
        request, "docs.example.org/manual", user="ann", is_dry_run=is_dry_run, schedule=schedule
    )
    job = records.jobs.create(CRAWL, "Crawl of docs.example.org/manual", {"crawl": crawl}, user="ann")
    run = records.crawls.begin_run(crawl, job, now=NOW)
    records.crawls.hand_over(crawl, "test")
    frontier = records.frontier(crawl, "test")
    frontier.add_starts([FoundUrl(START, HOST)])
    links = [FoundUrl(url, HOST) for url in PAGES]
    links += [FoundUrl(f"{START}moved.html", HOST), FoundUrl(f"{START}missing.html", HOST)]
    links.append(FoundUrl("https://elsewhere.org/", "elsewhere.org", UrlState.SKIPPED, UrlReason.OTHER_HOST))
    links.append(FoundUrl(f"{START}old/x.html", HOST, UrlState.SKIPPED, UrlReason.EXCLUDED, "*/old/*"))
    outcomes = {
        START: _page("Manual", tuple(links)),
        **{url: _page(url.rpartition("/")[2]) for url in PAGES},
        f"{START}moved.html": UrlOutcome(UrlState.REDIRECTED, status=301, leads_to=PAGES[0]),
        f"{START}missing.html": UrlOutcome(UrlState.FAILED, UrlReason.HTTP_ERROR, status=404),
    }
    done = 0
    while rows := frontier.claim(8, 1_000, 1_000).rows:
        for row in rows:
            frontier.settle(row.url, outcomes[row.url], NOW + timedelta(seconds=done))
            done += 1
        moment = NOW + timedelta(seconds=2 * done)
        records.crawls.add_sample(crawl, run, Sample(moment, done, len(outcomes) - done, 0, 900 * done))
        if ends is None:
            return crawl
    records.crawls.add_sample(crawl, run, Sample(NOW + timedelta(seconds=20), done, 0, 1, 900 * done))
    if ends is not None:
        records.crawls.end_run(crawl, run, now=NOW + timedelta(seconds=20))
        records.jobs.finish(job, ends)
    return crawl


def doubtful_crawl_of(records: Records) -> CrawlId:
    """A crawl whose second run found nearly all of its pages missing, and left their documents."""
    crawl = records.crawls.create(REQUEST, "docs.example.org/manual", user="ann")
    urls = [START, *(f"{START}{number:02}.html" for number in range(12))]
    for number in (1, 2):
        job = records.jobs.create(CRAWL, "Crawl of docs.example.org/manual", {"crawl": crawl}, user="ann")
        run = records.crawls.begin_run(crawl, job, now=NOW + timedelta(days=number))
        records.crawls.hand_over(crawl, "test")
        frontier = records.frontier(crawl, "test")
        frontier.add_starts([FoundUrl(url, HOST) for url in urls])
        indexed: dict[str, tuple[DocumentId, ContentHash]] = {}
        for row in frontier.claim(99, 1_000, 1_000).rows:
            outcome = _page(row.url.rpartition("/")[2])
            if number == 2 and row.url != START:
                outcome = UrlOutcome(UrlState.FAILED, UrlReason.HTTP_ERROR, status=404)
            frontier.settle(row.url, outcome, NOW)
            indexed[row.url] = (DocumentId(f"d{urls.index(row.url):02}"), outcome.content_hash)
        if number == 1:
            records.crawl_ledger.note_indexed(crawl, indexed)
        records.crawls.end_run(crawl, run, now=NOW + timedelta(days=number, minutes=1))
        records.jobs.finish(job, JobState.DONE)
    return crawl


def _page(title: str, found: tuple[FoundUrl, ...] = ()) -> UrlOutcome:
    return UrlOutcome(
        UrlState.KEPT,
        status=200,
        media_type="text/html",
        title=title,
        size_bytes=900,
        content_hash=ContentHash(title.ljust(64, "0")),
        text_hash=title,
        found=found,
    )
