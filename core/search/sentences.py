"""Sentences of the best passages, scored as answers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.domain.ids import DocumentId
from core.domain.passage import Passage
from core.domain.span import PageSpan
from core.search.query import QuestionAnalysis
from core.search.rank import BM25_SATURATION, RankedPassage
from core.text.analyse import analyse
from core.text.marks import HEAD_WORDS, MarkKind, blanked, kind_at, kinds_named

TOP_PASSAGES = 20
HEADING_PENALTY = 0.15
BEHIND: dict[MarkKind, float] = {"quoted": 0.15, "deleted": 0.3, "comment": 0.3, "label": 0.15}
"""Of a score: what an older mail said stands behind what the message says."""
FULL_LENGTH = 200  # characters; a fragment below that says less
LENGTH_WEIGHT = 0.1
RANGE = 1.5  # of scores within one question
EDGE = 0.15  # a first or last sentence this much below the best cosine is left out of what a hit shows
K1, B = 1.2, 0.75
HEADING_WORDS, HEADING_CHARS = 14, 1_000
# Begins at a word of two letters only: from every letter on it took 10 s for a run of 1,000.
ROW = re.compile(
    r"(?<![^\W\d_])[^\W\d_]{2}[^\d]*?[ :]\(?[-+<>≤≥]?\s?[$€£]?\d[\d.,]*\s?(?:%|°|[A-Za-zµΩ]{1,3}\b)"
)  # a quantity
_FIELD = re.compile(r"\[[x ]\] \S|[^:]{2,60}: \S")  # a form's: "[x] declared", "Term of delivery: DAP"
NUMBERING = re.compile(
    r"^(?:(?:article|section|chapter|part|exhibit|schedule|annex)\b|[\d.]+|\(?[a-zA-Z0-9]{1,4}[.)])", re.I
)


@dataclass(frozen=True, slots=True)
class ScoredSentence:
    """A sentence of a candidate: `text` equals the stored page text at `span`.

    score: what the list is ordered by, comparable within one question only. cosine: with the question.
    keyword: BM25 of title, section and sentence, 0 to 1 as a share of what the question's terms can reach.
    coverage: share of the question's idf whose terms stand in the sentence itself, 0 to 1;
    coverage_in_context: in title, section or sentence.
    """

    candidate: RankedPassage
    document: DocumentId
    version: int
    span: PageSpan
    text: str
    score: float
    cosine: float
    keyword: float
    coverage: float
    coverage_in_context: float
    is_heading: bool
    kind: MarkKind | None = None
    """What it is beside plain text, where the question does not speak of such things itself."""


@dataclass(frozen=True, slots=True)
class PassagePart:
    """The part of a passage on one page; `text` equals the stored page text at `span`."""

    span: PageSpan
    text: str


@dataclass(frozen=True, slots=True)
class _Sentence:
    candidate: RankedPassage
    span: PageSpan
    text: str
    cosine: float
    own: list[str]  # analysed terms of the sentence
    above: list[str]  # of its document's title and its section
    kind: MarkKind | None


def rank_sentences(
    analysis: QuestionAnalysis, candidates: Sequence[RankedPassage], *, passages: int = TOP_PASSAGES
) -> list[ScoredSentence]:
    """Every sentence of the first `passages` candidates, the best answer first; [] for no candidates.

    Score: .5 cosine + .5 BM25 of the sentence with its title and section + passage score + up to .1 for
    length - .15 for headings and quotations, then scaled to 0..1.5 over these sentences. Scaling each part by
    itself instead gave P@1 .322 on LegalBench-RAG and .578 on chunking_eval, this .345 and .597.
    A sentence of two overlapping passages is given once; what is deleted, a comment or the head of a mail is
    none, unless the question speaks of such things.
    """
    sentences = _sentences(analysis, candidates[:passages])
    if not sentences:
        return []
    cosine = np.array([sentence.cosine for sentence in sentences])
    counts = _counts(analysis, sentences)
    keyword = _keyword_scores(analysis, sentences, counts)
    coverage = _coverage(analysis, counts.own)
    in_context = _coverage(analysis, counts.context)
    passage = np.array([sentence.candidate.score for sentence in sentences])
    heading = np.array([_is_heading(sentence) for sentence in sentences])
    length = np.array([min(len(sentence.text), FULL_LENGTH) / FULL_LENGTH for sentence in sentences])
    behind = np.array([BEHIND.get(sentence.kind, 0.0) if sentence.kind else 0.0 for sentence in sentences])
    raw = 0.5 * (cosine + keyword) + passage + LENGTH_WEIGHT * length - HEADING_PENALTY * heading - behind
    score = (RANGE * _unit(raw)).round(6)  # equal texts tie, and keep the order of their passages
    return [
        ScoredSentence(
            candidate=sentences[i].candidate,
            document=sentences[i].candidate.stored.passage.document,
            version=sentences[i].candidate.stored.passage.version,
            span=sentences[i].span,
            text=sentences[i].text,
            score=float(score[i]),
            cosine=float(cosine[i]),
            keyword=float(keyword[i]),
            coverage=float(coverage[i]),
            coverage_in_context=float(in_context[i]),
            is_heading=bool(heading[i]),
            kind=sentences[i].kind,
        )
        for i in np.argsort(-score, kind="stable")
    ]


def best_part(candidate: RankedPassage, analysis: QuestionAnalysis) -> PassagePart:
    """Part of a passage that a hit shows: on one page, less sentences at its ends that are far off.

    Of a passage that spans pages, the part with the sentence nearest to the question. What stands between
    two sentences that are shown is shown. Where no sentence vectors are known, or the search was by keyword
    only, nothing is left out of the part.
    """
    passage = candidate.stored.passage
    nearness = _nearness(candidate, analysis)
    if nearness is None:
        return PassagePart(passage.parts[0], passage.text[: passage.parts[0].end - passage.parts[0].start])
    best = int(np.argmax(nearness))
    part, base = _part_at(passage, passage.sentences[best][0])
    length = part.end - part.start
    inside = [i for i, (start, end) in enumerate(passage.sentences) if base <= start and end <= base + length]
    start, end = base, base + length
    if inside and analysis.vector.any():
        near = [i for i in inside if nearness[i] >= nearness[best] - EDGE]
        start, end = passage.sentences[near[0]][0], passage.sentences[near[-1]][1]
    span = PageSpan(part.page_no, part.start + start - base, part.start + end - base)
    return PassagePart(span, passage.text[start:end])


def _nearness(candidate: RankedPassage, analysis: QuestionAnalysis) -> NDArray[np.float64] | None:
    """Nearness of each sentence to the question, by cosine or, in a keyword search, by rare words."""
    passage = candidate.stored.passage
    if not passage.sentences or len(candidate.sentence_vectors) != len(passage.sentences):
        return None
    if analysis.vector.any():
        return np.asarray(candidate.sentence_vectors @ analysis.vector, np.float64)
    held = [set(analyse(passage.text[start:end])) for start, end in passage.sentences]
    return np.array([sum(analysis.idf[term] for term in terms & analysis.idf.keys()) for terms in held])


def _part_at(passage: Passage, at: int) -> tuple[PageSpan, int]:
    """The part that holds offset `at` of the passage's text, and where that part begins in the text."""
    base = 0
    for part in passage.parts[:-1]:
        length = part.end - part.start
        if at <= base + length:
            return part, base
        base += length + 1
    return passage.parts[-1], base


