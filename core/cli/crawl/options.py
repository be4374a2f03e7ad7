"""The options of `groundwork crawl`, and the request that they stand for."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from core.domain.crawl.ledger import Change, UrlReason, UrlState
from core.domain.crawl.request import CrawlRequest, PageKind, SiteScope
from core.errors import UsageError


def of_request(command: Any) -> Any:
    """The options that say what is crawled, and how."""
    for option in reversed(
        (
            click.option(
                "--depth", type=int, help="Links to follow from a start address, 0 to 4 (default 2)."
            ),
            click.option("--max-pages", type=int, metavar="N", help="Pages to keep at most (default 1000)."),
            click.option("--bucket", help="The bucket to put the pages in (default: default)."),
            click.option("--dry-run", is_flag=True, help="Find and judge every address, and keep nothing."),
            click.option("--every", metavar="hour|day|week|CRON", help="Run again by itself, in UTC."),
            click.option("--scope", type=click.Choice([each.value for each in SiteScope]), help="The site."),
            click.option("--include", multiple=True, metavar="P", help="Only addresses like /docs/*."),
            click.option("--exclude", multiple=True, metavar="P", help="No addresses like */old/*."),
            click.option(
                "--kind",
                "kinds",
                multiple=True,
                type=click.Choice([each.value for each in PageKind]),
                help="Files that become documents (repeatable; default: html and pdf).",
            ),
            click.option("--ignore-robots", metavar="REASON", help="Do not heed robots.txt, and say why."),
            click.option("--delay", type=float, metavar="S", help="Seconds between two requests to a host."),
            click.option("--concurrency", type=int, metavar="N", help="Requests at a time."),
            click.option("--user-agent", metavar="S", help="How the crawler calls itself."),
            click.option("--timeout", type=float, metavar="S", help="Seconds that a request may take."),
            click.option("--acl", multiple=True, metavar="GROUP", help="Only this group may see the pages."),
            click.option("--no-sitemaps", is_flag=True, help="Do not read sitemaps."),
        )
    ):
        command = option(command)
    return command


def of_known(command: Any) -> Any:
    """The options that name a crawl that is there, and what to show of its ledger."""
    states, reasons, changes = (
        [each.value for each in kind if each] for kind in (UrlState, UrlReason, Change)
    )
    for option in reversed(
        (
            click.option("--again", metavar="ID", help="Run this crawl again: only what changed is fetched."),
            click.option("--resume", "resumed", metavar="ID", help="Go on with a crawl that was paused."),
            click.option("--list", "listing", is_flag=True, help="List crawls."),
            click.option("--ledger", metavar="ID", help="Show every address of this crawl."),
            click.option(
                "--withdraw",
                "withdrawal",
                metavar="ID",
                help="Withdraw the documents that its last run was in doubt about.",
            ),
            click.option(
                "--state", "states", multiple=True, type=click.Choice(states), help="Of the ledger."
            ),
            click.option(
                "--reason", "reasons", multiple=True, type=click.Choice(reasons), help="Of the ledger."
            ),
            click.option(
                "--change", "changes", multiple=True, type=click.Choice(changes), help="Of the ledger."
            ),
            click.option("--text", default="", help="Only addresses of the ledger that hold this."),
            click.option(
                "--out", type=click.Path(path_type=Path, dir_okay=False), help="Write the ledger to a .csv."
            ),
        )
    ):
        command = option(command)
    return command


def request_of(urls: Sequence[str], options: dict[str, Any]) -> CrawlRequest:
    """The request, of which what was not given is left to its defaults. Raises UsageError."""
    if options["ignore_robots"] is not None and not options["ignore_robots"].strip():
        raise UsageError(
            "--ignore-robots has no reason.", next_step="Say why robots.txt is not heeded, or leave it out."
        )
    pace = {"delay_s": options["delay"], "concurrency": options["concurrency"]}
    pace = {name: value for name, value in pace.items() if value is not None}
    if "concurrency" in pace:
        pace["per_host"] = min(pace["concurrency"], 16)
    given = {name: options[name] for name in ("depth", "max_pages", "bucket", "scope", "user_agent")}
    given["timeout_s"] = options["timeout"]
    given["ignore_robots_because"] = options["ignore_robots"]
    given |= {name: options[name] or None for name in ("include", "exclude", "kinds", "acl")}
    given["use_sitemaps"] = False if options["no_sitemaps"] else None
    given["pace"] = pace or None
    return CrawlRequest.checked(
        urls=urls, **{name: value for name, value in given.items() if value is not None}
    )
