"""Outcomes of answers: one for each address, with the addresses on it. No network, no database."""

from __future__ import annotations

import contextlib
import email.utils
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from email.message import Message
from urllib.parse import unquote

from core.domain.crawl.addresses import LONGEST_URL, Address, address_of
from core.domain.crawl.ledger import UrlReason, UrlRow, UrlState
from core.domain.crawl.outcome import FoundUrl, UrlOutcome, distinct
from core.domain.crawl.request import CrawlRequest
from core.domain.crawl.scope import CrawlScope
from core.domain.document import HTML
from core.errors import InputError
from core.ingest.clean import normalise
from core.ingest.parse.base import ParseLimits
from crawler.failures import RequestFailure
from crawler.links import HeaderHints
from crawler.pages import FetchedBody, PageJudgement, judge_page
from crawler.sitemaps import opened, read_sitemap
from crawler.unpack import DamagedError, TooLargeError, unpack

MOST_REQUESTS = 3
MOST_HOPS = 10
LONGEST_WAIT_S = 120.0
_DEFAULT_WAIT_S = 5.0
_RETRY_S = (1.0, 4.0)
_FOLLOWED = (UrlReason.EMPTY, UrlReason.NEEDS_SCRIPTS, UrlReason.LOGIN_WALL, UrlReason.CONSENT_WALL)
_CODED_NAME = re.compile(r"\bfilename\*\s*=\s*([\w-]{1,30})'[^']{0,30}'([^;\s\"]+)", re.IGNORECASE)
_MEGABYTE = 1_000_000


@dataclass(frozen=True, slots=True)
class HttpAnswer:
    """An answer to a request. headers: by lower-case name. stopped: why its body was not loaded."""

    url: str
    status: int
    headers: Mapping[str, list[str]] = field(default_factory=dict)
    body: bytes = b""
    stopped: UrlReason = UrlReason.NONE

    def header(self, name: str) -> str:
        """The values of a header, joined; "" where it is missing."""
        return ", ".join(self.headers.get(name, ()))


@dataclass(frozen=True, slots=True)
class Settled:
    """An outcome that wants its bytes stored: data, empty where there are none; judgement of a page."""

    outcome: UrlOutcome
    data: bytes = b""
    judgement: PageJudgement | None = None