def _sentences(analysis: QuestionAnalysis, candidates: Sequence[RankedPassage]) -> list[_Sentence]:
    found: dict[tuple[DocumentId, PageSpan], _Sentence] = {}
    named = kinds_named(analysis.text)
    for candidate in candidates:
        stored = candidate.stored
        passage = stored.passage
        cosines = _cosines(candidate, analysis)
        above = analyse("\n".join((stored.title, *passage.section)))
        valid = blanked(passage.text, named)
        for (start, end), cosine in zip(passage.sentences, cosines, strict=True):
            span = passage.locate(start, end)
            if span is None or (passage.document, span) in found:
                continue
            kind = kind_at(passage.text, start, end)
            if (kind == "head" and kind not in named) or not valid[start:end].strip(" \n>|"):
                continue
            own = analyse(f"{valid[start:end]} {HEAD_WORDS if kind == 'head' else ''}")
            kind, text = None if kind in named else kind, passage.text[start:end]
            found[passage.document, span] = _Sentence(candidate, span, text, float(cosine), own, above, kind)
    return list(found.values())


def _cosines(candidate: RankedPassage, analysis: QuestionAnalysis) -> NDArray[np.float32]:
    count = len(candidate.stored.passage.sentences)
    if len(candidate.sentence_vectors) != count:  # none stored: all sentences of the passage count alike
        return np.full(count, candidate.cosine or 0.0, np.float32)
    return np.asarray(candidate.sentence_vectors @ analysis.vector, np.float32)


