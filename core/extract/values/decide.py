"""What rules make of their readings: a fact, a work item with its sentences, or nothing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from core.domain.fields import Candidate, CellStatus, Finding, Quote, TypedValue
from core.extract.base import DocumentText
from core.text.sentences import split_sentences

PRESENT_FROM = 0.9
"""The confidence from which a reading is shown as a fact."""

_MOST_CANDIDATES = 5
_REACH = 600


class Reading(NamedTuple):
    """One way to read a field's value. spans: offsets into the document's text, first what decided."""

    value: TypedValue
    spans: tuple[tuple[int, int], ...]
    confidence: float
    note: str = ""


_MAX_SENTENCES = 1_500  # about 2 ms each where text is hostile; contracts of 300 pages have fewer


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
    ranked = unique(sorted(readings, key=lambda reading: -reading.confidence))
    if not ranked:
        return Finding(CellStatus.ABSENT, confidence=absent, method=method, note=note)
    best = ranked[0]
    candidates = tuple(candidate(document, reading, method) for reading in ranked[:_MOST_CANDIDATES])
    said = best.note or note
    if best.confidence < present_from:
        return Finding(
            CellStatus.UNCERTAIN, confidence=best.confidence, method=method, candidates=candidates, note=said
        )
    spans = tuple(document.quote(*span) for span in best.spans)
    return Finding(CellStatus.PRESENT, (best.value,), spans, best.confidence, method, candidates, note=said)


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
        shown = candidates[:_MOST_CANDIDATES]
        return Finding(
            CellStatus.UNCERTAIN, confidence=confidence, method=method, candidates=shown, note=note
        )
    values = tuple(reading.value for reading in readings)
    spans = tuple(document.quote(*reading.spans[0]) for reading in readings)
    return Finding(CellStatus.PRESENT, values, spans, confidence, method, candidates[:_MOST_CANDIDATES], note)


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
