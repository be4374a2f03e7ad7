"""Facts that a web page declares about itself: publisher, dates, author, contact, address."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import unquote

from core.domain.fields import Special
from core.ingest.parse.html.main import text_of
from core.values.dates import parse_date

EMAIL = re.compile(r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}")
MOST_CONTACTS = 6
_LONGEST_CONTACT = 200
_SPACES = re.compile(r"\s+")
_PHONE = re.compile(r"\+?[\d(][\d\s()./-]{4,24}\d")
_TO_CONTACT = re.compile(
    r"\b(?:contact|imprint|impressum|reach us|write to|e-?mail us|call us|get in touch|feedback|questions?"
    r"|comments?|support|sales|help ?desk|hotline|customer service|report|bugs?|maintain(?:ed|er|ers))\b",
    re.IGNORECASE,
)
_ORGANIZATIONS = re.compile(
    r"(?:Organization|Business|Corporation|Store|ContactPoint|NGO|Agency|Service|School|University|Hospital"
    r"|Clinic|Office|Library)$"
)
_PARTS_OF_ADDRESS = ("streetAddress", "postalCode", "addressLocality", "addressRegion", "addressCountry")
_AROUND = ("li", "p", "td", "dd", "address", "footer", "div", "section")
_MOST_AROUND = 600
Contacts = Iterator[tuple[int, str]]
"""Rank (the lowest is the surest) and what to write or call."""
_META = {
    "publisher": (
        "og:site_name dc.publisher dcterms.publisher citation_publisher publisher article:publisher"
        " application-name apple-mobile-web-app-title"
    ),
    "published": (
        "article:published_time datepublished dc.date.issued dcterms.issued dcterms.created dc.date.created"
        " citation_publication_date citation_date parsely-pub-date pubdate publishdate publish-date"
        " publication_date date dc.date dcterms.date"
    ),
    "updated": (
        "article:modified_time datemodified og:updated_time dcterms.modified dc.date.modified last-modified"
        " lastmod last_updated last-updated revised modified"
    ),
    "author": "author article:author dc.creator dcterms.creator citation_author parsely-author byl",
    "contact": "reply-to contact email",
    "address": "og:url",
    "keywords": "keywords news_keywords",
}
_FACT_OF = {name: fact for fact, names in _META.items() for name in names.split()}
_RANK = {name: rank for names in _META.values() for rank, name in enumerate(names.split())}
_NAMED_BY = ("name", "property", "itemprop", "http-equiv")
_PAGE_TYPES = re.compile(r"(?:article|posting|page|report|book|dataset|creativework)$", re.IGNORECASE)
_PRODUCT_TYPES = frozenset(
    (
        *("Product", "ProductGroup", "ProductModel", "IndividualProduct", "SoftwareApplication"),
        *("WebApplication", "MobileApplication", "VideoGame", "Vehicle", "Car"),
    )
)
_ISO_DAY = re.compile(r"\s*((?:1[89]|20)\d\d)-(\d\d)-(\d\d)(?!\d)")
_WHEN = r"\s*(?:on|at|by)?\s*:?\s*([^\n]{6,40})"
_LAST_UPDATED = re.compile(
    rf"\b(?:last|page)\s+(?:was\s+)?(?:last\s+)?(?:updated?|modified|changed?|revised|edited|reviewed){_WHEN}"
    rf"|(?m:^\W{{0,3}})(?:updated|modified|revised|date modified)\s*(?:on\s|:){_WHEN}",
    re.IGNORECASE,
)
_PUBLISHED = re.compile(
    rf"(?m:^\W{{0,3}})(?:published|posted|first published|date published)\s*(?:on\s|:){_WHEN}", re.IGNORECASE
)
_HEAD_CHARS, _TAIL_CHARS = 2_000, 1_500
_LONGEST = 300
_MAX_JSON = 500_000
_INNER = (
    *("@graph", "mainEntity", "mainEntityOfPage", "itemListElement", "item", "about", "hasVariant"),
    *("itemOffered", "publisher", "provider", "seller", "manufacturer", "sourceOrganization"),
)
_MAX_NODES = 2_000
_MAX_NAMES = 20


def marked_contacts(root: Any) -> Contacts:
    """Contacts of microdata, of `<address>`, and of links that send mail or call, in reading order."""
    is_contact_page = _is_contact_page(root)
    for element in root.xpath("//*[@itemprop]"):
        words = element.get("itemprop", "").lower().split()
        value = element.get("content") or element.get("href") or text_of(element)
        if "email" in words:
            yield from ((5, each) for each in _emails(value))
        elif "telephone" in words:
            yield from ((6, each) for each in _phones(value))
        elif "address" in words and _in_organization(element):
            parts = [
                text_of(each).strip() for each in element.iter() if each.get("itemprop") in _PARTS_OF_ADDRESS
            ]
            yield 7, ", ".join(part for part in parts if part) or text_of(element)
    for link in root.iter("a"):
        href = link.get("href", "").strip()
        scheme, _, target = href.partition(":")
        kind = scheme.lower()
        if kind not in ("mailto", "tel") or not (is_contact_page or _is_for_contact(link)):
            continue
        values = (
            _emails(unquote(target.split("?")[0])) if kind == "mailto" else _phones(text_of(link), target)
        )
        yield from ((15 if kind == "mailto" else 16, each) for each in values)
    for element in root.iter("address"):
        pieces = element.xpath(".//text()[not(ancestor::a)]")  # links that call or send mail are read above
        text = _SPACES.sub(" ", " ".join(pieces)).strip()
        if sum(map(str.isdigit, text)) >= 2 and len(text) <= _LONGEST_CONTACT and not EMAIL.search(text):
            yield 17, text


def stated_contacts(node: Mapping[str, Any]) -> Contacts:
    """Contacts of one node of JSON-LD: of an organisation, or of the point of contact in any node."""
    kinds = node.get("@type", "")
    names = [str(each) for each in (kinds if isinstance(kinds, list) else [kinds])]
    points = node.get("contactPoint") or node.get("contactPoints") or []
    holders = [each for each in (points if isinstance(points, list) else [points]) if isinstance(each, dict)]
    if any(_ORGANIZATIONS.search(name) for name in names):
        holders.insert(0, dict(node))
    for holder in holders:
        for value in _texts(holder.get("email")):
            yield from ((0, each) for each in _emails(value))
        for value in _texts(holder.get("telephone")):
            yield from ((1, each) for each in _phones(value))
        for address in _postal(holder.get("address")):
            yield 2, address


def _postal(address: Any) -> Iterator[str]:
    for each in address if isinstance(address, list) else [address]:
        if isinstance(each, str):
            yield each
        elif isinstance(each, dict):
            parts = [_name(each.get(part)) for part in _PARTS_OF_ADDRESS]
            if any(parts[:3]):
                yield ", ".join(part for part in parts if part)


def _name(value: Any) -> str:
    said = value.get("name") if isinstance(value, dict) else value
    return str(said).strip() if isinstance(said, str | int) else ""


def _texts(value: Any) -> list[str]:
    return [each for each in (value if isinstance(value, list) else [value]) if isinstance(each, str)]


def _emails(value: str) -> list[str]:
    return EMAIL.findall(value)


def _phones(*values: str) -> list[str]:
    """The first value that is written as a telephone number; [] where none is."""
    for value in values:
        match = _PHONE.search(unquote(value))
        if match:
            return [" ".join(match[0].split())]
    return []


def _is_contact_page(root: Any) -> bool:
    said = [root.findtext(".//title") or "", *(text_of(each) for each in list(root.iter("h1"))[:2])]
    return any(re.search(r"\b(?:contact|imprint|impressum)\b", each, re.IGNORECASE) for each in said)


def _is_for_contact(link: Any) -> bool:
    """True of a link in an address or a footer, or in a short block that says what to write or call for."""
    element = link
    while element is not None:
        if element.tag in ("address", "footer"):
            return True
        if element.tag in _AROUND:
            text = text_of(element)
            if len(text) > _MOST_AROUND:
                return False
            if _TO_CONTACT.search(text):
                return True
        element = element.getparent()
    return False


def _in_organization(element: Any) -> bool:
    parent = element.getparent()
    while parent is not None:
        if "itemtype" in parent.attrib:
            return bool(_ORGANIZATIONS.search(parent.get("itemtype", "").rsplit("/", 1)[-1]))
        parent = parent.getparent()
    return False


@dataclass(frozen=True, slots=True)
class PageFacts:
    """Statements of a page about itself; "" and () for what it does not say. Days are ISO 8601."""

    publisher: str = ""
    published: str = ""
    updated: str = ""
    authors: tuple[str, ...] = ()
    contacts: tuple[str, ...] = ()
    address: str = ""
    products: tuple[str, ...] = ()
    keywords: str = ""

    def lines(self) -> list[str]:
        """A line for each fact, `Author: ...`; [] where nothing is declared.

        A canonical address alone is no line: it says nothing that the document's source does not.
        """
        named = [
            ("Publisher", self.publisher),
            ("Published", self.published),
            ("Updated", self.updated),
            ("Author", "; ".join(self.authors)),
            ("Contact", "; ".join(self.contacts)),
            ("Products", "; ".join(self.products)),
            ("Keywords", self.keywords),
        ]
        lines = [f"{name}: {value}" for name, value in named if value]
        return [*lines, f"Address: {self.address}"] if self.address else lines

    def with_shown(self, root: Any) -> PageFacts:
        """The same with the days that the page shows at its head or foot, where none is declared.

        root: the tree without what is hidden, its navigation still in it.
        """
        if self.published and self.updated:
            return self
        body = root.find("body")
        text = text_of(body) if body is not None else ""
        head, tail = _lines(text[:_HEAD_CHARS]), _lines(text[-_TAIL_CHARS:])
        updated = self.updated or _day_in(_LAST_UPDATED, tail) or _day_in(_LAST_UPDATED, head)
        return replace(self, published=self.published or _day_in(_PUBLISHED, head), updated=updated)


def declared_facts(root: Any) -> PageFacts:
    """Facts from the head, JSON-LD, microdata and `<time>` of a whole tree."""
    said: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for fact, rank, value in (
        *_meta_facts(root),
        *_link_facts(root),
        *_linked_data(root),
        *_marked_facts(root),
        *(("contact", 20 + rank, value) for rank, value in marked_contacts(root)),
    ):
        clean = _SPACES.sub(" ", value).strip()[:_LONGEST]
        if clean:
            said[fact].append((rank, clean))
    best = {fact: min(values, key=lambda pair: pair[0])[1] for fact, values in said.items()}
    return PageFacts(
        publisher=best.get("publisher", ""),
        published=_first_day(said["published"]),
        updated=_first_day(said["updated"]),
        authors=_names([value for _, value in sorted(said["author"], key=lambda pair: pair[0])]),
        contacts=_contacts([value for _, value in sorted(said["contact"], key=lambda pair: pair[0])]),
        address=_address([value for _, value in sorted(said["address"], key=lambda pair: pair[0])]),
        products=_names([value for _, value in sorted(said["product"], key=lambda pair: pair[0])]),
        keywords=best.get("keywords", ""),
    )


_Facts = Iterator[tuple[str, int, str]]


def _meta_facts(root: Any) -> _Facts:
    for meta in root.iter("meta"):
        name = next((meta.get(key) for key in _NAMED_BY if meta.get(key)), "").lower()
        fact = _FACT_OF.get(name)
        content = meta.get("content", "")
        if fact:
            yield fact, 10 + _RANK[name], content
        elif name == "og:type" and content.lower() in ("product", "product.item", "og:product"):
            titles = root.xpath("//meta[@property='og:title' or @name='og:title']/@content")
            yield from (("product", 3, str(title)) for title in titles[:1])


def _link_facts(root: Any) -> _Facts:
    for link in root.iter("link"):
        relation, href = link.get("rel", "").lower(), link.get("href", "")
        if relation == "canonical":
            yield "address", 0, href
        elif relation == "author" and link.get("title") and "@" in href:
            yield "author", 30, link.get("title")
        if (link.get("rev", "").lower() == "made" or relation == "author") and "@" in href:
            yield "contact", 20, href
    for link in root.xpath("//a[@rel='author']"):
        yield "author", 25, text_of(link)


def _marked_facts(root: Any) -> _Facts:
    """Microdata of schema.org, `<time>`, and the product names that DocBook marks."""
    # One after the other: the union of node sets is quadratic in libxml2.
    marked = [*root.iter("time"), *root.xpath("//*[@itemprop]"), *root.xpath("//*[@class='productname']")]
    for element in dict.fromkeys(marked):
        named = f"{element.get('itemprop', '')} {element.get('class', '')}".lower()
        if element.tag == "time":
            yield from _time_fact(element, named)
        elif "itemprop" in element.attrib and element.tag != "meta":
            words = named.split()
            value = element.get("content") or element.get("datetime") or text_of(element)
            for word, fact in (
                ("datepublished", "published"),
                ("datemodified", "updated"),
                ("author", "author"),
                ("publisher", "publisher"),
            ):
                if word in words:
                    yield fact, 6, value
            if ("name" in words or "model" in words) and _is_product(element.getparent()):
                yield "product", 0, value
        elif element.get("class") == "productname":
            yield "product", 1, text_of(element)


def _time_fact(element: Any, named: str) -> _Facts:
    value = element.get("datetime") or text_of(element)
    if "publish" in named or "pubdate" in element.attrib or "created" in named or "entry-date" in named:
        yield "published", 8, value
    elif "updat" in named or "modif" in named:
        yield "updated", 8, value


def _is_product(element: Any) -> bool:
    while element is not None:
        if "itemtype" in element.attrib:
            return element.get("itemtype", "").rsplit("/", 1)[-1] in _PRODUCT_TYPES
        element = element.getparent()
    return False


def _linked_data(root: Any) -> _Facts:
    """Facts of schema.org's JSON-LD; what is no JSON is passed over."""
    for script in root.iter("script"):
        if "ld+json" not in script.get("type", "").lower() or not script.text or len(script.text) > _MAX_JSON:
            continue
        try:
            data = json.loads(script.text, strict=False)
        except (ValueError, RecursionError):
            continue
        for node in _nodes(data):
            yield from _node_facts(node)


