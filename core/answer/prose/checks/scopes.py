"""Check of words that narrow or widen a statement: only, solely, all, always."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from core.answer.prose.checks.align import AlignedSentence, token_sentences
from core.domain.answer import Check
from core.text.words import word_list

_BEFORE, _BEHIND = 3, 2  # words around by which a place is known elsewhere
_NEAR = 0.6
_EVERY = frozenset({"each", "both", "either", "all", "every"})


def check_scopes(aligned: Sequence[AlignedSentence], text: str, sources: Sequence[str]) -> Check:
    """Narrowing and widening words added, left out or put for others between the words of a source.

    Also "only" in words of the claim's own, where its best source restricts nothing.
    """
    ours, theirs = _words(text), [_words(source) for source in sources]
    faults = [
        *(f"adds {cue!r}" for cue, around in _cues(ours) if not _has_any(around, cue, theirs)),
        *(
            f"leaves out {cue!r}"
            for words in theirs
            for cue, around in _cues(words)
            if not _has_any(around, cue, [ours]) and not _stands(around, (), theirs)
        ),
        *(compare(pair) for pair in aligned for compare in (_narrowed, _shut_out, _let_in, _widened)),
    ]
    faults = [fault for fault in faults if fault]
    return Check(name="scopes", ok=not faults, detail="; ".join(dict.fromkeys(faults)))


_Around = tuple[tuple[str, ...], tuple[str, ...]]


def _cues(words: Sequence[str]) -> Iterator[tuple[str, _Around]]:
    cues = word_list("claims", "scopes")
    if cues.isdisjoint(words):
        return
    for at, word in enumerate(words):
        before, after = tuple(words[max(0, at - _BEFORE) : at]), tuple(words[at + 1 : at + 1 + _BEHIND])
        if word in cues and len(before) + len(after) > _BEHIND + 1:
            yield word, (before, after)


def _has_any(around: _Around, cue: str, others: Sequence[Sequence[str]]) -> bool:
    """True where the place is nowhere without the cue, or is somewhere with it."""
    if _stands(around, (cue,), others):
        return True
    return not _stands(around, (), others) and not _stands(around, None, others)


def _stands(around: _Around, between: tuple[str, ...] | None, others: Sequence[Sequence[str]]) -> bool:
    """True where the words around stand in one of the others with this between; None: with any one word."""
    before, after = around
    for words in others:
        if not {*before, *after} <= set(words):
            continue
        gap = 1 if between is None else len(between)
        size = len(before) + gap + len(after)
        for at in range(len(words) - size + 1):
            middle = at + len(before)
            if (
                tuple(words[at:middle]) == before
                and tuple(words[middle + gap : at + size]) == after
                and (between is None or tuple(words[middle : middle + gap]) == between)
            ):
                return True
    return False


@lru_cache(maxsize=512)
def _words(text: str) -> tuple[str, ...]:
    return tuple(token.word for sentence in token_sentences(text) for token in sentence.tokens)


def _widened(pair: AlignedSentence) -> str:
    """The fault of a claim on every party where the sentence that it rests on speaks of one of them."""
    said = _words(pair.claim.text)
    if pair.best_coverage < _NEAR or not _is_of_all(said):
        return ""
    least = pair.best_coverage - 1e-9
    best = [each for each, coverage in zip(pair.sources, pair.coverage, strict=True) if coverage >= least]
    told = {token.word for source in best for token in source.tokens}
    return "" if told & word_list("claims", "of_all_parties") else "is on every party; the source on one"


def _is_of_all(words: Sequence[str]) -> bool:
    return any(one in _EVERY and other.startswith("part") for one, other in pairwise(words))


def _shut_out(pair: AlignedSentence) -> str:
    """The fault of "only X may" and "X alone may" where no source keeps others out."""
    words = _words(pair.claim.text)
    is_said = words[:1] == ("only",) or any(
        one == "alone" and other in word_list("asking", "auxiliaries") for one, other in pairwise(words)
    )
    if pair.best_coverage < _NEAR or not is_said:
        return ""
    told = {token.word for token in pair.sources[0].tokens}
    return (
        ""
        if told & word_list("claims", "excluding_others")
        else "says 'only' of whom the source keeps not alone"
    )


def _let_in(pair: AlignedSentence) -> str:
    """The fault of "anybody may" where the source says "only X may"."""
    said = set(_words(pair.claim.text)) & word_list("claims", "anybody")
    told = {token.word for source in pair.sources[:1] for token in source.tokens}
    is_wider = said and not told & said and told & {"only", "solely", "exclusively"}
    return f"says {min(said)!r} where the source says 'only'" if is_wider else ""


def _narrowed(pair: AlignedSentence) -> str:
    said = {token.word for token in pair.claim.tokens}
    if pair.best_coverage < _NEAR or not said & {"only", "solely", "exclusively"}:
        return ""
    told = {token.word for source in pair.sources for token in source.tokens}
    return (
        "" if told & word_list("claims", "restricting") else "says 'only' where the source restricts nothing"
    )
