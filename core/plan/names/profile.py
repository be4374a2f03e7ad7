"""Profile of a document's name: its words with their places, its sides, kind, days, and what it changes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import IntFlag
from itertools import pairwise

from core.domain.document import file_stem
from core.plan.catalogue import DocumentEntry
from core.plan.names.file_name import FileName, parse_file_name
from core.plan.names.words import NameWord, folded, humps, initials, key_of, list_keys, name_words
from core.text.analyse import STOP_WORDS
from core.values.names import role_of
from core.values.numbers import ORDINALS

_MOST_SIDES = 14


class NamePlace(IntFlag):
    """Where a word stands in what is known of a document's name."""

    PARTY = 1  # the name of a party or of somebody else in the opening
    SHORT = 2  # what a party is called for short
    FILE = 4  # the file's name, before its kind
    TITLE = 8  # the title
    KIND = 16  # what the document calls itself, or the file's kind
    CAPITAL = 32  # another name in the opening
    WORD = 64  # another telling word of the opening
    INITIALS = 128  # first letters of a name or of the kind


@dataclass(frozen=True, slots=True)
class NameProfile:
    """Words by which a document may be named. places: by word, as bits of `NamePlace`.

    sides: the words of each name of a party, without legal forms. kind: the words of what it calls itself;
    days: ISO 8601, those of the opening; filed: those of the file name. changes: it amends another document;
    number: which amendment, 0 where nothing says. whole: names of it without blanks and signs; file: that of
    its file.
    """

    document: str
    places: dict[str, int]
    sides: tuple[frozenset[str], ...]
    kind: frozenset[str]
    days: tuple[str, ...]
    filed: tuple[str, ...]
    changes: bool
    number: int
    whole: frozenset[str]
    file: str


HEADS = list_keys("heads")
"""What any document may be called."""

CHANGES = list_keys("amendments")
_TITLES = list_keys("titles")
_FORMS = list_keys("forms")
_IDLE = frozenset(map(key_of, STOP_WORDS)) | {"by", "no"}
_ROLES = list_keys("roles")


def profile_of(entry: DocumentEntry) -> NameProfile:
    """The profile of a document."""
    opening = entry.opening
    places: dict[str, int] = {}
    sides: list[frozenset[str]] = []
    said = {
        word.key
        for name in (*opening.names, (opening.heading,))
        for part in name
        for word in name_words(part)
    }
    said -= _IDLE
    said |= set(opening.capitals.split()) | set(opening.words.split())
    file = parse_file_name(entry.source, said)
    for party in entry.parties:
        _add_side(places, sides, party, NamePlace.PARTY)
    for name in opening.names:
        _add_side(
            places, sides, name[0], NamePlace.PARTY if len(name) > 1 or " " in name[0] else NamePlace.SHORT
        )
        for short in name[1:]:
            _add_side(places, sides, short, NamePlace.SHORT)
    if file.owner:
        _add_side(places, sides, " ".join(file.owner), NamePlace.FILE)
    heading = opening.heading
    kind = _kind_of(entry, file, heading)
    for key in kind:
        places[key] = places.get(key, 0) | NamePlace.KIND
    for key in {*_keys(name_words(entry.title)), *_keys(name_words(" ".join(file.kind)))}:
        places[key] = places.get(key, 0) | NamePlace.TITLE
    for text in (heading, entry.title, " ".join(file.kind)):
        for short in _kind_initials(text):
            places[short] = places.get(short, 0) | NamePlace.INITIALS
    for exhibit in file.numbers:
        for word in name_words(exhibit):
            places[word.key] = places.get(word.key, 0) | NamePlace.TITLE
    for keys, place in ((opening.capitals, NamePlace.CAPITAL), (opening.words, NamePlace.WORD)):
        for key in keys.split():
            places[key] = places.get(key, 0) | place
    changes, number = _change(f"{heading} | {entry.title} | {' '.join(file.kind)}")
    stem = _as_one(file_stem(entry.source))
    whole = frozenset({_as_one(entry.title), _as_one(heading), stem} - {""})
    unique = tuple(dict.fromkeys(side for side in sides if side))[:_MOST_SIDES]
    return NameProfile(entry.id, places, unique, kind, opening.days, file.days, changes, number, whole, stem)


