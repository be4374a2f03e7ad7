"""`groundwork crawl`: sites into the collection, with a ledger of every address."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from core.answer.computed.wording import counted
from core.cli.options import Common, common_options
from core.cli.output import FAILED, SOME_FAILED, note, print_json, print_table
from core.cli.progress import JobProgress
from core.domain.crawl.ledger import Change, LedgerQuery, UrlReason, UrlState
from core.domain.crawl.request import MOST_STARTS, CrawlRequest, PageKind, SiteScope
from core.domain.crawl.withdrawal import MassWithdrawal
from core.domain.crawl.words import REASON_WORDS, STATE_WORDS
from core.domain.ids import CrawlId
from core.domain.job import JobState
from core.domain.wire.crawls import crawl_json, ledger_json
from core.errors import UsageError

if TYPE_CHECKING:
    from core.workbench import Session
    from core.workbench.services.crawls import CrawlView


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


_SHOWN_ROWS = 200


@click.command()
@click.argument("urls", nargs=-1, metavar="URL...")
@of_request
@of_known
@common_options
def crawl(
    urls: tuple[str, ...],
    again: str | None,
    resumed: str | None,
    listing: bool,
    ledger: str | None,
    withdrawal: str | None,
    out: Path | None,
    common: Common,
    **options: Any,
) -> int:
    """Fetch sites, account for every address, and index their pages."""
    if sum((bool(urls), listing, *(each is not None for each in (again, resumed, ledger, withdrawal)))) != 1:
        raise UsageError(
            "Crawl what?",
            next_step=f"Give up to {MOST_STARTS} addresses, or one of --again, --resume, --list, --ledger, "
            "--withdraw.",
        )
    query = LedgerQuery(
        tuple(map(UrlState, options.pop("states"))),
        tuple(map(UrlReason, options.pop("reasons"))),
        tuple(map(Change, options.pop("changes"))),
        text=options.pop("text"),
    )
    dry_run, every = options.pop("dry_run"), options.pop("every") or ""
    request = request_of(urls, options) if urls else None
    with common.open() as session:
        if listing:
            return _list(session, common)
        if ledger is not None:
            view = session.crawls.get(CrawlId(ledger))
            _show(session, view, query, out, common, is_whole=True)
            return 0
        if withdrawal is not None:
            return _withdraw(session, CrawlId(withdrawal), common)
        chosen = _begun(session, request, dry_run=dry_run, every=every, again=again, resumed=resumed)
        view = _followed(session, chosen)
        _show(session, view, query, out, common)
        return _exit_code(view, session.crawls.mass_withdrawal(chosen))


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
        with JobProgress(session.crawls.get(chosen).summary.job) as progress:
            return session.crawls.follow(chosen, progress.show)
    except KeyboardInterrupt:
        note(f"\nPaused; what is fetched stays. Go on with: groundwork crawl --resume {chosen}")
        raise


def _withdraw(session: Session, crawl: CrawlId, common: Common) -> int:
    count = session.crawls.withdraw(crawl)
    return common.give(f"Withdrew {counted(count, 'documents')}.", crawl=crawl, documents=count)


def _list(session: Session, common: Common) -> int:
    rows = session.crawls.list()
    return common.table(
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
        crawls=[crawl_json(row) for row in rows],
    )


def _show(
    session: Session,
    view: CrawlView,
    query: LedgerQuery,
    out: Path | None,
    common: Common,
    *,
    is_whole: bool = False,
) -> None:
    """Print the ledger; of a run that just ended only what failed, unless it is wanted as a whole."""
    crawl, error = view.summary, view.job.error if view.job is not None else None
    mass = session.crawls.mass_withdrawal(crawl.id)
    if out is not None:
        count = session.crawls.write_ledger(crawl.id, out, query)
        note(f"Wrote {count:,} addresses to {str(out)!r}.")
    if common.as_json:
        rows = session.crawls.every_row(crawl.id, query)
        print_json(ledger_json(crawl, rows, view.runs, error, mass.rows if mass is not None else ()))
        return
    if is_whole and out is None:
        _print_rows(session, crawl.id, query)
    elif out is None:
        _print_reasons(view)
        failed = LedgerQuery(states=(UrlState.FAILED,))
        if session.crawls.count(crawl.id, failed):
            _print_rows(session, crawl.id, failed)
    counts = ", ".join(
        f"{crawl.counts[state]:,} {STATE_WORDS[state]}" for state in UrlState if crawl.counts.get(state)
    )
    kinds = (Change.NEW, Change.CHANGED, Change.GONE, Change.UNCHANGED)
    changes = ", ".join(
        f"{crawl.counts[change]:,} {change}" for change in kinds if crawl.run > 1 and crawl.counts.get(change)
    )
    note(f"Crawl {crawl.id}, run {crawl.run}, {crawl.state}: {counts or 'no address'}.")
    if changes:
        note(f"Against the run before: {changes}.")
    if error:
        note(error)
    if mass is not None:
        note(mass.sentence)
        note(f"Withdraw them with: groundwork crawl --withdraw {crawl.id}")
    if view.job is not None and view.job.state in (JobState.FAILED, JobState.CANCELLED):
        note(_next_step(session, view))


def _next_step(session: Session, view: CrawlView) -> str:
    """The command that helps after a run that failed or was paused."""
    crawl = view.summary.id
    if not view.runs or view.runs[0].ended_at is None:
        return f"Go on with: groundwork crawl --resume {crawl}"
    if session.crawls.count(crawl, LedgerQuery(reasons=(UrlReason.ROBOTS,), depth=0)):
        url = view.request.urls[0]
        return f'Where you may all the same: groundwork crawl {url} --ignore-robots "WHY YOU MAY"'
    return f"Run it again with: groundwork crawl --again {crawl}"


def _print_reasons(view: CrawlView) -> None:
    reasons = sorted(
        view.progress.reasons.items(), key=lambda each: (list(UrlState).index(each[0][0]), -each[1])
    )
    print_table(
        ("addresses", "state", "reason"),
        ((f"{number:,}", STATE_WORDS[state], REASON_WORDS[reason]) for (state, reason), number in reasons),
        widest=70,
    )
    click.echo()


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


def _exit_code(view: CrawlView, mass: MassWithdrawal | None) -> int:
    counts = view.progress.counts
    if view.job is None or view.job.state in (JobState.FAILED, JobState.CANCELLED):
        return FAILED
    return SOME_FAILED if counts.get(UrlState.FAILED) or mass is not None else 0
