"""Sentences of a text in words, with the terms that the index has of them."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache

from core.search.names import WORD
from core.text.analyse import STOP_WORDS, analyse
from core.text.sentences import split_sentences

_SPACES = str.maketrans(
    {"\u00a0": " ", "\u202f": " ", "\u2007": " ", "\u200b": None, "\ufeff": None, "\u00ad": None}
)


@dataclass(frozen=True, slots=True)
class WordToken:
    """A word of a sentence. word: in lower case without apostrophe; term: its stem, "" for a stop word."""

    word: str
    term: str
    written: str


@dataclass(frozen=True, slots=True)
class TokenSentence:
    """A sentence in words, with its terms counted."""

    text: str
    tokens: tuple[WordToken, ...]
    terms: Counter[str]


@lru_cache(maxsize=512)
def token_sentences(text: str) -> tuple[TokenSentence, ...]:
    """The sentences of a text, in order."""
    return tuple(_sentence(text[start:end]) for start, end in split_sentences(text))


def _sentence(text: str) -> TokenSentence:
    tokens = tuple(map(_token, WORD.findall(text)))
    return TokenSentence(text, tokens, Counter(token.term for token in tokens if token.term))


@lru_cache(maxsize=1 << 14)
def _token(written: str) -> WordToken:
    word = _bare(written.lower())
    stem = re.sub(r"['\u2019]s?$", "", written)
    terms = [] if _bare(stem.casefold()) in STOP_WORDS else analyse(stem)
    return WordToken(word, terms[0] if terms else "", written)


def _bare(word: str) -> str:
    return word.replace("'", "").replace("\u2019", "")


def plain_spaces(text: str) -> str:
    """The text with plain spaces, and without characters that nobody sees."""
    return text if text.isascii() else text.translate(_SPACES)