def _as_one(text: str) -> str:
    return "".join(word.key for word in name_words(text))


def _add_side(places: dict[str, int], sides: list[frozenset[str]], name: str, place: NamePlace) -> None:
    words = [word for word in name_words(name) if word.key not in _IDLE]
    telling = [word for word in words if word.key not in _FORMS] or words
    if not telling or role_of(name):
        return
    sides.append(frozenset(word.key for word in telling))
    for word in telling:
        for key in (word.key, folded(word.written), *(key_of(part) for part in humps(word.written) if len(part) > 2)):
            places[key] = places.get(key, 0) | place
    for key in (*_glued(telling), *(word.key for word in words)):
        places[key] = places.get(key, 0) | place
    if place is NamePlace.FILE:
        key = "".join(folded(word.written) for word in words)
        places[key] = places.get(key, 0) | place
    if len(telling) > 1:
        for group in (telling, words):
            short = initials([word.key for word in group])
            if 2 <= len(short) <= 6:
                places[short] = places.get(short, 0) | NamePlace.INITIALS


def _glued(words: list[NameWord]) -> Iterator[str]:
    """Words written as one: pairs and the whole name."""
    for one, other in pairwise(words):
        yield folded(one.written) + folded(other.written)
    if len(words) > 2:
        yield "".join(folded(word.written) for word in words)


def _keys(words: Iterable[NameWord]) -> Iterator[str]:
    last = ""
    for word in words:
        if word.key not in _IDLE and word.key not in _FORMS:
            yield word.key
            yield from (key_of(part) for part in humps(word.written) if len(part) > 2)
        if word.joined:
            yield key_of(last + folded(word.written))
        last = folded(word.written)


def _kind_of(entry: DocumentEntry, file: FileName, heading: str) -> frozenset[str]:
    owners = {key_of(word) for word in file.owner}
    words = {
        *_keys(name_words(heading)),
        *(_keys(name_words(" ".join(file.kind))) if file.kind != file.owner else ()),
    }
    title = list(name_words(entry.title))
    ends = [at for at, word in enumerate(title) if word.key in _TITLES]
    if ends and not heading:
        words |= set(_keys(title[max(0, ends[0] - 4) : ends[-1] + 1]))
    named = {key for side in entry.parties for key in _keys(name_words(side))}
    return frozenset(
        key for key in words if key not in HEADS and key not in owners | named and not key.isdigit()
    )


def _kind_initials(text: str) -> Iterator[str]:
    """JVA and JV of "Joint Venture Agreement"."""
    words = [word.key for word in name_words(text) if word.key not in _IDLE]
    ends = [at for at, word in enumerate(words) if word in _TITLES]
    if ends:
        for first in range(max(0, ends[-1] - 4), ends[-1]):
            for last in (ends[-1] + 1, ends[-1]):
                short = initials(words[first:last])
                if 2 <= len(short) <= 5:
                    yield short


def _change(text: str) -> tuple[bool, int]:
    """True with its number where a name says that a document amends another."""
    words = [(word.key, word.written.casefold()) for word in name_words(text)]
    for at, (key, _) in enumerate(words):
        if key in CHANGES:
            before = words[at - 1][1] if at else ""
            after = [written for _, written in words[at + 1 : at + 3]]
            digits = next((int(each) for each in after if each.isdigit() and len(each) < 3), 0)
            return True, ordinal(before) or digits
    return False, 0


def ordinal(word: str) -> int:
    """The number that an ordinal says; 0 where the word is none."""
    if word in ORDINALS:
        return ORDINALS[word]
    digits = word.rstrip("stndrh")
    return int(digits) if digits != word and digits.isdigit() and len(digits) < 3 else 0
