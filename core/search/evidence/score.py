"""Fit of the evidence to the question: the features, the confidence, and its word.

Of all features that were tried, these order answerable before unanswerable questions best across
collections; core/answer/abstain.md has the figures.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from rapidfuzz.distance import OSA
from rapidfuzz.process import extractOne

from core.domain.answer import QuotedPlace
from core.search.evidence.base import Evidence
from core.search.sentences import ScoredSentence
from core.text.analyse import analyse, content_terms
from core.text.words import word_list

MOST_GAPS = 5
MIN_SLIP = 6  # letters of a term; shorter ones are one edit from too many others
WORD = re.compile(r"\w+(?:[-'’./&]\w+)*")
# Words that say how to answer, not what about; no document has to repeat them.
_INSTRUCTIONS = frozenset(term for word in word_list("asking", "instructions") for term in analyse(word))


def find_gaps(question: str, evidence: Iterable[str], *, answered: Iterable[str] = ()) -> tuple[str, ...]:
    """Words of the question, neighbours joined, that stand in none of the evidence texts; at most MOST_GAPS.

    Compared as analysed terms, so `expires` is covered by `expiry` where stemming says so; a long word that
    is one edit from a word of the evidence is taken for a slip of the pen. answered: words that the
    answer settles without repeating them, such as `price` where it states an amount.
    """
    covered = _covered(evidence, answered)
    gaps: list[str] = []
    run: list[str] = []
    end = -1
    for match in WORD.finditer(question):
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
    return tuple(dict.fromkeys(gaps))[:MOST_GAPS]


def missing_share(question: str, evidence: Iterable[str], *, answered: Iterable[str] = ()) -> float:
    """Share of the question's words that stand in none of the evidence texts, as `find_gaps` compares them.

    0 for a question without a word that a document would have to repeat.
    """
    covered = _covered(evidence, answered)
    words = [content_terms(match.group()) for match in WORD.finditer(question)]
    told = [terms for terms in words if terms and not set(terms) & _INSTRUCTIONS]
    return sum(_is_missing(terms, covered) for terms in told) / len(told) if told else 0.0


def lacks_name(question: str, evidence: Iterable[str]) -> bool:
    """True where a name, a code or a number of the question stands in none of the evidence texts.

    A name is a word with a capital letter behind the first one.
    """
    covered = _covered(evidence, ())
    words = [match.group() for match in WORD.finditer(question)]
    named = [
        word
        for at, word in enumerate(words)
        if any(map(str.isdigit, word)) or (at and any(map(str.isupper, word)))
    ]
    return any(_is_missing(content_terms(word), covered) for word in named)


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


TOP = 3


@dataclass(frozen=True, slots=True)
class Features:
    """best_cosine: of the most similar sentence, -1 to 1. Coverages: share of the question's idf, 0 to 1.

    best_coverage: terms in the sentence nearest by meaning and words, whatever its passage; first_coverage:
    in the one ranked first. top_coverage: terms in the three best passages' texts.
    """

    best_cosine: float
    best_coverage: float
    top_coverage: float
    first_coverage: float = 0.0

    def as_row(self) -> tuple[float, float, float]:
        """The features in the order that the weights are stored in."""
        return (self.best_cosine, self.best_coverage, self.top_coverage)


def features(evidence: Evidence) -> Features:
    """The features of the evidence; all 0 where nothing was found."""
    if not evidence.sentences:
        return Features(0.0, 0.0, 0.0)
    passages = {s.candidate.stored.id: s.candidate.stored.passage.text for s in evidence.sentences[:TOP]}
    return Features(
        best_cosine=max(sentence.cosine for sentence in evidence.sentences),
        best_coverage=max(evidence.sentences, key=lambda s: s.cosine + s.keyword).coverage,
        top_coverage=coverage(evidence, list(passages.values())),
        first_coverage=evidence.sentences[0].coverage,
    )


def lead_of(evidence: Evidence, place: QuotedPlace) -> float:
    """Lead of the sentence at a place over all others, in keywords and score; 0 where none is there.

    It tells right answers from wrong ones where coverage and similarity of the sentence itself do not: area
    under the curve .75, .51, .66 and .64 on chunking_eval and three testers' files; coverage .59, .51, .55.
    """
    own = next((each for each in evidence.sentences if _is_at(each, place)), None)
    if own is None:
        return 0.0
    others = [each for each in evidence.sentences if each is not own]
    by_words = own.keyword - max((each.keyword for each in others), default=0.0)
    return by_words + own.score - max((each.score for each in others), default=0.0)


def _is_at(sentence: ScoredSentence, place: QuotedPlace) -> bool:
    span = sentence.span
    is_on_page = (sentence.document, span.page_no) == (place.document, place.page)
    return is_on_page and span.start < place.end and place.start < span.end


def coverage(evidence: Evidence, texts: Sequence[str]) -> float:
    """Share of the question's weighted idf whose terms stand in any of the texts, 0 to 1."""
    analysis = evidence.analysis
    total = analysis.idf_sum
    if total <= 0:
        return 0.0
    present = {term for text in texts for term in analyse(text)}
    return sum(w * analysis.idf[term] for term, w in analysis.terms if term in present) / total


def logistic(weights: Sequence[float], bias: float, row: Sequence[float]) -> float:
    """1 / (1 + exp(-(bias + weights . row))), 0 to 1, without overflow."""
    z = bias + sum(w * x for w, x in zip(weights, row, strict=True))
    return 1 / (1 + math.exp(-z)) if z >= 0 else math.exp(z) / (1 + math.exp(z))
