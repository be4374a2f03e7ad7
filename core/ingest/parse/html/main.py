"""Main content of a web page: what the page is about, without the site's navigation around it.

A page's own landmarks come first (main, role=main, article); a page without them is its body. From either,
furniture is taken away: by element and role, by the words of class and id where the block is mostly links or
short, and by what it links to (bars of previous and next, tables of contents of the page itself).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from core.text.words import word_set

_ROLES = word_set("navigation contentinfo complementary banner search menu menubar toolbar")
_NAMES = word_set(
    "nav navbar navigation navheader navfooter navlinks navlink navigator topnav subnav sidenav bottomnav"
    " menu menubar menus submenu mainmenu dropdown sidebar sphinxsidebar breadcrumb breadcrumbs crumbs footer"
    " header masthead topbar titlebar banner cookie cookies consent gdpr skip skiplink skipnav share sharing"
    " social related pagination pager paging prevnext toolbar search searchbox searchmenu newsletter"
    " subscribe advert advertisement ads promo sponsor login signin colophon backtotop jumpbox jumplinks"
)
_BANNERS = word_set("cookie cookies consent gdpr")
_NOTICES = word_set("footer cookie cookies consent gdpr colophon newsletter subscribe")
_CONTENTS = word_set("toc contents tableofcontents outline")
_MARGIN = word_set("linenos lineno linenumber linenumbers headerlink permalink anchorjs")
_CONTAINERS = word_set(
    "div section ul ol table tbody tr td p form aside header footer nav center dl menu fieldset"
)
_BARS = word_set("div p table ul ol tr td center nav header footer")
_HEADINGS = word_set("h1 h2 h3 h4 h5 h6")
_TITLED = _HEADINGS | word_set("dt figcaption caption")
_MARKED = word_set("nav aside footer header")
_RELATIONS = word_set("prev next up home index")
_STEPS = word_set("prev previous next up home top back index contents modules forward start")
_NAME_PIECE = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|\d+")
_WORD = re.compile(r"[^\W_]+")
_SKIP = re.compile(r"\s*(?:skip|jump|go)\b.{0,20}\b(?:content|main|navigation|search|menu)\b", re.IGNORECASE)
_NOTICE = re.compile(
    r"(?:this (?:page|document|article) (?:was )?)?(?:last )?(?:updated|modified|changed|revised|edited)\b"
    r".*\d",
    re.IGNORECASE,
)

_LEAST_MAIN = 40  # characters of a landmark that is believed whatever else the page holds
_LEAST_ARTICLE = 200
_LINKED = 0.35  # share of a named block that is links
_SHORT = 250
_LONGEST_NOTICE = 1_500
_LONGEST_BAR = 400
_LEFT_OVER = 80  # characters of a block that is furniture but for these
_NOTHING = 25
_EDGE_LINKS = 30  # links at the begin and end of a page, where its bars are
_MOST_MENUS = 300
_LAST_BLOCKS = 3
_LONGEST_LINE = 120


@dataclass(frozen=True, slots=True)
class _Size:
    """Characters of text in an element, and those of them that are in links."""

    text: int
    linked: int

    @property
    def density(self) -> float:
        return self.linked / self.text if self.text else 0.0


def main_region(root: Any, steps: frozenset[str] = frozenset()) -> Any:
    """The element with the page's main content, from which furniture has been removed in place.

    root: the tree, without what is hidden. steps: addresses that the page's head calls its previous, next or
    upper page. A page of nothing but navigation is kept as it is.
    """
    body = root.find("body")
    if body is None:
        return root
    _drop_signs(body)
    landmark = _landmark(body)
    region = body if landmark is None else landmark
    _Pruning(region, steps, is_landmark=landmark is not None).prune()
    _drop_notice(region)
    return region


def step_addresses(root: Any) -> Iterator[str]:
    """Addresses that the page's head names as its previous, next and upper page."""
    for link in root.iter("link"):
        if link.get("rel", "").lower() in ("prev", "previous", "next", "up", "home", "start", "contents"):
            yield link.get("href", "")


def drop(element: Any) -> None:
    """Take an element out of its tree; the text behind it stays."""
    parent = element.getparent()
    if parent is None:
        return
    if element.tail:
        before = element.getprevious()
        if before is None:
            parent.text = (parent.text or "") + element.tail
        else:
            before.tail = (before.tail or "") + element.tail
    parent.remove(element)


def text_of(element: Any) -> str:
    """All text in an element."""
    return str(element.xpath("string()"))


def _drop_signs(body: Any) -> None:
    """Remove permalink signs of headings, line numbers and skip links."""
    for link in list(body.iter("a")):
        if link.get("href", "").startswith("#") and _is_sign(link):
            drop(link)
    for element in body.xpath(".//*[contains(@class, 'lineno') or contains(@class, 'linenumber')]"):
        if not _MARGIN.isdisjoint(_pieces(element.get("class", ""))):
            drop(element)


