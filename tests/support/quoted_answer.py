"""Answers quoted from the sentences that share words with a question: no index, no ranking model."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from core.domain.answer import (
    Answer,
    Check,
    Citation,
    Claim,
    ConfidenceLabel,
    Kind,
    NearPassage,
    Route,
    Source,
    Status,
    Verdict,
)
from core.domain.document import DocumentSummary, DocumentVersion, Page
from core.domain.ids import PassageId
from core.domain.search import SearchHit

STRONG = 0.5  # share of the question's words from which a sentence is quoted


@dataclass(frozen=True, slots=True)
class Found:
    """A sentence with the share of the question's words that it has, 0 to 1."""

    score: float
    document: DocumentSummary
    page: Page
    start: int
    end: int

    @property
    def quote(self) -> str:
        return self.page.text[self.start : self.end]

    def place(self) -> dict[str, Any]:
        """What citations and near passages have in common."""
        return {
            "document": self.document.id,
            "title": self.document.title,
            "source": self.document.source,
            "version": 1,
            "page": self.page.page_no,
            "start": self.start,
            "end": self.end,
            "quote": self.quote,
        }


def find(documents: Iterable[DocumentVersion], question: str, buckets: Sequence[str]) -> list[Found]:
    """The sentences that share a word with the question, best first."""
    words = {w for w in re.findall(r"\w+", question.lower()) if len(w) > 3}
    found = []
    for document in documents:
        if buckets and document.summary.bucket not in buckets:
            continue
        for page in document.pages:
            for match in re.finditer(r"[^.\n]{12,}\.", page.text):
                shared = words & set(re.findall(r"\w+", match.group().lower()))
                if shared:
                    start = match.start() + len(match.group()) - len(match.group().lstrip())
                    score = len(shared) / len(words)
                    found.append(Found(score, document.summary, page, start, match.end()))
    return sorted(found, key=lambda one: -one.score)


def hit(found: Found, rank: int) -> SearchHit:
    """The sentence as a search shows it."""
    return SearchHit(
        rank=rank,
        score=found.score,
        index="passages",
        passage=PassageId(rank),
        document=found.document.id,
        version=1,
        title=found.document.title,
        source=found.document.source,
        bucket=found.document.bucket,
        page=found.page.page_no,
        start=found.start,
        end=found.end,
        text=found.quote,
        section=("Terms",),
        keyword=7.2,
        cosine=0.61,
        sentence_cosine=0.7,
    )


def answer(question: str, trace: str, data_version: int, found: Sequence[Found]) -> Answer:
    """A greeting returned, the strong sentences quoted, or an abstention with the nearest ones."""
    base = {
        "question": question,
        "trace_id": trace,
        "data_version": data_version,
        "kind": Kind.LOOKUP,
        "timings_ms": {"plan": 3.0, "retrieve": 12.0, "answer": 9.0, "total": 31.0},
    }
    if question.lower().startswith("hello"):
        return Answer(
            **{**base, "kind": Kind.GENERAL},
            status=Status.ANSWERED,
            route=Route.NONE,
            text="Hello. Ask about your documents.",
        )
    strong = [one for one in found if one.score >= STRONG][:3]
    return _quoted(base, strong) if strong else _abstained(base, found)


def _abstained(base: dict[str, Any], found: Sequence[Found]) -> Answer:
    return Answer(
        **base,
        status=Status.ABSTAINED,
        route=Route.HYBRID,
        text="No passage states this clearly enough to quote it.",
        nearest=tuple(NearPassage(**one.place(), score=one.score) for one in found[:3]),
        gaps=("No document speaks of it.",),
        follow_ups=("Which law governs the agreement?",),
    )


def _quoted(base: dict[str, Any], strong: Sequence[Found]) -> Answer:
    citations = [Citation(n=n, **one.place()) for n, one in enumerate(strong, 1)]
    claims = tuple(
        Claim(
            text=f"{c.quote} [{c.n}]",
            verdict=Verdict.SUPPORTED,
            checks=(Check(name="quote", ok=True),),
            citations=(c,),
        )
        for c in citations
    )
    return Answer(
        **base,
        status=Status.ANSWERED,
        route=Route.HYBRID,
        text="\n\n".join(claim.text for claim in claims),
        claims=claims,
        confidence=0.86,
        confidence_label=ConfidenceLabel.HIGH,
        sources=tuple(
            Source(n=c.n, document=c.document, title=c.title, source=c.source, pages=(c.page,))
            for c in citations
        ),
        follow_ups=(
            "Which law governs the agreement?",
            "How long is the warranty?",
            "When does the term begin?",
        ),
    )
