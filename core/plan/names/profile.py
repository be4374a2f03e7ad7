"""Profile of a document's name: its words with their places, its sides, kind, days, and what it changes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from core.domain.document import file_stem
from core.plan.catalogue import DocumentEntry
from core.text.analyse import STOP_WORDS
from core.values.names import role_of
from core.values.naming.file_name import FileName, parse_file_name
from core.values.naming.words import NameWord, folded, humps, initials, key_of, list_keys, name_words
from core.values.numbers import parse_ordinal

_MOST_SIDES = 14


class NamePlace:
    """Places of a word in what is known of a document's name, as bits."""

    PARTY: Final = 1  # the name of a party or of somebody else in the opening
    SHORT: Final = 2  # what a party is called for short
    FILE: Final = 4  # the file's name, before its kind
    TITLE: Final = 8  # the title
    KIND: Final = 16  # what the document calls itself, or the file's kind
    CAPITAL: Final = 32  # another name in the opening
    WORD: Final = 64  # another telling word of the opening
    INITIALS: Final = 128  # first letters of a name or of the kind


@dataclass(frozen=True, slots=True)
class NameProfile:
    """Parts of a document's name.

    sides: the words of each name in it, blanks between words, `|` between sides. kind: the words of what it
    calls itself. days: ISO 8601, those of the opening; filed: those of the file name. changes: it amends
    another document; number: which amendment, 0 where nothing says. names: those of its file, title and
    heading without blanks and signs, that of the file first.
    """

    sides: str
    kind: str
    days: tuple[str, ...]
    filed: tuple[str, ...]
    changes: bool
    number: int
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReadProfile:
    """A profile with the words that it was read from. places: by word, as bits of `NamePlace`."""

    profile: NameProfile
    places: dict[str, int]


HEADS = list_keys("papers")
"""What any document may be called."""

LEGAL_FORMS = list_keys("forms")
CHANGES = list_keys("amendments")
RESTATED = key_of("restated")
"""What is amended and restated is a whole document, and changes no other."""
_TITLES = list_keys("titles")
_IDLE = frozenset(map(key_of, STOP_WORDS)) | {"by", "no"}


def profile_of(entry: DocumentEntry) -> ReadProfile:
    """The profile of a document."""
    opening = entry.opening
    parts = [*(part for name in opening.names for part in name), opening.heading]
    said = {word.key for part in parts for word in name_words(part)} - _IDLE
    said.update(opening.capitals.split(), opening.words.split())
    file = parse_file_name(entry.source, said)
    kinds = " ".join(file.kind)
    found = _Places()
    for party in entry.parties:
        found.add_side(party, NamePlace.PARTY)
    for name in opening.names:
        is_full = len(name) > 1 or " " in name[0]
        found.add_side(name[0], NamePlace.PARTY if is_full else NamePlace.SHORT)
        for short in name[1:]:
            found.add_side(short, NamePlace.SHORT)
    if file.owner:
        found.add_side(" ".join(file.owner), NamePlace.FILE)
    kind = _kind_of(entry, file)
    found.add(kind, NamePlace.KIND)
    found.add(_keys(name_words(entry.title)), NamePlace.TITLE)
    found.add(_keys(name_words(kinds)), NamePlace.TITLE)
    for text in (opening.heading, entry.title, kinds):
        found.add(_kind_initials(text), NamePlace.INITIALS)
    found.add((word.key for exhibit in file.numbers for word in name_words(exhibit)), NamePlace.TITLE)
    found.add(opening.capitals.split(), NamePlace.CAPITAL)
    found.add(opening.words.split(), NamePlace.WORD)
    number, changing = change_in(name_words(f"{opening.heading} | {entry.title} | {kinds}"))
    sides = "|".join(" ".join(side) for side in list(found.sides)[:_MOST_SIDES])
    names = dict.fromkeys(map(as_one, (file_stem(entry.source), entry.title, entry.name, opening.heading)))
    profile = NameProfile(
        sides, " ".join(sorted(kind)), opening.days, file.days, bool(changing), number, tuple(names)
    )
    return ReadProfile(profile, found.places)


def as_one(text: str) -> str:
    """A name without blanks and signs."""
    return "".join(word.key for word in name_words(text))


class _Places:
    """Words by their places, and the sides that they make up."""

    def __init__(self) -> None:
        self.places: dict[str, int] = {}
        self.sides: dict[tuple[str, ...], None] = {}

    def add(self, keys: Iterable[str], place: int) -> None:
        """Note that some words stand in a place."""
        for key in keys:
            self.places[key] = self.places.get(key, 0) | place

    def add_side(self, name: str, place: int) -> None:
        """Note the name of a party, of a file's owner or of somebody else."""
        words = [word for word in name_words(name) if word.key not in _IDLE]
        telling = [word for word in words if word.key not in LEGAL_FORMS] or words
        if not telling or role_of(name):
            return
        self.sides[tuple(sorted({word.key for word in telling}))] = None
        self.add((word.key for word in words), place)
        self.add((folded(word.written) for word in telling), place)
        self.add((key_of(part) for word in telling for part in humps(word.written) if len(part) > 2), place)
        self.add(_glued(telling), place)
        if len(words) > len(telling):
            self.add(_glued(words[:2]), place)
        if place == NamePlace.FILE:
            self.add(("".join(folded(word.written) for word in words),), place)
        if len(telling) > 1:
            groups = (telling, words, name_words(name))
            shorts = [initials([word.key for word in group]) for group in groups]
            shorts += [short[:size] for short in shorts[:1] for size in range(3, len(short))]
            self.add((short for short in shorts if 2 <= len(short) <= 6), NamePlace.INITIALS)


def _glued(words: Sequence[NameWord]) -> Iterator[str]:
    """Words written as one: the first two, and the whole name."""
    if len(words) > 1:
        yield folded(words[0].written) + folded(words[1].written)
    if len(words) > 2:
        yield "".join(folded(word.written) for word in words)


def _keys(words: Iterable[NameWord]) -> Iterator[str]:
    last = ""
    for word in words:
        if word.key not in _IDLE and word.key not in LEGAL_FORMS:
            yield word.key
            yield from (key_of(part) for part in humps(word.written) if len(part) > 2)
        if word.joined:
            yield key_of(last + folded(word.written))
        last = folded(word.written)


def _kind_of(entry: DocumentEntry, file: FileName) -> frozenset[str]:
    heading = entry.opening.heading
    owners = {key_of(word) for word in file.owner}
    words = set(_keys(name_words(heading)))
    if file.kind != file.owner:
        words.update(_keys(name_words(" ".join(file.kind))))
    title = name_words(entry.title)
    ends = [at for at, word in enumerate(title) if word.key in _TITLES]
    if ends and not heading:
        words.update(_keys(title[max(0, ends[0] - 4) : ends[-1] + 1]))
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


def change_in(words: Sequence[NameWord]) -> tuple[int, frozenset[int]]:
    """The number of the amendment that a name says, 0 for none, with the places of the words that say so.

    No places of a name that amends nothing.
    """
    at = next((at for at, word in enumerate(words) if word.key in CHANGES), None)
    if at is None or any(word.key == RESTATED for word in words):
        return 0, frozenset()
    if at and (number := parse_ordinal(words[at - 1].written)):
        return number, frozenset((at - 1, at))
    behind = range(at + 1, min(at + 3, len(words)))
    for place in behind:
        if words[place].written.isdecimal() and len(words[place].written) < 3:
            return int(words[place].written), frozenset((at, place))
    return 0, frozenset((at,))
