"""Writers' questions as items, with the fields among which their words choose."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

from bench.reader.contexts import schema_context
from bench.reader.examples import Item, candidate
from bench.reader.marks import QUESTIONS, MarkedQuestion, all_questions
from core.plan.reader.anchors import LinkTarget, column_texts

KEPT = ("writer_01", "writer_02", "writer_03")
"""Writers on whom nothing is trained or tuned."""

DEVELOPMENT = ("writer_08", "writer_14", "writer_24", "writer_34")
"""Writers by whom a training is judged, and its links and confidence are fitted."""


def item(question: MarkedQuestion) -> Item:
    """A writer's question as an item."""
    known = shipped_fields(question.schema) if question.schema else _columns(question.columns)
    return Item(question.reading, known, question.writer)


@cache
def shipped_fields(schema: str) -> tuple[LinkTarget, ...]:
    """The fields of a shipped schema."""
    return tuple(candidate(each) for each in schema_context(schema).fields)


@cache
def _columns(names: tuple[str, ...]) -> tuple[LinkTarget, ...]:
    return tuple(LinkTarget("", name, column_texts(name)) for name in names)


def written(folder: Path = QUESTIONS, *, kept: bool = False) -> Iterator[Item]:
    """The writers' questions in order; those of the kept writers only, where `kept`."""
    for question in all_questions(folder):
        if (question.writer in KEPT) == kept:
            yield item(question)
