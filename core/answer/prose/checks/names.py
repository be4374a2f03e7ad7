"""Check of a claim's names: persons, organisations, places, products, codes and defined terms."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby

from core.domain.answer import Check
from core.search.evidence.pack import compact
from core.text.analyse import STOP_WORDS, analyse
from core.text.words import word_list
from core.values.money import CODES
from core.values.names import legal_form
from core.values.stated_years import find_years

_PART = r"[^\W\d_a-z][\w'\u2019.&-]*\w|[^\W\d_a-z]"
_RUN = re.compile(
    rf"(?<!\d[.])(?<![\w'\u2019-])(?:{_PART})"
    rf"(?:[ \n]+(?:(?:of|and|the|de|von|van|&|for)[ \n]+){{0,2}}(?:{_PART})(?![\w]))*"
)
_WORD = re.compile(r"[^\W_]+(?:[-'\u2019.&/][^\W_]+)*")
_CODE = re.compile(
    r"(?<![\w-])(?=[\w./-]*\d)(?=[\w./-]*[A-Za-z])(?:[A-Za-z]+[-./]?\d|\d+[-/]?[A-Za-z]+)[\w-]*(?:[./-]\w+)*"
)
_START = re.compile(
    r"(?:^|[.!?:;]['\"\u201d\u2019)]*[\s\u2022*-]+|\n[\s\u2022*-]*|[\"'\u201c\u2018(*\u2022-]\s*)$"
)
_ITEM = re.compile(r"(?:^|\n)[ \t]*(?:[*\u2022-]|\(?\d{1,2}[.)])[ \t]+$")
_POSSESSIVE = re.compile(r"['\u2019]s?$")
_ORDINAL = re.compile(
    r"\d{1,20}(?:st|nd|rd|th|s|k|m|b|bn|mm|cm|km|kg|g|ml|am|pm|d|x|w|v|kw|mg|oz|lb|lbs|ft|in|hz|mhz|ghz|gb|mb|tb|kb)",
    re.I,
)
_INITIALS = re.compile(r"[A-Z]{2,6}s?")


@dataclass(frozen=True, slots=True)
class _Names:
    """What a source says, for looking names up."""

    text: str
    words: frozenset[str]
    line: str
    codes: str
    initials: str
    acronyms: frozenset[str]


def check_names(text: str, sources: Sequence[str]) -> Check:
    """Names of a claim against the words of the sources.

    Case, accents, possessives, stems and legal forms make no difference; an abbreviation stands for its words
    and they for it. Capitals at the start of a sentence name nothing by themselves.
    """
    read = [_read(source) for source in sources]
    text, periods = _without_periods(text)
    faults = [name for name in names(text) if not any(_is_said(name, each) for each in read)]
    faults += [
        said
        for said, years in periods
        if years and not any(part in each.codes for each in read for part in (compact(said), *years))
    ]
    faults += [code for code in _codes(text) if not any(compact(code) in each.codes for each in read)]
    shown = "; ".join(f"{name!r} is in none of the cited places" for name in dict.fromkeys(faults))
    return Check(name="names", ok=not faults, detail=shown)


def _without_periods(text: str) -> tuple[str, list[tuple[str, tuple[str, ...]]]]:
    """A text without periods that are written like codes ("FY2017"), and these with the years they lie in."""
    found = [each for each in find_years(text) if _CODE.search(text, each.start, each.end)]
    said = [(text[each.start : each.end], each.years) for each in found]
    for each in found:
        text = text[: each.start] + " " * (each.end - each.start) + text[each.end :]
    return text, said


@lru_cache(maxsize=512)
def names(text: str) -> tuple[str, ...]:
    """Runs of capitalised words that name something, as they are written."""
    found: list[str] = []
    for match in _RUN.finditer(text):
        is_first = bool(_START.search(text[max(0, match.start() - 8) : match.start()]))
        if text[match.end() : match.end() + 1] == ":" and _ITEM.search(text[: match.start()]):
            continue  # the head of a list's item
        for is_cased, run in groupby(match[0].split(), _is_cased):
            words = list(run)
            if is_first and is_cased and len(words) == 1 and not _is_shouted(words[0]):
                continue
            while words and _is_plain(words[0]):
                words = words[1:]
            while words and _is_plain(words[-1]):
                words = words[:-1]
            found += [" ".join(own) for own in _owners(words) if any(not _is_plain(word) for word in own)]
    return tuple(found)


def _is_cased(word: str) -> bool:
    """True of a word in a script that has capitals: words of two scripts are no name together."""
    return word.lower() != word.upper()


def _owners(words: Sequence[str]) -> list[list[str]]:
    """The words as the names that they are: what somebody has ("Acme's Board") may be named elsewhere."""
    parts: list[list[str]] = [[]]
    for word in words:
        parts[-1].append(word)
        if _POSSESSIVE.search(word):
            parts.append([])
    return parts


def _is_shouted(word: str) -> bool:
    return len(word) > 1 and word.isupper() and word.isalpha()


def _is_plain(word: str) -> bool:
    low = _POSSESSIVE.sub("", word).strip(".").casefold()
    return low in STOP_WORDS or low in word_list("claims", "unnamed") or word in CODES or not _bare(word)


def _bare(word: str) -> str:
    return "".join(analyse(_POSSESSIVE.sub("", word)))


@lru_cache(maxsize=512)
def _read(source: str) -> _Names:
    words = _WORD.findall(source)
    bare = [each for word in words for each in analyse(_POSSESSIVE.sub("", word))]
    told = [word[0].casefold() for word in words if word[0].isalpha() and word.casefold() not in STOP_WORDS]
    return _Names(
        source,
        frozenset(bare),
        f" {' '.join(bare)} ",
        compact(source),
        "".join(told),
        frozenset(word.rstrip("s").casefold() for word in words if _INITIALS.fullmatch(word)),
    )


def _is_said(name: str, source: _Names) -> bool:
    parts = [part for part in name.split() if not _is_form(part)] or name.split()
    terms = [term for part in parts for term in analyse(_POSSESSIVE.sub("", part))]
    if f" {' '.join(terms)} " in source.line:
        return True
    if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", source.text):  # word for word, however it is read
        return True
    telling = [part for part in parts if any(term not in STOP_WORDS for term in analyse(part))]
    if telling and all(_is_part_said(part, source) for part in telling):
        return True
    initials = "".join(part[0] for part in parts if part[0].isupper()).casefold()
    if len(initials) > 1 and initials in source.acronyms:
        return True
    return (
        bool(_INITIALS.fullmatch(name)) and len(name) > 2 and name.rstrip("s").casefold() in source.initials
    )


def _is_part_said(part: str, source: _Names) -> bool:
    """True where a source has the words of a part, or all words that it is short for."""
    terms = [term for term in analyse(_POSSESSIVE.sub("", part)) if term not in STOP_WORDS]
    is_short = bool(_INITIALS.fullmatch(part)) and len(part) > 2 and part.casefold() in source.initials
    return is_short or all(term in source.words for term in terms)


def _is_form(part: str) -> bool:
    return bool(legal_form(part)) and part[0].isupper() and len(part) < 13


def _codes(text: str) -> list[str]:
    return [
        match[0]
        for match in _CODE.finditer(text)
        if not _ORDINAL.fullmatch(match[0]) and not re.fullmatch(r"[A-Za-z]+", match[0])
    ]
