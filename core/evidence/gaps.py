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
    covered = {term for text in evidence for term in analyse(text)}
    covered |= {term for word in answered for term in analyse(word)}
    gaps: list[str] = []
    run: list[str] = []
    end = -1
    for match in _WORD.finditer(question):
        terms = content_terms(match.group())
        is_missing = bool(terms) and not any(
            term in covered or term in _INSTRUCTIONS or _is_slip(term, covered) for term in terms
        )
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


def _is_slip(term: str, known: Collection[str]) -> bool:
    """True where a long word is one edit (a swap of neighbours counts as one) from a known one."""
    if len(term) < MIN_SLIP or not term.isalpha():
        return False
    return extractOne(term, known, scorer=OSA.distance, score_cutoff=1) is not None
