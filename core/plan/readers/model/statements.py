"""Statements of a model about a question as the page shows them: what it said, and what was used of it."""

from __future__ import annotations

from collections.abc import Iterator

from core.domain.llm.statement import ModelStatement
from core.plan.readers.model.reply import ReadingReply
from core.plan.reading import Operation, Reading

_LONGEST = 700


def statements_of(reply: ReadingReply, reading: Reading) -> tuple[ModelStatement, ...]:
    """One statement for each part that the reply fills, in the order in which a person asks for them."""
    return tuple(_statements(reply, reading))


def _statements(reply: ReadingReply, reading: Reading) -> Iterator[ModelStatement]:
    is_general = reading.operation is Operation.HELP
    yield _said(
        "Need",
        reply.need,
        is_used=reply.need == "collection" or is_general or reading.is_outside,
        why="the question names something, so that it is looked for",
    )
    if reply.reading.strip():
        yield _said("Reading", reply.reading, is_used=True)
    if reply.ask_back.reason.strip():
        options = "".join(f" · {each}" for each in reply.ask_back.options)
        yield _said(
            "Question back",
            f"{reply.ask_back.reason}{options}",
            is_used=reading.doubt is not None,
            why="it was asked back already",
        )
    if reply.questions:
        why = "one reading answers all of it, or they leave out or add something"
        yield _said("Questions", " · ".join(reply.questions), is_used=bool(reading.questions), why=why)
    if reply.buckets:
        why = "the question does not name it, or it is not among those asked"
        yield _said("Buckets", ", ".join(reply.buckets), is_used=bool(reading.buckets), why=why)
    if reply.output != "any":
        yield _said("Form that is asked for", reply.output, is_used=True)
    if reply.wordings:
        is_whole = len(reading.wordings) == len(reply.wordings)
        why = (
            "" if is_whole else "some say nothing else, or have a name or a figure that the question has not"
        )
        yield ModelStatement(
            part="Further wordings",
            said=" · ".join(reply.wordings)[:_LONGEST],
            is_used=bool(reading.wordings),
            why=why or "only where text is searched",
        )
    if reply.left_out:
        why = "the question does not say so"
        yield _said("Left out", ", ".join(reply.left_out), is_used=bool(reading.uncovered), why=why)


def _said(part: str, said: str, *, is_used: bool, why: str = "") -> ModelStatement:
    return ModelStatement(
        part=part, said=" ".join(said.split())[:_LONGEST], is_used=is_used, why="" if is_used else why
    )
