"""Settings of Scrapy for one crawl. Whatever the ledger accounts for is switched off in Scrapy itself."""

from __future__ import annotations

from typing import Any

from core.config.models import CrawlSettings
from core.domain.crawl.request import CrawlPace, CrawlRequest
from crawler.resolver import ConnectionGuard


def scrapy_settings(
    request: CrawlRequest, pace: CrawlPace, crawl: CrawlSettings, guard: ConnectionGuard
) -> dict[str, Any]:
    """The settings. Redirects, retries, robots.txt, cookies, compression and scope are ours: a row each."""
    handler = "crawler.resolver.GuardedDownloadHandler"
    return {
        "GROUNDWORK_GUARD": guard,
        "SCHEDULER": "crawler.scheduler.FrontierScheduler",
        "TWISTED_DNS_RESOLVER": "crawler.resolver.SpiderResolver",
        "TWISTED_REACTOR": "twisted.internet.asyncioreactor.AsyncioSelectorReactor",
        "DOWNLOAD_HANDLERS_BASE": {"http": handler, "https": handler},
        "DOWNLOADER_MIDDLEWARES_BASE": {},
        "SPIDER_MIDDLEWARES_BASE": {},
        "EXTENSIONS_BASE": {},
        "ITEM_PIPELINES_BASE": {},
        "ADDONS": {},
        "USER_AGENT": request.user_agent,
        "CONCURRENT_REQUESTS": pace.concurrency,
        "CONCURRENT_REQUESTS_PER_DOMAIN": pace.per_host,
        "DOWNLOAD_DELAY": pace.delay_s,
        "DOWNLOAD_DELAY_JITTER": 0.0,
        "DOWNLOAD_TIMEOUT": request.timeout_s,
        "DOWNLOAD_MAXSIZE": crawl.max_body_bytes,
        "DOWNLOAD_WARNSIZE": 0,
        "DOWNLOAD_FAIL_ON_DATALOSS": True,
        "DOWNLOAD_VERIFY_CERTIFICATES": True,
        "COOKIES_ENABLED": False,
        "REDIRECT_ENABLED": False,
        "METAREFRESH_ENABLED": False,
        "RETRY_ENABLED": False,
        "ROBOTSTXT_OBEY": False,
        "HTTPCACHE_ENABLED": False,
        "COMPRESSION_ENABLED": False,
        "TELNETCONSOLE_ENABLED": False,
        "REMOTE_CONTROL_ENABLED": False,
        "STATS_DUMP": False,
        "WARN_ON_GENERATOR_RETURN_VALUE": False,  # reads the source of a callback for each answer
        "LOG_ENABLED": False,
        "LOG_INSTALL_ROOT_HANDLER": False,
        "SCRAPER_SLOT_MAX_ACTIVE_SIZE": 2 * crawl.max_body_bytes,
        "REACTOR_THREADPOOL_MAXSIZE": 10,
    }
