"""Statements of a model about a question as the page shows them: what it said, and what was used of it."""

from __future__ import annotations

from core.domain.llm.statement import ModelStatement
from core.plan.readers.model.reply import ReadingReply
from core.plan.reading import Operation, Reading

_LONGEST = 700
_WORDINGS = "Further wordings"


def statements_of(reply: ReadingReply, reading: Reading) -> tuple[ModelStatement, ...]:
    """One statement for each part that the reply fills, in the order in which a person asks for them."""
    is_needed = reply.need == "collection" or reading.operation is Operation.HELP or reading.is_outside
    reason = reply.ask_back.reason.strip()
    of_wordings = "only where text is searched"
    if len(reading.wordings) != len(reply.wordings):
        of_wordings = "some say nothing else, or have a name or a figure that the question has not"
    rows = (
        ("Need", reply.need, is_needed, "the question names something, so that it is looked for"),
        ("Reading", reply.reading, True, ""),
        (
            "Question back",
            " · ".join((reason, *reply.ask_back.options)) if reason else "",
            reading.doubt is not None,
            "it was asked back already",
        ),
        (
            "Questions",
            " · ".join(reply.questions),
            bool(reading.questions),
            "one reading answers all of it, or they leave out or add something",
        ),
        (
            "Buckets",
            ", ".join(reply.buckets),
            bool(reading.buckets),
            "the question does not name it, or it is not among those asked",
        ),
        ("Form that is asked for", reply.output if reply.output != "any" else "", True, ""),
        (_WORDINGS, " · ".join(reply.wordings), bool(reading.wordings), of_wordings),
        ("Left out", ", ".join(reply.left_out), bool(reading.uncovered), "the question does not say so"),
    )
    return tuple(
        ModelStatement(
            part=part,
            said=" ".join(said.split())[:_LONGEST],
            is_used=is_used,
            why=why if part == _WORDINGS or not is_used else "",
        )
        for part, said, is_used, why in rows
        if said.strip()
    )
