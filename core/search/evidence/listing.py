"""Evidence of an answer as one list, repeated pieces merged, with the statements that conflict."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Literal

from core.domain.answer import Citation, Claim, Conflict, EvidenceItem
from core.domain.ids import DocumentId
from core.domain.results import PassageHit
from core.search.evidence.base import Evidence, Span
from core.search.evidence.pack import are_near_duplicates, plain_text
from core.search.rank import RankedPassage
from core.search.sentences import best_part

ALWAYS = ("", "9999-12-31")


@dataclass(frozen=True, slots=True)
class Statement:
    """Statement of a document about a field of a subject.

    key: equal for values that mean the same, with their unit. shown: as a person reads it. starts, ends: the
    days from and to which it holds, as ISO 8601; of one that says nothing of it "" and the last day.
    """

    subject: str
    field: str
    document: str
    key: str
    shown: str
    starts: str = ALWAYS[0]
    ends: str = ALWAYS[1]

    def overlaps(self, other: Statement) -> bool:
        """True where both hold on some day."""
        return self.starts <= other.ends and other.starts <= self.ends


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Statements of one subject and field of which each contradicts another, by value and document."""

    subject: str
    field: str
    statements: tuple[Statement, ...]


def find_conflicts(
    statements: Iterable[Statement], replaced: Mapping[str, Mapping[str, str]] | None = None
) -> tuple[Disagreement, ...]:
    """Every disagreement, by subject and field, whatever the order of the statements.

    replaced: by field and document, which other one states what holds in its place (an amendment): what a
    replaced document states counts no longer, and its subject is that of what replaces it.
    """
    amended = replaced or {}
    groups: dict[tuple[str, str], set[Statement]] = {}
    for each in statements:
        if each.document not in amended.get(each.field, {}):
            groups.setdefault((each.subject, each.field), set()).add(each)
    found = []
    for (subject, field), group in sorted(groups.items()):
        against = {
            each
            for pair in combinations(sorted(group, key=_place), 2)
            if pair[0].key != pair[1].key
            and pair[0].document != pair[1].document
            and pair[0].overlaps(pair[1])
            for each in pair
        }
        if against:
            found.append(Disagreement(subject, field, tuple(sorted(against, key=_place))))
    return tuple(found)


def _place(statement: Statement) -> tuple[str, ...]:
    return statement.key, statement.document, statement.starts, statement.ends, statement.shown


@dataclass(frozen=True, slots=True)
class EvidencePiece:
    """A place that was found. score: comparable within one list only. field: "" of a passage."""

    place: Span
    score: float
    method: str
    index: str = "passages"
    field: str = ""

    @classmethod
    def of_hit(cls, hit: PassageHit, title: str, source: str) -> EvidencePiece:
        """The place of a hit of a search, with what its document is called."""
        document = DocumentId(hit.document)
        place = Span(document, hit.version, hit.page, hit.start, hit.end, hit.text, title, source)
        return cls(place, hit.score, hit.method, hit.index)

    @property
    def document(self) -> str:
        """The document of its place."""
        return self.place.document

    def holds(self, other: EvidencePiece) -> bool:
        """True where the other one stands within this one, of the same version and page."""
        one, two = self.place, other.place
        return one.page_key == two.page_key and one.start <= two.start and two.end <= one.end


def merge(pieces: Iterable[EvidencePiece]) -> tuple[EvidencePiece, ...]:
    """One piece for each place, by document: documents and pieces in the order of their best scores.

    What stands within another piece of the document goes into it: with its better score, its method and its
    index. Pieces of different fields are kept apart.
    """

    def by_length(piece: EvidencePiece) -> tuple[float, ...]:
        return piece.place.start - piece.place.end, -piece.score, piece.place.start

    kept: list[EvidencePiece] = []
    for piece in sorted(pieces, key=by_length):
        at = next((at for at, one in enumerate(kept) if one.field == piece.field and one.holds(piece)), None)
        if at is None:
            kept.append(piece)
        else:
            kept[at] = _joined(kept[at], piece)
    best: dict[str, float] = {}
    for piece in kept:
        best[piece.document] = max(best.get(piece.document, piece.score), piece.score)

    def by_document(piece: EvidencePiece) -> tuple[float | str, ...]:
        place = piece.place
        return -best[piece.document], piece.document, -piece.score, place.page, place.start

    return tuple(sorted(kept, key=by_document))


