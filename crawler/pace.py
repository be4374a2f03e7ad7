"""The pace of requests to each host: by the pace of the crawl, what the host asks for, and how it answers.

Source of the adaptation: AutoThrottle of Scrapy, whose delays know no floor for a single host.
"""

from __future__ import annotations

from typing import Any

from scrapy import signals
from scrapy.crawler import Crawler

from core.domain.crawl.request import CrawlPace

_LONGEST_ADAPTED_S = 30.0


class HostPaces:
    """Sets delay and concurrency of the downloader, also while it runs."""

    def __init__(self, crawler: Crawler, pace: CrawlPace) -> None:
        self._crawler = crawler
        self._floors: dict[str, float] = {}
        self._until: dict[str, float] = {}
        self.pace = pace
        crawler.signals.connect(self._adapt, signal=signals.response_downloaded)

    def apply(self, pace: CrawlPace) -> None:
        """Go on at this pace."""
        self.pace = pace
        downloader = self._downloader
        downloader.total_concurrency = pace.concurrency
        downloader.domain_concurrency = pace.per_host
        downloader._delay = pace.delay_s
        for host, slot in downloader.slots.items():
            slot.concurrency = pace.per_host
            slot.delay = self._floor(host)
        for host in self._floors:
            self._note(host)

    def keep(self, host: str, delay_s: float) -> None:
        """Keep a delay that a host asks for, whatever the pace."""
        if self._floors.get(host) == delay_s:
            return
        self._floors[host] = delay_s
        self._note(host)
        slot = self._downloader.slots.get(host)
        if slot is not None:
            slot.delay = self._floor(host)

    @property
    def _downloader(self) -> Any:
        return self._crawler.engine.downloader

    def _note(self, host: str) -> None:
        """Note the pace of a host for when the downloader meets it again: it forgets idle ones."""
        given = {"delay": self._floor(host), "concurrency": self.pace.per_host}
        self._downloader.per_slot_settings[host] = given

    def _floor(self, host: str) -> float:
        return max(self.pace.delay_s, self._floors.get(host, 0.0))

    def _adapt(self, response: Any, request: Any) -> None:
        host, latency_s = request.meta.get("download_slot"), request.meta.get("download_latency")
        slot = self._downloader.slots.get(host)
        if not self.pace.adapt or latency_s is None or slot is None:
            return
        wanted = latency_s / self.pace.per_host
        delay = max(wanted, (slot.delay + wanted) / 2)
        delay = min(max(self._floor(host), delay), max(self._floor(host), _LONGEST_ADAPTED_S))
        if response.status == 200 or delay > slot.delay:
            slot.delay = delay
