"""Writers' questions as items, with the fields among which their words choose."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

from bench.reader.contexts import schema_wordings
from bench.reader.examples import Item, candidate
from bench.reader.labels import labelled
from bench.reader.marks import QUESTIONS, MarkedQuestion, all_questions
from core.plan.readers.trained.linker import LinkTarget, column_texts

KEPT = ("writer_01", "writer_02", "writer_03")
"""Writers on whom nothing is trained or tuned."""

DEVELOPMENT = ("writer_08", "writer_14", "writer_24", "writer_34")
"""Writers by whom a training is judged, and its links and confidence are fitted."""

HELD_EACH = 7
"""Of the writers who told all labels, one line in so many is held apart with these."""


def item(question: MarkedQuestion) -> Item:
    """A writer's question as an item; its labels are those that its writer or its words make sure."""
    known = shipped_fields(question.schema) if question.schema else _columns(question.columns)
    reading = question.reading
    if not reading.relations:
        reading = replace(reading, relations=(("new", 1.0),))
    return labelled(
        Item(
            reading,
            known,
            question.writer,
            question.is_labelled,
            is_held(question),
            question.conversation > 0,
        )
    )


def is_held(question: MarkedQuestion) -> bool:
    """True of the seventh part of a labelled writer's lines, or conversations, that judges a training."""
    number = question.conversation or int(question.id.rpartition("-")[2])
    return question.writer in DEVELOPMENT or (question.is_labelled and number % HELD_EACH == 3)


@cache
def shipped_fields(schema: str) -> tuple[LinkTarget, ...]:
    """The fields of a shipped schema."""
    return tuple(candidate(each) for each in schema_wordings(schema))


@cache
def _columns(names: tuple[str, ...]) -> tuple[LinkTarget, ...]:
    return tuple(LinkTarget("", name, column_texts(name)) for name in names)


def written(folder: Path = QUESTIONS, *, kept: bool = False) -> Iterator[Item]:
    """The writers' questions in order; those of the kept writers only, where `kept`."""
    for question in all_questions(folder):
        if (question.writer in KEPT) == kept:
            yield item(question)
