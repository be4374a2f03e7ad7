"""Addresses that belong to a crawl, and the reason of those that do not."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from core.domain.crawl.addresses import LONGEST_URL, Address, address_of, pattern_of
from core.domain.crawl.ledger import UrlReason, UrlState
from core.domain.crawl.outcome import FoundUrl
from core.domain.crawl.private_hosts import literal_address
from core.domain.crawl.request import CrawlRequest, SiteScope

if TYPE_CHECKING:
    from tldextract import TLDExtract


@lru_cache(maxsize=10_000)
def registered_domain(name: str) -> str:
    """The registered domain of a host, such as `example.co.uk`; the host itself where it has none."""
    if literal_address(name) is not None:
        return name
    return str(_suffixes()(name).top_domain_under_public_suffix) or name


@cache
def _suffixes() -> TLDExtract:
    """The list of public suffixes, loaded where a crawl asks for whole domains (a third of a second)."""
    from tldextract import TLDExtract

    # Its bundled list; an empty list of addresses and no cache, so that nothing is ever fetched or written.
    return TLDExtract(
        suffix_list_urls=(), cache_dir=None, fallback_to_snapshot=True, include_psl_private_domains=True
    )


class CrawlScope:
    """Decides which addresses a crawl fetches. Not thread-safe while bases are added.

    bases: addresses besides the start ones whose site belongs to the crawl: where those redirect to.
    """

    def __init__(self, request: CrawlRequest, bases: Iterable[str] = ()) -> None:
        self._request = request
        self._starts = [each for url in request.urls if (each := address_of(url)) is not None]
        self._start_urls = {each.url for each in self._starts}
        self._sites: set[str] = set()
        self._include = [_Wildcard(pattern) for pattern in request.include]
        self._exclude = [_Wildcard(pattern) for pattern in request.exclude]
        for start in self._starts:
            self._sites.add(self._site(start))
        for base in bases:
            self.add_base(base)

    def add_base(self, url: str) -> None:
        """Take the site of an address into the crawl."""
        address = address_of(url)
        if address is not None and address.is_web:
            self._sites.add(self._site(address))

    def starts(self) -> list[FoundUrl]:
        """The start addresses, each once."""
        distinct = {start.url: start for start in self._starts}
        return [self.judge(start, depth=0) for start in distinct.values()]

    def holds(self, address: Address) -> bool:
        """True where the address is on a site of the crawl."""
        if address.url in self._start_urls:
            return True
        if self._request.scope is SiteScope.PREFIX:
            place = address.host + address.path
            return any(place.startswith(site) for site in self._sites)
        return self._site(address) in self._sites

    def judge(
        self,
        address: Address,
        depth: int,
        *,
        is_nofollow: bool = False,
        is_same_depth: bool = False,
        hops: int = 0,
    ) -> FoundUrl:
        """The address as the ledger takes it: to be fetched, or left out and why."""
        url, state, detail = address.url, UrlState.SKIPPED, ""
        reason = self._reason(address, depth, is_nofollow)
        if reason is UrlReason.NONE:
            state = UrlState.QUEUED
        elif reason is UrlReason.TOO_LONG:
            url, detail = url[:LONGEST_URL], f"It has {len(url):,} characters."
        elif reason is UrlReason.SCHEME:
            url, detail = url[:LONGEST_URL], f"Its scheme is {address.scheme!r}."
        pattern = pattern_of(address) if state is UrlState.QUEUED else ""
        return FoundUrl(
            url, address.host, state, reason, detail, pattern, is_same_depth=is_same_depth, hops=hops
        )

    def judge_sitemap(self, address: Address, host: str) -> FoundUrl:
        """A sitemap that robots.txt of `host` names: fetched there in any folder, or on the site."""
        if address.host == host:
            return FoundUrl(address.url, address.host, is_same_depth=True)
        return self.judge(address, depth=0, is_same_depth=True)

    def _reason(self, address: Address, depth: int, is_nofollow: bool) -> UrlReason:
        if not address.is_web:
            return UrlReason.SCHEME
        if len(address.url) > LONGEST_URL:
            return UrlReason.TOO_LONG
        if not self.holds(address):
            return UrlReason.OTHER_HOST
        if any(pattern.fits(address.path) for pattern in self._exclude):
            return UrlReason.EXCLUDED
        is_start = address.url in self._start_urls
        if self._include and not is_start and not any(each.fits(address.path) for each in self._include):
            return UrlReason.NOT_INCLUDED
        if is_nofollow:
            return UrlReason.NOFOLLOW
        return UrlReason.TOO_DEEP if depth > self._request.depth else UrlReason.NONE

    def _site(self, address: Address) -> str:
        return site_of(address, self._request.scope)


def site_of(address: Address, scope: SiteScope) -> str:
    """The site of an address in this sense: its host, its domain, or its folder on its host."""
    if scope is SiteScope.HOST:
        return address.host
    if scope is SiteScope.DOMAIN:
        return registered_domain(address.name)
    return address.host + folder_of(address)


def folder_of(address: Address) -> str:
    """The folder of an address: up to the last slash; a last part without a dot is a folder itself."""
    path = address.path.partition("?")[0]
    head, _, last = path.rpartition("/")
    return f"{path}/" if last and "." not in last else f"{head}/"


class _Wildcard:
    """A pattern in which * stands for anything; linear in the address, whatever the pattern."""

    def __init__(self, pattern: str) -> None:
        self._first, *self._rest = pattern.split("*")

    def fits(self, text: str) -> bool:
        """True where the pattern is the whole text."""
        if not self._rest:
            return text == self._first
        *middle, last = self._rest
        if not text.startswith(self._first):
            return False
        position = len(self._first)
        for piece in middle:
            place = text.find(piece, position)
            if place < 0:
                return False
            position = place + len(piece)
        return len(text) - len(last) >= position and text.endswith(last)
