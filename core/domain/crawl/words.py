"""States, reasons and changes of addresses in words, for pages, exports and sentences."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from core.domain.crawl.ledger import Change, UrlReason, UrlState

STATE_WORDS: Mapping[UrlState, str] = MappingProxyType(
    {
        UrlState.QUEUED: "queued",
        UrlState.FETCHING: "being fetched",
        UrlState.KEPT: "kept",
        UrlState.DUPLICATE: "duplicate",
        UrlState.REDIRECTED: "redirected",
        UrlState.SKIPPED: "left out",
        UrlState.FAILED: "failed",
        UrlState.GONE: "gone",
    }
)
REASON_WORDS: Mapping[UrlReason, str] = MappingProxyType(
    {
        UrlReason.NONE: "",
        UrlReason.OTHER_HOST: "on another site",
        UrlReason.EXCLUDED: "excluded by a pattern",
        UrlReason.NOT_INCLUDED: "fits no pattern to include",
        UrlReason.TOO_DEEP: "deeper than was asked for",
        UrlReason.ROBOTS: "forbidden by robots.txt",
        UrlReason.NOFOLLOW: "the link says not to follow it",
        UrlReason.NOINDEX: "the page asks not to be indexed",
        UrlReason.PAGE_LIMIT: "beyond the page limit",
        UrlReason.MEDIA_TYPE: "another type of file",
        UrlReason.SCHEME: "neither http nor https",
        UrlReason.TRAP: "too many addresses of one pattern",
        UrlReason.TOO_LONG: "the address is too long",
        UrlReason.SITEMAP: "a sitemap, read for its addresses",
        UrlReason.STOPPED: "the run was stopped before its turn",
        UrlReason.SAME_CONTENT: "same text as another page",
        UrlReason.CANONICAL: "names another address as its own",
        UrlReason.HTTP_ERROR: "the server answered with an error",
        UrlReason.TIMEOUT: "no answer in time",
        UrlReason.UNREACHABLE: "the server cannot be reached",
        UrlReason.UNKNOWN_HOST: "there is no such host",
        UrlReason.CERTIFICATE: "its certificate is not valid",
        UrlReason.PRIVATE_ADDRESS: "leads to a private address",
        UrlReason.TOO_LARGE: "too large",
        UrlReason.DAMAGED: "the answer is damaged",
        UrlReason.REDIRECT_LOOP: "redirects in a circle",
        UrlReason.SOFT_404: "says that there is no such page",
        UrlReason.LOGIN_WALL: "asks to sign in",
        UrlReason.CONSENT_WALL: "asks for consent first",
        UrlReason.NEEDS_SCRIPTS: "shows nothing without scripts",
        UrlReason.PARKED: "a parked domain",
        UrlReason.EMPTY: "without text",
        UrlReason.UNREADABLE: "no text could be read from it",
    }
)
CHANGE_WORDS: Mapping[Change, str] = MappingProxyType(
    {
        Change.NONE: "",
        Change.NEW: "new",
        Change.CHANGED: "changed",
        Change.GONE: "gone",
        Change.UNCHANGED: "unchanged",
    }
)
