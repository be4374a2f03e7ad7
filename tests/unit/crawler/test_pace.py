from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from scrapy.core.downloader import Slot
from scrapy.signalmanager import SignalManager
from scrapy.signals import response_downloaded

from core.domain.crawl.request import CrawlPace
from crawler.pace import HostPaces


def make(pace: CrawlPace) -> tuple[HostPaces, Any]:
    downloader = SimpleNamespace(
        slots={"a": Slot(4, 0.0, 0.0)},
        per_slot_settings={},
        total_concurrency=0,
        domain_concurrency=0,
        _delay=0.0,
    )
    crawler: Any = SimpleNamespace(engine=SimpleNamespace(downloader=downloader), signals=SignalManager())
    paces = HostPaces(crawler, pace)
    paces.apply(pace)
    downloader.signals = crawler.signals
    return paces, downloader


def answered(downloader: Any, latency_s: float, status: int = 200) -> None:
    """Tell of an answer as Scrapy does."""
    request = SimpleNamespace(meta={"download_slot": "a", "download_latency": latency_s})
    answer = SimpleNamespace(status=status)
    (sent,) = downloader.signals.send_catch_log(response_downloaded, response=answer, request=request)
    assert sent[1] is None, sent[1]


def test_a_pace_holds_for_hosts_known_and_new() -> None:
    paces, downloader = make(CrawlPace(delay_s=2.0, concurrency=6, per_host=3))

    assert (downloader.total_concurrency, downloader.domain_concurrency, downloader._delay) == (6, 3, 2.0)
    assert (downloader.slots["a"].delay, downloader.slots["a"].concurrency) == (2.0, 3)
    paces.apply(CrawlPace())
    assert downloader.slots["a"].delay == 0.0


def test_the_delay_that_a_host_asks_for_is_kept_whatever_the_pace() -> None:
    paces, downloader = make(CrawlPace())
    paces.keep("a", 5.0)
    paces.keep("b", 3.0)
    paces.apply(CrawlPace(delay_s=4.0))

    assert downloader.slots["a"].delay == 5.0
    assert downloader.per_slot_settings["b"] == {"delay": 4.0, "concurrency": 4}


def test_a_slow_host_is_asked_more_slowly_and_errors_never_hasten() -> None:
    _, downloader = make(CrawlPace(per_host=4))
    answered(downloader, 4.0)
    assert downloader.slots["a"].delay == pytest.approx(1.0)
    answered(downloader, 0.0, status=503)
    assert downloader.slots["a"].delay == pytest.approx(1.0)
    answered(downloader, 0.0)
    assert downloader.slots["a"].delay == pytest.approx(0.5)


def test_a_fixed_pace_does_not_adapt_and_no_pace_falls_below_its_floor() -> None:
    _, downloader = make(CrawlPace(adapt=False, delay_s=0.5))
    answered(downloader, 8.0)
    assert downloader.slots["a"].delay == 0.5
    _, downloader = make(CrawlPace(delay_s=0.5))
    answered(downloader, 0.0)
    assert downloader.slots["a"].delay == 0.5
