"""Check of a claim's negations: what it denies is denied in the sentence that it rests on, and only that."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from core.answer.prose.checks.align import AlignedSentence, Token, TokenSentence
from core.domain.answer import Check
from core.text.words import word_list

_LATER = frozenset(
    {"later", "earlier", "less", "more", "fewer", "limited", "only", "exceed", "least", "most", "than"}
)
_NEAR = 0.5
_DENIES_BY_ITSELF = 0.34


def check_negation(aligned: Sequence[AlignedSentence]) -> Check:
    """Negations of each sentence of a claim against the sentences that say most of it."""
    faults = [fault for pair in aligned if (fault := _fault(pair))]
    return Check(name="negation", ok=not faults, detail="; ".join(faults))


def _fault(pair: AlignedSentence) -> str:
    """The fault of one sentence; "" where a source as close as the best one agrees with it."""
    if not pair.sources or pair.coverage[0] == 0:
        return ""
    least = pair.coverage[0] - 1e-9
    faults = [
        _difference(pair.claim, source, coverage)
        for source, coverage in zip(pair.sources, pair.coverage, strict=True)
        if coverage >= least
    ]
    return "" if "" in faults else faults[0]


def _difference(claim: TokenSentence, source: TokenSentence, coverage: float) -> str:
    ours, theirs = denied(claim), denied(source)
    for head, count in ours.items():
        if count <= theirs[head]:
            continue
        occurs = sum(token.word == head or token.term == head for token in source.tokens)
        if occurs and not _is_refused(source, head):
            return f"denies {head!r}, which the source does not deny"
        if coverage >= _DENIES_BY_ITSELF and not theirs and not _refuses(source):
            return f"denies {head!r}; the source denies nothing"
    for head, count in theirs.items():
        if count <= ours[head] or coverage < _NEAR:
            continue
        plain = sum(token.word == head or token.term == head for token in claim.tokens) - ours[head]
        plain_there = sum(token.word == head or token.term == head for token in source.tokens) - count
        if plain > plain_there and not _refuses(claim):
            return f"states {head!r}, which the source denies"
    return ""


def denied(sentence: TokenSentence) -> Counter[str]:
    """The word or term after each negation of a sentence, and how often it is denied there."""
    cues = word_list("claims", "negations")
    heads: Counter[str] = Counter()
    for at, token in enumerate(sentence.tokens):
        if _denies(token, cues):
            heads[_head(sentence.tokens, at)] += 1
    return heads


def _denies(token: Token, cues: frozenset[str]) -> bool:
    return token.word in cues


def _head(tokens: Sequence[Token], at: int) -> str:
    """What a negation denies: the first telling word after it, else the word right before it."""
    for token in tokens[at + 1 : at + 5]:
        if token.term or token.word in _LATER:
            return token.term or token.word
    return tokens[at + 1].word if at + 1 < len(tokens) else tokens[at - 1].word


def _is_refused(source: TokenSentence, head: str) -> bool:
    refusals = word_list("claims", "refusals") | word_list("claims", "negations")
    for at, token in enumerate(source.tokens):
        if token.word in refusals:
            window = source.tokens[at + 1 : at + 9]
            if any(head in (each.word, each.term) for each in window):
                return True
    return False


def _refuses(sentence: TokenSentence) -> bool:
    refusals = word_list("claims", "refusals") | word_list("claims", "negations")
    return any(token.word in refusals for token in sentence.tokens)