class Settlement:
    """Makes outcomes by the rules of one crawl. Not thread-safe: one thread asks it."""

    def __init__(
        self, request: CrawlRequest, scope: CrawlScope, limits: ParseLimits, max_body_bytes: int
    ) -> None:
        self.request = request
        self.scope = scope
        self._limits = limits
        self._limit = max_body_bytes
        self._waited: dict[str, float] = {}
        self.sitemaps: set[str] = set()

    def settle(self, row: UrlRow, answer: HttpAnswer, now: datetime, stored: bytes | None = None) -> Settled:
        """The outcome of an answer. stored: bytes that an earlier run kept, for an answer "not modified"."""
        status = answer.status
        if status == 304 and stored is not None:
            return self._page(row, answer, stored, is_stored=True)
        if 300 <= status < 400 and answer.header("location"):
            return self._redirect(row, answer, address_of(answer.headers["location"][0], row.url))
        if status in (429, 503) or status >= 500:
            return Settled(self._later(row, answer, now))
        if status in (204, 205):
            return Settled(UrlOutcome(UrlState.FAILED, UrlReason.EMPTY, "It has no content.", status))
        if not 200 <= status < 300 or status == 206:
            return Settled(_http_error(status))
        if answer.stopped is UrlReason.TOO_LARGE:
            return Settled(self._too_large(status))
        if answer.stopped is not UrlReason.NONE:
            media = answer.header("content-type").partition(";")[0].strip().lower()
            return Settled(UrlOutcome(UrlState.SKIPPED, answer.stopped, status=status, media_type=media))
        try:
            body = unpack(answer.body, answer.header("content-encoding"), self._limit)
            if row.url in self.sitemaps or row.url.partition("?")[0].endswith(".xml.gz"):
                body = opened(body, self._limit)
        except TooLargeError:
            return Settled(self._too_large(status))
        except DamagedError as error:
            return Settled(UrlOutcome(UrlState.FAILED, UrlReason.DAMAGED, str(error), status))
        return self._page(row, answer, body)

    def fail(self, row: UrlRow, failure: RequestFailure, now: datetime) -> UrlOutcome:
        """The outcome of a request without an answer: tried again twice where that may help."""
        if failure.is_passing and (again := self._retry(row, None, failure.detail, now)) is not None:
            return again
        if failure.reason is UrlReason.TOO_LARGE:
            return self._too_large(None)
        was_requested = failure.reason is not UrlReason.PRIVATE_ADDRESS
        return UrlOutcome(UrlState.FAILED, failure.reason, failure.detail, was_requested=was_requested)

    def as_missing(self, settled: Settled) -> Settled:
        """The same page, found to say what its host says to addresses that do not exist."""
        detail = "Its host answers a missing address in the same words, with status 200."
        status = settled.outcome.status
        return Settled(UrlOutcome(UrlState.FAILED, UrlReason.SOFT_404, detail, status))

    def _page(self, row: UrlRow, answer: HttpAnswer, body: bytes, *, is_stored: bool = False) -> Settled:
        hints = HeaderHints.of(
            list(answer.headers.get("x-robots-tag", ())), list(answer.headers.get("link", ()))
        )
        if not self.request.heeds_robots:
            hints = HeaderHints(canonical=hints.canonical)
        content_type = answer.header("content-type") or row.media_type
        name = file_name(answer.header("content-disposition"))
        if is_stored and not name and row.media_type != HTML:
            name = row.title
        try:
            page = judge_page(
                FetchedBody(row.url, body, content_type, hints, self.request.heeds_robots, name),
                self.request.kinds,
                self._limits,
            )
        except InputError as error:
            return Settled(UrlOutcome(UrlState.FAILED, UrlReason.UNREADABLE, error.message, answer.status))
        if page.is_sitemap:
            return self._sitemap(row, answer, body)
        if page.state is UrlState.REDIRECTED:
            return self._redirect(row, answer, page.leads_to)
        found = self._found(row, page)
        leads_to = ""
        if page.state is UrlState.DUPLICATE and page.leads_to is not None:
            canonical = self.scope.judge(page.leads_to, row.depth, is_same_depth=True)
            found = (*found, canonical)
            if canonical.state is UrlState.QUEUED:
                leads_to = canonical.url
        is_duplicate = bool(leads_to)
        is_kept = page.state in (UrlState.KEPT, UrlState.DUPLICATE)
        outcome = UrlOutcome(
            state=page.state if is_duplicate or page.state is not UrlState.DUPLICATE else UrlState.KEPT,
            reason=page.reason if is_duplicate or page.state is not UrlState.DUPLICATE else UrlReason.NONE,
            detail=page.detail,
            status=answer.status,
            media_type=page.media_type,
            title=page.title[:500] if is_kept else "",
            size_bytes=len(body),
            text_hash=page.text_hash,
            etag=answer.header("etag")[:500] if is_kept else "",
            last_modified=answer.header("last-modified")[:100] if is_kept else "",
            leads_to=leads_to,
            is_not_modified=is_stored and is_kept,
            found=distinct(found),
        )
        return Settled(outcome, b"" if is_stored else page.data, page)

    def _found(self, row: UrlRow, page: PageJudgement) -> tuple[FoundUrl, ...]:
        if page.state is UrlState.FAILED and page.reason not in _FOLLOWED:
            return ()
        heeds = self.request.heeds_robots
        return tuple(
            self.scope.judge(
                link.address,
                row.depth + 1,
                is_nofollow=heeds and (page.markup.robots.is_nofollow or link.is_nofollow),
            )
            for link in page.markup.links
        )

    def _redirect(self, row: UrlRow, answer: HttpAnswer, target: Address | None) -> Settled:
        hops = row.hops + 1
        if target is None:
            detail = "It redirects to something that is no address."
            return Settled(UrlOutcome(UrlState.FAILED, UrlReason.HTTP_ERROR, detail, answer.status))
        if hops > MOST_HOPS or target.url == row.url:
            said = (
                "It redirects to itself" if target.url == row.url else f"It redirects {hops} times and more"
            )
            return Settled(UrlOutcome(UrlState.FAILED, UrlReason.REDIRECT_LOOP, f"{said}.", answer.status))
        is_base = (
            row.depth == 0 and row.url not in self.sitemaps and target.is_web and not self.scope.holds(target)
        )
        if is_base:
            self.scope.add_base(target.url)
        found = self.scope.judge(target, row.depth, is_same_depth=True, hops=hops)
        if row.url in self.sitemaps:
            self.sitemaps.add(target.url)
        outcome = UrlOutcome(
            UrlState.REDIRECTED,
            status=answer.status,
            leads_to=target.url[:LONGEST_URL],
            found=(replace(found, is_base=True) if is_base else found,),
        )
        return Settled(outcome)

    def _sitemap(self, row: UrlRow, answer: HttpAnswer, body: bytes) -> Settled:
        found: list[FoundUrl] = []
        if self.request.use_sitemaps:
            try:
                for entry in read_sitemap(body, row.url):
                    depth = row.depth if entry.is_sitemap else row.depth + 1
                    if entry.is_sitemap:
                        self.sitemaps.add(entry.address.url)
                    found.append(self.scope.judge(entry.address, depth, is_same_depth=entry.is_sitemap))
            except DamagedError as error:
                return Settled(UrlOutcome(UrlState.FAILED, UrlReason.DAMAGED, str(error), answer.status))
        outcome = UrlOutcome(
            UrlState.SKIPPED,
            UrlReason.SITEMAP,
            status=answer.status,
            media_type="application/xml",
            size_bytes=len(body),
            found=distinct(found),
        )
        return Settled(outcome)

    def _later(self, row: UrlRow, answer: HttpAnswer, now: datetime) -> UrlOutcome:
        status = answer.status
        wait_s = retry_after_s(answer.header("retry-after"), now)
        if status == 429 or (status == 503 and wait_s is not None):
            waited = self._waited.get(row.url, 0.0)
            wait_s = min(_DEFAULT_WAIT_S if wait_s is None else wait_s, LONGEST_WAIT_S - waited)
            if _tries(row) < MOST_REQUESTS and wait_s > 0:
                self._waited[row.url] = waited + wait_s
                until = now + timedelta(seconds=wait_s)
                detail = f"The site asked to wait (HTTP {status})."
                return UrlOutcome(UrlState.QUEUED, detail=detail, status=status, wait_until=until)
            detail = f"The site asked to wait each time (HTTP {status})."
            return UrlOutcome(UrlState.FAILED, UrlReason.HTTP_ERROR, detail, status)
        again = self._retry(row, status, f"The site failed (HTTP {status}).", now)
        return again or _http_error(status)

    def _retry(self, row: UrlRow, status: int | None, detail: str, now: datetime) -> UrlOutcome | None:
        tries = _tries(row)
        if tries >= MOST_REQUESTS:
            return None
        until = now + timedelta(seconds=_RETRY_S[min(tries, len(_RETRY_S)) - 1])
        return UrlOutcome(UrlState.QUEUED, detail=detail, status=status, wait_until=until)

    def _too_large(self, status: int | None) -> UrlOutcome:
        detail = f"It is larger than {self._limit // _MEGABYTE} MB (crawl.max_body_mb)."
        return UrlOutcome(UrlState.FAILED, UrlReason.TOO_LARGE, detail, status)