@dataclass(frozen=True, slots=True)
class _Counts:
    """Counts of each term of the question in each sentence, (sentences, terms)."""

    own: NDArray[np.float64]
    context: NDArray[np.float64]


def _counts(analysis: QuestionAnalysis, sentences: Sequence[_Sentence]) -> _Counts:
    column = {term: index for index, (term, _) in enumerate(analysis.terms)}
    own = np.zeros((len(sentences), len(column)))
    above = np.zeros_like(own)
    for row, sentence in enumerate(sentences):
        for table, terms in ((own, sentence.own), (above, sentence.above)):
            for term in terms:
                if term in column:
                    table[row, column[term]] += 1
    return _Counts(own, own + above)


def _keyword_scores(
    analysis: QuestionAnalysis, sentences: Sequence[_Sentence], counts: _Counts
) -> NDArray[np.float64]:
    """BM25 of each sentence with its context, as a share of the highest possible."""
    lengths = np.array([len(sentence.own) + len(sentence.above) for sentence in sentences], dtype=np.float64)
    norm = K1 * (1 - B + B * lengths / max(float(lengths.mean()), 1.0))
    saturated = counts.context * (K1 + 1) / (counts.context + norm[:, None])
    return np.asarray(saturated @ _term_weights(analysis) / max(BM25_SATURATION * analysis.idf_sum, 1e-9))


def _coverage(analysis: QuestionAnalysis, counts: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray((counts > 0) @ _term_weights(analysis) / max(analysis.idf_sum, 1e-9))


def _term_weights(analysis: QuestionAnalysis) -> NDArray[np.float64]:
    return np.array([weight * analysis.idf[term] for term, weight in analysis.terms], dtype=np.float64)


def _is_heading(sentence: _Sentence) -> bool:
    """True where a sentence only names what follows: its section's title, or a short line that ends openly.

    A row of a table or a field of a form looks like one; cells, a figure behind a word or what is filled in
    tell it apart.
    """
    text = " ".join(sentence.text.split())
    plain = text.strip(" #*_.:-").casefold()
    stored = sentence.candidate.stored
    titles = (stored.title, *stored.passage.section)
    if any(plain == title.strip(" #*_.:-").casefold() for title in titles):
        return True
    words = text.split()
    if _FIELD.match(text) and not NUMBERING.match(text):
        return False
    if len(words) > HEADING_WORDS or len(text) > HEADING_CHARS or "|" in text or ROW.search(text):
        return False
    if text.endswith((".", "?", "!", ";")) and not NUMBERING.fullmatch(text):
        return False
    capitals = sum(word[:1].isupper() for word in words if word[:1].isalpha())
    letters = sum(word[:1].isalpha() for word in words)
    return text.isupper() or letters == 0 or (capitals >= 0.6 * letters and len(words) <= 10)


def _unit(values: NDArray[np.float64]) -> NDArray[np.float64]:
    low, high = float(values.min()), float(values.max())
    return np.ones(len(values)) if high <= low else np.asarray((values - low) / (high - low))
