"""The scheduler of Scrapy, which is the frontier in the records: it claims addresses, and ends with them."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine
from typing import TYPE_CHECKING, Any

from scrapy import Request, Spider
from scrapy.utils.defer import deferred_from_coro

from core.domain.crawl.exits import CrawlerExit
from core.domain.crawl.ledger import UrlRow, UrlState
from core.domain.crawl.outcome import UrlOutcome

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from twisted.internet.defer import Deferred

    from crawler.run import CrawlerParts


class FrontierScheduler:
    """Holds addresses that were claimed and not yet settled; never more than may be requested at a time."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._ready: deque[Request] = deque()
        self._open: dict[str, UrlRow] = {}
        self._preparing: set[str] = set()
        self._is_draining = False
        self._is_filling = False
        self._wants_more = False
        self._has_revisited = False
        self._timer: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[Any]] = set()
        self._run: CrawlerParts
        self._prepare: Callable[[UrlRow], Awaitable[Request | None]]

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> FrontierScheduler:
        """The scheduler of this process."""
        return cls(crawler)

    def open(self, spider: Spider) -> Deferred[None] | None:
        """Queue again what a killed crawler had in flight, and begin."""
        self._run = spider.run  # type: ignore[attr-defined]
        self._prepare = spider.prepare  # type: ignore[attr-defined]
        return deferred_from_coro(self._begin())

    def close(self, reason: str) -> None:
        """Stop claiming."""
        self._is_draining = True
        if self._timer is not None:
            self._timer.cancel()

    def has_pending_requests(self) -> bool:
        """True always: only the frontier says when it is over, and ends the spider then."""
        return True

    def enqueue_request(self, request: Request) -> bool:
        """Take a request that is ready to be sent."""
        self._ready.append(request)
        return True

    def next_request(self) -> Request | None:
        """The next request to send."""
        return self._ready.popleft() if self._ready else None

    async def settle(self, row: UrlRow, outcome: UrlOutcome) -> None:
        """Write an outcome, and claim what it makes room for."""
        await self._run.ledger.do(self._run.frontier.settle, row.url, outcome)
        self._open.pop(row.url, None)
        self.fill()

    def fill(self) -> None:
        """Claim addresses until as many are in hand as may be requested at a time."""
        if self._is_filling:
            self._wants_more = True
        elif not self._is_draining:
            self._is_filling = True
            self.spawn(self._fill())

    async def drain(self, longest_s: float) -> None:
        """Stop claiming, give back what was not sent, and wait for what was. The caller ends the process."""
        self._is_draining = True
        unsent = self._preparing | {request.meta["row"].url for request in self._ready}
        self._ready.clear()
        for slot in self._crawler.engine.downloader.slots.values():
            of_frontier = [entry for entry in slot.queue if entry[0].meta.get("row") is not None]
            for entry in of_frontier:  # else the downloader would send them while others are waited for
                slot.queue.remove(entry)
                unsent.add(entry[0].meta["row"].url)
        for url in unsent:
            await self._give_back(url)
        deadline = asyncio.get_running_loop().time() + longest_s
        while self._open and asyncio.get_running_loop().time() < deadline:
            await asyncio.sleep(0.05)

    def is_given_back(self, row: UrlRow) -> bool:
        """True of an address that is no longer in hand, so that its answer must not be written."""
        return row.url not in self._open

    def spawn(self, act: Coroutine[Any, Any, None]) -> None:
        """Run something beside; it is kept from being collected while it runs."""
        task = asyncio.ensure_future(act)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            self._crawler.spider.fail(error)  # type: ignore[union-attr]

    async def _begin(self) -> None:
        run = self._run
        await run.ledger.do(run.frontier.recover)
        starts = await run.judging.do(run.settlement.scope.starts)
        await run.ledger.do(run.frontier.add_starts, starts)
        asyncio.get_running_loop().call_soon(self.fill)

    async def _fill(self) -> None:
        try:
            while not self._is_draining:
                self._wants_more = False
                room = self._crawler.spider.pace.concurrency - len(self._open)  # type: ignore[union-attr]
                if room > 0 and await self._claim(room):
                    continue
                if not self._wants_more:
                    return
        finally:
            self._is_filling = False

    async def _claim(self, room: int) -> bool:
        """Claim; True where it is worth asking again at once."""
        run, request = self._run, self._run.record.request
        claim = await run.ledger.do(run.frontier.claim, room, request.max_pages, request.most_of_a_pattern)
        for row in claim.rows:
            self._open[row.url] = row
            self.spawn(self._send(row))
        if claim.is_finished and not self._open:
            return await self._finish()
        if claim.wait_s > 0:
            self._wake_in(claim.wait_s)
        return False

    async def _send(self, row: UrlRow) -> None:
        if self._is_draining:
            await self._give_back(row.url)
            return
        self._preparing.add(row.url)
        try:
            request = await self._prepare(row)
        finally:
            self._preparing.discard(row.url)
        if request is not None and not self._is_draining:
            self._crawler.engine.crawl(request)

    async def _give_back(self, url: str) -> None:
        """Queue an address again that was claimed and never sent."""
        if self._open.pop(url, None) is not None:
            back = UrlOutcome(UrlState.QUEUED, was_requested=False)
            await self._run.ledger.do(self._run.frontier.settle, url, back)

    async def _finish(self) -> bool:
        """Ask for pages of earlier runs that this one did not meet; then end. True where there are any."""
        run = self._run
        if run.record.run > 1 and not self._has_revisited:
            self._has_revisited = True
            if await run.ledger.do(run.frontier.revisit):
                return True
        await run.ledger.do(run.frontier.conclude)
        run.exit_code = CrawlerExit.FINISHED
        self._is_draining = True
        self.spawn(self._crawler.engine.close_spider_async(reason="finished"))
        return False

    def _wake_in(self, seconds: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(min(seconds, 60.0) + 0.01, self.fill)
