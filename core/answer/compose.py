"""Composing an answer out of quoted spans: lookups, steps, summaries, comparisons, partial lists."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.answer.draft import Draft, Layout
from core.answer.markdown import escape
from core.answer.value import stated_values
from core.domain.answer import Claim, Column, Table
from core.domain.passage import Vector
from core.evidence.base import Evidence, Span, span_of
from core.retrieval.sentences import ScoredSentence

STRONG = 0.8  # of the best sentence's score: what is weaker than that is not worth a second claim
MAX_ASIDE = 2
MAX_SENTENCE_CHARS = 1_200
NOT_COUNTED = (
    "A complete count or list needs a value read from every document. Those values are not extracted yet, "
    "and the best search results are no substitute, so nothing is counted here."
)
LIST_FLOOR = 0.5  # of the best coverage: below it a document merely shares a word with the question
VALUE_REACH = 8
VALUE_FLOOR = 0.6
_ASKS_VALUE = re.compile(
    r"^(?:(?:and|but|so|also|then|ok)[, ]+)?"
    r"(?:what(?:'s| is| are| was)|how (?:much|many|long|wide|tall|high|deep|heavy)|when)\b",
    re.IGNORECASE,
)
DIVERSITY = 0.7  # Source: Carbonell & Goldstein 1998, maximal marginal relevance; lambda


def compose_lookup(question: str, evidence: Evidence, max_claims: int) -> Layout:
    """The best sentence, then at most two more that are nearly as good, best first."""
    sentences = prefer_values(question, evidence.sentences)
    if not sentences:
        return Layout(())
    best = sentences[0]
    floor = STRONG * best.score
    others = [s for s in sentences[1:] if s.score >= floor and s.coverage >= best.coverage / 2]
    asides = [Draft((span_of(s),), marker="-") for s in others[: min(MAX_ASIDE, max_claims - 1)]]
    return Layout((Draft((span_of(best),)), *asides), aside="Also relevant:" if asides else "")


def prefer_values(question: str, sentences: Sequence[ScoredSentence]) -> list[ScoredSentence]:
    """The sentences with the first that states a value of the type asked for moved to the front.

    Only where the question plainly asks for a value, the best sentence states none, and the one that does is
    among the first VALUE_REACH and nearly as good. A specification row beats a sentence about the product.
    """
    head = list(sentences[:VALUE_REACH])
    if not head or not _ASKS_VALUE.match(question) or stated_values(question, head[0].text):
        return list(sentences)
    floor = VALUE_FLOOR * head[0].score
    for at, sentence in enumerate(head):
        if sentence.score >= floor and stated_values(question, sentence.text):
            return [sentence, *head[:at], *sentences[at + 1 :]]
    return list(sentences)


def compose_closest(evidence: Evidence, max_claims: int, where: str) -> Layout:
    """The closest sentences, presented as that and not as the answer; `where` names what was searched."""
    drafts = tuple(Draft((span_of(s),), marker="-") for s in evidence.sentences[: min(3, max_claims)])
    lead = f"The closest passages {where} are these; none of them clearly answers the question."
    return Layout(drafts, lead=lead, is_complete=False)


def compose_summary(evidence: Evidence, max_claims: int, *, has_topic: bool) -> Layout:
    """What the documents say on the topic, or in general, in reading order, neighbours joined.

    With a topic the question's ranking chooses. Without one ("summarise this contract") sentences near
    the middle of the collection found are chosen, each unlike those before it.
    """
    pool = [s for s in evidence.sentences if len(s.text) <= MAX_SENTENCE_CHARS]
    if not pool:
        return compose_lookup("", evidence, max_claims)
    chosen = pool[:max_claims] if has_topic else _central(evidence, pool, max_claims)
    spans = join_neighbours([span_of(s) for s in chosen], chosen)
    return Layout(tuple(Draft((span,), marker="-" if len(spans) > 1 else "") for span in spans))


def compose_steps(steps: Sequence[Span], marked: bool, heading: str, where: str) -> Layout:
    """A procedure: every step in order. marked: the steps carry their own numbers, kept."""
    lead = f"**{escape(heading)}** — {escape(where)}" if heading else f"**{escape(where)}**"
    return Layout(tuple(Draft((span,), marker="1." if marked else "-") for span in steps), lead=lead)


@dataclass(frozen=True, slots=True)
class Side:
    """One subject of a comparison with the sentences that speak of it, best first."""

    subject: str
    sentences: tuple[ScoredSentence, ...]


def compose_comparison(sides: Sequence[Side], max_claims: int) -> Layout:
    """At least one claim for every subject that anything was found for; says for which nothing was."""
    drafts: list[Draft] = []
    each = max(1, max_claims // max(1, len(sides)))
    for side in sides:
        drafts += [Draft((span_of(s),), label=side.subject, marker="-") for s in side.sentences[:each]]
    missing = [side.subject for side in sides if not side.sentences]
    closing = ""
    if missing:
        names = ", ".join(f"“{escape(name)}”" for name in missing)
        closing = f"Nothing was found for {names}, so this is one side of the comparison only."
    return Layout(tuple(drafts), closing=closing, is_complete=not missing)


def comparison_table(claims: Sequence[Claim], subjects: Sequence[str]) -> Table | None:
    """Subject, document and words of every claim of a comparison; None where no claim is left."""
    rows: list[tuple[str, str, str]] = []
    documents: list[str] = []
    for claim in claims:
        subject = next((name for name in subjects if claim.text.startswith(f"{name}: ")), "")
        citation = claim.citations[0]
        rows.append((subject, citation.title, citation.quote))
        documents.append(citation.document)
    if not rows:
        return None
    columns = tuple(Column(name=name, type="text") for name in ("Subject", "Document", "What it says"))
    return Table(columns=columns, rows=tuple(rows), documents=tuple(documents))


def compose_list(evidence: Evidence, max_claims: int, scope: str) -> Layout:
    """The best sentence of each document found: a beginning of the list asked for, and said to be one."""
    first: dict[str, ScoredSentence] = {}
    floor = LIST_FLOOR * max((s.coverage_in_context for s in evidence.sentences), default=0.0)
    for sentence in evidence.sentences:
        if sentence.coverage_in_context >= floor:
            first.setdefault(sentence.document, sentence)
    drafts = tuple(Draft((span_of(s),), marker="-") for s in list(first.values())[:max_claims])
    lead = f"{NOT_COUNTED} In {scope} these are the closest passages found; there may be more:"
    return Layout(drafts, lead=lead, is_complete=False)


def list_table(claims: Sequence[Claim]) -> Table | None:
    """The documents cited, in order, each once; None where there is none."""
    rows: dict[str, tuple[str, str, str]] = {}
    for claim in claims:
        for citation in claim.citations:
            rows.setdefault(citation.document, (citation.title, citation.source, citation.quote))
    if not rows:
        return None
    columns = tuple(Column(name=name, type="text") for name in ("Document", "Source", "Passage"))
    return Table(columns=columns, rows=tuple(rows.values()), documents=tuple(rows))


def join_neighbours(spans: Sequence[Span], sentences: Sequence[ScoredSentence]) -> list[Span]:
    """The spans in reading order, those that follow one another in one passage joined into one.

    Documents keep the order of their best sentence. Only white space may stand between joined spans.
    """
    order = {document: at for at, document in reversed(list(enumerate(s.document for s in sentences)))}
    pairs = sorted(
        zip(spans, sentences, strict=True),
        key=lambda pair: (order[pair[0].document], pair[0].page_no, pair[0].start),
    )
    joined: list[Span] = []
    for span, sentence in pairs:
        merged = _merge(joined[-1], span, sentence) if joined else None
        if merged is not None:
            joined[-1] = merged
        else:
            joined.append(span)
    return joined


def _merge(earlier: Span, later: Span, sentence: ScoredSentence) -> Span | None:
    """Both spans as one where the later one's passage shows only white space between them."""
    same_page = (earlier.document, earlier.version, earlier.page_no) == (
        later.document,
        later.version,
        later.page_no,
    )
    if not same_page or later.start < earlier.end or later.end - earlier.start > MAX_SENTENCE_CHARS:
        return None
    passage = sentence.candidate.stored.passage
    base = 0
    for part in passage.parts:
        if part.page_no == later.page_no and part.start <= earlier.start and later.end <= part.end:
            offset = base - part.start
            if passage.text[earlier.end + offset : later.start + offset].strip():
                return None
            quote = passage.text[earlier.start + offset : later.end + offset]
            return Span(
                document=later.document,
                version=later.version,
                page_no=later.page_no,
                start=earlier.start,
                end=later.end,
                quote=quote,
                title=later.title,
                source=later.source,
            )
        base += part.end - part.start + 1
    return None


