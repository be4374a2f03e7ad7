"""Everything that the markup of a page says to a crawler: addresses on it, and how they are to be taken."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from typing import Any

from w3lib.html import get_meta_refresh

from core.domain.crawl.addresses import Address, address_of
from core.ingest.parse.html.document import html_tree

_LINKED = {"a": "href", "area": "href", "iframe": "src", "frame": "src", "link": "href"}
_RELATIONS = frozenset(("next", "prev", "previous", "alternate"))
_EMBEDDED = {"object": "data", "embed": "src"}
_ROBOTS = frozenset(("robots", "groundwork"))
_LINK_HEADER = re.compile(r"<([^>]*)>([^<]*)")


@dataclass(frozen=True, slots=True)
class PageLink:
    """An address on a page. is_nofollow: the page asks crawlers not to follow it."""

    address: Address
    is_nofollow: bool = False


@dataclass(frozen=True, slots=True)
class RobotsDirectives:
    """Wishes of a page about its use by crawlers. names: of directives, lower case."""

    names: frozenset[str] = frozenset()

    @property
    def is_noindex(self) -> bool:
        """True where the page is not to be kept."""
        return bool(self.names & {"noindex", "none"})

    @property
    def is_nofollow(self) -> bool:
        """True where no link on it is to be followed."""
        return bool(self.names & {"nofollow", "none"})


_NO_DIRECTIVES = RobotsDirectives()


@dataclass(frozen=True, slots=True)
class PageMarkup:
    """Statements of a page in its markup. links: in order, each address once; the page's own address too.

    refresh: where it sends browsers after refresh_s seconds. is_shell: a page that scripts are to fill.
    """

    links: tuple[PageLink, ...] = ()
    canonical: Address | None = None
    refresh: Address | None = None
    refresh_s: float = 0.0
    robots: RobotsDirectives = _NO_DIRECTIVES
    has_password: bool = False
    has_scripts: bool = False
    has_media: bool = False
    noscript: str = ""
    headings: tuple[str, ...] = ()


def read_markup(
    text: str, url: str, encoding: str = "utf-8", headers: HeaderHints | None = None
) -> PageMarkup:
    """The statements of the markup at `url`, broken or not. encoding: of the page, as sent. Never raises."""
    headers = headers or HeaderHints()
    root = html_tree(text)
    query_encoding = encoding if encoding not in ("ascii", "other") else "utf-8"
    if root is None:
        return PageMarkup(
            canonical=_canonical([], headers, url, query_encoding),
            robots=headers.robots,
        )
    base = _base(root, url)
    reader = _MarkupReader(base, query_encoding)
    for element in root.iter(*_LINKED, *_EMBEDDED, "meta", "input"):
        reader.take(element)
    refresh_s, refresh = get_meta_refresh(reader.refresh, base, "utf-8")
    return PageMarkup(
        links=tuple(reader.links.values()),
        canonical=_canonical(reader.canonical, headers, base, query_encoding),
        refresh=address_of(refresh, base, query_encoding) if refresh else None,
        refresh_s=float(refresh_s or 0.0),
        robots=RobotsDirectives(headers.robots.names | reader.robots),
        has_password=reader.has_password,
        has_scripts=next(root.iter("script"), None) is not None,
        has_media=next(root.iter("img", "svg", "video", "canvas", "object", "embed"), None) is not None,
        noscript=" ".join(" ".join(each.itertext()) for each in root.iter("noscript"))[:2_000],
        headings=tuple(_text(each) for each in (*root.iter("title"), *root.iter("h1"), *root.iter("h2")))[:6],
    )


@dataclass(frozen=True, slots=True)
class HeaderHints:
    """Statements of an answer's header about the page. robots: of X-Robots-Tag."""

    robots: RobotsDirectives = _NO_DIRECTIVES
    canonical: str = ""

    @classmethod
    def of(cls, robots: list[str], links: list[str]) -> HeaderHints:
        """The hints of the headers X-Robots-Tag and Link."""
        directives: set[str] = set()
        for value in robots:
            agent, colon, rest = value.partition(":")
            named = colon and not re.search(r"[,\s]", agent.strip()) and "unavailable" not in agent
            if named and agent.strip().lower() not in _ROBOTS and "max-" not in agent:
                continue  # for another crawler
            directives |= _directives(rest if named else value)
        canonical = ""
        for value in links:
            for target, parameters in _LINK_HEADER.findall(value):
                if re.search(r"rel\s*=\s*\"?[^\";]*\bcanonical\b", parameters, re.IGNORECASE):
                    canonical = canonical or target
        return cls(RobotsDirectives(frozenset(directives)), canonical)


