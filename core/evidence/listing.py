"""The evidence of an answer as a list: every place that was found, and what became of it."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Literal

from core.domain.answer import Citation, Conflict, EvidenceItem
from core.evidence.conflicts import Disagreement
from core.evidence.merge import Piece, drop_duplicates, merge

MOST = 40
MOST_CHARS = 400
State = Literal["used", "duplicate", "contradicted", "unused"]


def list_evidence(
    pieces: Iterable[Piece],
    citations: Iterable[Citation] = (),
    contradicted: Collection[tuple[str, str]] = (),
) -> tuple[EvidenceItem, ...]:
    """At most MOST items, by document, those that are cited or contradicted before all others.

    contradicted: (document, field) of what others state differently. A quote has at most MOST_CHARS letters.
    """
    cited: dict[tuple[str, int, int], list[tuple[int, int]]] = {}
    for each in citations:
        cited.setdefault((each.document, each.version, each.page), []).append((each.start, each.end))
    merged = merge(pieces)
    dropped = {id(each) for each in drop_duplicates(_cited_first(merged, cited)).dropped}
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


def _touching(piece: Piece, cited: _Cited) -> list[tuple[int, int]]:
    spans = cited.get((piece.document, piece.version, piece.page), [])
    return [(start, end) for start, end in spans if start < piece.end and piece.start < end]


def _cited_first(pieces: tuple[Piece, ...], cited: _Cited) -> list[Piece]:
    """What is cited is never the duplicate of what is not."""
    return sorted(pieces, key=lambda piece: not _touching(piece, cited))


def _state(
    piece: Piece, cited: _Cited, contradicted: Collection[tuple[str, str]], is_duplicate: bool
) -> State:
    if piece.field and (piece.document, piece.field) in contradicted:
        return "contradicted"
    if _touching(piece, cited):
        return "used"
    return "duplicate" if is_duplicate else "unused"


def _item(piece: Piece, state: State, cited: _Cited) -> EvidenceItem:
    """With the part of a long text that is cited, else its beginning."""
    start = piece.start
    if piece.end - start > MOST_CHARS and (spans := _touching(piece, cited)):
        start = min(max(piece.start, min(spans)[0]), piece.end - MOST_CHARS)
    quote = piece.text[start - piece.start :][:MOST_CHARS]
    return EvidenceItem(
        kind="row" if piece.field else "passage",
        document=piece.document,
        title=piece.title,
        source=piece.source,
        version=piece.version,
        page=piece.page,
        start=start,
        end=start + len(quote),
        quote=quote,
        score=round(piece.score, 6),
        method=piece.method,
        state=state,
        index=piece.index,
        field=piece.field,
    )