def retry_after_s(value: str, now: datetime) -> float | None:
    """Seconds that a Retry-After header asks for, as a number or a date; None where it says neither."""
    value = value.strip()
    if value.isdigit():
        return float(min(int(value), 10_000_000))
    try:
        date = email.utils.parsedate_to_datetime(value)
    except (ValueError, TypeError):
        return None
    date = date if date.tzinfo else date.replace(tzinfo=UTC)
    return max(0.0, (date - now).total_seconds())


def _tries(row: UrlRow) -> int:
    """Requests of this run that were not cut off by the end of the process."""
    return max(1, row.requests - row.repeats)


def file_name(disposition: str) -> str:
    """The name that a header gives a download, without folders; "" where it gives none.

    Source: RFC 6266, with the names of RFC 5987; servers also send names in plain UTF-8.
    """
    with contextlib.suppress(UnicodeError):
        disposition = disposition.encode("latin-1").decode("utf-8")
    coded = _CODED_NAME.search(disposition)
    header = Message()
    header["Content-Disposition"] = " ".join(disposition.split())
    try:
        name = unquote(coded[2], coded[1], "replace") if coded else header.get_filename("")
    except (LookupError, ValueError, TypeError):
        return ""
    return normalise(name).replace("\\", "/").rpartition("/")[2].strip(" .")[:200]


def _http_error(status: int) -> UrlOutcome:
    return UrlOutcome(UrlState.FAILED, UrlReason.HTTP_ERROR, f"HTTP {status}", status)
