"""The telling words of a name that is said: what each may be in an index, and what it says."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from core.encode.base import TokenCounter
from core.plan.names.index import HEADS, LEGAL_FORMS, NameIndex, NearWords, as_one, change_in
from core.text.analyse import STOP_WORDS
from core.text.words import word_list
from core.values.dates import find_dates
from core.values.naming.words import ALIKE, FORMS, NameWord, folded, humps, key_of, name_words

_YEAR = re.compile(r"(?<![\d.,$€£/#])(?<!\d-)(?:19|20)\d\d(?![\w%]|[.,]\d)")
_PLACE = re.compile(r"(?:19|20)\d\d(?:-\d\d(?:-\d\d)?)?")
_ENDING = re.compile(r"\.(?:txt|pdf|docx?|html?|xlsx?|csv|md|eml|rtf)\b", re.IGNORECASE)
_IDLE = frozenset(map(key_of, STOP_WORDS)) | {"by", "no", "nr", "number"}
_ALIKE = 0.6  # likeness of words of kinds that say much the same
_LONGER = 0.8  # likeness of a word that is most of another
_SHORTEST_GLUED = 2
_MOST_GLUED = 4
_TYPED = 0.55  # likeness from which a word may be misspelt
_NEAR_HEADS = NearWords(word_list("naming", "papers"))


class Sort(Enum):
    """Sort of a telling word."""

    NAME = "name"
    KIND = "kind"
    WORD = "word"
    NUMBER = "number"
    FORM = "form"


class Variant(NamedTuple):
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

    whole: the words without blanks and signs, as a title or file name is looked up.
    """

    words: tuple[TellingWord, ...]
    days: tuple[str, ...]
    changes: bool
    number: int
    whole: tuple[str, ...]


def parse_naming(text: str, index: NameIndex, counter: TokenCounter | None = None) -> Naming:
    """The telling words of a name over an index. counter: tells words of the language from names."""
    found = name_words(text)
    days, taken = _days(text)
    number, used = change_in(found)
    kept = [
        (at, word)
        for at, word in enumerate(found)
        if not any(start <= word.start < end for start, end in taken) and at not in used
    ]
    is_lower = not any(word.written[0].isupper() for _, word in kept)
    telling: list[TellingWord] = []
    glued = _glued(found, index)
    for at, word in kept:
        if word.key in _IDLE or word.key in HEADS or _is_misspelt_head(word, index):
            continue
        if len(word.key) < 2 and at not in glued and not word.key.isdigit():
            continue
        variants = _variants(word, index, glued.get(at, frozenset()))
        sort = _sort(word, variants, is_lower, index, counter)
        telling.append(TellingWord(word.key, sort, index.rarity(word.key), variants, word.start, word.end))
    whole = {as_one(each) for each in (text, _ENDING.sub("", text))}
    return Naming(tuple(telling), days, bool(used), number, tuple(sorted(whole - {""})))


def _days(text: str) -> tuple[tuple[str, ...], list[tuple[int, int]]]:
    """The days, months and years of a text, ISO 8601, and where each stands."""
    dates = [(start, end, _PLACE.match(value.text)) for start, end, value in find_dates(text, partial=True)]
    found = [(match[0], (start, end)) for start, end, match in dates if match is not None]
    for year in _YEAR.finditer(text):
        if not any(start <= year.start() < end for _, (start, end) in found):
            found.append((year[0], year.span()))
    return tuple(dict.fromkeys(day for day, _ in found)), [place for _, place in found]


def _glued(words: Sequence[NameWord], index: NameIndex) -> Mapping[int, Set[str]]:
    """Words that stand in names as one, by each of their places: "Lime Energy" in LIMEENERGYCO."""
    found: dict[int, set[str]] = defaultdict(set)
    for size in range(2, _MOST_GLUED + 1):
        for at in range(len(words) - size + 1):
            run = words[at : at + size]
            if run[0].key in _IDLE and not run[0].is_capital and size == 2:
                continue
            for whole in _as_one(run):
                for key in {whole, key_of(whole)} if len(whole) > _SHORTEST_GLUED else ():
                    if index.is_named(key):
                        for place in range(at, at + size):
                            found[place].add(key)
    return found


def _as_one(words: Sequence[NameWord]) -> Iterator[str]:
    """Some words without blanks and signs, with and without possessives."""
    yield "".join(folded(word.written) for word in words)
    yield "".join(filter(str.isalnum, "".join(word.written.casefold() for word in words)))


def _variants(word: NameWord, index: NameIndex, glued: Set[str]) -> tuple[Variant, ...]:
    seen: dict[str, float] = {}

    def note(key: str, likeness: float) -> None:
        if index.has(key) and likeness > seen.get(key, 0.0):
            seen[key] = likeness

    plain = folded(word.written)
    note(word.key, 1.0)
    note(plain, 1.0)
    for key in glued:
        note(key, 1.0)
    for key in ALIKE.get(word.key, ()):
        note(key, _ALIKE)
    parts = humps(word.written)
    if parts and word.key not in seen:
        for part in parts:
            note(key_of(part), 1.0 / len(parts))
    if not index.is_named(word.key) or index.rarity(word.key) > 0.5:
        for spelling in sorted({word.key, plain}):
            for key, share in index.longer(spelling):
                note(key, _LONGER * min(1.0, share + 0.3))
            for key, likeness in () if index.is_named(word.key) else index.near(spelling):
                if likeness >= _TYPED:
                    note(key, likeness * likeness)
    found = [Variant(key, likeness) for key, likeness in seen.items()]
    return tuple(sorted(found, key=lambda each: (-each.likeness, each.word)))


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
    if word.key in LEGAL_FORMS or folded(word.written) in FORMS:
        return Sort.FORM
    key = word.key if index.has(word.key) or not variants else variants[0].word
    if word.key in ALIKE or index.is_kind(key):
        return Sort.KIND
    if word.is_capital or index.is_name(key):
        return Sort.NAME
    is_strange = not variants and (counter is None or len(counter.offsets(folded(word.written))) > 1)
    return Sort.NAME if is_lower and is_strange else Sort.WORD
