"""The ledger that a crawl of the odd site must end with, worked out from what the site declares."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from urllib.parse import urlsplit

from core.domain.crawl.ledger import UrlReason, UrlRow, UrlState
from tests.support.declared_site.site import MOST_HOPS, MOST_OF_A_PATTERN, OddSite

_LONG = 4000
_LEADING = (UrlState.REDIRECTED, UrlState.DUPLICATE)


@dataclass(frozen=True, slots=True)
class ExpectedRow:
    """What a ledger must say of one address. leads_to: of redirects and duplicates alone."""

    url: str
    depth: int
    state: UrlState
    reason: UrlReason
    found_on: str
    leads_to: str

    @classmethod
    def of(cls, row: UrlRow) -> ExpectedRow:
        """The same of a row that a crawl wrote."""
        leads_to = row.leads_to if row.state in _LEADING else ""
        return cls(row.url, row.depth, row.state, row.reason, row.found_on, leads_to)


@dataclass(frozen=True, slots=True)
class _Source:
    """A way by which an address is met."""

    depth: int
    found_on: str
    hops: int
    is_nofollow: bool = False
    is_same_level: bool = False

    @property
    def order(self) -> tuple[int, bool, str]:
        """The shortest way first, then pages of the level above before redirects, then by alphabet."""
        return self.depth, self.is_same_level, self.found_on


def expected_ledger(site: OddSite, depth: int, *, has_sitemaps: bool = True) -> dict[str, ExpectedRow]:
    """The rows by address, of a crawl of the site's start addresses to a depth."""
    return _Walk(site, depth, has_sitemaps).rows()


class _Walk:
    def __init__(self, site: OddSite, most: int, has_sitemaps: bool) -> None:
        self._site = site
        self._most = most
        self._sources: dict[str, list[_Source]] = defaultdict(list)
        self._answers: dict[str, ExpectedRow] = {}
        self._pattern_counts: dict[str, int] = defaultdict(int)
        starts = site.starts + ((site.sitemap,) if has_sitemaps and most > 0 else ())
        for start in starts:
            self._sources[start].append(_Source(0, "", 0))

    def rows(self) -> dict[str, ExpectedRow]:
        """All rows, settled."""
        for level in range(self._most + 1):
            trapped = self._trapped(level)
            while due := sorted(url for url in self._due(level) if url not in trapped):
                for url in due:
                    self._fetch(url, level)
            for url in trapped:
                self._answers[url] = self._row(url, UrlState.SKIPPED, UrlReason.TRAP)
        rows = dict(self._answers)
        for url in self._sources:
            if url not in rows:
                rows[url] = self._row(url, UrlState.SKIPPED, self._reason_to_leave_out(url))
            else:
                rows[url] = replace(
                    rows[url], depth=self._first(url).depth, found_on=self._first(url).found_on
                )
        return _with_duplicates(_with_canonical(_with_circles(rows), self._site), self._site)

    def _first(self, url: str) -> _Source:
        """Of the ways by which an address may be fetched, else of all, the shortest, then by alphabet."""
        ways = self._sources[url]
        open_ways = [way for way in ways if not way.is_nofollow and way.depth <= self._most]
        return min(open_ways or ways, key=lambda way: way.order)

    def _due(self, level: int) -> Iterator[str]:
        for url in list(self._sources):
            is_new = url not in self._answers and self._reason_to_leave_out(url) is UrlReason.NONE
            if is_new and self._first(url).depth == level:
                yield url

    def _reason_to_leave_out(self, url: str) -> UrlReason:
        scheme, hosts = url.partition(":")[0], {urlsplit(start).hostname for start in self._site.starts}
        if scheme not in ("http", "https"):
            return UrlReason.SCHEME
        if len(url) > _LONG:
            return UrlReason.TOO_LONG
        if urlsplit(url).hostname not in hosts:
            return UrlReason.OTHER_HOST
        if self._first(url).is_nofollow:
            return UrlReason.NOFOLLOW
        return UrlReason.NONE if self._first(url).depth <= self._most else UrlReason.TOO_DEEP

    def _trapped(self, level: int) -> set[str]:
        """Addresses of a level beyond what a crawl takes of their pattern."""
        trapped: set[str] = set()
        for url in sorted(self._due(level)):
            pattern = _pattern(url)
            if pattern:
                self._pattern_counts[pattern] += 1
                if self._pattern_counts[pattern] > MOST_OF_A_PATTERN:
                    trapped.add(url)
        return trapped

    def _row(self, url: str, state: UrlState, reason: UrlReason, leads_to: str = "") -> ExpectedRow:
        way = self._first(url)
        return ExpectedRow(url, way.depth, state, reason, way.found_on, leads_to)

    def _fetch(self, url: str, level: int) -> None:
        unreachable = self._unreachable(url)
        if unreachable is not UrlReason.NONE:
            self._answers[url] = self._row(url, UrlState.FAILED, unreachable)
            return
        page = self._site.find(url)
        if page is None:
            self._answers[url] = self._row(url, UrlState.FAILED, UrlReason.HTTP_ERROR)
            return
        hops = min(way.hops for way in self._sources[url])
        if page.leads_to and hops >= MOST_HOPS:
            self._answers[url] = self._row(url, UrlState.FAILED, UrlReason.REDIRECT_LOOP)
            return
        self._answers[url] = self._row(url, page.state, page.reason, page.leads_to)
        if page.leads_to:
            self._sources[page.leads_to].append(_Source(level, url, hops + 1, is_same_level=True))
        if page.canonical and page.canonical != url:
            self._sources[page.canonical].append(_Source(level, url, 0, is_same_level=True))
        for sitemap in self._site.sitemaps_of(page):
            self._sources[sitemap].append(_Source(level, url, 0, is_same_level=True))
        if page.counts_links:
            for link in self._site.links_of(page):
                if link.target:
                    way = _Source(level + 1, url, 0, link.is_nofollow or page.is_nofollow)
                    self._sources[link.target].append(way)

    def _unreachable(self, url: str) -> UrlReason:
        hosts = self._site.hosts
        for host, reason in (
            (hosts.private, UrlReason.PRIVATE_ADDRESS),
            (hosts.closed, UrlReason.UNREACHABLE),
            (hosts.insecure, UrlReason.CERTIFICATE),
            (hosts.unknown, UrlReason.UNKNOWN_HOST),
        ):
            if url.startswith(f"{host}/"):
                return reason
        return UrlReason.NONE