def _central(evidence: Evidence, pool: Sequence[ScoredSentence], count: int) -> list[ScoredSentence]:
    """Sentences near the mean of all candidates' sentences, each unlike those chosen before it."""
    vectors = [c.sentence_vectors for c in evidence.candidates if len(c.sentence_vectors)]
    if not vectors:
        return list(pool[:count])
    centre = np.concatenate(vectors).mean(axis=0)
    centre /= max(float(np.linalg.norm(centre)), 1e-9)
    rows = np.stack([_vector_of(sentence) for sentence in pool])
    nearness = rows @ centre
    chosen: list[int] = []
    while len(chosen) < min(count, len(pool)):
        closeness = (rows @ rows[chosen].T).max(axis=1) if chosen else np.zeros(len(pool))
        gain = DIVERSITY * nearness - (1 - DIVERSITY) * closeness
        gain[chosen] = -np.inf
        chosen.append(int(gain.argmax()))
    return [pool[at] for at in chosen]


def _vector_of(sentence: ScoredSentence) -> Vector:
    candidate = sentence.candidate
    for at, (start, end) in enumerate(candidate.stored.passage.sentences):
        if candidate.stored.passage.locate(start, end) == sentence.span:
            row: Vector = candidate.sentence_vectors[at]
            return row
    first: Vector = candidate.sentence_vectors[0]
    return first
