"""Documents that words name alike: what tells them apart, and where a question names them."""

from __future__ import annotations

import re
from calendar import month_abbr
from collections import Counter
from collections.abc import Callable, Sequence

from core.plan.catalogue import DocumentEntry

_BETWEEN = " · "
_MOST_PARTIES = 2


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
    month = [month_abbr[int(rest[0])]] if rest else []
    return " ".join([*(str(int(day)) for day in rest[1:]), *month, year])


def place_of(question: str, phrase: str) -> tuple[int, int] | None:
    """Start and end of some words in a question, whole words alone; None where they do not stand in it."""
    found = re.search(rf"(?<!\w){re.escape(phrase)}(?!\w)", question, re.IGNORECASE) if phrase else None
    return found.span() if found is not None else None
