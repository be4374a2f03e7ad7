"""States, reasons and changes of a crawl in words: what each is called, what it means, what to do."""

from __future__ import annotations

from dataclasses import dataclass

from core.domain.crawl.ledger import Change, UrlReason, UrlRow, UrlState
from core.domain.crawl.request import PageKind, SiteScope


@dataclass(frozen=True, slots=True)
class Wording:
    """A word for a table, and a sentence or two: what it means, and what to do about it."""

    word: str
    sentence: str


STATE = {
    UrlState.QUEUED: Wording("○ Waiting", "It is still to be fetched."),
    UrlState.FETCHING: Wording("○ Fetching", "It has been asked for, and the site has not answered yet."),
    UrlState.KEPT: Wording("● Kept", "It is a page of the site, and becomes a document."),
    UrlState.DUPLICATE: Wording("◐ Duplicate", "Another address gives the same page, which is kept once."),
    UrlState.REDIRECTED: Wording("→ Redirected", "It leads to another address, which has its own line."),
    UrlState.SKIPPED: Wording("– Left out", "A rule of this crawl or of the site leaves it out."),
    UrlState.FAILED: Wording("▲ Failed", "No page came of it. Try the failed ones again."),
    UrlState.GONE: Wording("✕ Gone", "It was a page in an earlier run, and the site has it no more."),
}

LOOK = {
    UrlState.QUEUED: "idle",
    UrlState.FETCHING: "idle",
    UrlState.KEPT: "ready",
    UrlState.DUPLICATE: "other",
    UrlState.REDIRECTED: "other",
    UrlState.SKIPPED: "idle",
    UrlState.FAILED: "unreadable",
    UrlState.GONE: "failed",
}
"""Colour of a state in a table: a class of assets/table.css."""

COLOUR = {
    UrlState.KEPT: "--st-blue-color",
    UrlState.DUPLICATE: "--st-primary-color",
    UrlState.REDIRECTED: "--st-primary-color",
    UrlState.SKIPPED: "--st-gray-color",
    UrlState.FAILED: "--st-violet-color",
    UrlState.GONE: "--st-yellow-color",
    UrlState.QUEUED: "--st-border-color",
    UrlState.FETCHING: "--st-border-color",
}
"""Colour of a state in a chart: a variable of the theme."""

