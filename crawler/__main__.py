"""`python -m crawler --home HOME --crawl ID --runner TOKEN`: works off the frontier of one crawl, then ends.

It ends soon after its standard input is closed, so that a worker that is killed leaves no crawler behind.
Exit codes are those of CrawlerExit.
"""

from __future__ import annotations

import argparse
import logging
import os
import signal
import sys
import threading
from collections.abc import Sequence
from typing import Any

from core.config.load import load_settings
from core.domain.crawl.exits import CrawlerExit
from core.domain.crawl.private_hosts import HostGuard
from core.domain.ids import CrawlId
from core.errors import GroundworkError, NotFoundError, RecordsError, UsageError
from core.ingest.parse.base import ParseLimits
from core.store.store import Records

_GRACE_S = 2.0
"""Time for what is in flight once the end is asked for."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one crawl; gives the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m crawler", description="Works off the frontier of one crawl."
    )
    parser.add_argument("--home", required=True, help="folder of the collection")
    parser.add_argument("--crawl", required=True, help="id of the crawl")
    parser.add_argument("--runner", required=True, help="name under which the ledger was handed over")
    given = parser.parse_args(arguments)
    logging.basicConfig(level=logging.ERROR, stream=sys.stderr, format="crawler: %(message)s")
    for handler in logging.getLogger().handlers:
        handler.setLevel(logging.ERROR)  # Scrapy makes its loggers talkative again as it starts
        handler.addFilter(lambda record: "verifying certificate" not in record.getMessage())  # has a row
    try:
        settings = load_settings(given.home)
        with Records.open(settings) as records:
            return int(_crawl(records, settings, CrawlId(given.crawl), given.runner))
    except (UsageError, NotFoundError) as error:
        return _explained(error, CrawlerExit.USAGE)
    except RecordsError as error:
        return _explained(error, CrawlerExit.STORE)


def _explained(error: GroundworkError, code: CrawlerExit) -> int:
    from crawler.run import print_error

    print_error(error)
    return int(code)


def _crawl(records: Records, settings: Any, crawl: CrawlId, runner: str) -> CrawlerExit:
    from scrapy.crawler import CrawlerProcess
    from twisted.logger import LogPublisher, globalLogBeginner

    from core.domain.crawl.scope import CrawlScope
    from crawler.resolver import ConnectionGuard
    from crawler.run import CrawlerParts
    from crawler.settings import scrapy_settings
    from crawler.settlement import Settlement
    from crawler.spider import SiteSpider

    record = records.crawls.get(crawl)
    # Scrapy hands Twisted's log on; without a beginning, what is critical goes to stderr past all filters.
    silent: Any = LogPublisher()
    globalLogBeginner.beginLoggingTo([silent], discardBuffer=True, redirectStandardIO=False)
    try:
        guard = ConnectionGuard(HostGuard(settings.crawl.allowed_hosts))
    except ValueError as error:
        raise UsageError(str(error), next_step="Correct crawl.allowed_hosts.") from None
    scope = CrawlScope(record.request, record.bases)
    run = CrawlerParts(
        records,
        crawl,
        record,
        records.frontier(crawl, runner),
        Settlement(record.request, scope, ParseLimits.of(settings.ingest), settings.crawl.max_body_bytes),
        settings.crawl,
        settings.ingest,
        guard,
    )
    process = CrawlerProcess(scrapy_settings(record.request, record.pace, settings.crawl, guard))
    scraper = process.create_crawler(SiteSpider)
    _end_on_request(scraper)
    process.crawl(scraper, run=run)
    process.start(install_signal_handlers=False)
    for worker in (run.judging, run.storing, run.ledger):
        worker.close()
    return run.exit_code


def _end_on_request(scraper: Any) -> None:
    """End in order when the input is closed or a signal asks for it, and at once when that takes too long."""
    is_ending = threading.Event()

    def end() -> None:
        from twisted.internet import reactor

        if is_ending.is_set():
            return
        is_ending.set()
        limit = threading.Timer(_GRACE_S + 1.0, os._exit, (int(CrawlerExit.INTERRUPTED),))
        limit.daemon = True
        limit.start()
        if scraper.spider is None:
            os._exit(int(CrawlerExit.INTERRUPTED))
        spider = scraper.spider
        reactor.callFromThread(lambda: spider.scheduler.spawn(spider.interrupt(_GRACE_S)))

    def watch_input() -> None:
        try:
            while os.read(0, 1024):
                pass
        except OSError:
            pass
        end()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: end())
    threading.Thread(target=watch_input, daemon=True).start()


if __name__ == "__main__":
    sys.exit(main())
