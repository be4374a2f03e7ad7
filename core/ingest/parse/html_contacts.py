"""Ways to reach somebody that a web page gives by its markup: e-mail, telephone, postal address."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import unquote

from core.ingest.parse.html_main import text_of

EMAIL = re.compile(r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}")
MOST_CONTACTS = 6
_LONGEST = 200
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
        if sum(map(str.isdigit, text)) >= 2 and len(text) <= _LONGEST and not EMAIL.search(text):
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
