"""Nearness of short texts to a question by the words that begin alike, the rarer ones counting more.

Cheaper than the analyser of the index: thousands of fields, values and names are ranked in milliseconds.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence

from core.text.analyse import STOP_WORDS

_JOINTS = re.compile(r"[\W_]+")
_OF_QUESTIONS = frozenset(
    (
        "most", "least", "more", "less", "than", "per", "over", "under", "between", "highest", "lowest",
        "biggest", "largest", "smallest", "many", "much", "list", "show", "give", "get", "every", "all",
        "any", "there", "one",
    )
)  # fmt: skip
_MOST_STEMS = 40  # of a question; a whole page that is pasted has more


def _plain(text: str) -> str:
    """The words of a text between single blanks, with a blank before the first."""
    return " " + _JOINTS.sub(" ", text.casefold()).strip()


def stems_of(question: str) -> tuple[str, ...]:
    """Beginnings of the words of a question that tell something, each after a blank."""
    words = dict.fromkeys(_plain(question).split())
    telling = (
        each
        for each in words
        if each not in STOP_WORDS and each not in _OF_QUESTIONS and (len(each) > 1 or each.isdigit())
    )
    return tuple(dict.fromkeys(f" {_stem(each)}" for each in telling))[:_MOST_STEMS]


def _stem(word: str) -> str:
    if word[0].isdigit():
        return word
    if len(word) <= 4:
        return word.removesuffix("s") if len(word) > 3 else word
    return word[: max(4, min(6, len(word) - 2))]


class NearTexts:
    """Texts that are ranked by a question. Immutable."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._texts = tuple(map(_plain, texts))

    def __len__(self) -> int:
        return len(self._texts)

    def scores(self, stems: Sequence[str], *, most: int | None = None) -> list[float]:
        """How near each text is, in order; 0 where no word is shared.

        most: of the texts that share a word; one that more share counts for nothing. None for any number.
        """
        scores = [0.0] * len(self._texts)
        for stem in stems:
            rows = [at for at, text in enumerate(self._texts) if stem in text]
            if not rows or (most is not None and len(rows) > most):
                continue
            weight = math.log(1 + (len(self._texts) + 1) / len(rows))
            for at in rows:
                scores[at] += weight
        return scores


def nearest(scores: Sequence[float], most: int) -> list[int]:
    """Rows with a score above 0, the highest first, those before in order among equals."""
    rows = sorted((at for at, score in enumerate(scores) if score > 0), key=lambda at: -scores[at])
    return rows[:most]
