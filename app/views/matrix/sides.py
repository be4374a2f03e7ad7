"""Contradictions as lines of a table and sides beside one another: between documents, and with the model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from zlib import crc32

from app import links
from core.domain.certainty.contradiction import ContradictionState, ValueContradiction, ValueStatement
from core.domain.fields import CellStatus, Finding, Quote
from core.domain.ids import DocumentId
from core.domain.matrix import CellDispute, WorkItem
from core.domain.value_text import shown, shown_all
from core.domain.wire.contradictions import contradiction_lines

BETWEEN, OF_MODEL = "documents", "model"
SORTS = {"": "Every kind", BETWEEN: "In documents", OF_MODEL: "With the model"}
STATES = {
    "": "Any state",
    ContradictionState.OPEN.value: "Open",
    ContradictionState.POSSIBLE.value: "Possible",
    ContradictionState.RESOLVED.value: "Resolved",
}
LOOK = {"open": "failed", "possible": "unreadable", "resolved": "ready"}
_UNEQUAL = " \u2260 "
_AROUND = 120  # characters


@dataclass(frozen=True, slots=True)
class ShownSide:
    """One side: who states it, what, from when, in which words, the address of the place; cell: to decide.

    document, version: with `quote`, for the words around it.
    """

    who: str
    value: str
    since: str
    quote: Quote | None
    address: str
    document: DocumentId
    version: int
    cell: str = ""
    is_fact: bool = True

    @property
    def words(self) -> str:
        """The words that state it, "" for none."""
        return self.quote.quote if self.quote is not None else ""


def around(text: str, quote: Quote) -> tuple[str, str]:
    """Words of its page before and after a quote, cut between words, with marks where they go on."""
    span = quote.span
    before, after = text[max(0, span.start - _AROUND) : span.start], text[span.end : span.end + _AROUND]
    if span.start > _AROUND:
        before = "\u2026 " + before.partition(" ")[2]
    if span.end + _AROUND < len(text):
        after = after.rpartition(" ")[0] + " \u2026"
    return before, after


@dataclass(frozen=True, slots=True)
class ShownContradiction:
    """A contradiction of either sort as a page shows it; lines: of it in a file, below HEADS."""

    id: str
    sort: str
    state: str
    thing: str
    about: str
    title: str
    resolution: str
    sides: tuple[ShownSide, ...]
    lines: tuple[tuple[str, ...], ...]

    @property
    def values(self) -> str:
        """All values in one line."""
        return _UNEQUAL.join(side.value for side in self.sides)

    @property
    def documents(self) -> str:
        """The documents in one line."""
        return " \u00b7 ".join(dict.fromkeys(side.who for side in self.sides))

    def has(self, words: str) -> bool:
        """True where every word stands in what is shown of it."""
        text = f"{self.thing} {self.title} {self.values} {self.documents} {self.resolution}".casefold()
        return all(each in text for each in words.casefold().split())


def between_documents(
    found: Sequence[ValueContradiction], fields: frozenset[str]
) -> Iterator[ShownContradiction]:
    """Those in documents and between them. fields: that have cells, which can be opened."""
    for each in found:
        sides = tuple(_side(side, each.about if each.about in fields else "") for side in each.sides)
        mark = "\n".join((each.thing, each.about, *sorted({side.document.id for side in each.sides})))
        yield ShownContradiction(
            f"{crc32(mark.encode()):08x}",
            BETWEEN,
            each.state.value,
            each.thing,
            each.about,
            each.title,
            each.resolution,
            sides,
            tuple(contradiction_lines(each)),
        )


def _side(side: ValueStatement, field: str) -> ShownSide:
    document, quote = side.document, side.quote
    return ShownSide(
        document.name,
        shown(side.value),
        document.since,
        quote,
        links.span(document.id, document.version, quote.span if quote is not None else None),
        document.id,
        document.version,
        f"{document.id}.{field}" if field else "",
        side.is_fact,
    )


def of_model(found: Sequence[CellDispute], titles: dict[str, str]) -> Iterator[ShownContradiction]:
    """Cells that a model read otherwise than extraction, as the same."""
    for each in found:
        item = each.item
        cell = f"{item.document}.{item.field}"
        sides = (_reader("Extraction", each.extraction, item), _reader("The model", each.model, item))
        title, state = titles.get(item.field, item.field), ContradictionState.OPEN.value
        lines = tuple(
            (state, item.title, title, side.value, f"{item.title} ({side.who})", "", side.words, "", "")
            for side in sides
        )
        yield ShownContradiction(
            f"model.{cell}", OF_MODEL, state, item.title, item.field, title, "", sides, lines
        )


def _reader(who: str, said: Finding, item: WorkItem) -> ShownSide:
    value = shown_all(said.values) or ("Yes" if said.status is CellStatus.PRESENT else said.status.value)
    quote, cell = next(iter(said.spans), None), f"{item.document}.{item.field}"
    return ShownSide(who, value, "", quote, links.place(item.document), item.document, 0, cell)