def duplicates(pieces: Sequence[EvidencePiece]) -> list[EvidencePiece]:
    """The pieces whose text is at least 95 % that of an earlier one.

    A passage may repeat one of another document; a row never does: it says what its own document states.
    """
    kept: list[tuple[EvidencePiece, tuple[str, str]]] = []
    dropped: list[EvidencePiece] = []
    for piece in pieces:
        text = plain_text(piece.place.quote)
        if any(are_near_duplicates(text, known) and _may_repeat(piece, one) for one, known in kept):
            dropped.append(piece)
        else:
            kept.append((piece, text))
    return dropped


def _may_repeat(piece: EvidencePiece, earlier: EvidencePiece) -> bool:
    if not piece.field and not earlier.field:
        return True
    return (piece.document, piece.field) == (earlier.document, earlier.field)


def _joined(one: EvidencePiece, other: EvidencePiece) -> EvidencePiece:
    return replace(
        one,
        score=max(one.score, other.score),
        method=", ".join(dict.fromkeys((*one.method.split(", "), *other.method.split(", ")))),
        index=", ".join(dict.fromkeys((*one.index.split(", "), *other.index.split(", ")))),
    )


MOST = 40
MOST_CHARS = 400
State = Literal["used", "duplicate", "contradicted", "unused"]


def list_evidence(
    pieces: Iterable[EvidencePiece],
    citations: Iterable[Citation] = (),
    contradicted: Collection[tuple[str, str]] = (),
) -> tuple[EvidenceItem, ...]:
    """At most MOST items, by document, those that are cited or contradicted before all others.

    contradicted: (document, field) of what others state differently. A quote has at most MOST_CHARS letters.
    """
    cited: _Cited = {}
    for each in citations:
        cited.setdefault((each.document, each.version, each.page), []).append((each.start, each.end))
    merged = merge(pieces)
    # what is cited is never the duplicate of what is not
    cited_first = sorted(merged, key=lambda piece: not _touching(piece, cited))
    dropped = {id(each) for each in duplicates(cited_first)}
    items = [(_state(each, cited, contradicted, id(each) in dropped), each) for each in merged]
    ranked = sorted(items, key=lambda item: item[0] not in ("used", "contradicted"))[:MOST]
    kept = {id(piece) for _, piece in ranked}
    return tuple(_item(piece, state, cited) for state, piece in items if id(piece) in kept)


def conflicts_of(found: Iterable[Disagreement], titles: dict[str, str]) -> tuple[Conflict, ...]:
    """Disagreements as an answer gives them; titles: what fields are called."""
    return tuple(
        Conflict(
            subject=each.subject,
            field=titles.get(each.field, each.field),
            values=tuple(statement.shown for statement in each.statements),
            documents=tuple(statement.document for statement in each.statements),
        )
        for each in found
    )


_Cited = dict[tuple[str, int, int], list[tuple[int, int]]]


def _touching(piece: EvidencePiece, cited: _Cited) -> list[tuple[int, int]]:
    place = piece.place
    return [(at, end) for at, end in cited.get(place.page_key, []) if at < place.end and place.start < end]


def _state(
    piece: EvidencePiece, cited: _Cited, contradicted: Collection[tuple[str, str]], is_duplicate: bool
) -> State:
    if piece.field and (piece.document, piece.field) in contradicted:
        return "contradicted"
    if _touching(piece, cited):
        return "used"
    return "duplicate" if is_duplicate else "unused"


def _item(piece: EvidencePiece, state: State, cited: _Cited) -> EvidenceItem:
    """With the part of a long text that is cited, else its beginning."""
    place, start = piece.place, piece.place.start
    if place.end - start > MOST_CHARS and (spans := _touching(piece, cited)):
        start = min(max(place.start, min(spans)[0]), place.end - MOST_CHARS)
    quote = place.quote[start - place.start :][:MOST_CHARS]
    return replace(place, start=start, end=start + len(quote), quote=quote).as_place(
        EvidenceItem,
        kind="row" if piece.field else "passage",
        score=round(piece.score, 6),
        method=piece.method,
        state=state,
        index=piece.index,
        field=piece.field,
    )


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
    span, passage = part.span, stored.passage
    place = Span(
        passage.document,
        passage.version,
        *(span.page_no, span.start, span.end),
        part.text,
        stored.name,
        stored.source,
    )
    method = ", ".join(name for name, score in ways if score is not None)
    return EvidencePiece(place, candidate.score, method)
