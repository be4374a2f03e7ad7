"""Pieces of evidence from several indices: one for each place; near-duplicates apart, their assets kept."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from core.domain.results import PassageHit
from core.evidence.dedupe import are_near_duplicates, plain_text


@dataclass(frozen=True, slots=True)
class Piece:
    """A place that was found; `text` is page text [start:end]. score: comparable within one list only."""

    document: str
    version: int
    page: int
    start: int
    end: int
    text: str
    score: float
    method: str
    index: str = "passages"
    title: str = ""
    source: str = ""
    field: str = ""
    images: tuple[str, ...] = ()
    pdfs: tuple[str, ...] = ()

    @classmethod
    def of_hit(cls, hit: PassageHit, title: str, source: str) -> Piece:
        """The place of a hit of a search, with what its document is called."""
        return cls(
            document=hit.document,
            version=hit.version,
            page=hit.page,
            start=hit.start,
            end=hit.end,
            text=hit.text,
            score=hit.score,
            method=hit.method,
            index=hit.index,
            title=title,
            source=source,
        )

    def holds(self, other: Piece) -> bool:
        """Whether the other one stands within this one, of the same version and page."""
        here, there = (self.document, self.version, self.page), (other.document, other.version, other.page)
        return here == there and self.start <= other.start and other.end <= self.end


@dataclass(frozen=True, slots=True)
class Deduplicated:
    """kept: in their order, with the assets of their near-duplicates, which are `dropped`."""

    kept: tuple[Piece, ...]
    dropped: tuple[Piece, ...]


def merge(pieces: Iterable[Piece]) -> tuple[Piece, ...]:
    """One piece for each place, by document: documents and pieces in the order of their best scores.

    What stands within another piece of the document goes into it: with its better score, its method, its
    index and its assets. Pieces of different fields are kept apart.
    """
    ordered = sorted(pieces, key=lambda each: (-(each.end - each.start), -each.score, each.start))
    kept: list[Piece] = []
    for piece in ordered:
        at = next((at for at, one in enumerate(kept) if one.field == piece.field and one.holds(piece)), None)
        if at is None:
            kept.append(piece)
        else:
            kept[at] = _joined(kept[at], piece)
    best: dict[str, float] = {}
    for piece in kept:
        best[piece.document] = max(best.get(piece.document, piece.score), piece.score)
    return tuple(
        sorted(
            kept, key=lambda each: (-best[each.document], each.document, -each.score, each.page, each.start)
        )
    )


def drop_duplicates(pieces: Sequence[Piece]) -> Deduplicated:
    """The pieces without any whose text is at least 95 % that of an earlier one.

    A passage may repeat one of another document; a row never does: it says what its own document states.
    """
    kept: list[Piece] = []
    texts: list[tuple[str, str]] = []
    dropped: list[Piece] = []
    for piece in pieces:
        text = plain_text(piece.text)
        like = (at for at, known in enumerate(texts) if are_near_duplicates(text, known))
        at = next((at for at in like if _may_repeat(piece, kept[at])), None)
        if at is None:
            kept.append(piece)
            texts.append(text)
            continue
        kept[at] = replace(
            kept[at],
            images=_both(kept[at].images, piece.images),
            pdfs=_both(kept[at].pdfs, piece.pdfs),
        )
        dropped.append(piece)
    return Deduplicated(tuple(kept), tuple(dropped))


def _may_repeat(piece: Piece, earlier: Piece) -> bool:
    if not piece.field and not earlier.field:
        return True
    return (piece.document, piece.field) == (earlier.document, earlier.field)


def _joined(one: Piece, other: Piece) -> Piece:
    return replace(
        one,
        score=max(one.score, other.score),
        method=", ".join(dict.fromkeys((*one.method.split(", "), *other.method.split(", ")))),
        index=", ".join(dict.fromkeys((*one.index.split(", "), *other.index.split(", ")))),
        images=_both(one.images, other.images),
        pdfs=_both(one.pdfs, other.pdfs),
    )


def _both(one: Sequence[str], other: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*one, *other)))
