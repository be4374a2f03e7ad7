"""Check of a claim's negations: what it denies is denied in the sentence that it rests on, and only that."""

from __future__ import annotations

from collections.abc import Sequence

from core.answer.prose.checks.align import AlignedSentence, token_sentences
from core.answer.prose.checks.polarity import Denial, PolarSentence, polar
from core.domain.answer import Check
from core.text.antonyms.lookup import denied_base, opposites_of
from core.text.words import word_list

_NEAR = 0.5
_DENIES_ALONE = 0.34
_TOLD = 2  # words that a source denies and a claim states, where it denies as many
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
    cues = word_list("claims", "denials", "negations")
    found = []
    for at, word in enumerate(words):
        before, after = words[max(0, at - _BEFORE) : at], words[at + 1 : at + 1 + _BEHIND]
        if word in cues and len(before) + len(after) > _BEHIND:
            found.append((word, _line([*before, word, *after]), _line([*before, *after])))
    return found


def _fault(pair: AlignedSentence) -> str:
    if pair.best_coverage == 0:
        return ""
    return pair.fault(lambda claim, source: _difference(polar(claim), polar(source), pair.best_coverage))


def _difference(claim: PolarSentence, source: PolarSentence, coverage: float) -> str:
    for denial in claim.denials:
        told = _agreement(denial, claim, source)
        if _is_excepted(denial, claim, source):
            continue
        if told and not any(told.values()) and (coverage >= _NEAR or len(told) >= _TOLD):
            return f"denies {next(iter(told))!r}, which the source does not deny"
        is_silent = not any(source.says(claim.tokens[at].word) for at in denial.focus)
        if is_silent and coverage >= _DENIES_ALONE and not source.is_negative:
            return f"denies {claim.tokens[denial.focus[0]].word!r}; the source denies nothing"
    if coverage < _NEAR or _is_turned(claim, source):
        return ""
    for denial in source.denials:
        told = _agreement(denial, source, claim)
        is_told = len(told) >= min(_TOLD, len(_telling(denial, source))) and not any(told.values())
        if told and is_told and _is_on_subject(denial, source, claim):
            return f"states {next(iter(told))!r}, which the source denies"
    return ""


def _agreement(denial: Denial, ours: PolarSentence, theirs: PolarSentence) -> dict[str, bool]:
    """Words that one sentence denies and another one has, each with whether it is denied there, too.

    Words of which it cannot be told are left out.
    """
    found = {}
    for word, parity in _telling(denial, ours).items():
        said = theirs.says(word)
        if said and None not in said:
            found[word] = parity in said
    return found


def _telling(denial: Denial, sentence: PolarSentence) -> dict[str, int]:
    """Words that a denial reaches and its sentence has in one way only, with their parity."""
    found = {}
    for at in denial.focus:
        word, parity = sentence.tokens[at].word, sentence.parity[at]
        if parity is not None and sentence.says(word) == {parity}:
            found[word] = parity
    return found


def _is_excepted(denial: Denial, claim: PolarSentence, source: PolarSentence) -> bool:
    """True where a claim denies something of what its source excepts from it."""
    subject = {claim.tokens[at].term for at in denial.before}
    return any(
        each.is_case and subject & {source.tokens[at].term for at in each.focus} for each in source.denials
    )


def _is_on_subject(denial: Denial, source: PolarSentence, claim: PolarSentence) -> bool:
    """True where a claim has a word of those of which a source denies something, or there are none."""
    return not denial.before or any(claim.says(source.tokens[at].word) for at in denial.before)


def _is_turned(claim: PolarSentence, source: PolarSentence) -> bool:
    """True where the claim says in one word what the source denies: "unlimited" for "not limited"."""
    theirs = {token.term for token in source.tokens if token.term}
    return any(
        opposites_of(token.word) & theirs or denied_base(token.word)
        for token in claim.tokens
        if token.term and token.term not in theirs
    )
