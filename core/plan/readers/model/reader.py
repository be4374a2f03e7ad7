"""The language model as a reader of questions: one call, and a second where its first reading cannot be."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from core.domain.llm.use import ModelOutcome, ModelRole, ModelStatement
from core.errors import LlmError, PlanError
from core.llm.base import ModelCalls
from core.llm.prompts import day_told, fence, load_prompt
from core.llm.schema import strict_schema
from core.plan.catalogue import Catalogue
from core.plan.compile.names import UnknownNameError
from core.plan.ir.nodes import Plan
from core.plan.readers.model.catalogue_text import catalogue_prompt
from core.plan.readers.model.conversion import ReplySetting, reading_from
from core.plan.readers.model.reply import ReadingReply
from core.plan.reading import Operation, Reading, ReadInHand
from core.text.marks import meanings

PROMPT = "read"
_NOT_COMPILED = frozenset((Operation.TEXT, Operation.HELP))
_LONGEST = 700  # characters of a statement
_WORDINGS = "Further wordings"
_OF_STRANGE_WORDINGS = "some say nothing else, or have a name or a figure that the question has not"
_WHY_UNUSED = {
    "Need": "the question names something, so that it is looked for",
    "Question back": "it was asked back already",
    "Questions": "one reading answers all of it, or they leave out or add something",
    "Buckets": "the question does not name it, or it is not among those asked",
    "Left out": "the question does not say so",
}


@dataclass(frozen=True, slots=True)
class ReadingByModel:
    """A model's reading. made: the plan that `compiled` gave, None where there is nothing to compile.

    statements: what the model said, and what was used of it.
    """

    reading: Reading
    made: Plan | None
    statements: tuple[ModelStatement, ...]


def read_with_model(
    question: str,
    catalogue: Catalogue,
    calls: ModelCalls,
    compiled: Callable[[Reading], Plan],
    *,
    today: date,
    buckets: tuple[str, ...] = (),
    in_hand: ReadInHand | None = None,
    may_ask: bool = True,
) -> ReadingByModel:
    """The reading of a question by the model, and the plan that `compiled` makes of it.

    compiled: compiles and checks a reading that asks for fields, sets or rows; where it raises PlanError
    (ReadingError, UnknownNameError), the model is told in one sentence and asked once more. Whatever else it
    raises is the caller's. buckets: those that are asked, () for all. may_ask: False where the person was
    asked back already. Raises UnknownNameError where a name that the question says is none
    again; LlmError where the second reading cannot be either, or the model gives nothing.
    """
    told = catalogue_prompt(catalogue, question, buckets=buckets, in_hand=in_hand)
    known = buckets or tuple(sorted({each.bucket for each in catalogue.documents}))
    setting = ReplySetting(
        question, catalogue, told.documents, told.tables, told.folders, known, in_hand, may_ask
    )
    words = {
        "question": fence("question", question),
        "catalogue": fence("catalogue", told.text),
        "today": day_told(today),
        "marks": meanings(told.text),
        "asking": "" if may_ask else _ASKED_ALREADY,
        "tables": "shown" if told.tables else "",
        "hand": "shown" if in_hand is not None else "",
    }
    error: PlanError | None = None
    for _ in range(2):
        problem = "" if error is None else fence("problem", f"{_REFUSED} {error.explanation}")
        prompt = load_prompt(PROMPT, ModelRole.PLAN, **words, problem=problem)
        reply = calls.structured(prompt, ReadingReply, reply_schema())
        try:
            reading = reading_from(reply, setting)
            made = compiled(reading) if _has_plan(reading) else None
            return ReadingByModel(reading, made, statements_of(reply, reading))
        except PlanError as refused:
            error = refused
    if isinstance(error, UnknownNameError) and error.words in question:
        raise error
    assert error is not None  # the loop has run
    raise LlmError(
        f"The model gave no reading that can be followed: {error.message}",
        outcome=ModelOutcome.INVALID,
        next_step="Ask in other words.",
    ) from error


_REFUSED = "Your last reading cannot be followed:"
_ASKED_ALREADY = "The person was asked back already: leave ask_back empty, and give the likeliest meaning.\n"


def _has_plan(reading: Reading) -> bool:
    """True where a plan is made of it: it asks for something, and not back, and not several things."""
    if reading.doubt is not None or reading.is_outside or reading.questions:
        return False
    return reading.operation not in _NOT_COMPILED


def statements_of(reply: ReadingReply, reading: Reading) -> tuple[ModelStatement, ...]:
    """One statement for each part that the reply fills, in the order in which a person asks for them."""
    is_needed = reply.need == "collection" or reading.operation is Operation.HELP or reading.is_outside
    reason = reply.ask_back.reason.strip()
    is_new = len(reading.wordings) == len(reply.wordings)
    of_wordings = "only where text is searched" if is_new else _OF_STRANGE_WORDINGS
    back = " · ".join((reason, *reply.ask_back.options)) if reason else ""
    rows = (
        ("Need", reply.need, is_needed),
        ("Reading", reply.reading, True),
        ("Question back", back, reading.doubt is not None),
        ("Questions", " · ".join(reply.questions), bool(reading.questions)),
        ("Buckets", ", ".join(reply.buckets), bool(reading.buckets)),
        ("Form that is asked for", reply.output if reply.output != "any" else "", True),
        (_WORDINGS, " · ".join(reply.wordings), bool(reading.wordings)),
        ("Left out", ", ".join(reply.left_out), bool(reading.uncovered)),
    )
    return tuple(
        ModelStatement(
            part=part,
            said=" ".join(said.split())[:_LONGEST],
            is_used=is_used,
            why=of_wordings if part == _WORDINGS else "" if is_used else _WHY_UNUSED[part],
        )
        for part, said, is_used in rows
        if said.strip()
    )


def reply_schema() -> dict[str, Any]:
    """The strict schema of a reply, without descriptions: the prompt has them, and they cost tokens here."""
    plain = _without_descriptions(strict_schema(ReadingReply))
    assert isinstance(plain, dict)
    return plain


def _without_descriptions(schema: Any) -> Any:
    if isinstance(schema, Sequence) and not isinstance(schema, str):
        return [_without_descriptions(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: _without_descriptions(value)
        for key, value in schema.items()
        if key != "description" or isinstance(value, dict)
    }
