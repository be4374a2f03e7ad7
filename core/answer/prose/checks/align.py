"""Alignment of a claim's sentences with the sentences of what it rests on, by the terms that they share."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from core.text.analyse import STOP_WORDS, analyse
from core.text.sentences import split_sentences

_WORD = re.compile(r"[^\W_]+(?:[-'\u2019.&][^\W_]+)*")


@dataclass(frozen=True, slots=True)
class WordToken:
    """A word of a sentence. word: in lower case without apostrophe; term: its stem, "" for a stop word."""

    word: str
    term: str
    written: str
    start: int


@dataclass(frozen=True, slots=True)
class TokenSentence:
    """A sentence in words, with its terms counted."""

    text: str
    tokens: tuple[WordToken, ...]
    terms: Counter[str]


@dataclass(frozen=True, slots=True)
class AlignedSentence:
    """A sentence of the claim, with those of the sources that say most of it, best first.

    coverage: share of the claim's terms that each of them has.
    """

    claim: TokenSentence
    sources: tuple[TokenSentence, ...]
    coverage: tuple[float, ...]

    @property
    def best_coverage(self) -> float:
        """Coverage of the best source; 0 where there is none."""
        return self.coverage[0] if self.coverage else 0.0

    def fault(self, compare: Callable[[TokenSentence, TokenSentence], str]) -> str:
        """The fault of the sentence; "" where a source as close as the best one agrees with it.

        compare: the fault of a claim's sentence against one source, "" for none.
        """
        least = self.best_coverage - 1e-9
        pairs = zip(self.sources, self.coverage, strict=True)
        faults = [compare(self.claim, source) for source, coverage in pairs if coverage >= least]
        return "" if "" in faults else next(iter(faults), "")


@lru_cache(maxsize=512)
def token_sentences(text: str) -> tuple[TokenSentence, ...]:
    """The sentences of a text, in order."""
    return tuple(_sentence(text[start:end]) for start, end in split_sentences(text))


def _sentence(text: str) -> TokenSentence:
    tokens = tuple(_token(match[0], match.start()) for match in _WORD.finditer(text))
    return TokenSentence(text, tokens, Counter(token.term for token in tokens if token.term))


def _token(written: str, start: int) -> WordToken:
    word = written.lower().replace("'", "").replace("\u2019", "")
    return WordToken(word, _term(written), written, start)


@lru_cache(maxsize=1 << 14)
def _term(written: str) -> str:
    bare = re.sub(r"['\u2019]s?$", "", written)
    if bare.casefold().replace("'", "").replace("\u2019", "") in STOP_WORDS:
        return ""
    terms = analyse(bare)
    return terms[0] if terms else ""


def align(text: str, sources: Sequence[str], *, top: int = 3) -> list[AlignedSentence]:
    """Each sentence of a claim with the `top` sentences that share most with it; without words, none."""
    pool = [sentence for source in sources for sentence in token_sentences(source)]
    return [_aligned(sentence, pool, top) for sentence in token_sentences(text) if sentence.tokens]


def _aligned(claim: TokenSentence, pool: Sequence[TokenSentence], top: int) -> AlignedSentence:
    total = claim.terms.total() or 1
    words = {token.word for token in claim.tokens}
    scored = []
    for number, source in enumerate(pool):
        shared = (claim.terms & source.terms).total()
        common = len(words & {token.word for token in source.tokens}) if shared else 0
        length = abs(len(source.tokens) - len(claim.tokens))
        scored.append((-shared, -common, length, number))
    best = sorted(scored)[:top]
    return AlignedSentence(
        claim, tuple(pool[each[3]] for each in best), tuple(-each[0] / total for each in best)
    )
