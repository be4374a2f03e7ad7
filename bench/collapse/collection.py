"""One collection in three sizes, each within the next: what answers first, then what stands beside it."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence

from bench.collapse.pieces import Piece
from bench.collapse.questions import CollapseQuestion

SHINGLE = 8  # words
COPY = 0.5
"""Share of a gold place's shingles that makes another document a copy of it, which would answer as well."""


def arranged(pieces: Iterable[Piece], questions: Sequence[CollapseQuestion]) -> list[Piece]:
    """The documents in the order in which collections of any size take them: gold, then others by a hash.

    Texts that are there already, and copies of gold places, are left out.
    """
    by_path = {piece.path: piece for piece in pieces}
    gold = {path: by_path[path] for each in questions for path in each.documents}
    copies = _Copies(gold, questions)
    seen = {piece.body for piece in gold.values()}
    others = []
    for piece in sorted(by_path.values(), key=lambda each: hashlib.sha256(each.path.encode()).digest()):
        if piece.path not in gold and piece.body not in seen and not copies.has(piece.body):
            seen.add(piece.body)
            others.append(piece)
    return [*sorted(gold.values(), key=lambda each: each.path), *others]


class _Copies:
    """Knows the shingles of all gold places."""

    def __init__(self, gold: dict[str, Piece], questions: Iterable[CollapseQuestion]) -> None:
        places = {place for each in questions for place in each.gold}
        self._sizes: list[int] = []
        self._holders: dict[int, list[int]] = defaultdict(list)
        for number, place in enumerate(sorted(places, key=lambda each: (each.source, each.start))):
            found = set(shingles(gold[place.source].text[place.start : place.end]))
            self._sizes.append(len(found))
            for each in found:
                self._holders[each].append(number)

    def has(self, text: str) -> bool:
        """True of a text that holds much of one gold place."""
        shared = Counter(number for each in set(shingles(text)) for number in self._holders.get(each, ()))
        return any(count >= COPY * self._sizes[number] for number, count in shared.items())


def shingles(text: str) -> Iterator[int]:
    """Hashes of every run of SHINGLE words, of all words where they are fewer."""
    words = [word.strip(".,;:()\"'\u201c\u201d") for word in text.casefold().split()]
    for start in range(max(1, len(words) - SHINGLE + 1)):
        yield hash(tuple(words[start : start + SHINGLE]))