class _MarkupReader:
    """Takes the elements of a page one by one, and holds what they say."""

    def __init__(self, base: str, encoding: str) -> None:
        self._base = base
        self._encoding = encoding
        self.links: dict[str, PageLink] = {}
        self.canonical: list[str] = []
        self.robots: set[str] = set()
        self.has_password = False
        self.refresh = ""
        self._addresses: dict[str, Address | None] = {}

    def take(self, element: Any) -> None:
        tag, get = element.tag, element.get
        if tag == "meta":
            if (get("name") or "").strip().lower() in _ROBOTS:
                self.robots |= _directives(get("content") or "")
            elif (get("http-equiv") or "").strip().lower() == "refresh" and not self.refresh:
                self.refresh = _refresh(element)
        elif tag == "input":
            self.has_password |= (get("type") or "").strip().lower() == "password"
        elif tag == "link":
            relations = set((get("rel") or "").lower().split())
            if "canonical" in relations and get("href"):
                self.canonical.append(get("href"))
            elif relations & _RELATIONS and "stylesheet" not in relations:
                self._add(get("href"), relations)
        elif tag in _EMBEDDED:
            target = get(_EMBEDDED[tag]) or ""
            if "pdf" in (get("type") or "").lower() or ".pdf" in target.lower():
                self._add(target, set())
        else:
            self._add(get(_LINKED[tag]), set((get("rel") or "").lower().split()))

    def _add(self, target: str | None, relations: set[str]) -> None:
        if target is None:
            return
        page = target.partition("#")[0]  # most links of long pages differ only in what follows it
        if page not in self._addresses:
            self._addresses[page] = address_of(page, self._base, self._encoding)
        address = self._addresses[page]
        if address is None:
            return
        known = self.links.get(address.url)
        is_nofollow = "nofollow" in relations and (known is None or known.is_nofollow)
        self.links[address.url] = PageLink(address, is_nofollow)


def _canonical(given: list[str], headers: HeaderHints, base: str, encoding: str) -> Address | None:
    """The one canonical address that is named; None where several are, which contradict each other."""
    addresses = {
        address.url: address
        for target in (*given, headers.canonical)
        if target.strip() and (address := address_of(target, base, encoding)) is not None
    }
    only = next(iter(addresses.values()), None)
    return only if len(addresses) == 1 and only is not None and only.is_web else None


def _base(root: Any, url: str) -> str:
    for element in root.iter("base"):
        if element.get("href"):
            base = address_of(element.get("href"), url)
            return base.url if base is not None and base.is_web else url
    return url


def _refresh(element: Any) -> str:
    """A refresh in plain markup, for w3lib to read; "" for one that only browsers without scripts follow."""
    if any(each.tag == "noscript" for each in element.iterancestors()):
        return ""
    content = (element.get("content") or "")[:3_000].replace("'", "")
    return f"<meta http-equiv='refresh' content='{html.escape(content, quote=False)}'>"


def _directives(value: str) -> set[str]:
    return {part.strip().lower() for part in value.split(",") if part.strip()}


def _text(element: Any) -> str:
    return " ".join(" ".join(element.itertext()).split())[:300]
