"""Example phrases of fields that a marking holds: the marked words without what only this question says."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from pydantic import ConfigDict, Field

from core.config.fields import LONGEST_PHRASE
from core.domain.answer import Frozen
from core.plan.catalogue import FieldEntry
from core.plan.language.lexicon.lexicon import MAX_EXAMPLE
from core.plan.language.lexicon.meaning import Known
from core.plan.language.pieces import (
    Comparator,
    Computed,
    Connective,
    Currency,
    DayRange,
    DocumentSet,
    FieldSenses,
    Filler,
    Grouping,
    HavingWord,
    Negator,
    Ordering,
    Parties,
    Piece,
    Quantity,
    Statistic,
    Top,
    UnknownWord,
    Values,
)
from core.plan.language.reading.read import read
from core.plan.reader.reading import SpanRole
from core.plan.teaching.marking import Mark, Marking
from core.text.words import word_list

_VALUES = (Quantity, DayRange, Values, Currency, Computed, Parties, DocumentSet)
_FRAMES = (Negator, HavingWord, Comparator, Connective)
"""Meanings of words around a phrase that say something of their own in any question."""

_OF_PLACE = {
    SpanRole.ORDER: (Ordering, Statistic, Top, Quantity),
    SpanRole.GROUP: (Grouping, Ordering),
    SpanRole.ASKED: (Statistic,),
}
_DETERMINERS = word_list("teaching", "determiners")


class ExamplePhrase(Frozen):
    """Words by which a question speaks of a field."""

    schema_name: str = Field(max_length=100)
    field: str = Field(max_length=200)
    text: str = Field(max_length=200)


class TaughtReading(Frozen):
    """A marking that was taught. phrases: those that it gave its fields; settled: words not unknown since."""

    marking: Marking
    phrases: tuple[ExamplePhrase, ...] = ()
    settled: tuple[str, ...] = ()

    model_config = ConfigDict(frozen=True, extra="ignore")  # what stood there before is kept beside it


def example_phrases(
    question: str, marking: Marking, known: Known, today: date
) -> tuple[tuple[Mark, ExamplePhrase], ...]:
    """The phrase of each mark that has one: not of names, nor of what its field is called already."""
    parsed = read(question, known.lexicon, today, known.words)
    found = []
    for mark in marking.marks:
        entry = known.lexicon.catalogue.field(mark.field, marking.schema_name) if mark.field else None
        if entry is None:
            continue
        inside = [
            piece
            for piece in parsed.pieces
            if parsed.tokens[piece.first].start < mark.end and parsed.tokens[piece.end - 1].end > mark.start
        ]
        run = _run(inside, mark)
        tokens = [
            each
            for each in (parsed.tokens[run[0].first : run[-1].end] if run else ())
            if mark.start <= each.start and each.end <= mark.end
        ]
        if not tokens or sum(each.is_word for each in tokens) > MAX_EXAMPLE:
            continue
        text = " ".join(question[tokens[0].start : tokens[-1].end].split()).casefold()[:LONGEST_PHRASE]
        if text in entry.phrases or _is_new(run, entry):
            found.append((mark, ExamplePhrase(schema_name=entry.schema, field=entry.name, text=text)))
    return tuple(found)


def _run(pieces: Sequence[Piece], mark: Mark) -> Sequence[Piece]:
    """The pieces of a mark that speak of its field: of a value the longest run beside it, else all of them,
    without the words of the frame at their ends.
    """
    if mark.part.role is not SpanRole.VALUE:
        return _trimmed(pieces, (*_FRAMES, *_OF_PLACE.get(mark.part.role, ())))
    runs: list[list[Piece]] = [[]]
    for piece in pieces:
        if isinstance(piece.meaning, (*_VALUES, Comparator)):
            runs.append([])
        else:
            runs[-1].append(piece)
    trimmed = [_trimmed(run, (*_FRAMES, Filler)) for run in runs]
    return max(trimmed, key=lambda run: (any(isinstance(p.meaning, UnknownWord) for p in run), len(run)))


def _trimmed(pieces: Sequence[Piece], around: tuple[type, ...]) -> Sequence[Piece]:
    """The pieces without those at their ends that mean something of their own, and no determiner first."""
    first, end = 0, len(pieces)
    while first < end and (
        isinstance(pieces[first].meaning, around) or pieces[first].text.casefold() in _DETERMINERS
    ):
        first += 1
    while end > first and isinstance(pieces[end - 1].meaning, around):
        end -= 1
    return pieces[first:end]


def _is_new(run: Sequence[Piece], entry: FieldEntry) -> bool:
    """True where the words are not what the field is called anyway, and more than words of any question."""
    if len(run) == 1 and isinstance(run[0].meaning, FieldSenses):
        own = (each.field.name for each in run[0].meaning.matches if each.field.schema == entry.schema)
        return next(own, "") != entry.name
    return any(isinstance(each.meaning, (UnknownWord, FieldSenses)) for each in run) or len(run) > 1
