"""Check of a claim's negations: what it denies is denied in the sentence that it rests on, and only that."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from core.answer.prose.checks.align import AlignedSentence, TokenSentence, WordToken, token_sentences
from core.domain.answer import Check
from core.text.words import word_list

_LIMITS = word_list("claims", "limits")
_NEAR = 0.5
_DENIES_ALONE = 0.34
_SCOPE = 8  # words after a negation that it may be about
_BEFORE, _BEHIND = 3, 2  # words around a negation by which its place is known elsewhere


def check_negation(aligned: Sequence[AlignedSentence], text: str, sources: Sequence[str]) -> Check:
    """Negations of each sentence of a claim against the sentences that say most of it.

    First places that a source has word for word, but for the negation; then what each negation is about.
    """
    faults = [*_changed_places(text, sources), *(fault for pair in aligned if (fault := _fault(pair)))]
    return Check(name="negation", ok=not faults, detail="; ".join(dict.fromkeys(faults)))


def _changed_places(text: str, sources: Sequence[str]) -> list[str]:
    ours = _words(text)
    theirs = [_words(source) for source in sources]
    here, there = _line(ours), [_line(words) for words in theirs]
    faults = [
        f"adds {cue!r} where the source has none"
        for cue, with_cue, without in _places(ours)
        if any(without in line for line in there) and not any(with_cue in line for line in there)
    ]
    faults += [
        f"leaves out {cue!r} of the source"
        for words in theirs
        for cue, with_cue, without in _places(words)
        if without in here and with_cue not in here and not any(without in line for line in there)
    ]
    return faults


def _words(text: str) -> list[str]:
    return [token.word for sentence in token_sentences(text) for token in sentence.tokens]


def _line(words: Sequence[str]) -> str:
    return f" {' '.join(words)} "


def _places(words: Sequence[str]) -> list[tuple[str, str, str]]:
    """Each negation with the words around it, with it and without it."""
    cues = word_list("claims", "negations")
    found = []
    for at, word in enumerate(words):
        before, after = words[max(0, at - _BEFORE) : at], words[at + 1 : at + 1 + _BEHIND]
        if word in cues and len(before) + len(after) > _BEHIND:
            found.append((word, _line([*before, word, *after]), _line([*before, *after])))
    return found


def _fault(pair: AlignedSentence) -> str:
    if pair.best_coverage == 0:
        return ""
    return pair.fault(lambda claim, source: _difference(claim, source, pair.best_coverage))


def _difference(claim: TokenSentence, source: TokenSentence, coverage: float) -> str:
    ours, theirs = _denied(claim), _denied(source)
    for head, count in ours.items():
        if count <= theirs[head]:
            continue
        if head in source.terms:
            if _negators(claim, head) > _negators(source, head):
                return f"denies {head!r}, which the source does not deny"
        elif coverage >= _DENIES_ALONE and not _refuses(source):
            return f"denies {head!r}; the source denies nothing"
    for head, count in theirs.items():
        if count <= ours[head] or coverage < _NEAR or head not in claim.terms:
            continue
        is_plain = claim.terms[head] - ours[head] > source.terms[head] - count
        if is_plain and _negators(claim, head) < _negators(source, head) and not _says_only(claim, theirs):
            return f"states {head!r}, which the source denies"
    return ""


def _denied(sentence: TokenSentence) -> Counter[str]:
    """The telling word that each negation of a sentence is about, and how often it is denied there."""
    cues = word_list("claims", "negations")
    places = (at for at, token in enumerate(sentence.tokens) if token.word in cues)
    return Counter(head for at in places if (head := _head(sentence.tokens, at)))


def _head(tokens: Sequence[WordToken], at: int) -> str:
    """The first telling word after a negation; "" where it limits ("no later than") or nothing follows."""
    for token in tokens[at + 1 : at + 5]:
        if token.word in _LIMITS:
            return ""
        if token.term:
            return token.term
    return ""


def _negators(sentence: TokenSentence, head: str) -> int:
    """Negations and refusals in whose reach the occurrences of a word stand, counted together."""
    words = word_list("claims", "refusals") | word_list("claims", "negations")
    places = [at for at, token in enumerate(sentence.tokens) if token.term == head]
    return sum(token.word in words for at in places for token in sentence.tokens[max(0, at - _SCOPE) : at])


def _refuses(sentence: TokenSentence) -> bool:
    words = word_list("claims", "refusals") | word_list("claims", "negations")
    return any(token.word in words for token in sentence.tokens)


def _says_only(claim: TokenSentence, theirs: Counter[str]) -> bool:
    """True where the claim says "only with" for a source's "not without"."""
    words = {token.word for token in claim.tokens}
    return theirs.total() > 1 and bool(words & {"only", "requires", "require", "required", "needs", "needed"})
