"""A crawl whose rows are set by hand, with documents made of its pages."""

from __future__ import annotations

from core.domain.crawl.ledger import UrlRow, UrlState
from core.domain.crawl.outcome import FoundUrl, UrlOutcome
from core.domain.crawl.request import CrawlRequest
from core.domain.document import DocumentSummary
from core.domain.ids import CrawlId, JobId
from core.ingest.crawl.intake import PageIntake
from core.store.crawl.crawls import CrawlRecord
from tests.support.ingesting import Calm, Ingesting

HOST = "site.example"


class Shelf:
    """A crawl whose rows are set by hand, run by run."""

    def __init__(self, place: Ingesting, acl: tuple[str, ...] | None = None) -> None:
        self.records = place.records
        self.intake = PageIntake(place.records, place.pipeline)
        request = CrawlRequest.checked(urls=[f"http://{HOST}/"], bucket="web", acl=acl)
        self.id: CrawlId = place.records.crawls.create(request, "Site")
        self.told: list[str] = []

    @property
    def record(self) -> CrawlRecord:
        return self.records.crawls.get(self.id)

    def run(self, **pages: bytes | UrlOutcome) -> None:
        """One run in which every address gives these bytes, or comes to that."""
        number = self.records.crawls.begin_run(self.id, JobId(f"j{self.record.run}"))
        self.records.crawls.hand_over(self.id, "me")
        frontier = self.records.frontier(self.id, "me")
        frontier.add_starts([FoundUrl(url(name), HOST) for name in pages])
        for row in frontier.claim(99, 100, 100).rows:
            page = pages[row.url.rpartition("/")[2]]
            if isinstance(page, bytes):
                content = self.records.blobs.put(page)
                page = UrlOutcome(
                    UrlState.KEPT, content_hash=content, text_hash=content, size_bytes=len(page)
                )
            frontier.settle(row.url, page)
        self.take()
        self.intake.settle(self.id, number)
        self.records.crawls.end_run(self.id, number)

    def take(self) -> None:
        self.intake.take(self.record, Calm(), self.told.append)  # type: ignore[arg-type]

    def row(self, name: str) -> UrlRow:
        row = self.records.crawl_ledger.find(self.id, url(name))
        assert row is not None
        return row

    def document(self, name: str) -> DocumentSummary | None:
        return self.records.documents.find("web", url(name))


def url(name: str) -> str:
    return f"http://{HOST}/{name}"
