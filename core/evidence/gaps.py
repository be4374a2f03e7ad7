"""Parts of the question that no cited evidence mentions."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from rapidfuzz.distance import OSA
from rapidfuzz.process import extractOne

from core.text.analyse import analyse, content_terms
from core.text.words import word_list

MIN_SLIP = 6  # letters of a term; shorter ones are one edit from too many others
_WORD = re.compile(r"\w+(?:[-'’./&]\w+)*")
# Words that say how to answer, not what about; no document has to repeat them.
_INSTRUCTIONS = frozenset(term for word in word_list("asking", "instructions") for term in analyse(word))


def find_gaps(
    question: str, evidence: Iterable[str], *, answered: Iterable[str] = (), limit: int = 5
) -> tuple[str, ...]:
    """Words of the question, neighbours joined, that stand in none of the evidence texts; at most `limit`.

    Compared as analysed terms, so `expires` is covered by `expiry` where stemming says so; a long word that
    is one edit from a word of the evidence is taken for a slip of the pen. answered: words that the
    answer settles without repeating them, such as `price` where it states an amount.
    """
    covered = _covered(evidence, answered)
    gaps: list[str] = []
    run: list[str] = []
    end = -1
    for match in _WORD.finditer(question):
        is_missing = _is_missing(content_terms(match.group()), covered)
        if is_missing and run and question[end : match.start()].isspace():
            run.append(match.group())
        else:
            if run:
                gaps.append(" ".join(run))
            run = [match.group()] if is_missing else []
        end = match.end()
    if run:
        gaps.append(" ".join(run))
    return tuple(dict.fromkeys(gaps))[:limit]


def missing_share(question: str, evidence: Iterable[str], *, answered: Iterable[str] = ()) -> float:
    """Share of the question's words that stand in none of the evidence texts, as `find_gaps` compares them.

    0 for a question without a word that a document would have to repeat.
    """
    covered = _covered(evidence, answered)
    words = [content_terms(match.group()) for match in _WORD.finditer(question)]
    told = [terms for terms in words if terms and not set(terms) & _INSTRUCTIONS]
    return sum(_is_missing(terms, covered) for terms in told) / len(told) if told else 0.0


def _covered(evidence: Iterable[str], answered: Iterable[str]) -> set[str]:
    return {term for text in (*evidence, *answered) for term in analyse(text)}


def _is_missing(terms: Collection[str], covered: Collection[str]) -> bool:
    return bool(terms) and not any(
        term in covered or term in _INSTRUCTIONS or _is_slip(term, covered) for term in terms
    )


def _is_slip(term: str, known: Collection[str]) -> bool:
    """True where a long word is one edit (a swap of neighbours counts as one) from a known one."""
    if len(term) < MIN_SLIP or not term.isalpha():
        return False
    return extractOne(term, known, scorer=OSA.distance, score_cutoff=1) is not None