REASON = {
    UrlReason.NONE: Wording("", ""),
    UrlReason.OTHER_HOST: Wording(
        "Another site",
        "It lies outside the site. To take it too, choose the whole domain, or add it as a start address.",
    ),
    UrlReason.EXCLUDED: Wording(
        "Excluded by a pattern", "A pattern of this crawl leaves it out. Change the pattern to take it."
    ),
    UrlReason.NOT_INCLUDED: Wording(
        "Not among the patterns", "No pattern to include fits it. Add one to take it."
    ),
    UrlReason.TOO_DEEP: Wording(
        "Too deep", "It is more links away from the start than was asked for. Choose a greater depth."
    ),
    UrlReason.ROBOTS: Wording(
        "Forbidden by robots.txt", "The site asks crawlers to stay away from it. Ask its owner for leave."
    ),
    UrlReason.NOFOLLOW: Wording(
        "Marked nofollow", "The site asks not to follow the links to it. Add it as a start address if needed."
    ),
    UrlReason.NOINDEX: Wording(
        "Marked noindex", "The page asks not to be indexed. Ask its owner if it is needed."
    ),
    UrlReason.PAGE_LIMIT: Wording(
        "Beyond the page limit", "Enough pages were kept before its turn came. Raise the page limit."
    ),
    UrlReason.MEDIA_TYPE: Wording(
        "Another kind of file", "It is of a kind that was not asked for. Choose its kind to take it."
    ),
    UrlReason.SCHEME: Wording(
        "No web address", "Mail, telephone and script links lead to no page. Nothing is to be done."
    ),
    UrlReason.TRAP: Wording(
        "One of endlessly many",
        "Many addresses differ from it only in a number or a date, as in a calendar. Those beyond the limit "
        "are left out; begin at one of them if it is needed.",
    ),
    UrlReason.TOO_LONG: Wording(
        "Address too long", "The address is longer than servers take, so no page is lost with it."
    ),
    UrlReason.SITEMAP: Wording("Sitemap", "It was read for the addresses in it. Nothing is to be done."),
    UrlReason.STOPPED: Wording(
        "Stopped before", "Somebody stopped the run before its turn came. Crawl again to take it."
    ),
    UrlReason.SAME_CONTENT: Wording(
        "Same content", "Another address has the same text; that one is kept. Nothing is to be done."
    ),
    UrlReason.CANONICAL: Wording(
        "Says it is another", "The page names another address as its own. Nothing is to be done."
    ),
    UrlReason.HTTP_ERROR: Wording(
        "The site answered an error",
        "The HTTP status says which. 404 is a dead link; after 5xx or 429 try again later.",
    ),
    UrlReason.TIMEOUT: Wording(
        "No answer in time", "The site was too slow. Try the failed ones again, at a gentler pace."
    ),
    UrlReason.UNREACHABLE: Wording(
        "Not reachable", "No connection could be made. See that the site is up, then try again."
    ),
    UrlReason.UNKNOWN_HOST: Wording(
        "No such host", "No host of this name is known. See that the address has no typing error."
    ),
    UrlReason.CERTIFICATE: Wording(
        "Certificate not valid", "The site cannot prove that it is what it says. Tell its owner."
    ),
    UrlReason.PRIVATE_ADDRESS: Wording(
        "Private address",
        "It lies in a private network, which a crawl may not reach. Who runs this workbench can allow "
        "named hosts: crawl.allowed_hosts in groundwork.toml.",
    ),
    UrlReason.TOO_LARGE: Wording(
        "Too large", "It is larger than a crawl takes (50 MB). Fetch it by hand and ingest it."
    ),
    UrlReason.DAMAGED: Wording(
        "Damaged", "It was cut short or cannot be unpacked. Try the failed ones again."
    ),
    UrlReason.REDIRECT_LOOP: Wording(
        "Redirects in a circle", "It leads back to itself, so there is no page. Tell the owner of the site."
    ),
    UrlReason.SOFT_404: Wording(
        "Not found, without saying so",
        "The site answers 200, and the page says that nothing is there. It is taken for a dead link.",
    ),
    UrlReason.LOGIN_WALL: Wording(
        "Asks to log in",
        "Only who logs in sees the page. Credentials of a host belong into crawl.credentials of "
        "groundwork.toml.",
    ),
    UrlReason.CONSENT_WALL: Wording(
        "Asks for consent", "The page shows only a request for consent. Save it by hand and ingest it."
    ),
    UrlReason.NEEDS_SCRIPTS: Wording(
        "Needs scripts",
        "The page is empty until a browser runs its scripts, which a crawl never does. Look for a version "
        "without, such as its PDF.",
    ),
    UrlReason.PARKED: Wording(
        "Parked domain", "Only the seller of the domain shows something there. Nothing is to be done."
    ),
    UrlReason.EMPTY: Wording("Empty", "The page has no text. Nothing is to be done."),
    UrlReason.UNREADABLE: Wording(
        "Cannot be read", "It was fetched, and no text could be made of it; the detail says why."
    ),
    UrlReason.NOT_STORED: Wording(
        "Could not be stored", "The disk was full. Make room, then try the failed ones again."
    ),
}

CHANGE = {
    Change.NONE: Wording("", ""),
    Change.NEW: Wording("New", "An earlier run did not have it."),
    Change.CHANGED: Wording("Changed", "Its text differs from the run before."),
    Change.GONE: Wording("Gone", "The site has it no more; its document was withdrawn."),
    Change.UNCHANGED: Wording("Unchanged", "Its text is that of the run before."),
}

RUN_STATE = {
    "not run": ("○ Not run yet", "idle"),
    "queued": ("○ Waiting", "idle"),
    "running": ("● Running", "ready"),
    "paused": ("◆ Paused", "failed"),
    "done": ("● Done", "ready"),
    "partial": ("◆ Done, some failed", "failed"),
    "failed": ("▲ Failed", "unreadable"),
    "cancelled": ("○ Stopped", "idle"),
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


def state_word(state: str) -> tuple[str, str]:
    """State of a crawl in words, with its colour in a table."""
    return RUN_STATE.get(state, (state.capitalize(), "idle"))


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
    """The address without its scheme, as a person says it."""
    return url.partition("://")[2] or url


def schedule_word(schedule: str) -> str:
    """`Daily`, `cron 30 6 * * 1-5`, `Never`."""
    if " " in schedule:
        return f"cron {schedule}"
    return schedule.capitalize() or "Never"