def _drop_notice(region: Any) -> None:
    """Remove the last line of a page where it only says when the page was changed: a fact, and no content."""
    last = list(region.iter("p", "div", "small", "center", "address"))[-_LAST_BLOCKS:]
    for element in reversed(last):
        text = " ".join(text_of(element).split())
        if len(text) <= _LONGEST_LINE and _NOTICE.match(text):
            drop(element)


def _is_sign(link: Any) -> bool:
    if not _MARGIN.isdisjoint(_pieces(link.get("class", ""))):
        return True
    text = text_of(link) if len(link) else link.text or ""
    if len(text) > 60:
        return False
    if text.strip() and not _WORD.search(text):
        return len(text.strip()) <= 2 and link.getparent().tag in _TITLED
    return bool(_SKIP.match(text))


def _landmark(body: Any) -> Any:
    """The element that the page marks as its main content; None where it marks none."""
    regions = body.xpath(".//main | .//*[@role='main']")
    least = _LEAST_MAIN
    if not regions:
        regions = list(body.iter("article"))
        least = _LEAST_ARTICLE
        if len(regions) > 1:
            regions = [*regions, _common_parent(regions)]
    if not regions:
        return None
    size = {element: len(text_of(element).strip()) for element in regions}
    best = max(regions, key=lambda element: size[element])
    # Of nested landmarks the innermost that holds nearly all of it.
    for element in regions:
        if element is not best and size[element] >= 0.9 * size[best] and best in element.iterancestors():
            best = element
    is_titled = least == _LEAST_MAIN and size[best] > 0 and _has_heading(best)
    return best if is_titled or size[best] >= least or size[best] >= 0.3 * len(text_of(body)) else None


def _common_parent(elements: list[Any]) -> Any:
    shared = [elements[0], *elements[0].iterancestors()]
    for element in elements[1:]:
        above = {element, *element.iterancestors()}
        shared = [each for each in shared if each in above]
    return shared[0]


@lru_cache(maxsize=4_000)
def _pieces(name: str) -> frozenset[str]:
    """The words of a class or an id: `navFooter page-toc` is nav, footer, navfooter, page, toc."""
    words = [part.lower() for part in _NAME_PIECE.findall(name)]
    low = name.lower()
    return frozenset([*words, *low.replace("-", " ").replace("_", " ").split(), *low.split()])


@lru_cache(maxsize=4_000)
def _may_be_furniture(name: str) -> bool:
    pieces = _pieces(name)
    return not (_NAMES.isdisjoint(pieces) and _CONTENTS.isdisjoint(pieces))


