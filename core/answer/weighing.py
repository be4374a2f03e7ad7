"""Weight of text answers: the evidence under them, and what else was found."""

from __future__ import annotations

from collections.abc import Sequence

from core.domain.answer import Claim, EvidenceItem
from core.evidence.base import Evidence
from core.evidence.listing import EvidencePiece, list_evidence
from core.retrieval.rank import RankedPassage
from core.retrieval.sentences import best_part

PASSAGES = 20


def weigh_passages(evidence: Evidence, claims: Sequence[Claim] = ()) -> tuple[EvidenceItem, ...]:
    """The best passages of an answer's evidence and all that it cites, with what became of each."""
    citations = [citation for claim in claims for citation in claim.citations]
    cited = {(citation.document, citation.version) for citation in citations}
    chosen = [
        candidate
        for at, candidate in enumerate(evidence.candidates)
        if at < PASSAGES or (candidate.stored.passage.document, candidate.stored.passage.version) in cited
    ]
    return list_evidence([_piece(candidate, evidence) for candidate in chosen[: 2 * PASSAGES]], citations)


def _piece(candidate: RankedPassage, evidence: Evidence) -> EvidencePiece:
    stored, part = candidate.stored, best_part(candidate, evidence.analysis)
    ways = [("keyword", candidate.keyword), ("semantic", candidate.cosine)]
    return EvidencePiece(
        document=stored.passage.document,
        version=stored.passage.version,
        page=part.span.page_no,
        start=part.span.start,
        end=part.span.end,
        text=part.text,
        score=candidate.score,
        method=", ".join(name for name, score in ways if score is not None),
        title=stored.name,
        source=stored.source,
        images=stored.passage.images,
        pdfs=stored.passage.pdfs,
    )
