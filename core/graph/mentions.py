"""Mentions of known names and numbers in pages, each on its words; and numbers that several documents write.

A page is divided into words once. Only where it has the rarest word of a phrase is the phrase looked for.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from core.text.analyse import STOP_WORDS
from core.text.words import word_list
from core.values.dates import find_dates
from core.values.naming.words import FORMS, folded
from core.values.stated_years import written_years

_WORD = re.compile(r"\w+")
_TOKEN = re.compile(r"(?<![\w@./:-])[A-Za-z0-9]+(?:[-/.][A-Za-z0-9]+)*(?![\w@]|[-/.:]\w)")
_DIGITS = re.compile(r"\d+")
_LAST_WORD = re.compile(r"([^\W\d_]+)[ \t]$")
_JOINED = re.compile(r"\w[-/.]$")
_LEAST, _MOST = 5, 30  # characters of a number with letters
_LEAST_DIGITS = 3
_BEFORE = STOP_WORDS | word_list("naming", "roles")


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words that mean one node. is_name: written with capitals, and not within a longer name.

    needs_form: counts only with a legal form behind it, since its one word means other things, too.
    """

    node: str
    words: str
    is_name: bool = False
    needs_form: bool = False


@dataclass(frozen=True, slots=True)
class FoundPhrase:
    """A phrase on a page."""

    node: str
    start: int
    end: int


class PhraseFinder:
    """Finds phrases on pages. Immutable once made; safe to share."""

    def __init__(self, phrases: Iterable[Phrase]) -> None:
        by_words = [(frozenset(_WORD.findall(each.words.casefold())) - {"and"}, each) for each in phrases]
        common = Counter(word for words, _ in by_words for word in words)
        self._anchors: dict[str, list[tuple[frozenset[str], Phrase]]] = defaultdict(list)
        for words, each in by_words:
            if words:
                rarest = min(words, key=lambda word: (common[word], -len(word), word))
                self._anchors[rarest].append((words, each))

    def find(self, text: str) -> Iterator[FoundPhrase]:
        """The first place of each phrase that is in a text."""
        own = set(_WORD.findall(text.casefold()))
        for anchor in self._anchors.keys() & own:
            for words, each in self._anchors[anchor]:
                if words <= own and (at := _first(each, text)) is not None:
                    yield FoundPhrase(each.node, *_span(at))


def _first(each: Phrase, text: str) -> re.Match[str] | None:
    return next((match for match in _pattern(each).finditer(text) if _is_whole(match, each)), None)


@lru_cache(maxsize=50_000)
def _pattern(each: Phrase) -> re.Pattern[str]:
    words = [r"(?:and|&)" if word == "and" else re.escape(word) for word in _WORD.findall(each.words)]
    form = r"(?P<form>(?:,?[ \t]+|,?\n)(?:[^\W\d]+\.?)+)?" if each.is_name else ""
    return re.compile(r"(?<![\w@])" + r"[\W_]{1,3}".join(words) + r"(?!\w|[-/.@]\w)" + form, re.IGNORECASE)


def _is_whole(match: re.Match[str], each: Phrase) -> bool:
    """True where the words are no part of a longer number or name."""
    text, start = match.string, match.start()
    before = text[max(0, start - 40) : start]
    if not each.is_name:
        return not _JOINED.search(before)
    if not match[0][0].isupper() and not match[0][0].isdigit():
        return False
    has_form = _has_form(match)
    last = _LAST_WORD.search(before)
    if last and last[1][0].isupper() and folded(last[1]) not in _BEFORE:
        return False
    is_last = not match["form"] or not match["form"].strip(" ,\t\n")[:1].isupper() or "\n" in match["form"]
    return has_form or (is_last and not each.needs_form)


def _has_form(match: re.Match[str]) -> bool:
    form = (match["form"] or "").strip(" ,\t\n.")
    return form[:1].isupper() and folded(form) in FORMS


def _span(match: re.Match[str]) -> tuple[int, int]:
    if "form" in match.re.groupindex and match["form"] and not _has_form(match):
        return match.start(), match.start("form")
    return match.start(), match.end()


def numbers_in(text: str) -> dict[str, FoundPhrase]:
    """What looks like the number of something ("PO-2231"), by its signs folded: letters, and some digits.

    Years and addresses on the net are none.
    """
    found: dict[str, FoundPhrase] = {}
    for match in _TOKEN.finditer(text):
        token = match[0]
        if not _LEAST <= len(token) <= _MOST or sum(map(str.isdigit, token)) < _LEAST_DIGITS:
            continue
        if any(map(str.isupper, token)) and not token.islower() and not _is_date(token):
            key = token.casefold()
            found.setdefault(key, FoundPhrase(key, match.start(), match.end()))
    return found


def _is_date(token: str) -> bool:
    digits = _DIGITS.findall(token)
    return (len(digits) == 1 and bool(written_years(token))) or bool(find_dates(token))
