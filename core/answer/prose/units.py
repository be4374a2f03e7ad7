"""Evidence and computed values as a model is given them: whole units with short ids, within a budget."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.answer.value import show_value
from core.domain.answer import Answer, QuotedPlace, Route

CHARS_PER_TOKEN = 3  # low, so that the estimate is high: English has about four
MOST_DOCUMENTS = 10
MOST_CELLS = 40
_FRAME_TOKENS = 40  # of a unit's id, title and fence


@dataclass(frozen=True, slots=True)
class EvidenceUnit:
    """A quoted place of a document with the id that a model cites it by, such as "e3"."""

    id: str
    place: QuotedPlace


@dataclass(frozen=True, slots=True)
class ValueUnit:
    """A computed value with its id ("v2"): what it is of, and as it is shown."""

    id: str
    label: str
    shown: str


@dataclass(frozen=True, slots=True)
class PackedEvidence:
    """All that a model may write from. unread: titles of documents that were found and did not fit."""

    units: tuple[EvidenceUnit, ...]
    values: tuple[ValueUnit, ...]
    unread: tuple[str, ...] = ()

    @property
    def ids(self) -> tuple[str, ...]:
        """Every id that a claim may name."""
        return (*(unit.id for unit in self.units), *(value.id for value in self.values))

    @property
    def is_empty(self) -> bool:
        """True where there is nothing to write from."""
        return not self.units and not self.values


def pack_units(answer: Answer, most_tokens: int) -> PackedEvidence:
    """The evidence of an answer, best first, in whole units; values first, since they are short and exact.

    A unit that does not fit ends the packing: what is weaker does not take the place of what is better.
    """
    values = tuple(_values(answer))
    left = most_tokens - sum(_tokens(value.label + value.shown) for value in values)
    units: list[EvidenceUnit] = []
    documents: set[str] = set()
    unread: dict[str, None] = {}
    is_full = False
    for place in _places(answer):
        needed = _tokens(place.quote) + _FRAME_TOKENS
        is_new = place.document not in documents
        is_full = is_full or needed > left
        if is_full or (is_new and len(documents) == MOST_DOCUMENTS):
            if is_new:
                unread[place.title] = None
            continue
        left -= needed
        documents.add(place.document)
        units.append(EvidenceUnit(f"e{len(units) + 1}", place))
    return PackedEvidence(tuple(units), values, tuple(unread))


def _places(answer: Answer) -> list[QuotedPlace]:
    """The passages of an answer, those cited first, and cited places that stand in none of them."""
    passages: list[QuotedPlace] = [
        item for item in answer.evidence if item.kind == "passage" and item.state != "duplicate"
    ]
    passages.sort(key=lambda item: getattr(item, "state", "") != "used")
    passages += answer.nearest
    cited = (citation for claim in answer.claims for citation in claim.citations)
    apart = [place for place in cited if not any(_holds(passage, place) for passage in passages)]
    return _once((*apart, *passages))


def _holds(outer: QuotedPlace, inner: QuotedPlace) -> bool:
    same = (outer.document, outer.version, outer.page) == (inner.document, inner.version, inner.page)
    return same and outer.start <= inner.start and inner.end <= outer.end


def _once(places: Iterable[QuotedPlace]) -> list[QuotedPlace]:
    kept: list[QuotedPlace] = []
    for place in places:
        if place.quote and not any(_holds(other, place) for other in kept):
            kept.append(place)
    return kept


def _values(answer: Answer) -> list[ValueUnit]:
    """What was computed: the direct value, the counts of the ledger, and the cells of the table."""
    found: list[tuple[str, str]] = []
    if answer.value is not None and answer.route is Route.STRUCTURED:
        found.append(("the answer", show_value(answer.value)))
    ledger = answer.ledger
    if ledger is not None:
        about = ledger.about or ledger.field
        found += [
            ("documents in scope", f"{ledger.scope:,}"),
            (f"documents with {about}", f"{ledger.present:,}"),
            (f"documents without {about}", f"{ledger.absent:,}"),
            ("documents that are uncertain", f"{ledger.uncertain:,}"),
            ("documents that could not be read", f"{ledger.unreadable:,}"),
        ]
    found += _cells(answer)
    return [ValueUnit(f"v{at}", label, shown) for at, (label, shown) in enumerate(found, 1)]


def _cells(answer: Answer) -> list[tuple[str, str]]:
    table = answer.table
    if table is None or len(table.columns) < 2:
        return []
    found: list[tuple[str, str]] = []
    for row in table.rows:
        pairs = zip(table.columns[1:], row[1:], strict=False)
        cells = [(f"{row[0]}, {column.name}", _shown(cell)) for column, cell in pairs]
        if len(found) + len(cells) > MOST_CELLS:
            break
        found += [(label, shown) for label, shown in cells if shown]
    return found


def _shown(cell: object) -> str:
    if cell is None or isinstance(cell, bool):
        return ""
    if isinstance(cell, int | float):
        return f"{cell:,}"
    return " ".join(str(cell).split())


def _tokens(text: str) -> int:
    return len(text) // CHARS_PER_TOKEN + 1


def places_of(ids: Sequence[str], packed: PackedEvidence) -> list[EvidenceUnit]:
    """The evidence units of these ids, in their order; ids of values are no places."""
    units = {unit.id: unit for unit in packed.units}
    return [units[id] for id in dict.fromkeys(ids) if id in units]
