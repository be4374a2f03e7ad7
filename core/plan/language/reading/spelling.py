"""Words that seem misspelt, read as the nearest word that the collection or the grammar knows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from core.encode.base import TokenCounter
from core.plan.language.lexicon.lexicon import Lexicon
from core.plan.language.lexicon.vocabulary import VERBS
from core.plan.language.lexicon.words import PHRASES
from core.plan.language.pieces import Token, stem
from core.text.analyse import STOP_WORDS
from core.values.months import month_number
from core.values.number_words import parse_cardinal, parse_ordinal

MIN_LETTERS = 5
_GRAMMAR = frozenset(word for key in (*PHRASES, *(verb.split() for verb in VERBS)) for word in key)


def corrected(
    tokens: Sequence[Token], lexicon: Lexicon, words: TokenCounter | None = None
) -> tuple[tuple[Token, ...], tuple[tuple[str, str], ...]]:
    """The tokens with misspelt ones replaced, and what was replaced by what.

    words: cuts texts into the tokens of a model; what is one of them is a word of the language, no mistake.
    """
    made, changes = [], []
    for token in tokens:
        better = _better(token, lexicon)
        if better and (words is None or len(words.offsets(token.word)) > 1):
            changes.append((token.text, better))
            made.append(replace(token, word=better, stem=stem(better)))
        else:
            made.append(token)
    return tuple(made), tuple(changes)


def _better(token: Token, lexicon: Lexicon) -> str:
    word = token.word
    if len(word) < MIN_LETTERS or not word.isalpha() or token.stem in lexicon.known:
        return ""
    if parse_cardinal(word) is not None or parse_ordinal(word) is not None or month_number(word):
        return ""
    if word in _GRAMMAR or word in STOP_WORDS or token.stem in STOP_WORDS:
        return ""
    return nearest(word, lexicon)


def nearest(word: str, lexicon: Lexicon) -> str:
    """The one known word that is a letter or two from `word`; "" where there is none, or several."""
    return _nearest(word, lexicon.words)


@lru_cache(maxsize=4_096)
def _nearest(word: str, words: frozenset[str]) -> str:
    from rapidfuzz.distance import OSA
    from rapidfuzz.process import extract

    edits = 1 if len(word) < 9 else 2
    pool = [each for each in words if abs(len(each) - len(word)) <= edits and each[0] == word[0]]
    found = extract(word, sorted(pool), scorer=OSA.distance, score_cutoff=edits, limit=8)
    best = {stem(each[0]): str(each[0]) for each in reversed(found) if each[1] == found[0][1]}
    if len(best) > 1:  # what the collection is about is likelier than a word of the grammar
        best = {key: each for key, each in best.items() if each not in _GRAMMAR}
    return next(iter(best.values())) if len(best) == 1 else ""