def _nodes(data: Any) -> Iterator[Mapping[str, Any]]:
    waiting, seen = [data], 0
    while waiting and seen < _MAX_NODES:
        node = waiting.pop(0)
        seen += 1
        if isinstance(node, list):
            waiting += node
        elif isinstance(node, dict):
            yield node
            waiting += [node[key] for key in _INNER if key in node]


def _node_facts(node: Mapping[str, Any]) -> _Facts:
    types = node.get("@type", "")
    kinds = [str(each).rsplit("/", 1)[-1] for each in (types if isinstance(types, list) else [types])]
    yield from (("contact", rank, value) for rank, value in stated_contacts(node))
    if any(kind in _PRODUCT_TYPES for kind in kinds):
        yield from (("product", 0, name) for name in _name_of(node))
        return
    if not any(_PAGE_TYPES.search(kind) for kind in kinds):
        return
    for key, fact in (("datePublished", "published"), ("dateModified", "updated")):
        if isinstance(node.get(key), str):
            yield fact, 0, node[key]
    for key, fact in (("author", "author"), ("creator", "author"), ("publisher", "publisher")):
        people = node.get(key)
        for each in people if isinstance(people, list) else [people]:
            for name in _name_of(each):
                yield fact, 0, name


def _name_of(node: Any) -> list[str]:
    if isinstance(node, str):
        return [node]
    name = node.get("name") if isinstance(node, dict) else None
    return [name] if isinstance(name, str) else []


