"""The finding that readings of a field come to: a method's where they agree, a rule's by the surest."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Generic, NamedTuple, TypeVar

from core.config.fields import FieldDefinition
from core.domain.fields import (
    MAX_CANDIDATES,
    Candidate,
    CellStatus,
    FieldType,
    Finding,
    Quote,
    Special,
    TypedValue,
)
from core.extract.base import DocumentText, Rule, uncertain
from core.fields.typed import boolean_value, is_usable, same
from core.text.sentences import split_sentences
from core.values.numbers import cuts_number

MAX_VALUES = 200
"""Values of a field that takes a list; a longer list is cut, and says so."""

PRESENT_FROM = 0.9
"""The confidence from which a rule's reading is shown as a fact."""

LEFT_OPEN = {
    Special.BLANK: "The document leaves this blank.",
    Special.REDACTED: "The document has this redacted.",
    Special.AMBIGUOUS: "What the document states can be read in two ways.",
}
"""What is said of values that are none, and of those with two readings."""

_UNSURE = 0.5
_REACH = 600
_MAX_SENTENCES = 1_500  # about 2 ms each where text is hostile; contracts of 300 pages have fewer

U = TypeVar("U", bound=TypedValue | None)
V = TypeVar("V", bound=TypedValue | None, covariant=True)


class TextReading(NamedTuple, Generic[V]):
    """One way to read a field's value (None for a clause); confidence 0 to 1.

    spans: offsets into the document's text, first what decided.
    """

    value: V
    spans: tuple[tuple[int, int], ...]
    confidence: float
    note: str = ""

    @staticmethod
    def at(start: int, end: int, value: U, confidence: float) -> TextReading[U]:
        """A reading of the text [start, end)."""
        return TextReading(value, ((start, end),), confidence)

    @property
    def start(self) -> int:
        """Offset at which the deciding words begin."""
        return self.spans[0][0]

    @property
    def end(self) -> int:
        """Offset at which the deciding words end."""
        return self.spans[0][1]


Reading = TextReading[TypedValue]
MaybeReading = TextReading[TypedValue | None]
"""A reading of a clause, or of a value that is not understood."""


def agree(
    document: DocumentText,
    definition: FieldDefinition,
    readings: Sequence[MaybeReading],
    method: str,
) -> Finding | None:
    """Finding from the readings of one method, in their order; None for none.

    A field of one value with readings that differ is uncertain: they are its candidates.
    """
    if not readings:
        return None
    readings = [each._replace(value=None) if _is_part(document, each) else each for each in readings]
    if definition.type is FieldType.BOOLEAN:
        first = readings[0]
        value = first.value or boolean_value(True, document.text[first.start : first.end][:200])
        return _fact(document, readings[:MAX_CANDIDATES], (value,), first.confidence, method)
    distinct = _distinct(readings)
    if definition.many:
        kept = [each for each in distinct if each.value is not None and is_usable(each.value)]
        shown = kept[:MAX_VALUES]
        note = "" if len(kept) <= MAX_VALUES else f"Only the first {MAX_VALUES} values are kept."
        values = tuple(each.value for each in shown if each.value is not None)
        least = min((each.confidence for each in shown), default=0.0)
        return _fact(document, shown, values, least, method, note) if shown else None
    usable = [each for each in readings if each.value is not None and is_usable(each.value)]
    distinct = _distinct(usable) if usable else distinct
    if usable and len(distinct) == 1:
        first = distinct[0]
        return _fact(document, [first], (first.value,) if first.value else (), first.confidence, method)
    return uncertain(_UNSURE, method, candidates_of(document, distinct, method), _why(distinct))


def _is_part(document: DocumentText, reading: MaybeReading) -> bool:
    """True of an amount whose words begin or end within a number: its value is another one."""
    is_amount = reading.value is not None and reading.value.type in (FieldType.MONEY, FieldType.NUMBER)
    return is_amount and cuts_number(document.text, reading.start, reading.end)


def _fact(
    document: DocumentText,
    readings: Sequence[MaybeReading],
    values: tuple[TypedValue, ...],
    confidence: float,
    method: str,
    note: str = "",
) -> Finding:
    spans = tuple(document.quote(each.start, each.end) for each in readings)
    return Finding(CellStatus.PRESENT, values, spans, confidence, method, note=note)


def amount_first(document: DocumentText, clause: Finding, amount: Finding | None) -> Finding:
    """A clause that is present with the sentence of its amount as the first span."""
    if clause.status is not CellStatus.PRESENT or amount is None:
        return clause
    named = amount.spans[:1] or [each.spans[0] for each in amount.candidates[:1] if each.value and each.spans]
    if not named or amount.status is CellStatus.ABSENT:
        return clause
    sentence = document.quote(*sentence_at(document.text, *document.span(named[0])))
    others = tuple(each for each in clause.spans if each != sentence)
    return replace(clause, spans=(sentence, *others)[:MAX_CANDIDATES])


