"""Places of a document that a model is shown for uncertain cells: the whole of it, or the best for each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from core.config.fields import FieldDefinition, WordsExtractor
from core.domain.fields import Finding
from core.domain.sentence_vectors import SentenceVectors
from core.extract.absence import is_named, stems_of
from core.extract.base import DocumentText
from core.extract.semantic import Encode
from core.extract.words.candidates import rank
from core.extract.words.learning import words_extractor
from core.extract.words.ranking import FieldWords, words_of
from core.extract.words.units import Units, units_of
from core.llm.budget import CHARS_PER_TOKEN

FRAME_TOKENS = 40  # of a unit's id, page and fence
LONGEST_PLACE = 900  # characters
_LONGEST_UNIT = 2_000  # of a document that is given in full
_RANKED, _CANDIDATES = 3, 3
_NAMED_TOKENS = 700  # of all sentences with the words of a field
_GAP = 60  # characters: places so near are one

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class EvidenceSpan:
    """Characters [start, end) of a document's text with the id by which a model names them."""

    id: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Places:
    """Best places for one cell. named: of every sentence that holds the field's own words, in any order."""

    best: tuple[Span, ...]
    named: tuple[Span, ...]


@dataclass
class PlaceFinder:
    """Finds places of fields in one document. Not for several threads at once.

    words: gives what a field's sentences are compared with; see `field_words`.
    """

    document: DocumentText
    vectors: SentenceVectors | None
    words: Callable[[FieldDefinition], FieldWords]
    _units: Units | None = None
    _stems: tuple[frozenset[str], ...] = field(default=())

    def places(self, definition: FieldDefinition, finding: Finding) -> Places:
        """What extraction considered, the sentences nearest to the field's words, and those with them."""
        units = self._read()
        ranked = rank(self.document, definition, self.words(definition), self.vectors, units=units)
        best = [*self._considered(finding, units), *ranked.spans[:_RANKED]]
        named = [
            (each.start, each.end)
            for each, held in zip(units.segments, self._stems, strict=True)
            if is_named(definition, held)
        ]
        # A part of them would not bear an absence, and take the room of other cells.
        given = named if size_of(named) <= _NAMED_TOKENS else []
        shown = [_cut(each) for each in dict.fromkeys([*best, *given])]
        return Places(tuple(shown), tuple(named))

    def _read(self) -> Units:
        if self._units is None:
            self._units = units_of(self.document, self.vectors)
            self._stems = tuple(stems_of(each.text) for each in self._units.segments)
        return self._units

    def _considered(self, finding: Finding, units: Units) -> Iterable[Span]:
        """The sentences in which the cell's candidates stand."""
        for each in finding.candidates[:_CANDIDATES]:
            for quote in each.spans[:1]:
                try:
                    start, end = self.document.span(quote)
                except KeyError:
                    continue
                around = [(s.start, s.end) for s in units.segments if s.start < end and start < s.end]
                yield from around[:2] or [(start, end)]


def field_words(encode: Encode | None) -> Callable[[FieldDefinition], FieldWords]:
    """What sentences are compared with, by field; each is encoded once."""

    @lru_cache(maxsize=500)
    def words(definition: FieldDefinition) -> FieldWords:
        own = words_extractor(definition)
        meaning = definition.description or definition.title
        known = own or WordsExtractor(meaning=meaning[:600], words=definition.synonyms[:50])
        return words_of(definition.title, known, encode)

    return words


def whole_of(document: DocumentText) -> tuple[EvidenceSpan, ...]:
    """The whole text, page by page, in pieces that end with a line."""
    found: list[Span] = []
    for begin, page in zip(document.starts, document.pages, strict=True):
        at, last = begin, begin + len(page.text)
        while at < last:
            end = min(last, at + _LONGEST_UNIT)
            if end < last:
                cut = max(document.text.rfind("\n", at + 1, end), document.text.rfind(". ", at + 1, end))
                end = cut + 1 if cut > at else end
            found.append((at, end))
            at = end
    return numbered(span for span in found if document.text[slice(*span)].strip())


def merged(spans: Iterable[Span], document: DocumentText) -> list[Span]:
    """The same characters in reading order, with places that touch put together."""
    found: list[Span] = []
    for start, end in sorted(spans):
        if found and start <= found[-1][1] + _GAP:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, min(end, len(document.text))))
    return found


def numbered(spans: Iterable[Span]) -> tuple[EvidenceSpan, ...]:
    """Spans with ids e1, e2, ... in their order."""
    return tuple(EvidenceSpan(f"e{at}", *span) for at, span in enumerate(spans, 1))


def size_of(spans: Iterable[Span]) -> int:
    """Tokens that these places take in a prompt, about."""
    return sum((end - start) // CHARS_PER_TOKEN + FRAME_TOKENS for start, end in spans)


def holds_all(given: Sequence[EvidenceSpan], wanted: Iterable[Span]) -> bool:
    """True where each of the wanted places was given, whole."""
    return all(any(each.start <= start and end <= each.end for each in given) for start, end in wanted)


def _cut(span: Span) -> Span:
    return span[0], min(span[1], span[0] + LONGEST_PLACE)