def _pattern(url: str) -> str:
    """The family of a trap: months, days, or what is searched for."""
    path = urlsplit(url).path
    if path.startswith("/calendar/"):
        return "month" if path.endswith("/") else "day"
    return "search" if path == "/search" else ""


def _with_circles(rows: Mapping[str, ExpectedRow]) -> dict[str, ExpectedRow]:
    """Rows with redirects that come back to where they were, or lead into such."""
    settled = dict(rows)
    for url, row in rows.items():
        seen: set[str] = set()
        at = url
        while row.state is UrlState.REDIRECTED and at in rows and rows[at].state is UrlState.REDIRECTED:
            if at in seen:
                settled[url] = replace(
                    row, state=UrlState.FAILED, reason=UrlReason.REDIRECT_LOOP, leads_to=""
                )
                break
            seen.add(at)
            at = rows[at].leads_to
    return settled


def _with_canonical(rows: Mapping[str, ExpectedRow], site: OddSite) -> dict[str, ExpectedRow]:
    """Rows with pages that leave the place to their canonical address, where that gives a page in the end."""
    names = {
        url: page.canonical
        for url, row in rows.items()
        if row.state is UrlState.KEPT
        and (page := site.find(url)) is not None
        and page.canonical not in ("", url)
    }
    settled = dict(rows)
    for url, canonical in names.items():
        if not _is_page_in_the_end(canonical, rows, names):
            continue
        settled[url] = replace(
            rows[url], state=UrlState.DUPLICATE, reason=UrlReason.CANONICAL, leads_to=canonical
        )
    for circle in _circles(names):
        first = min(circle, key=lambda url: _nearness(rows[url]))
        settled[first] = rows[first]
        for url in circle - {first}:
            settled[url] = replace(
                rows[url], state=UrlState.DUPLICATE, reason=UrlReason.CANONICAL, leads_to=names[url]
            )
    return settled


def _is_page_in_the_end(url: str, rows: Mapping[str, ExpectedRow], names: Mapping[str, str]) -> bool:
    seen: set[str] = set()
    while url in rows and url not in seen:
        seen.add(url)
        if rows[url].state is UrlState.REDIRECTED:
            url = rows[url].leads_to
        elif url in names:
            url = names[url]
        else:
            return rows[url].state is UrlState.KEPT
    return False


def _circles(names: Mapping[str, str]) -> list[set[str]]:
    circles: list[set[str]] = []
    for url in names:
        trail = [url]
        while trail[-1] in names and names[trail[-1]] not in trail:
            trail.append(names[trail[-1]])
        if names.get(trail[-1]) == url and set(trail) not in circles:
            circles.append(set(trail))
    return circles


def _with_duplicates(rows: Mapping[str, ExpectedRow], site: OddSite) -> dict[str, ExpectedRow]:
    """Rows with pages of one text: the nearest stays."""
    alike: dict[str, list[ExpectedRow]] = defaultdict(list)
    for row in rows.values():
        page = site.find(row.url)
        if row.state is UrlState.KEPT and page is not None:
            alike[page.text_key].append(row)
    settled = dict(rows)
    for group in alike.values():
        first = min(group, key=_nearness)
        for row in group:
            if row is not first:
                settled[row.url] = replace(
                    row, state=UrlState.DUPLICATE, reason=UrlReason.SAME_CONTENT, leads_to=first.url
                )
    return settled


def _nearness(row: ExpectedRow) -> tuple[int, int, str]:
    return row.depth, len(row.url), row.url
