"""Evidence and computed values as a model is given them: units with short ids, widened, in a budget."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.answer.value import show_value
from core.domain.answer import Answer, QuotedPlace, Route
from core.domain.document import Page
from core.domain.ids import DocumentId
from core.llm.budget import CHARS_PER_TOKEN
from core.search.evidence.base import PageSource, page_at
from core.store.database.visibility import Visibility
from core.text.sentences import split_sentences
from core.values.naming.display import holder_of

MOST_DOCUMENTS = 10
MOST_CELLS = 40
_KEPT = 2  # units that an answer brought, which no search drives out
_FRAME_TOKENS = 40  # of a unit's id, title and fence


@dataclass(frozen=True, slots=True)
class EvidenceUnit:
    """A quoted place of a document with the id that a model cites it by, such as "e3"."""

    id: str
    place: QuotedPlace

    @property
    def name(self) -> str:
        """Its document's title, and the file that this is within: "terms, within offer.eml"."""
        holder = holder_of(self.place.source)
        return f"{self.place.title}, within {holder}" if holder else self.place.title


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
    def quotes(self) -> dict[str, str]:
        """The words of every unit by its id."""
        return {unit.id: unit.place.quote for unit in self.units}

    @property
    def is_empty(self) -> bool:
        """True where there is nothing to write from."""
        return not self.units and not self.values


class EvidencePool:
    """Evidence in the order in which it came, in whole units, as far as there is room. Not thread-safe.

    A unit that does not fit is left out, and so is all that comes behind it: what is weaker does not take the
    place of what is better. What a tool found takes the place of the weakest that an answer brought. Pieces
    of a page that overlap are one unit.
    """

    def __init__(self, most_tokens: int) -> None:
        self._left = most_tokens
        self._is_full = False
        self._made = 0
        self._units: list[EvidenceUnit] = []
        self._found: set[str] = set()  # ids of what tools found
        self._values: list[ValueUnit] = []
        self._unread: dict[str, None] = {}

    def add_place(self, place: QuotedPlace, *, is_found: bool = False) -> str:
        """The id of a place, also of one that is in here already; "" where there is no room for it.

        is_found: a tool found it.
        """
        for at, unit in enumerate(self._units):
            whole = place_of_both(unit.place, place)
            if (
                whole is not None
                and (grown := _tokens(whole.quote) - _tokens(unit.place.quote)) <= self._left
            ):
                self._left -= grown
                self._units[at] = EvidenceUnit(unit.id, whole)
                self._found |= {unit.id} if is_found else set()
                return unit.id
        needed = _tokens(place.quote) + _FRAME_TOKENS
        self._is_full = self._is_full or (needed > self._left and not is_found)
        if is_found:
            self._make_room(place, needed)
        if not place.quote or not self._has_room(place, needed) or (self._is_full and not is_found):
            if place.quote and place.document not in self._documents:
                self._unread[place.title] = None
            return ""
        self._left -= needed
        self._made += 1
        id = f"e{self._made}"
        self._units.append(EvidenceUnit(id, place))
        self._found |= {id} if is_found else set()
        return id

    @property
    def _documents(self) -> set[str]:
        return {unit.place.document for unit in self._units}

    def _has_room(self, place: QuotedPlace, needed: int) -> bool:
        documents = self._documents
        return needed <= self._left and (place.document in documents or len(documents) < MOST_DOCUMENTS)

    def _make_room(self, place: QuotedPlace, needed: int) -> None:
        """Drop the weakest units that no tool found, until a place fits or the best alone are left."""
        droppable = [unit for unit in self._units if unit.id not in self._found][_KEPT:]
        if place.document not in (held := self._documents) and len(held) >= MOST_DOCUMENTS:
            kept = {unit.place.document for unit in self._units if unit not in droppable}
            if len(kept) >= MOST_DOCUMENTS:
                return  # whatever goes, its document would be one too many
        room = self._left + sum(_tokens(each.place.quote) + _FRAME_TOKENS for each in droppable)
        while droppable and needed <= room and not self._has_room(place, needed):
            weakest = droppable.pop()
            self._units.remove(weakest)
            self._left += _tokens(weakest.place.quote) + _FRAME_TOKENS
            self._unread[weakest.place.title] = None

    def add_value(self, label: str, shown: str) -> str:
        """The id of a computed value; values are short, and always taken."""
        for value in self._values:
            if (value.label, value.shown) == (label, shown):
                return value.id
        self._left -= _tokens(label + shown)
        self._values.append(ValueUnit(f"v{len(self._values) + 1}", label, shown))
        return self._values[-1].id

    def add_answer(self, answer: Answer, widen: Callable[[QuotedPlace], QuotedPlace]) -> None:
        """All that an answer rests on: its values, then its passages, widened, and those it cites first."""
        for label, shown in _values(answer):
            self.add_value(label, shown)
        for place in _places(answer):
            self.add_place(widen(place))

    @property
    def packed(self) -> PackedEvidence:
        """What is in here now."""
        read = {unit.place.title for unit in self._units}
        unread = tuple(title for title in self._unread if title not in read)
        return PackedEvidence(tuple(self._units), tuple(self._values), unread)


