"""Check of conditions: what a source says only if something holds is not said without it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.answer.prose.checks.align import AlignedSentence, TokenSentence, token_sentences
from core.domain.answer import Check
from core.text.words import word_list

_CUE = re.compile(
    r"\b(?:only )?(?:if|unless"
    r"|except(?: (?:as|that|for|where|when|in))?|provided,?(?: however,?)? that"
    r"|provided,? however|subject to|in the event(?: that| of)?|so long as"
    r"|as long as|on condition that|in case of|other than)\b",
    re.I,
)
_WHETHER = re.compile(r"\b(?:as|even|what|see|ask|know|determine|decide|check|wonder)[ ]$", re.I)
_LEADS = re.compile(r"^[\W\d]*$")
_NEAR = 0.7
_SAID = 0.34  # share of a condition's words from which on the claim says it
_LEAST = 2  # telling words of a statement and of a condition
_FORMAL = re.compile(
    r"\b(?:terms|provisions) (?:and conditions )?of this (?:agreement|contract|section)\W*$", re.I
)


def check_conditions(aligned: Sequence[AlignedSentence]) -> Check:
    """Conditions of the sentence that says most of a claim: the claim has them, or one of its own."""
    near = [pair for pair in aligned if pair.best_coverage >= _NEAR]
    faults = [fault for pair in near if (fault := pair.fault(_left_out))]
    return Check(name="conditions", ok=not faults, detail="; ".join(dict.fromkeys(faults)))


def _left_out(claim: TokenSentence, source: TokenSentence) -> str:
    cues = {token.word for token in claim.tokens} & word_list("claims", "conditions")
    told = set(claim.terms)
    for condition, rest in _split(source.text):
        needed, stated = _terms(condition), _terms(rest)
        if len(needed) < _LEAST or _FORMAL.search(condition) or cues - _words(rest):
            continue
        apart = needed - stated
        if not told & _own(rest) and _own(rest):
            continue
        if apart and len(told & stated) >= _LEAST and len(told & apart) < _SAID * len(apart):
            return f"leaves out {' '.join(condition.split()[:8])!r} of the source"
    return ""


def _own(rest: str) -> set[str]:
    """Terms of the last part of a statement alone, on which its condition stands ("begins and ends")."""
    head, _, tail = rest.rstrip().rpartition(" and ")
    return _terms(tail) - _terms(head) if head and len(tail.split()) > _LEAST else set()


def _split(text: str) -> list[tuple[str, str]]:
    """Every condition of a sentence with the rest of it."""
    found = []
    for match in _CUE.finditer(text):
        start = match.start()
        if _WHETHER.search(text[max(0, start - 12) : start]):
            continue
        comma = text.find(",", match.end() + 8)
        if _LEADS.match(text[:start]) or text[:start].rstrip().endswith((",", ";", ":")):
            end = comma + 1 if comma > 0 else len(text)
        else:
            end = len(text)
        found.append((text[start:end], f"{text[:start]} {text[end:]}"))
    return found


def _terms(text: str) -> set[str]:
    return {term for sentence in token_sentences(text) for term in sentence.terms}


def _words(text: str) -> set[str]:
    return {token.word for sentence in token_sentences(text) for token in sentence.tokens}