def candidates_of(
    document: DocumentText, readings: Sequence[MaybeReading], method: str
) -> tuple[Candidate, ...]:
    """Readings as candidates, at most five."""
    return tuple(
        Candidate(each.value, (document.quote(each.start, each.end),), each.confidence, method)
        for each in readings[:MAX_CANDIDATES]
    )


def _distinct(readings: Sequence[MaybeReading]) -> list[MaybeReading]:
    kept: list[MaybeReading] = []
    seen: set[tuple[str, str, str]] = set()
    for each in readings:
        if each.value is None:
            kept.append(each)
            continue
        key = (each.value.normal or each.value.text.casefold(), each.value.unit, each.value.special.value)
        if key in seen or any(other.value and same(other.value, each.value) for other in kept[:20]):
            continue
        seen.add(key)
        kept.append(each)
    return kept


def _why(distinct: Sequence[MaybeReading]) -> str:
    if len(distinct) > 1:
        return f"The document states {len(distinct)} different values."
    value = distinct[0].value
    return LEFT_OPEN.get(
        value.special if value else Special.NONE, "The value could not be read with certainty."
    )


def sentence_at(text: str, start: int, end: int) -> tuple[int, int]:
    """The sentence that holds [start, end), at most 600 characters to either side."""
    begin, stop = max(0, start - _REACH), min(len(text), end + _REACH)
    for first, last in split_sentences(text, begin, stop):
        if first <= start < last:
            return first, max(last, end)
    return start, end


def sentences_with(trigger: re.Pattern[str], text: str, longest: int) -> Iterator[tuple[int, int]]:
    """The sentences that hold a match of `trigger`, each once, cut to `longest` characters; at most 1,500."""
    done, sentences = -1, 0
    for match in trigger.finditer(text):
        if match.start() < done:
            continue
        sentences += 1
        if sentences > _MAX_SENTENCES:
            return
        first, last = sentence_at(text, match.start(), match.end())
        done = min(last, first + longest)
        yield first, done


def decide(
    document: DocumentText,
    readings: Iterable[Reading],
    method: str,
    *,
    present_from: float = PRESENT_FROM,
    absent: float = 0.9,
    note: str = "",
) -> Finding:
    """The finding that readings of one value come to; equal confidences keep their order.

    absent: how sure it is that the document states none where there is no reading.
    """
    read = [
        each._replace(confidence=min(_UNSURE, each.confidence)) if _is_part(document, each) else each
        for each in readings
    ]
    ranked = unique(sorted(read, key=lambda reading: -reading.confidence))
    if not ranked:
        return Finding(CellStatus.ABSENT, confidence=absent, method=method, note=note)
    best = ranked[0]
    candidates = tuple(candidate(document, reading, method) for reading in ranked[:MAX_CANDIDATES])
    said = best.note or note
    if best.confidence < present_from:
        return uncertain(best.confidence, method, candidates, said)
    spans = tuple(document.quote(*span) for span in best.spans)
    return Finding(CellStatus.PRESENT, (best.value,), spans, best.confidence, method, candidates, note=said)


def value_rule(name: str, read: Callable[[DocumentText], Iterable[Reading]], absent: float) -> Rule:
    """The rule of that name, which decides by what `read` gives. absent: as in `decide`."""
    return lambda document: decide(document, read(document), f"rule {name}", absent=absent)


def decide_many(
    document: DocumentText,
    readings: Sequence[Reading],
    method: str,
    *,
    confidence: float,
    present_from: float = PRESENT_FROM,
    absent: float = 0.9,
    note: str = "",
) -> Finding:
    """The finding of a field that takes several values: all of them a fact, or all of them uncertain."""
    if not readings:
        return Finding(CellStatus.ABSENT, confidence=absent, method=method, note=note)
    candidates = tuple(candidate(document, reading, method) for reading in readings)
    if confidence < present_from:
        shown = candidates[:MAX_CANDIDATES]
        return uncertain(confidence, method, shown, note)
    values = tuple(reading.value for reading in readings)
    spans = tuple(document.quote(*reading.spans[0]) for reading in readings)
    return Finding(CellStatus.PRESENT, values, spans, confidence, method, candidates[:MAX_CANDIDATES], note)


def candidate(document: DocumentText, reading: Reading, method: str) -> Candidate:
    """A reading as a reviewer sees it: what it was read from, then the sentence around that."""
    spans: list[Quote] = [document.quote(*span) for span in reading.spans]
    sentence = document.quote(*sentence_at(document.text, *reading.spans[0]))
    if sentence not in spans:
        spans.append(sentence)
    return Candidate(reading.value, tuple(spans), reading.confidence, method)


def unique(readings: Iterable[Reading]) -> list[Reading]:
    """The first reading of each value."""
    seen: set[tuple[str, str, str]] = set()
    kept = []
    for reading in readings:
        key = (reading.value.text, reading.value.unit, reading.value.special.value)
        if key not in seen:
            seen.add(key)
            kept.append(reading)
    return kept