class _Pruning:
    """Takes furniture out of one region; only blocks that may be furniture are measured."""

    def __init__(self, region: Any, steps: frozenset[str], *, is_landmark: bool) -> None:
        self._region = region
        self._steps = steps
        self._is_landmark = is_landmark
        self._sizes: dict[Any, _Size] = {}
        self._total = max(1, self._size(region).text)

    def prune(self) -> None:
        """Remove what is furniture; nothing where hardly anything else would be left."""
        doomed = [each for each in self._candidates() if self._is_furniture(each)]
        doomed += [each for each in self._bars() if each not in doomed]
        outermost = _outermost(doomed)
        removed = sum(self._size(element).text for element in outermost)
        if self._total - removed < _NOTHING and removed >= 0.8 * self._total:
            return
        for element in [*self._wrappers(outermost, self._total - removed), *outermost]:
            drop(element)

    def _size(self, element: Any) -> _Size:
        size = self._sizes.get(element)
        if size is None:
            links = sum(_length(text_of(link)) for link in element.iter("a") if link.get("href") is not None)
            size = self._sizes[element] = _Size(_length(text_of(element)), links)
        return size

    def _candidates(self) -> Iterator[Any]:
        """Blocks that element, role, class or id mark, in document order."""
        for element in self._region.iter(*_CONTAINERS):
            name, own = element.get("class"), element.get("id")
            is_named = (name and _may_be_furniture(name)) or (own and _may_be_furniture(own))
            if not is_named and element.tag not in _MARKED and element.get("role") not in _ROLES:
                continue
            if element is not self._region and self._size(element).text:
                yield element

    def _bars(self) -> Iterator[Any]:
        """Rows of links to the previous, next and upper page, and menus before the first heading."""
        links = self._region.xpath(".//a[@href]")
        seen: set[Any] = set()
        for link in {*links[:_EDGE_LINKS], *links[-_EDGE_LINKS:]}:
            if not self._is_step(link):
                continue
            found = None
            for above in link.iterancestors():
                if above is self._region or above in seen or self._size(above).text > _LONGEST_BAR:
                    break
                seen.add(above)
                if above.tag in _BARS and self._is_bar(above):
                    found = above
            if found is not None:
                yield found
        if not self._is_landmark:
            yield from self._menus()

    def _menus(self) -> Iterator[Any]:
        """Before the first heading a block of nothing but several links is a menu."""
        waiting = []
        for element in self._region.iter():
            if element.tag in _HEADINGS:
                break
            if element.tag in _BARS and element is not self._region:
                waiting.append(element)
            if len(waiting) > _MOST_MENUS:
                return
        else:
            return  # no heading
        for element in waiting:
            size = self._size(element)
            is_linked = size.density >= 0.85 and size.text < 0.5 * self._total
            if is_linked and not _has_heading(element) and len(element.findall(".//a")) >= 4:
                yield element

    def _wrappers(self, doomed: list[Any], left: int) -> list[Any]:
        """Blocks that are furniture but for a few words: a head with logo, motto and menus."""
        inner: dict[Any, int] = {}
        gone = set(doomed)
        for element in doomed:
            for above in element.iterancestors():
                if above is self._region:
                    break
                inner[above] = inner.get(above, 0) + self._size(element).text
        found = []
        for element, size in inner.items():
            rest = self._size(element).text - size
            is_small = rest <= _LEFT_OVER and 2 * rest <= size and rest <= 0.6 * left
            if element.tag in _CONTAINERS and is_small and not _keeps_heading(element, gone):
                found.append(element)
        return found

    def _is_furniture(self, element: Any) -> bool:
        size = self._size(element)
        role = element.get("role", "")
        if (element.tag in _MARKED or role in _ROLES) and self._is_marked(element, role, size):
            return True
        return self._is_banner(element, size) or (not self._is_most(size) and self._is_named(element, size))

    def _is_banner(self, element: Any, size: _Size) -> bool:
        """True of a notice on cookies, however little else a page says."""
        pieces = _pieces(f"{element.get('class', '')} {element.get('id', '')}")
        is_short = size.text <= _LONGEST_NOTICE and not _has_heading(element, "h1")
        return is_short and not _BANNERS.isdisjoint(pieces)

    def _is_marked(self, element: Any, role: str, size: _Size) -> bool:
        if element.tag == "nav" or role in ("navigation", "search", "menu", "menubar", "toolbar"):
            return size.density >= _LINKED or size.text < 0.5 * self._total
        if element.tag == "header":
            return not self._is_landmark and not _has_heading(element) and size.text < 0.3 * self._total
        if any(above.tag in ("blockquote", "figure") for above in element.iterancestors()):
            return False
        if self._is_landmark:
            is_notice = element.tag == "footer" and size.text <= _SHORT
            return is_notice or (size.density >= 0.5 and not self._is_most(size))
        return size.text < 0.5 * self._total or size.density >= 0.5

    def _is_most(self, size: _Size) -> bool:
        return size.text >= 0.7 * self._total and size.density < 0.9

    def _is_named(self, element: Any, size: _Size) -> bool:
        names, own = element.get("class", ""), element.get("id", "")
        # An id of a section is made from its heading: a chapter on menus is no menu.
        if own and element.tag != "section" and "section" not in names and not _opens_with_heading(element):
            names = f"{names} {own}"
        pieces = _pieces(names)
        if not _NAMES.isdisjoint(pieces):
            longest = _LONGEST_NOTICE if not _NOTICES.isdisjoint(pieces) else _SHORT
            is_short = size.text <= longest and not _has_heading(element, "h1")
            is_small = size.text < 0.3 * self._total or size.density >= 0.15
            return size.density >= _LINKED or (is_short and is_small)
        return not _CONTENTS.isdisjoint(pieces) and size.density >= 0.5 and _is_of_page(element)

    def _is_bar(self, element: Any) -> bool:
        links = [link for link in element.iter("a") if link.get("href")]
        stepping = sum(self._is_step(link) for link in links)
        is_linked = self._size(element).density >= 0.3
        return stepping >= 2 and 2 * stepping >= len(links) and is_linked and not _has_heading(element)

    def _is_step(self, link: Any) -> bool:
        if link.get("rel", "") in _RELATIONS or link.get("accesskey") in ("p", "n", "u", "h"):
            return True
        if link.get("href", "") in self._steps:
            return True
        words = _WORD.findall(text_of(link)[:40].lower())
        return len(words) <= 2 and any(word in _STEPS for word in words)


def _length(text: str) -> int:
    return len(" ".join(text.split()))


def _outermost(elements: list[Any]) -> list[Any]:
    every = set(elements)
    return [each for each in elements if not any(above in every for above in each.iterancestors())]


def _has_heading(element: Any, *tags: str) -> bool:
    return next(element.iter(*(tags or _HEADINGS)), None) is not None


def _keeps_heading(element: Any, gone: set[Any]) -> bool:
    headings = element.iter(*_HEADINGS)
    return any(not any(above in gone for above in heading.iterancestors()) for heading in headings)


def _opens_with_heading(element: Any) -> bool:
    return len(element) > 0 and element[0].tag in _HEADINGS


def _is_of_page(element: Any) -> bool:
    """True where every link stays on the page: what it lists are the page's own headings."""
    links = [link.get("href", "") for link in element.iter("a") if link.get("href")]
    return len(links) >= 2 and all(href.startswith("#") for href in links)