def _first_day(values: list[tuple[int, str]]) -> str:
    for _, value in sorted(values, key=lambda pair: pair[0]):
        day = _day(value)
        if day:
            return day
    return ""


def _day(text: str) -> str:
    """The day that a text states, ISO 8601; "" where it states none, or one with two readings."""
    match = _ISO_DAY.match(text)
    value = parse_date(match[0].strip() if match else text)
    return value.text if value is not None and value.special is Special.NONE else ""


def _day_in(pattern: re.Pattern[str], text: str) -> str:
    for match in reversed(list(pattern.finditer(text))):
        day = _day(next(group for group in match.groups() if group))
        if day:
            return day
    return ""


def _names(values: list[str]) -> tuple[str, ...]:
    """Distinct names in order; an address is none."""
    names: dict[str, str] = {}
    for value in values:
        if not value.startswith(("http://", "https://", "@")) and any(map(str.isalpha, value)):
            names.setdefault(value.casefold(), value)
    return tuple(names.values())[:_MAX_NAMES]


def _contacts(values: list[str]) -> tuple[str, ...]:
    """Distinct contacts in order: e-mail addresses bare, the rest as it is written."""
    found: dict[str, str] = {}
    for value in values:
        match = EMAIL.search(value)
        written = match[0] if match else value.replace(";", ",")
        if match or any(map(str.isdigit, written)):
            key = written.casefold() if match else "".join(filter(str.isalnum, written.casefold()))
            found.setdefault(key, written)
    return tuple(found.values())[:MOST_CONTACTS]


def _address(values: list[str]) -> str:
    """The first address of the web; a canonical link to a file says nothing."""
    return next((value for value in values if value.startswith(("http://", "https://"))), "")


def _lines(text: str) -> str:
    """Text with single blanks; lines stay lines."""
    return "\n".join(" ".join(line.split()) for line in text.split("\n"))
