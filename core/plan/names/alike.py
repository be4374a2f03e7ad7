"""Documents that words name alike: what tells them apart, and which of them the rest of a question means."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.plan.catalogue import DocumentEntry
from core.plan.names.index import NameIndex
from core.plan.names.naming import Sort, parse_naming
from core.plan.names.profile import NamePlace, as_one
from core.plan.names.resolve import resolve
from core.text.words import word_list

_BETWEEN = " · "
_MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
_OWN = NamePlace.PARTY | NamePlace.SHORT | NamePlace.FILE
_MOST_PARTIES = 2
_DATED = "|".join(each.replace("_", r"\s{1,4}") for each in sorted(word_list("naming", "dated")))
_BEHIND = re.compile(
    rf"\s{{0,4}},?\s{{0,4}}\(?\s{{0,4}}(?:{_DATED})\s{{1,4}}(?:the\s{{1,4}})?(?P<day>[^,;:?!)]+)",
    re.IGNORECASE,
)
_BEFORE = re.compile(r"(?P<day>\b(?:(?:[A-Z][a-z]{2,8}|\d{1,2})\s+){0,2}(?:19|20)\d\d)\s+$")
_BEHIND_BARE = re.compile(r"\s*\(?(?P<day>(?:19|20)\d\d)\)?(?=\s|[?.!,;:]|$)")


def told_apart(documents: Sequence[DocumentEntry]) -> tuple[str, ...]:
    """A label for each document, each another: the title, with what differs of those that share it.

    What differs is the parties that not all of them have, then the day in the opening, then the file's name.
    """
    titles = Counter(each.name for each in documents)
    made: dict[str, str] = {}
    for title, count in titles.items():
        alike = [each for each in documents if each.name == title]
        labels = [title] if count == 1 else _apart(alike)
        made.update({each.id: label for each, label in zip(alike, labels, strict=True)})
    return tuple(made[each.id] for each in documents)


def _apart(alike: Sequence[DocumentEntry]) -> list[str]:
    """Labels of documents of one title."""
    parts: list[list[str]] = [[each.name] for each in alike]
    tellers: tuple[Callable[[DocumentEntry], str], ...] = (
        _own_parties(alike),
        lambda each: _day(each.opening.days[0]) if each.opening.days else "",
        lambda each: each.source.replace("\\", "/").rsplit("/", 1)[-1],
        lambda each: each.source,
        lambda each: each.id,
    )
    for place, tell in enumerate(tellers):
        said = [tell(each) for each in alike]
        is_whole = len({tuple(each) for each in parts}) == len(alike)
        if len(set(said)) > 1 and not (is_whole and place > 1):
            for part, text in zip(parts, said, strict=True):
                part += [text] if text else []
    return [_BETWEEN.join(each) for each in parts]


def _own_parties(alike: Sequence[DocumentEntry]) -> Callable[[DocumentEntry], str]:
    """The parties of a document that not all of those alike have."""
    shared = set.intersection(*(set(_parties(each)) for each in alike))
    return lambda each: ", ".join([name for name in _parties(each) if name not in shared][:_MOST_PARTIES])


def _parties(entry: DocumentEntry) -> tuple[str, ...]:
    """The parties as the opening writes them; as they are compared where it names none."""
    return tuple(name[0] for name in entry.opening.names) or entry.parties


def _day(text: str) -> str:
    """`9 Feb 2024` of `2024-02-09`; months and years as they are known."""
    year, *rest = text.split("-")
    month = [_MONTHS[int(rest[0]) - 1]] if rest else []
    return " ".join([*(str(int(day)) for day in rest[1:]), *month, year])


@dataclass(frozen=True, slots=True)
class DecidedName:
    """The document of several alike that a question means, and where it says so: question[start:end].

    These are the words that name it, with the day beside them where that decides.
    """

    document: DocumentEntry
    start: int
    end: int


def decided_by(
    question: str, phrase: str, documents: Sequence[DocumentEntry], index: NameIndex
) -> DecidedName | None:
    """The document that the day or year beside a name, or a party elsewhere in the question, decides for."""
    place = place_of(question, phrase)
    if place is None:
        return None
    rows = {each.id: row for row, each in enumerate(index.entries) if each in documents}
    for start, end, said in _days_beside(question, *place):
        days = parse_naming(said, index).days
        if days and (one := _only(documents, lambda each, days=days: _is_of(each, days, index, rows))):  # type: ignore[misc]
            return DecidedName(one, start, end)
    own = parse_naming(phrase, index).words
    for word in parse_naming(question, index).words:
        is_said = question[word.start].isupper() or bool(_JOINT.search(question[: word.start]))
        if word.sort is not Sort.NAME or not is_said or word.key in {each.key for each in own}:
            continue
        keys = [each.word for each in word.variants if each.likeness == 1.0]
        one = _only(documents, lambda each, keys=keys: _has(each, keys, index, rows))  # type: ignore[misc]
        if one is not None:
            return DecidedName(one, *place)
    return None


@dataclass(frozen=True, slots=True)
class NamedDocuments:
    """The documents that words of a question name: question[start:end]."""

    documents: tuple[DocumentEntry, ...]
    start: int
    end: int


def named_in(question: str, index: NameIndex) -> NamedDocuments | None:
    """The documents that a question names before a colon ("2024 charter: hire"), or by a title of several.

    The words before the colon name all of them as one; the title stands behind an article, and few have it.
    """
    head = _HEAD.match(question)
    if head is not None and not _CLAUSE.search(head["name"]):
        titled = index.titled(as_one(head["name"]))
        if len(titled) == 1:
            return NamedDocuments((index.entries[titled[0]],), *head.span("name"))
        found = resolve(head["name"], index)
        is_name = _is_telling(head["name"], found.documents, index)
        if is_name and not found.unheld and len(found.documents) <= _FEW:
            return NamedDocuments(found.documents, *head.span("name"))
    for article in _ARTICLES.finditer(question):
        words = list(_WORDS.finditer(question, article.end()))[:_LONGEST]
        for last in reversed(range(1, len(words))):
            start, end = words[0].start(), words[last].end()
            rows = index.titled(as_one(question[start:end]))
            if 1 < len(rows) <= _FEW:
                return NamedDocuments(tuple(index.entries[row] for row in rows), start, end)
    return None


def _is_telling(name: str, documents: Sequence[DocumentEntry], index: NameIndex) -> bool:
    """True where words are sure to name documents: a party, or several words, or one with a day."""
    naming = parse_naming(name, index)
    if not documents or len(naming.words) + len(naming.days) > 1:
        return bool(documents)
    keys = [each.word for word in naming.words for each in word.variants if each.likeness == 1.0]
    rows = {each.id: row for row, each in enumerate(index.entries) if each in documents}
    return all(_has(each, keys, index, rows, NamePlace.PARTY | NamePlace.SHORT) for each in documents)


_JOINT = re.compile(r"\b(?:with|from|by|between|for|of)\s+(?:\w+\s+)?$", re.IGNORECASE)
_HEAD = re.compile(r"(?P<name>[^:?!]{3,60}?)\s{0,8}:\s{1,8}(?=\S)")
_CLAUSE = re.compile(  # a head that chooses documents, and names none
    rf",|\bor\b|\b(?:{'|'.join(sorted(word_list('reading', 'restricting')))})\b"
    rf"|\bas\s+(?:an?\s+|the\s+)?(?:{'|'.join(sorted(word_list('naming', 'roles')))})\b"
    rf"|\b(?:{'|'.join(sorted(f'{each}s' for each in word_list('naming', 'papers', 'titles')))})\b",
    re.IGNORECASE,
)
_ARTICLES = re.compile(r"\b(?:the|our|this|that)\s+", re.IGNORECASE)
_WORDS = re.compile(r"[^\s,;:?!.]+")
_LONGEST = 10
_FEW = 8


def place_of(question: str, phrase: str) -> tuple[int, int] | None:
    """Start and end of some words in a question, whole words alone; None where they do not stand in it."""
    found = re.search(rf"(?<!\w){re.escape(phrase)}(?!\w)", question, re.IGNORECASE) if phrase else None
    return found.span() if found is not None else None


def _days_beside(question: str, start: int, end: int) -> list[tuple[int, int, str]]:
    """Parts of a question that hold a name and a day in it or beside it, and the words of that day."""
    places = [(start, end, question[start:end])]
    for pattern in (_BEHIND, _BEHIND_BARE):
        behind = pattern.match(question, end)
        if behind is not None:
            places.append((start, behind.end("day"), behind["day"]))
    before = _BEFORE.search(question[:start])
    if before is not None:
        places.append((before.start("day"), end, before["day"]))
    return places


def _only(documents: Sequence[DocumentEntry], fits: Callable[[DocumentEntry], bool]) -> DocumentEntry | None:
    """The one document that fits; None where none does, or several do."""
    fitting = [each for each in documents if fits(each)]
    return fitting[0] if len(fitting) == 1 else None


def _is_of(entry: DocumentEntry, days: Sequence[str], index: NameIndex, rows: dict[str, int]) -> bool:
    """True where the first day of a document's opening, or one of its file's name, is within all of these."""
    row = rows.get(entry.id)
    filed = index.profiles[row].filed if row is not None else ()
    own = (*entry.opening.days[:1], *filed)
    return all(any(each.startswith(day) for each in own) for day in days)


def _has(
    entry: DocumentEntry, keys: Sequence[str], index: NameIndex, rows: dict[str, int], places: int = _OWN
) -> bool:
    row = rows.get(entry.id)
    return row is not None and any(index.places(row, key) & places for key in keys)
