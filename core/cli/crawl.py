"""`groundwork crawl`: sites into the collection, with a ledger of every address."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from core.cli import exit_codes
from core.cli.options import Common, common_options
from core.cli.output import note, print_json, print_table
from core.cli.progress import JobProgress
from core.domain.crawl.ledger import Change, LedgerQuery, UrlReason, UrlState
from core.domain.crawl.request import MOST_STARTS, CrawlRequest, PageKind, SiteScope
from core.domain.crawl.words import REASON_WORDS, STATE_WORDS
from core.domain.ids import CrawlId
from core.domain.job import JobState
from core.domain.wire.crawls import crawl_json, ledger_json
from core.domain.wire.records import envelope
from core.errors import UsageError

if TYPE_CHECKING:
    from core.workbench import Session
    from core.workbench.services.crawls import CrawlView

_SHOWN_ROWS = 200


def _of_crawl(command: Any) -> Any:
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


def _of_known(command: Any) -> Any:
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


@click.command()
@click.argument("urls", nargs=-1, metavar="URL...")
@_of_crawl
@_of_known
@common_options
def crawl(
    urls: tuple[str, ...],
    again: str | None,
    resumed: str | None,
    listing: bool,
    ledger: str | None,
    out: Path | None,
    common: Common,
    **options: Any,
) -> int:
    """Fetch sites, account for every address, and index their pages."""
    if sum((bool(urls), again is not None, resumed is not None, listing, ledger is not None)) != 1:
        raise UsageError(
            "Crawl what?",
            next_step=f"Give up to {MOST_STARTS} addresses, or one of --again, --resume, --list, --ledger.",
        )
    query = LedgerQuery(
        tuple(map(UrlState, options.pop("states"))),
        tuple(map(UrlReason, options.pop("reasons"))),
        tuple(map(Change, options.pop("changes"))),
        text=options.pop("text"),
    )
    dry_run, every = options.pop("dry_run"), options.pop("every") or ""
    request = _request(urls, options) if urls else None
    with common.open() as session:
        if listing:
            return _list(session, common)
        if ledger is not None:
            view = session.crawls.get(CrawlId(ledger))
            _show(session, view, query, out, common)
            return 0
        chosen = _begun(session, request, dry_run=dry_run, every=every, again=again, resumed=resumed)
        view = _followed(session, chosen)
        _show(session, view, query, out, common)
        return _exit_code(view)


def _request(urls: Sequence[str], options: dict[str, Any]) -> CrawlRequest:
    """The request, of which what was not given is left to its defaults. Raises UsageError."""
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


def _begun(
    session: Session,
    request: CrawlRequest | None,
    *,
    dry_run: bool,
    every: str,
    again: str | None,
    resumed: str | None,
) -> CrawlId:
    """The crawl whose run was just queued."""
    if request is not None:
        return session.crawls.start(request, is_dry_run=dry_run, schedule=every)
    chosen = CrawlId(again or resumed or "")
    if again is not None:
        session.crawls.run_again(chosen)
    else:
        session.crawls.resume(chosen)
    return chosen


def _followed(session: Session, chosen: CrawlId) -> CrawlView:
    try:
        with JobProgress() as progress:
            return session.crawls.follow(chosen, progress.show)
    except KeyboardInterrupt:
        note(f"\nPaused; what is fetched stays. Go on with: groundwork crawl --resume {chosen}")
        raise


def _list(session: Session, common: Common) -> int:
    rows = session.crawls.list()
    if common.as_json:
        print_json(envelope(crawls=[crawl_json(row) for row in rows]))
        return 0
    print_table(
        ("id", "state", "run", "kept", "failed", "bucket", "schedule", "next", "title"),
        (
            (
                row.id,
                f"{row.state}{' (dry run)' if row.is_dry_run else ''}",
                row.run,
                row.counts.get(UrlState.KEPT, 0),
                row.counts.get(UrlState.FAILED, 0),
                row.bucket,
                row.schedule,
                "" if row.next_at is None else f"{row.next_at:%Y-%m-%d %H:%M} UTC",
                row.title,
            )
            for row in rows
        ),
        is_last_whole=True,
    )
    return 0


def _show(session: Session, view: CrawlView, query: LedgerQuery, out: Path | None, common: Common) -> None:
    crawl, error = view.summary, view.job.error if view.job is not None else None
    if out is not None:
        count = session.crawls.write_ledger(crawl.id, out, query)
        note(f"Wrote {count:,} addresses to {str(out)!r}.")
    if common.as_json:
        print_json(ledger_json(crawl, session.crawls.every_row(crawl.id, query), view.runs, error))
        return
    if out is None:
        _print_rows(session, crawl.id, query)
    counts = ", ".join(
        f"{crawl.counts[state]:,} {STATE_WORDS[state]}" for state in UrlState if crawl.counts.get(state)
    )
    changes = ", ".join(
        f"{crawl.counts[change]:,} {change}" for change in (Change.NEW, Change.CHANGED, Change.UNCHANGED)
        if crawl.run > 1 and crawl.counts.get(change)
    )  # fmt: skip
    note(f"Crawl {crawl.id}, run {crawl.run}, {crawl.state}: {counts or 'no address'}.")
    if changes:
        note(f"Against the run before: {changes}.")
    if error:
        note(error)
    if view.job is not None and view.job.state in (JobState.FAILED, JobState.CANCELLED):
        note(f"Go on with: groundwork crawl --resume {crawl.id}")


def _print_rows(session: Session, crawl: CrawlId, query: LedgerQuery) -> None:
    rows = session.crawls.rows(crawl, replace(query, limit=_SHOWN_ROWS))
    print_table(
        ("depth", "state", "http", "reason", "address"),
        ((r.depth, STATE_WORDS[r.state], r.status, REASON_WORDS[r.reason], r.url) for r in rows),
        is_last_whole=True,
    )
    more = session.crawls.count(crawl, query) - len(rows)
    if more > 0:
        note(f"{more:,} more addresses: filter them, or write all with --out FILE.csv.")


def _exit_code(view: CrawlView) -> int:
    counts = view.progress.counts
    if view.job is None or view.job.state in (JobState.FAILED, JobState.CANCELLED):
        return exit_codes.FAILED
    return exit_codes.SOME_FAILED if counts.get(UrlState.FAILED) else 0
