"""States, reasons and changes of a crawl in words: what each is called, what it means, what to do."""

from __future__ import annotations

from dataclasses import dataclass

from core.domain.crawl.ledger import Change, CrawlRun, CrawlState, CrawlSummary, UrlReason, UrlRow, UrlState
from core.domain.crawl.request import PageKind, SiteScope
from core.domain.crawl.words import CHANGE_WORDS, REASON_WORDS, STATE_WORDS
from core.domain.job import Job


@dataclass(frozen=True, slots=True)
class Wording:
    """A word for a table, and a sentence or two: what it means, and what to do about it."""

    word: str
    sentence: str


ADDRESSES = "Addresses"
"""The tab of a crawl that has its ledger, as an address of the page names it."""


def _upper(word: str) -> str:
    return word[:1].upper() + word[1:]


_STATES = {
    UrlState.QUEUED: ("○", "It is still to be fetched."),
    UrlState.FETCHING: ("○", "It has been asked for, and the site has not answered yet."),
    UrlState.KEPT: ("●", "It is a page of the site, and becomes a document."),
    UrlState.DUPLICATE: ("◐", "Another address gives the same page, which is kept once."),
    UrlState.REDIRECTED: ("→", "It leads to another address, which has its own line."),
    UrlState.SKIPPED: ("–", "A rule of this crawl or of the site leaves it out."),
    UrlState.FAILED: ("▲", "No page came of it. Try the failed ones again."),
    UrlState.GONE: ("✕", "It was a page in an earlier run, and the site has it no more."),
}
STATE = {
    state: Wording(f"{sign} {_upper(STATE_WORDS[state])}", sentence)
    for state, (sign, sentence) in _STATES.items()
}

LOOK = {
    UrlState.QUEUED: "idle",
    UrlState.FETCHING: "idle",
    UrlState.KEPT: "ready",
    UrlState.DUPLICATE: "copy",
    UrlState.REDIRECTED: "moved",
    UrlState.SKIPPED: "idle",
    UrlState.FAILED: "unreadable",
    UrlState.GONE: "failed",
}
"""Colour of a state in a table: a class of assets/table.css."""

COLOUR = {
    UrlState.KEPT: "--st-blue-color",
    UrlState.DUPLICATE: "--st-blue-color/45",
    UrlState.REDIRECTED: "--st-text-color",
    UrlState.SKIPPED: "--st-gray-color/30",
    UrlState.FAILED: "--st-violet-color",
    UrlState.GONE: "--st-yellow-color",
    UrlState.QUEUED: "--st-border-color/50",
    UrlState.FETCHING: "--st-border-color/50",
}
"""Colour of a state in a chart: a variable of the theme; "/45" is 45 % of it on the page.

Any two but those still to come can be told apart in both themes, also without red, green or blue cones."""

_REASONS = {
    UrlReason.NONE: "",
    UrlReason.OTHER_HOST: (
        "It lies outside the site. To take it too, choose the whole domain, or add it as a start address."
    ),
    UrlReason.EXCLUDED: "A pattern of this crawl leaves it out. Change the pattern to take it.",
    UrlReason.NOT_INCLUDED: "No pattern to include fits it. Add one to take it.",
    UrlReason.TOO_DEEP: "It is more links away from the start than was asked for. Choose a greater depth.",
    UrlReason.ROBOTS: "The site asks crawlers to stay away from it. Ask its owner for leave.",
    UrlReason.NOFOLLOW: "The site asks not to follow the links to it. Add it as a start address if needed.",
    UrlReason.NOINDEX: "The page asks not to be indexed. Ask its owner if it is needed.",
    UrlReason.PAGE_LIMIT: "Enough pages were kept before its turn came. Raise the page limit.",
    UrlReason.MEDIA_TYPE: "It is of a kind that was not asked for. Choose its kind to take it.",
    UrlReason.SCHEME: "Mail, telephone and script links lead to no page. Nothing is to be done.",
    UrlReason.TRAP: (
        "Many addresses differ from it only in a number or a date, as in a calendar. Those beyond the limit "
        "are left out; begin at one of them if it is needed."
    ),
    UrlReason.TOO_LONG: "The address is longer than servers take, so no page is lost with it.",
    UrlReason.SITEMAP: "It was read for the addresses in it. Nothing is to be done.",
    UrlReason.STOPPED: "Somebody stopped the run before its turn came. Crawl again to take it.",
    UrlReason.SAME_CONTENT: "Another address has the same text; that one is kept. Nothing is to be done.",
    UrlReason.CANONICAL: "The page names another address as its own. Nothing is to be done.",
    UrlReason.HTTP_ERROR: (
        "The HTTP status says which. 404 is a dead link; after 5xx or 429 try again later."
    ),
    UrlReason.TIMEOUT: "The site was too slow. Try the failed ones again, at a gentler pace.",
    UrlReason.UNREACHABLE: "No connection could be made. See that the site is up, then try again.",
    UrlReason.UNKNOWN_HOST: "No host of this name is known. See that the address has no typing error.",
    UrlReason.CERTIFICATE: "The site cannot prove that it is what it says. Tell its owner.",
    UrlReason.PRIVATE_ADDRESS: (
        "It lies in a private network, which a crawl may not reach. Who runs this workbench can allow "
        "named hosts: crawl.allowed_hosts in groundwork.toml."
    ),
    UrlReason.TOO_LARGE: "It is larger than a crawl takes. Fetch it by hand and ingest it.",
    UrlReason.DAMAGED: "It was cut short or cannot be unpacked. Try the failed ones again.",
    UrlReason.REDIRECT_LOOP: "It leads back to itself, so there is no page. Tell the owner of the site.",
    UrlReason.SOFT_404: (
        "The site answers 200, and the page says that nothing is there. It is taken for a dead link."
    ),
    UrlReason.LOGIN_WALL: (
        "Only who logs in sees the page. Credentials of a host belong into crawl.credentials of "
        "groundwork.toml."
    ),
    UrlReason.CONSENT_WALL: "The page shows only a request for consent. Save it by hand and ingest it.",
    UrlReason.NEEDS_SCRIPTS: (
        "The page is empty until a browser runs its scripts, which a crawl never does. Look for a version "
        "without, such as its PDF."
    ),
    UrlReason.PARKED: "Only the seller of the domain shows something there. Nothing is to be done.",
    UrlReason.EMPTY: "The page has no text. Nothing is to be done.",
    UrlReason.UNREADABLE: "It was fetched, and no text could be made of it; the detail says why.",
}
REASON = {reason: Wording(_upper(REASON_WORDS[reason]), sentence) for reason, sentence in _REASONS.items()}