def _places(answer: Answer) -> list[QuotedPlace]:
    """The passages of an answer, those cited first, and cited places that stand in none of them."""
    passages: list[QuotedPlace] = [
        item for item in answer.evidence if item.kind == "passage" and item.state != "duplicate"
    ]
    passages.sort(key=lambda item: getattr(item, "state", "") != "used")
    passages += answer.nearest
    cited = (citation for claim in answer.claims for citation in claim.citations)
    apart = [place for place in cited if not any(_holds(passage, place) for passage in passages)]
    return [*apart, *passages]


def _holds(outer: QuotedPlace, inner: QuotedPlace) -> bool:
    return _is_same_page(outer, inner) and outer.start <= inner.start and inner.end <= outer.end


def _is_same_page(one: QuotedPlace, other: QuotedPlace) -> bool:
    return (one.document, one.version, one.page) == (other.document, other.version, other.page)


def place_of_both(one: QuotedPlace, other: QuotedPlace) -> QuotedPlace | None:
    """The place that two have together which overlap or touch; None for two that stand apart."""
    if not _is_same_page(one, other):
        return None
    first, second = sorted((one, other), key=lambda each: (each.start, -each.end))
    if second.end <= first.end:
        return first
    is_exact = all(len(each.quote) == each.end - each.start for each in (first, second))
    if second.start > first.end or not is_exact:
        return None
    quote = first.quote + second.quote[first.end - second.start :]
    return first.model_copy(update={"end": second.end, "quote": quote})


def _values(answer: Answer) -> list[tuple[str, str]]:
    """What was computed, each with what it is of: direct value, counts of the ledger, cells of the table."""
    found: list[tuple[str, str]] = []
    if answer.value is not None and answer.route is Route.STRUCTURED:
        found.append(("the answer", show_value(answer.value)))
    ledger = answer.ledger
    if ledger is not None:
        having, lacking = "documents that fulfil what is asked", "documents that do not"
        if ledger.about and not ledger.fulfils:
            having, lacking = f"documents with {ledger.about}", f"documents without {ledger.about}"
        found += [
            ("documents in scope", f"{ledger.scope:,}"),
            (having, f"{ledger.present:,}"),
            (lacking, f"{ledger.absent:,}"),
            ("documents that are uncertain", f"{ledger.uncertain:,}"),
            ("documents that could not be read", f"{ledger.unreadable:,}"),
        ]
    return [*found, *_cells(answer)]


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


def units_of(ids: Sequence[str], packed: PackedEvidence) -> list[EvidenceUnit]:
    """The evidence units of these ids, in their order; ids of values are no places."""
    units = {unit.id: unit for unit in packed.units}
    return [units[id] for id in dict.fromkeys(ids) if id in units]


WANTED_CHARS = 900
Widen = Callable[[QuotedPlace], QuotedPlace]


def widening(pages: PageSource, visibility: Visibility) -> Widen:
    """Widens a place to about WANTED_CHARS characters of its page, in whole sentences; a longer one stays.

    Each page is read once: twenty places of an answer often stand on the same few.
    """

    @functools.cache
    def page(document: str, version: int, number: int) -> Page | None:
        return page_at(pages, DocumentId(document), version, number, visibility)

    def widen(place: QuotedPlace) -> QuotedPlace:
        is_short = place.end - place.start < WANTED_CHARS
        found = page(place.document, place.version, place.page) if is_short else None
        if found is None:
            return place
        start, end = widened(found.text, place.start, place.end, WANTED_CHARS)
        return place.model_copy(update={"start": start, "end": end, "quote": found.text[start:end]})

    return widen


def widened(text: str, start: int, end: int, wanted: int) -> tuple[int, int]:
    """The span with whole sentences on both sides, by turns, as long as it is no longer than `wanted`."""
    sentences = split_sentences(text)
    before = [first for first, _ in sentences if first < start]
    behind = [last for _, last in sentences if last > end]
    behind.reverse()
    while before or behind:
        grown = False
        if before and end - before[-1] <= wanted:
            start, grown = before.pop(), True
        if behind and behind[-1] - start <= wanted:
            end, grown = behind.pop(), True
        if not grown:
            break
    return start, end
