"""Example phrases of fields that a marking holds: the marked words without what only this question says."""

from __future__ import annotations

from collections.abc import Callable

from pydantic import ConfigDict, Field

from core.config.fields import LONGEST_PHRASE
from core.domain.answer import Frozen
from core.plan.catalogue import Catalogue, FieldEntry
from core.plan.check.context import ASKED, COMPARING, vocabulary
from core.plan.compile.values import target_of
from core.plan.reader.condition_values import content_words
from core.plan.reader.reading import SpanRole
from core.plan.teaching.marking import Mark, Marking
from core.text.analyse import STOP_WORDS, text_terms
from core.text.words import word_list
from core.values.dates import month_number
from core.values.money import currency_of
from core.values.numbers import parse_cardinal
from core.values.places import canonical_place
from core.values.units import canonical_unit

MOST_WORDS = 16
_COMPARING = frozenset[str]().union(*COMPARING.values())
_FRAMES = _COMPARING | word_list("checks", "negative")
"""Words around a phrase that say something of their own in any question."""
_OF_PLACE = {
    SpanRole.VALUE: STOP_WORDS,
    SpanRole.ORDER: ASKED["high"] | ASKED["low"] | ASKED["sort"] | ASKED["dated"],
    SpanRole.GROUP: ASKED["each"] | ASKED["sort"],
    SpanRole.ASKED: ASKED["avg"] | ASKED["median"] | ASKED["sum"] | ASKED["high"] | ASKED["low"],
}
_DETERMINERS = word_list("reader", "leading")


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


def example_phrases(question: str, marking: Marking, catalogue: Catalogue) -> tuple[ExamplePhrase, ...]:
    """The phrase of each mark that has one: not of names, nor of what its field is called already."""
    found = []
    for mark in marking.marks:
        entry = catalogue.field(mark.field, marking.schema_name) if mark.field else None
        if entry is not None and (text := _phrase(question[mark.start : mark.end], mark, entry, catalogue)):
            found.append(ExamplePhrase(schema_name=entry.schema, field=entry.name, text=text))
    return tuple(found)


def _phrase(said: str, mark: Mark, entry: FieldEntry, catalogue: Catalogue) -> str:
    """The words of a mark that speak of its field: of a value the newest run beside it, else all of them,
    without the words of the frame at their ends; "" where they say nothing new.
    """
    is_value = _value_words(entry, catalogue) if mark.part.role is SpanRole.VALUE else lambda _: False
    runs: list[list[tuple[int, int]]] = [[]]
    for start, end in content_words(said):
        if is_value(said[start:end].casefold()):
            runs.append([])
        else:
            runs[-1].append((start, end))
    around, known = _FRAMES | _OF_PLACE.get(mark.part.role, frozenset()), vocabulary(entry)
    names = {each.casefold() for each in (entry.title, *entry.synonyms, *entry.verbs, *entry.loose_verbs)}
    best, most = "", 0
    for run in runs:
        while run and said[slice(*run[0])].casefold() in around | _DETERMINERS:
            run = run[1:]
        while run and said[slice(*run[-1])].casefold() in around:
            run = run[:-1]
        text = " ".join(said[run[0][0] : run[-1][1]].split()).casefold()[:LONGEST_PHRASE] if run else ""
        terms = text_terms(text)
        new = 2 * len(terms - known) + (text in entry.phrases or (len(terms) > 1 and text not in names))
        if new > most and len(run) <= MOST_WORDS:
            best, most = text, new
    return best


def _value_words(entry: FieldEntry, catalogue: Catalogue) -> Callable[[str], bool]:
    """Tells the words that are of a value of a field, or compare with it."""
    names = (each.name for each in catalogue.parties) if entry.type.value == "party" else ()
    terms = text_terms(" ".join((*target_of(entry, catalogue).texts, *names)))
    fixed = _COMPARING | word_list("checks", "relative")

    def is_value(word: str) -> bool:
        own = text_terms(word)
        read = (month_number(word), currency_of(word), canonical_place(word))
        is_amount = parse_cardinal(word) is not None or canonical_unit(word) is not None or any(read)
        return is_amount or word in fixed or any(map(str.isdigit, word)) or bool(own and own <= terms)

    return is_value