_CHANGES = {
    Change.NONE: "",
    Change.NEW: "An earlier run did not have it.",
    Change.CHANGED: "Its text differs from the run before.",
    Change.GONE: "The site has it no more; its document was withdrawn.",
    Change.UNCHANGED: "Its text is that of the run before.",
}
CHANGE = {change: Wording(_upper(CHANGE_WORDS[change]), sentence) for change, sentence in _CHANGES.items()}

RUN_STATE = {
    CrawlState.NOT_RUN: ("○ Not run yet", "idle"),
    CrawlState.QUEUED: ("○ Waiting", "idle"),
    CrawlState.RUNNING: ("● Running", "ready"),
    CrawlState.PAUSED: ("◆ Paused", "failed"),
    CrawlState.DONE: ("● Done", "ready"),
    CrawlState.PARTIAL: ("◆ Done, some failed", "failed"),
    CrawlState.FAILED: ("▲ Failed", "unreadable"),
    CrawlState.CANCELLED: ("○ Stopped", "idle"),
}
"""State of a crawl: its word, and its colour in a table."""

SCOPE = {
    SiteScope.HOST: Wording("Same host", "Pages of docs.example.com, where that is the start."),
    SiteScope.DOMAIN: Wording("Same domain", "Pages of all hosts of example.com."),
    SiteScope.PREFIX: Wording(
        "Same folder", "Pages below https://example.com/docs/, where that is the start."
    ),
}

KIND = {
    PageKind.HTML: "HTML pages",
    PageKind.PDF: "PDF",
    PageKind.OFFICE: "Office files",
    PageKind.TEXT: "Text",
}

_TYPES = {
    "text/html": "HTML",
    "application/xhtml+xml": "HTML",
    "application/pdf": "PDF",
    "text/plain": "Text",
    "text/csv": "CSV",
    "text/xml": "XML",
    "application/xml": "XML",
    "application/json": "JSON",
    "text/css": "Style sheet",
    "text/javascript": "Script",
    "application/javascript": "Script",
    "application/zip": "ZIP",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "Word",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "Excel",
}


def media_word(media_type: str) -> str:
    """`HTML`, `PDF`; the type itself where it is a rarer one, "" where nothing was fetched."""
    plain = media_type.partition(";")[0].strip().lower()
    return _TYPES.get(plain, plain)


def state_word(state: CrawlState, failed: int = 0) -> tuple[str, str]:
    """State of a crawl in words, with its colour in a table. failed: addresses of its current run."""
    if failed and state in (CrawlState.DONE, CrawlState.PARTIAL):
        return f"◆ Done, {failed:,} failed", RUN_STATE[CrawlState.PARTIAL][1]
    return RUN_STATE[state]


def run_word(run: CrawlRun) -> str:
    """`Run 1`, `Run 2, again, resumed`: which run of its crawl it is, and how it came to its end."""
    more = (", again" if run.run > 1 else "", ", resumed" if run.was_resumed else "")
    return f"Run {run.run:,}{''.join(more)}{', failed ones retried' if run.was_retried else ''}"


def stage_word(summary: CrawlSummary, job: Job | None) -> str:
    """State of a crawl in words, with what somebody asked of it and has not happened yet."""
    if job is not None and not job.state.is_ended:
        if job.is_cancelling:
            return "◆ Pausing"
        if summary.is_stopping:
            return "○ Stopping"
    return state_word(summary.state, summary.counts.get(UrlState.FAILED.value, 0))[0]


def why(row: UrlRow) -> str:
    """The reason of a row in a few words, with the HTTP status where that says more."""
    word = REASON[row.reason].word
    if row.reason is UrlReason.HTTP_ERROR and row.status:
        return f"{word}: {row.status}"
    return word


def advice(state: UrlState, reason: UrlReason) -> str:
    """A sentence or two on an address in this state for this reason: what it means, what to do."""
    return REASON[reason].sentence or STATE[state].sentence


def short_address(url: str) -> str:
    """The address without http or https, as a person says it; any other scheme stays."""
    scheme, mark, rest = url.partition("://")
    return rest if mark and rest and scheme.lower() in ("http", "https") else url


def schedule_word(schedule: str) -> str:
    """`Daily`, `cron 30 6 * * 1-5`, `Never`."""
    if " " in schedule:
        return f"cron {schedule}"
    return schedule.capitalize() or "Never"
