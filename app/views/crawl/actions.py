"""Actions of the page Crawl: start, pause, go on, stop, pace, schedule, retry, again, remove; filters."""

from __future__ import annotations

from app import services, state
from app.components.shell import guarded
from app.presenting.crawl.charts import picked
from app.presenting.crawl.draft import CrawlDraft
from app.presenting.wording import counted
from app.views.crawl import form
from app.views.crawl.filters import OVERVIEW, clear_filters, show_only
from core.domain.crawl.ledger import UrlState
from core.domain.crawl.request import CrawlPace
from core.domain.ids import CrawlId


def open_crawl(crawl: CrawlId | None) -> None:
    """Show a crawl; None for the list of them."""
    clear_filters()
    if state.widget("view") is not None:
        state.set_widget("view", OVERVIEW)  # its parameter is the framework's while it is drawn
    state.to_address(crawl=crawl, new=None)


def open_failed(crawl: CrawlId) -> None:
    """Show the addresses of a crawl that failed."""
    state.to_address(crawl=crawl, new=None)
    show_only(state=UrlState.FAILED.value)


def begin_new() -> None:
    """Show the form, with what was typed in it last."""
    open_crawl(None)
    state.to_address(new=1)


def begin_like(crawl: CrawlId) -> None:
    """Show the form with the settings of a crawl."""
    view = services.session().crawls.get(crawl)
    form.fill(CrawlDraft.of(view.request, view.summary.schedule))
    begin_new()


@guarded
def start(draft: CrawlDraft, *, is_dry_run: bool) -> None:
    """Begin what the form asks for, and show it."""
    session = services.session()
    crawl = session.crawls.start(draft.request(), is_dry_run=is_dry_run, schedule=draft.every)
    open_crawl(crawl)


@guarded
def start_after(dry_run: CrawlId, every: str) -> None:
    """Begin the crawl that a dry run stands for, with the same settings."""
    session = services.session()
    found = session.crawls.get(dry_run)
    crawl = session.crawls.start(found.request, title=found.summary.title, schedule=every)
    open_crawl(crawl)


@guarded
def pause(crawl: CrawlId) -> None:
    """Let go of the run for a while."""
    services.session().crawls.pause(crawl)
    state.flash("The crawl is being paused: requests in flight are finished first.")


@guarded
def resume(crawl: CrawlId) -> None:
    """Go on with a paused run."""
    services.session().crawls.resume(crawl)


@guarded
def stop(crawl: CrawlId) -> None:
    """End the run with what it has."""
    services.session().crawls.stop(crawl)
    state.flash("The crawl is being stopped. What it has fetched is still read into the collection.")


@guarded
def set_pace(crawl: CrawlId) -> None:
    """Change the pace to what the panel says."""
    given = {name: state.widget(f"pace-{name}") for name in ("delay_s", "concurrency", "per_host", "adapt")}
    services.session().crawls.set_pace(crawl, CrawlPace.model_validate(given))
    state.flash("The pace is changed; a crawl at work follows within a second or two.")


@guarded
def retry_failed(crawl: CrawlId) -> None:
    """Fetch the failed addresses again."""
    count = services.session().crawls.retry_failed(crawl)
    state.flash(f"{counted(count, 'address', 'addresses')} will be fetched again.")


@guarded
def run_again(crawl: CrawlId) -> None:
    """Look what has changed."""
    services.session().crawls.run_again(crawl)


@guarded
def withdraw(crawl: CrawlId) -> None:
    """Withdraw the documents that the last run was in doubt about."""
    count = services.session().crawls.withdraw(crawl)
    state.flash(f"{counted(count, 'document was', 'documents were')} withdrawn.")


@guarded
def set_schedule(crawl: CrawlId, every: str) -> None:
    """Change when the crawl runs by itself."""
    services.session().crawls.set_schedule(crawl, every)
    state.flash("The schedule is saved.")


@guarded
def remove(crawl: CrawlId) -> None:
    """Forget a crawl; its documents stay."""
    services.session().crawls.remove(crawl)
    open_crawl(None)
    state.flash("The crawl is removed. Its documents are still there.")


def open_url(url: str) -> None:
    """Show all that is known of an address."""
    state.to_address(url=url)


def show_depth(id: str) -> None:
    """Show the addresses of a bar's part."""
    depth, of = picked(id)
    show_only(depth=depth, state=of)


def show_place(id: str) -> None:
    """Show the addresses of a field of the map."""
    host, folder, of = (*picked(id), "", "")[:3]
    filters = {"host": host}
    if folder.startswith("/"):
        filters["address"] = f"{host}{folder}"
    if of:
        filters["state"] = of
    show_only(**filters)
