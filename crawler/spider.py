"""The spider: sends each claimed address where its host allows it, and settles each answer in one write."""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import Coroutine
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from scrapy import Request, Spider, signals
from scrapy.exceptions import StopDownload
from scrapy.http import Headers, Response

from core.domain.crawl.addresses import Address, address_of
from core.domain.crawl.exits import CrawlerExit
from core.domain.crawl.ledger import Sample, UrlReason, UrlRow, UrlState
from core.domain.crawl.outcome import UrlOutcome
from core.domain.crawl.request import CrawlPace
from core.domain.ids import content_hash
from core.errors import GroundworkError, NotFoundError
from core.ingest.parse.base import ParseLimits
from crawler.failures import RequestFailure, explained, failure_of
from crawler.hosts import HostRules, MissingPages
from crawler.pace import HostPaces
from crawler.pages import is_like_missing, is_loaded, may_be_missing
from crawler.requests import STOPPED, RequestMaker, SideRequests, answer_of
from crawler.robots import RobotsRules
from crawler.run import CrawlerParts, end_process
from crawler.settlement import HttpAnswer, Settled

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from crawler.scheduler import FrontierScheduler

_WATCH_S = 1.0
_SAMPLE_S = 5.0


class SiteSpider(Spider):
    """Fetches the addresses of one crawl. It never adds a request of its own: the frontier does."""

    name = "site"

    def __init__(self, run: CrawlerParts, **more: Any) -> None:
        super().__init__(**more)
        request = run.record.request
        self.run = run
        self._maker = RequestMaker(request.user_agent, request.timeout_s, run.settings.credentials)
        self._host_limit = run.settings.max_body_bytes
        self._last_sample = 0.0
        self._paces: HostPaces
        self._rules: HostRules
        self._missing: MissingPages

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> SiteSpider:
        """The spider of this process."""
        spider = super().from_crawler(crawler, *args, **kwargs)
        spider._paces = HostPaces(crawler, spider.run.record.pace)
        side = SideRequests(
            spider._maker, spider.run.guard, lambda request: crawler.engine.download_async(request)
        )
        spider._rules = HostRules(side)
        spider._missing = MissingPages(side, ParseLimits.of(spider.run.ingest))
        crawler.signals.connect(spider.opened, signal=signals.spider_opened)
        crawler.signals.connect(spider.closed_for_good, signal=signals.spider_closed)
        crawler.signals.connect(spider.headers_received, signal=signals.headers_received)
        return spider

    @property
    def pace(self) -> CrawlPace:
        """The pace that holds now."""
        return self._paces.pace

    @property
    def scheduler(self) -> FrontierScheduler:
        """The frontier."""
        return self.crawler.engine.scheduler  # type: ignore[return-value]

    async def start(self) -> Any:
        """Nothing: the scheduler has the start addresses."""
        return
        yield

    def opened(self) -> None:
        """Begin to watch for a change of pace, a stop, and the time for a point of the chart."""
        self._paces.apply(self.pace)
        self.scheduler.spawn(self._watch())

    async def closed_for_good(self) -> None:
        """Write the last point of the chart."""
        await self._add_sample()

    def fail(self, error: BaseException) -> None:
        """End the process over an error that nobody expected; what is in flight is fetched again."""
        traceback.print_exception(error)
        end_process(CrawlerExit.FAILED)

    async def interrupt(self, longest_s: float) -> None:
        """End early: what was sent may still be settled, within `longest_s`."""
        await self.scheduler.drain(longest_s)
        await self._add_sample()
        end_process(CrawlerExit.INTERRUPTED)

    async def prepare(self, row: UrlRow) -> Request | None:
        """The request of an address; None where it is settled without one."""
        address = address_of(row.url)
        if address is None or not address.is_web:
            outcome: UrlOutcome | None = _unsent(UrlReason.SCHEME, "It is no address of the web.")
        else:
            outcome = await self._surely_unsent(row, address)
        if outcome is not None or address is None:
            if outcome is not None:
                await self.scheduler.settle(row, outcome)
            return None
        return self._maker.make(
            address,
            row,
            callback=self.answered,
            errback=self.failed,
            is_conditional=await self._has_stored(row),
        )

    async def answered(self, response: Response) -> None:
        """Settle an answer."""
        row: UrlRow = response.meta["row"]
        if not self.scheduler.is_given_back(row):
            await self._settle_surely(row, self._settle_answer(row, answer_of(response)))

    async def failed(self, failure: Any) -> None:
        """Settle a request that got no answer."""
        row: UrlRow = failure.request.meta["row"]
        if not self.scheduler.is_given_back(row):
            await self._settle_surely(row, self._settle_failure(row, failure_of(failure.value)))

    async def _settle_surely(self, row: UrlRow, act: Coroutine[Any, Any, None]) -> None:
        """Settle an address even where something unforeseen happens: an open one would hold up the crawl."""
        try:
            await act
        except Exception as error:  # of one page; the crawl goes on
            traceback.print_exception(error)
            detail = f"It could not be read ({type(error).__name__})."
            await self.scheduler.settle(row, UrlOutcome(UrlState.FAILED, UrlReason.UNREADABLE, detail))

    async def _settle_answer(self, row: UrlRow, answer: HttpAnswer) -> None:
        now = datetime.now(UTC)
        stored = await self._stored(row) if answer.status == 304 else None
        settled = await self.run.judging.do(self.run.settlement.settle, row, answer, now, stored)
        if await self._is_missing(row, settled):
            settled = self.run.settlement.as_missing(settled)
        await self._settle(row, settled)

    def headers_received(self, headers: Headers, body_length: object, request: Request) -> None:
        """Stop before a body that is no page, or too large."""
        if request.meta.get("row") is None:
            return
        limit = self._host_limit
        kind = b"".join(headers.getlist("Content-Type")[:1]).decode("latin-1")
        if isinstance(body_length, int) and body_length > limit:  # else it is not known
            request.meta[STOPPED] = UrlReason.TOO_LARGE
        elif not is_loaded(kind, request.meta["path"], self.run.record.request.kinds):
            request.meta[STOPPED] = UrlReason.MEDIA_TYPE
        if STOPPED in request.meta:
            raise StopDownload(fail=False)

    async def _surely_unsent(self, row: UrlRow, address: Address) -> UrlOutcome | None:
        """As `_outcome_unsent`; an unforeseen fault of one host settles its address: the crawl goes on."""
        try:
            return await self._outcome_unsent(row, address)
        except GroundworkError:
            raise
        except Exception as error:  # of one robots.txt
            traceback.print_exception(error)
            detail = f"Its host could not be asked ({type(error).__name__})."
            return UrlOutcome(UrlState.FAILED, UrlReason.UNREADABLE, detail, was_requested=False)

    async def _outcome_unsent(self, row: UrlRow, address: Address) -> UrlOutcome | None:
        """The outcome of an address that must not be requested; None where it may."""
        if said := self.run.guard.hosts.refusal_of_literal(address.name, address.port):
            return UrlOutcome(UrlState.FAILED, UrlReason.PRIVATE_ADDRESS, said, was_requested=False)
        wanted = self.run.record.request
        reads_sitemaps = wanted.use_sitemaps and row.depth == 0 and wanted.depth > 0
        if not wanted.heeds_robots and not reads_sitemaps:
            return None
        rules = await self._rules.of(address)
        if isinstance(rules, RequestFailure):
            if not wanted.heeds_robots:
                return None
            return UrlOutcome(UrlState.FAILED, rules.reason, rules.detail, was_requested=False)
        if reads_sitemaps and rules.sitemaps:
            await self._add_sitemaps(rules, address)
        if not wanted.heeds_robots:
            return None
        self._paces.keep(address.host, rules.delay_s(wanted.user_agent))
        if row.url in self.run.settlement.sitemaps:
            return None  # robots.txt names it itself
        said = rules.forbids(address.url, wanted.user_agent)
        return _unsent(UrlReason.ROBOTS, said) if said else None

    async def _add_sitemaps(self, rules: RobotsRules, beside: Address) -> None:
        found = []
        for url in rules.sitemaps:
            address = address_of(url, beside.url)
            if address is None or not address.is_web or address.url in self.run.settlement.sitemaps:
                continue
            self.run.settlement.sitemaps.add(address.url)
            found.append(self.run.settlement.scope.judge_sitemap(address, beside.host))
        if found:
            await self.run.ledger.do(self.run.frontier.add_starts, found)

    async def _is_missing(self, row: UrlRow, settled: Settled) -> bool:
        page = settled.judgement
        is_start = row.depth == 0
        if page is None or is_start or not may_be_missing(page):
            return False
        address = address_of(row.url)
        if address is None:
            return False
        beside = self._missing.address_beside(address)
        wanted = self.run.record.request
        if wanted.heeds_robots:
            rules = await self._rules.of(address)
            if isinstance(rules, RequestFailure) or rules.forbids(beside, wanted.user_agent):
                return False
        missing = await self._missing.words(beside)
        return await self.run.judging.do(is_like_missing, page.words or (), missing)

    async def _settle(self, row: UrlRow, settled: Settled) -> None:
        outcome = settled.outcome
        if settled.data:
            outcome = await self.run.storing.do(self._with_content, outcome, settled.data)
        await self.scheduler.settle(row, outcome)

    def _with_content(self, outcome: UrlOutcome, data: bytes) -> UrlOutcome:
        is_dry = self.run.record.is_dry_run
        name = content_hash(data) if is_dry else self.run.records.blobs.put(data)
        return replace(outcome, content_hash=name)

    async def _settle_failure(self, row: UrlRow, failure: RequestFailure) -> None:
        if (address := address_of(row.url)) is not None:
            failure = explained(failure, self.run.guard, address.name, address.port)
        outcome = self.run.settlement.fail(row, failure, datetime.now(UTC))
        await self.scheduler.settle(row, outcome)

    async def _has_stored(self, row: UrlRow) -> bool:
        if not (row.content_hash and (row.etag or row.last_modified)):
            return False
        return await self.run.ledger.do(self.run.records.blobs.exists, row.content_hash)

    async def _stored(self, row: UrlRow) -> bytes | None:
        def read() -> bytes | None:
            try:
                return self.run.records.blobs.path(row.content_hash).read_bytes()
            except (OSError, NotFoundError):
                return None

        return await self.run.ledger.do(read)

    async def _watch(self) -> None:
        """Every second: a new pace, or the wish to stop. Every five: a point of the chart."""
        run = self.run
        while True:
            await asyncio.sleep(_WATCH_S)
            record = await run.ledger.do(run.records.crawls.get, run.crawl)
            if record.pace != self.pace:
                self._paces.apply(record.pace)
                self.scheduler.fill()
            if record.is_stopping:
                await self._stop()
            now = asyncio.get_running_loop().time()
            if now - self._last_sample >= _SAMPLE_S:
                self._last_sample = now
                await self._add_sample()

    async def _stop(self) -> None:
        """End with what there is: the rest is left to `Crawls.end_run`, which says that it was stopped."""
        run = self.run
        await self.scheduler.drain(run.record.request.timeout_s + 1.0)
        await run.ledger.do(run.frontier.conclude)
        await self._add_sample()
        end_process(CrawlerExit.FINISHED)

    async def _add_sample(self) -> None:
        run = self.run

        def add() -> None:
            progress = run.records.crawl_ledger.progress(run.crawl)
            failed = progress.counts.get(UrlState.FAILED, 0)
            sample = Sample(datetime.now(UTC), progress.fetched, progress.queued, failed, progress.size_bytes)
            run.records.crawls.add_sample(run.crawl, run.record.run, sample)

        await run.ledger.do(add)


def _unsent(reason: UrlReason, detail: str) -> UrlOutcome:
    return UrlOutcome(UrlState.SKIPPED, reason, detail, was_requested=False)
