"""Extractive summaries of a document: sentences that its cells, its opening and its amounts point to.

Each sentence stands in the document as it is shown. What makes one worth showing: the fields that were read
from it (weighted by their group for each reader), its place (an opening says what a document is for), what
its stored vector shares with the rest of the document, and amounts that it states. Words that
lawyers, accountants and openings use were looked for once: for each sentence shown they held no more of what
lawyers marked (bench.summaries).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from core.config.fields import FieldDefinition, Schema
from core.domain.evidence.sentence_vectors import SentenceVectors
from core.domain.fields import CellStatus, FieldType, Finding, Quote, Summary, SummaryKind
from core.domain.span import PageSpan
from core.extract.base import DocumentText
from core.guard.injection import find_injections
from core.text.sentences import split_sentences
from core.text.words import table

MAX_SENTENCES = {SummaryKind.EXECUTIVE: 5, SummaryKind.LEGAL: 6, SummaryKind.FINANCIAL: 5}
"""How many sentences a summary has at most."""

MAX_RISKS = 8
MAX_ENTITIES = 12
_MAX_NAME = 120
_OPENING_CHARS = 8_000
_AROUND_CHARS = 1_500
_MIN_CHARS, _MAX_CHARS, _CUT_CHARS = 30, 900, 600
_MAX_AMOUNTS = 30
_LEAST, _LEAST_NEW = 0.25, 0.15  # worth of a sentence, and of what it says that those before it did not

_TABLE = table(__file__, "summaries")
_WORTH = frozenset({"contract_value", "total"})
_WORTH_WEIGHT = 1.2
"""What it comes to in all belongs into what somebody reads who reads nothing else."""

_WEIGHTS: dict[SummaryKind, dict[str, float]] = {kind: _TABLE["groups"][kind] for kind in SummaryKind}
_OF_TYPE: dict[SummaryKind, dict[str, float]] = {kind: _TABLE["types"][kind] for kind in SummaryKind}
"""What a field of no group that is known here weighs: groups are words that anybody may choose."""

RISKS: dict[str, float] = _TABLE["risks"]
"""Fields whose sentences somebody should read before signing, and how pressing each is."""

_MARKS = ("$", "\u20ac", "\u00a3", "\u00a5", "%", "USD", "EUR", "GBP", "CHF", " dollars", " percent")
"""What an amount is written with; looked for one by one, as a pattern of them all takes 15 ms a contract."""

_WORD = re.compile(r"[^\W\d_]{4,}")
_LETTER = re.compile(r"[a-z\u00df-\u00ff]")
_LEADER = re.compile(r"\.{4,}|(?:\. ){4,}|\u2026{2,}|_{4,}")


@dataclass
class _Sentence:
    """A sentence with what each kind of reader would give for it, and what it speaks of: fields."""

    start: int
    end: int
    words: frozenset[str]
    worth: dict[SummaryKind, float] = field(default_factory=lambda: dict.fromkeys(SummaryKind, 0.0))
    topics: set[str] = field(default_factory=set)


def interest(kind: SummaryKind, name: str, group: str, type: FieldType) -> float:
    """Weight of a field for one reader, 0 where it says nothing to them."""
    weight = _WEIGHTS[kind].get(group, _OF_TYPE[kind].get(type, 0.0))
    if kind is SummaryKind.EXECUTIVE and name in _WORTH:
        return _WORTH_WEIGHT
    return max(weight, RISKS.get(name, 0.0)) if kind is SummaryKind.LEGAL else weight


def summaries_of(
    document: DocumentText,
    schema: Schema,
    findings: Mapping[str, Finding],
    vectors: SentenceVectors | None = None,
) -> tuple[Summary, ...]:
    """The executive, the legal and the financial summary; one that would have no sentence is left out.

    vectors: the stored vectors of the document's sentences; what is near to all of them is central. Sentences
    come in reading order.
    """
    pool = _Pool(document)
    present = [
        (each, findings[each.name])
        for each in schema.fields
        if each.name in findings and findings[each.name].status is CellStatus.PRESENT
    ]
    for definition, finding in present:
        _weigh_field(pool, definition, finding)
    _weigh_opening(pool)
    _weigh_amounts(pool)
    _weigh_centre(pool, vectors)
    entities = _entities(present)
    risks = _risks(pool, present)
    made = []
    for kind in SummaryKind:
        sentences = _choose(pool, kind)
        if sentences:
            of_kind = risks if kind is not SummaryKind.FINANCIAL else ()
            made.append(Summary(kind, sentences, entities, of_kind))
    return tuple(made)


class _Pool:
    """The sentences of a document that anything pointed to, each once."""

    def __init__(self, document: DocumentText) -> None:
        self.document = document
        self._end = document.content_end
        self._sentences: dict[tuple[int, int], _Sentence] = {}
        self._split: dict[tuple[int, int], list[tuple[int, int]]] = {}

    def __iter__(self) -> Iterator[_Sentence]:
        return iter(sorted(self._sentences.values(), key=lambda each: each.start))

    def at(self, offset: int) -> _Sentence | None:
        """The sentence that an offset stands in; None where that is no sentence to show."""
        for start, end in self._around(offset):
            if start <= offset < end:
                return self.of(start, end)
        return None

    def of(self, start: int, end: int) -> _Sentence | None:
        """The sentence [start, end), if one would show it."""
        known = self._sentences.get((start, end))
        if known is not None:
            return known
        text = self.document.text[start:end]
        if end > self._end or not _is_worth_showing(text):
            return None
        words = frozenset(word.casefold() for word in _WORD.findall(text))
        return self._sentences.setdefault((start, end), _Sentence(start, end, words))

    def opening(self) -> list[tuple[int, int]]:
        """The spans of the sentences that the document begins with."""
        end = _paragraph_end(self.document.text, min(self._end, _OPENING_CHARS))
        return self._spans(0, min(self._end, end))

    def _around(self, offset: int) -> list[tuple[int, int]]:
        opening = self.opening()
        if opening and offset < opening[-1][1]:
            return opening
        page = self.document.page_at(offset)
        begin = self.document.offset(page.page_no, 0)
        text = self.document.text
        start = max(begin, _paragraph_start(text, offset))
        return self._spans(start, min(begin + len(page.text), _paragraph_end(text, offset)))

    def _spans(self, start: int, end: int) -> list[tuple[int, int]]:
        if (start, end) not in self._split:
            self._split[start, end] = split_sentences(self.document.text, start, end)
        return self._split[start, end]


def _paragraph_start(text: str, offset: int) -> int:
    limit = max(0, offset - _AROUND_CHARS)
    return max(text.rfind("\n\n", limit, offset), limit)


def _paragraph_end(text: str, offset: int) -> int:
    limit = min(len(text), offset + _AROUND_CHARS)
    found = text.find("\n\n", offset, limit)
    return limit if found < 0 else found


def _is_worth_showing(text: str) -> bool:
    """True where a text reads as a sentence: no line of a table of contents, no form, no row of figures."""
    if not _MIN_CHARS <= len(text) <= _MAX_CHARS or _LEADER.search(text):
        return False
    return len(_LETTER.findall(text)) > 0.45 * len(text) and len(text.split()) >= 6


def _weigh_field(pool: _Pool, definition: FieldDefinition, finding: Finding) -> None:
    for at, quote in enumerate(finding.spans[:4]):
        sentence = pool.at(pool.document.span(quote)[0])
        if sentence is None or definition.name in sentence.topics:
            continue
        sentence.topics.add(definition.name)
        for kind in SummaryKind:
            weight = interest(kind, definition.name, definition.group, definition.type)
            sentence.worth[kind] += weight * finding.confidence * (1.0 if at == 0 else 0.5)


def _weigh_opening(pool: _Pool) -> None:
    """Weight for the beginning of a document, which says what it is for."""
    shown = [each for span in pool.opening() if (each := pool.of(*span)) is not None]
    for index, sentence in enumerate(shown):
        sentence.worth[SummaryKind.EXECUTIVE] += 0.5 / (1 + index)


def _weigh_amounts(pool: _Pool) -> None:
    """Sentences that state amounts, found wherever they stand; each page gives a few."""
    text = pool.document.text
    for mark in _MARKS:
        at = text.find(mark)
        for _ in range(_MAX_AMOUNTS):
            if at < 0:
                break
            if any(letter.isdecimal() for letter in text[max(0, at - 3) : at + len(mark) + 3]):
                sentence = pool.at(at)
                if sentence is not None:
                    worth = sentence.worth[SummaryKind.FINANCIAL]
                    sentence.worth[SummaryKind.FINANCIAL] = max(0.35, worth)
            at = text.find(mark, at + 100)  # one is enough for its sentence


def _weigh_centre(pool: _Pool, vectors: SentenceVectors | None) -> None:
    """A little more for what is near to the rest of the document."""
    sentences = list(pool) if vectors is not None and len(vectors.matrix) else []
    near = _likeness(pool.document, sentences, vectors) if vectors is not None else []
    for sentence, likeness in zip(sentences, near, strict=True):
        for kind in SummaryKind:
            if sentence.worth[kind]:
                sentence.worth[kind] += 0.25 * likeness


def _likeness(
    document: DocumentText, sentences: Sequence[_Sentence], vectors: SentenceVectors
) -> list[float]:
    if not sentences:
        return []
    centre = vectors.matrix.mean(axis=0)
    found = []
    for sentence in sentences:
        quote = document.quote(sentence.start, sentence.end)
        own = vectors.of_spans([PageSpan(quote.span.page_no, quote.span.start, quote.span.end)])
        found.append(0.0 if own is None else float(own @ centre))
    return _scaled(found)


def _scaled(values: Sequence[float]) -> list[float]:
    low, high = min(values, default=0.0), max(values, default=0.0)
    return [(value - low) / (high - low) if high > low else 0.0 for value in values]


def _choose(pool: _Pool, kind: SummaryKind) -> tuple[Quote, ...]:
    """The best sentences for one reader: each says something that those before it did not."""
    waiting = [each for each in pool if each.worth[kind] >= _LEAST]
    chosen: list[_Sentence] = []
    while waiting and len(chosen) < MAX_SENTENCES[kind]:
        best = max(waiting, key=lambda each: (each.worth[kind] - _told(each, chosen), -each.start))
        waiting.remove(best)
        text = pool.document.text[best.start : best.end]
        if best.worth[kind] - _told(best, chosen) > _LEAST_NEW and not find_injections(text):
            chosen.append(best)
    chosen.sort(key=lambda each: each.start)
    return tuple(pool.document.quote(each.start, each.end) for each in chosen)


def _told(sentence: _Sentence, chosen: Iterable[_Sentence]) -> float:
    """Share of a sentence that was said already, by its words and by what it speaks of."""
    most = 0.0
    for other in chosen:
        shared = len(sentence.words & other.words) / (min(len(sentence.words), len(other.words)) or 1)
        topics = len(sentence.topics & other.topics) / (len(sentence.topics) or 1)
        most = max(most, 2.0 if shared > 0.8 else shared * 0.5, topics * 0.4)
    return most


def _entities(present: Iterable[tuple[FieldDefinition, Finding]]) -> tuple[str, ...]:
    """The parties, each once."""
    names = {
        value.normal or value.text.casefold(): value.text
        for definition, finding in present
        if definition.type is FieldType.PARTY
        for value in reversed(finding.values)
        if len(value.text) <= _MAX_NAME
    }
    return tuple(list(names.values())[:MAX_ENTITIES])


def _risks(pool: _Pool, present: Iterable[tuple[FieldDefinition, Finding]]) -> tuple[Quote, ...]:
    """The sentences of clauses that bind or cost, the most pressing first; each sentence once."""
    found: dict[tuple[int, int], tuple[float, Quote]] = {}
    for definition, finding in present:
        weight = RISKS.get(definition.name, 0.0) * finding.confidence
        if not weight or not finding.spans:
            continue
        start, end = pool.document.span(finding.spans[0])
        sentence = pool.at(start)
        if sentence is not None:
            start, end = sentence.start, sentence.end
        quote = pool.document.quote(start, min(end, start + _CUT_CHARS))
        is_order = bool(find_injections(quote.quote))
        if (
            len(quote.quote) >= _MIN_CHARS
            and not is_order
            and found.get((start, end), (0.0, quote))[0] < weight
        ):
            found[start, end] = (weight, quote)
    ordered = sorted(found.values(), key=lambda each: -each[0])
    return tuple(quote for _, quote in ordered[:MAX_RISKS])
