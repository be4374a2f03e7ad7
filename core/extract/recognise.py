"""Kind of a document, by its title, headings and begin: which schema asks for its fields."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from core.config.fields import Schema
from core.config.schema_store import GENERIC
from core.domain.document import HTML
from core.extract.base import DocumentText
from core.values.money import find_money

WEB_PAGES = "pages"
"""The schema of web pages."""

_BEGIN_CHARS = 5_000
_TOP_CHARS = 400
_FIRST_WEIGHT = 2.0
_DECAY = 0.95  # of a word's weight to the next: the words are given most telling first
_IN_TITLE, _AT_TOP, _AT_BEGIN = 2.5, 1.5, 1.0
_MOST_REPEATED = 2.0
_LEAST = 3.0  # less tells nothing
_LEAST_OF_A_SITE = 6.0  # a page of a site speaks of manuals and invoices more often than it is one
_LEAST_RATIO = 1.2  # by how much the best must lead
_OF_PROSE = frozenset({"contracts", "minutes", "incidents", "policies", "manuals", "filings"})
TABULAR = frozenset(
    {
        "text/csv",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        "application/vnd.ms-excel",
    }
)
"""Media types of sheets: they are called as their files are, whatever stands in their cells."""


@dataclass(frozen=True, slots=True)
class Recognised:
    """The schema that a document looks like; scores, best first.

    Where nothing is sure, HTML is a web page and all else `generic`.
    """

    schema: str
    scores: tuple[tuple[str, float], ...]


def recognise(document: DocumentText, schemas: Sequence[Schema]) -> Recognised:
    """Kind of the document among `schemas`."""
    title = _flat(f"{document.title} {_name_of(document.source)}")
    top = _flat(document.text[:_TOP_CHARS])
    begin = _flat(document.text[:_BEGIN_CHARS])
    headings = _flat(" . ".join(each.text for page in document.pages[:10] for each in page.headings[:40]))
    scores = []
    for schema in schemas:
        if not schema.recognise:
            continue
        score = _score(schema.recognise, title, f"{top} {headings}", begin)
        scores.append((schema.name, round(score * _fits(schema.name, document), 2)))
    scores.sort(key=lambda pair: -pair[1])
    other = _otherwise(document, schemas)
    is_crawled = document.source.startswith(("http://", "https://"))
    if not scores or scores[0][1] < (_LEAST_OF_A_SITE if is_crawled and other != GENERIC else _LEAST):
        return Recognised(other, tuple(scores))
    best, second = scores[0], scores[1] if len(scores) > 1 else ("", 0.0)
    entitled = {each.name for each in schemas if any(_pattern(word).search(title) for word in each.recognise)}
    is_named = best[0] in entitled and second[0] not in entitled  # its text may speak of the others
    is_sure = is_named or best[1] >= _LEAST_RATIO * second[1]
    return Recognised(scores[0][0] if is_sure else other, tuple(scores))


def _otherwise(document: DocumentText, schemas: Sequence[Schema]) -> str:
    """The kind of a document that no words claim: a web page by its format, else `generic`."""
    is_page = document.media_type == HTML and any(schema.name == WEB_PAGES for schema in schemas)
    return WEB_PAGES if is_page else GENERIC


def _score(words: Sequence[str], title: str, top: str, begin: str) -> float:
    weight, score = _FIRST_WEIGHT, 0.0
    for word in words:
        pattern = _pattern(word)
        if pattern.search(title):
            score += _IN_TITLE * weight
        else:
            times = sum(1 for _ in pattern.finditer(begin))
            place = _AT_TOP if pattern.search(top) else _AT_BEGIN if times else 0.0
            score += place * weight * min(_MOST_REPEATED, 1 + 0.2 * max(0, times - 1))
        weight *= _DECAY
    return score


def _fits(schema: str, document: DocumentText) -> float:
    """Agreement of a document's build with one of the shipped kinds; 1 for schemas of one's own."""
    if schema in _OF_PROSE:
        return 0.5 if document.media_type in TABULAR else 1.0
    if schema == "invoices":
        begin = document.text[:_BEGIN_CHARS]
        return 1.0 if find_money(begin) or re.search(r"\d[.,]\d\d\b", begin) else 0.6
    return 1.0


@lru_cache(maxsize=2_000)
def _pattern(word: str) -> re.Pattern[str]:
    ways = "|".join(re.escape(_flat(each)) for each in word.split("|"))
    return re.compile(rf"(?<!\w)(?:{ways})")


def _flat(text: str) -> str:
    return " ".join(re.findall(r"[^\W_]+", text.casefold()))


def _name_of(source: str) -> str:
    name = source.replace("\\", "/").rsplit("/", 1)[-1]
    return name.rsplit(".", 1)[0] if "." in name else name
