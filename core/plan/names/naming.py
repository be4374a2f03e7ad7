"""Words of a person that name a document, taken apart: telling words with their variants, days, changes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from core.encode.base import TokenCounter
from core.plan.names.index import NameIndex
from core.plan.names.profile import CHANGES, HEADS, RESTATED, ordinal
from core.plan.names.spelling import NearWords
from core.text.analyse import STOP_WORDS
from core.text.words import word_list
from core.values.dates import find_dates
from core.values.naming.words import (
    ALIKE,
    FORMS,
    NICKNAMES,
    SHORT,
    NameWord,
    folded,
    humps,
    initials,
    key_of,
    list_keys,
    name_words,
)
from core.values.numbers import parse_cardinal

_YEAR = re.compile(r"(?<![\w.,$€£/#-])(?:19|20)\d\d(?![\w%]|[.,]\d)")
_LOOSE_YEAR = re.compile(r"(?i)\b(?:mid|early|late|fy|cy)[- ]?((?:19|20)\d\d)(?!\d)")
_RUN_DAY = re.compile(r"(?<!\d)((?:19|20)\d\d)(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?!\d)")
_MONTH = re.compile(
    r"(?i)\b(?:jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)[a-z]{0,6}(\.|,| of)(?= (?:19|20)\d\d(?!\d))"
)
_SHORT_YEAR = re.compile(r"(?<!\w)['’](\d\d)(?!\w)")
_PLACE = re.compile(r"(?:19|20)\d\d(?:-\d\d(?:-\d\d)?)?")
_ENDING = re.compile(r"\.(?:txt|pdf|docx?|html?|xlsx?|csv|md|eml|rtf)\b", re.IGNORECASE)
_SIGNS = re.compile(r"[^\w]|_")
_DOMAINS = frozenset(["com", "net", "org"])
_IDLE = frozenset(map(key_of, STOP_WORDS)) | {"by", "no", "nr", "number"}
_ALIKE = 0.6  # likeness of words of kinds that say much the same
_SHORT = 0.85
_NICKNAME = 0.8
_LETTERS = 0.35  # likeness of letters that are some of a name's
_INITIALS = 0.75
_LONGER = 0.8  # likeness of a word that is most of another
_BEGUN = 0.85  # likeness of the beginning of names written as one
_SHORTEST_GLUED = 2
_SHORTEST_BEGUN = 6
_MOST_GLUED = 4
_TYPED = 0.55  # likeness from which a word may be misspelt

_FORMED = re.compile(r"(?<=.{4})(?:" + "|".join(sorted(FORMS, key=len, reverse=True)) + r")+$")
_FORMS = list_keys("forms")
_ORDER = {
    key_of(word): sign for word, _, sign in (each.partition("=") for each in word_list("naming", "order"))
}
_NEAR_HEADS = NearWords(sorted(word_list("naming", "papers")))


class Sort(Enum):
    """Sort of a telling word."""

    NAME = "name"
    KIND = "kind"
    WORD = "word"
    NUMBER = "number"
    FORM = "form"


@dataclass(frozen=True, slots=True)
class Variant:
    """A word of the index that a word may be. likeness: 1 for the word itself."""

    word: str
    likeness: float


@dataclass(frozen=True, slots=True)
class TellingWord:
    """A word that tells documents apart, words[start:end] of a name.

    rarity: of the word itself, 1 where no document has it.
    """

    key: str
    sort: Sort
    rarity: float
    variants: tuple[Variant, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Naming:
    """Words that name a document. days: ISO 8601, also months and years. changes, number: which amendment.

    whole: the words without blanks and signs, as a title or file name is looked up. order: -1 where the
    earliest is meant, 1 where the latest.
    """

    words: tuple[TellingWord, ...]
    days: tuple[str, ...]
    changes: bool
    number: int
    whole: tuple[str, ...]
    order: int = 0


def parse_naming(text: str, index: NameIndex, counter: TokenCounter | None = None) -> Naming:
    """The telling words of a name over an index. counter: tells words of the language from names."""
    found = name_words(text)
    days, taken = _days(text)
    changes, number, used = _change(found)
    kept = [
        (at, word)
        for at, word in enumerate(found)
        if not any(start <= word.start < end for start, end in taken) and at not in used
    ]
    is_lower = not any(word.written[0].isupper() for _, word in kept)
    telling: list[TellingWord] = []
    glued = _glued(found, index)
    runs = _runs(found)
    for at, word in kept:
        if _is_idle(at, found) or _is_misspelt_head(word, index):
            continue
        if len(word.key) < 2 and at not in glued and not word.key.isdigit():
            continue
        variants = tuple(_variants(at, word, index, glued, runs))
        sort = _sort(word, variants, is_lower, index, counter)
        telling.append(TellingWord(word.key, sort, index.rarity(word.key), variants, word.start, word.end))
    plain = _ENDING.sub("", text)
    whole = {
        "".join(word.key for word in name_words(each)) for each in (text, plain, _without_article(plain))
    }
    return Naming(tuple(telling), days, changes, number, tuple(sorted(whole - {""})), _order(kept))


def _order(words: Sequence[tuple[int, NameWord]]) -> int:
    signs = {_ORDER.get(word.key, "") for _, word in words}
    return -1 if "<" in signs else int(">" in signs)


def _without_article(text: str) -> str:
    return re.sub(r"^\s*(?:the|our|that|this)\s+", "", text, flags=re.IGNORECASE)


def _days(text: str) -> tuple[tuple[str, ...], list[tuple[int, int]]]:
    found: dict[str, None] = {}
    taken: list[tuple[int, int]] = []
    plain = _MONTH.sub(lambda match: match[0][: -len(match[1])] + " " * len(match[1]), text)
    for start, end, value in find_dates(plain, partial=True):
        match = _PLACE.match(value.text)
        if match is not None:
            found[match[0]] = None
            taken.append((start, end))
    for match in _YEAR.finditer(text):
        if not any(start <= match.start() < end for start, end in taken):
            found[match[0]] = None
            taken.append(match.span())
    for match in _RUN_DAY.finditer(text):
        found["-".join(match.groups())] = None
        taken.append(match.span())
    for match in _LOOSE_YEAR.finditer(text):
        found[match[1]] = None
        taken.append(match.span())
    for match in _SHORT_YEAR.finditer(text):
        year = int(match[1])
        found[str(1900 + year if year > 60 else 2000 + year)] = None
        taken.append(match.span())
    return tuple(found), taken


def _change(words: Sequence[NameWord]) -> tuple[bool, int, set[int]]:
    """The amendment that is meant, if one is, and the words that say so."""
    if any(word.key == RESTATED for word in words):
        return False, 0, set()
    for at, word in enumerate(words):
        if word.key not in CHANGES:
            continue
        used = {at}
        number = ordinal(words[at - 1].written.casefold()) if at else 0
        if number:
            used.add(at - 1)
        for after in range(at + 1, min(at + 3, len(words))):
            written = words[after].written
            if not number and written.isdigit() and len(written) < 3:
                number = int(written)
                used.add(after)
        return True, number, used
    return False, 0, set()


def _glued(words: Sequence[NameWord], index: NameIndex) -> dict[int, dict[str, float]]:
    """Words that stand in names as one, by each of their places: "Lime Energy" in LIMEENERGYCO."""
    found: dict[int, dict[str, float]] = {}
    for size in range(2, _MOST_GLUED + 1):
        for at in range(len(words) - size + 1):
            run = words[at : at + size]
            if run[0].key in _IDLE and not run[0].is_capital and size == 2:
                continue
            for as_one in _as_one(run):
                exact = [key for key in dict.fromkeys((as_one, key_of(as_one))) if index.is_named(key)]
                near = dict.fromkeys(exact, 1.0) if len(as_one) > _SHORTEST_GLUED else {}
                if not exact and len(as_one) > _SHORTEST_BEGUN:
                    near = {key: share for key, share in index.longer(as_one) if key.startswith(as_one)}
                for key, share in near.items():
                    for place in range(at, at + size):
                        mine = found.setdefault(place, {})
                        mine[key] = max(mine.get(key, 0.0), share if share == 1.0 else _BEGUN)
    return found


def _as_one(words: Sequence[NameWord]) -> Iterator[str]:
    """Some words without blanks and signs, with and without possessives, and with numbers in digits."""
    yield "".join(folded(word.written) for word in words)
    whole = "".join(_SIGNS.sub("", word.written.casefold()) for word in words)
    yield whole
    if any(word.key == "dot" for word in words):
        yield "".join(folded(word.written) for word in words if word.key != "dot")
    digits = [_digits(word.written) for word in words]
    if any(digits):
        yield "".join(digit or folded(word.written) for digit, word in zip(digits, words, strict=True))


def _digits(word: str) -> str:
    number = parse_cardinal(word) if word.isalpha() and len(word) < 9 else None
    return str(number) if number is not None else ""


def _runs(words: Sequence[NameWord]) -> dict[int, str]:
    """The initials of each run of capitalised words, by the places of its words."""
    found: dict[int, str] = {}
    at = 0
    while at < len(words):
        end = at
        while end < len(words) and (
            words[end].written[0].isupper() or (words[end].key in _IDLE and end > at)
        ):
            end += 1
        run = [
            place
            for place in range(at, end)
            if words[place].key not in _IDLE and words[place].key not in HEADS
        ]
        if len(run) > 1:
            short = initials([words[place].key for place in run])
            for place in run:
                found[place] = short
        at = max(end, at + 1)
    return found


def _variants(
    at: int, word: NameWord, index: NameIndex, glued: dict[int, dict[str, float]], runs: dict[int, str]
) -> Iterator[Variant]:
    seen: dict[str, float] = {}

    def note(key: str, likeness: float) -> None:
        if index.has(key) and likeness > seen.get(key, 0.0):
            seen[key] = likeness

    plain = folded(word.written)
    note(word.key, 1.0)
    note(plain, 1.0)
    bare = _FORMED.sub("", plain)
    if bare != plain:
        note(bare, 1.0)
        note(key_of(bare), 1.0)
    for key, share in glued.get(at, {}).items():
        note(key, share)
    for key in ALIKE.get(word.key, ()):
        note(key, _ALIKE)
    for key in SHORT.get(plain, ()):
        note(key, _SHORT)
    called = [key for key in NICKNAMES.get(plain, ()) if key not in _IDLE]
    for key in called:
        note(key, _NICKNAME / min(2, len(called)))
    parts = humps(word.written)
    if parts and word.key not in seen:
        for part in parts:
            note(key_of(part), 1.0 / len(parts))
    if at in runs and len(runs[at]) > 2:
        note(runs[at], _INITIALS)
    if not index.is_named(word.key) or index.rarity(word.key) > 0.5:
        for spelling in sorted({word.key, plain}):
            for key, share in index.longer(spelling):
                note(key, _LONGER * min(1.0, share + 0.3))
            for key, likeness in () if index.is_named(word.key) else index.near(spelling):
                if likeness >= _TYPED:
                    note(key, likeness * likeness)
    if not seen and word.written.isupper() and word.written.isalpha():
        for key in index.abbreviated(plain):
            note(key, _LETTERS)
    ranked = sorted(seen.items(), key=lambda each: (-each[1], each[0]))
    yield from (Variant(key, likeness) for key, likeness in ranked)


def _is_idle(at: int, words: Sequence[NameWord]) -> bool:
    """True for words of grammar, what any document is called, and words that say which by its day."""
    word = words[at]
    if word.key == "dot":
        return at + 1 < len(words) and words[at + 1].key in _DOMAINS
    return word.key in _IDLE or word.key in HEADS or (word.key in _ORDER and not word.is_capital)


def _is_misspelt_head(word: NameWord, index: NameIndex) -> bool:
    """True where a word that nobody has is nearly one that any document may be called by: "paaper"."""
    if word.written[0].isupper() or index.has(word.key) or index.has(folded(word.written)):
        return False
    return bool(_NEAR_HEADS.near(folded(word.written)))


def _sort(
    word: NameWord,
    variants: Sequence[Variant],
    is_lower: bool,
    index: NameIndex,
    counter: TokenCounter | None,
) -> Sort:
    if word.written.isdigit():
        return Sort.NUMBER
    if word.key in _FORMS or folded(word.written) in FORMS:
        return Sort.FORM
    key = word.key if index.has(word.key) or not variants else variants[0].word
    is_known = word.key in ALIKE or folded(word.written) in SHORT
    if is_known or (index.is_kind(key) and not (word.is_capital and index.is_odd(key))):
        return Sort.KIND
    if word.is_capital or index.is_name(key):
        return Sort.NAME
    is_strange = not variants and (counter is None or len(counter.offsets(folded(word.written))) > 1)
    return Sort.NAME if is_lower and is_strange else Sort.WORD
