"""Reply of a reading model: near `Reading`, flat, closed, with short ids instead of the collection's.

Servers that decode strictly write every part; a reply by hand may leave out what is empty. Nothing here is
bounded: what is too long or too many is said in a plain sentence by `conversion`.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from core.plan.reading import Function, Operation, Outcome, Output

Need = Literal["collection", "general", "outside"]
ReplyOperator = Literal["=", "!=", ">", ">=", "<", "<=", "between", "in", "contains", "present", "missing"]


class ReplyPart(BaseModel):
    """Base of what a reading model replies: closed; parts that are empty may be left out."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)


class ReplyName(ReplyPart):
    """Words that name documents, an organisation, or a kind of document. documents: short ids, if known."""

    words: str = ""
    role: Literal["document", "party", "kind"]
    documents: list[str] = []
    negated: bool = Field(default=False, alias="not")


class ReplyCondition(ReplyPart):
    """A condition. field: "name", or "name.year" and the like; either: alternatives have the same number."""

    field: str
    op: ReplyOperator = "present"
    values: list[str] = []
    negated: bool = Field(default=False, alias="not")
    either: int = 0
    words: str = ""


class ReplyHaving(ReplyPart):
    """A condition on the figure of each group; value "" for none."""

    op: Literal["", "=", "!=", ">", ">=", "<", "<="] = ""
    value: str = ""
    words: str = ""


class ReplyOrder(ReplyPart):
    """An order; field "" with a limit orders groups by their figure, limit 0 keeps all."""

    field: str = ""
    descending: bool = False
    limit: int = 0
    skip: int = 0
    words: str = ""


class ReplyStep(ReplyPart):
    """One step, as `core.plan.reading.Step` has it.

    tables: short ids, where rows are asked about; on: a column of each of two of them. words: those that said
    the operation; models write them for a step as for its parts.
    """

    id: str = "answer"
    operation: Operation
    kind: str = ""
    tables: list[str] = []
    on: list[str] = []
    names: list[ReplyName] = []
    conditions: list[ReplyCondition] = []
    asked: list[str] = []
    function: Function = Function.NONE
    groups: list[str] = []
    having: ReplyHaving = ReplyHaving()
    order: ReplyOrder = ReplyOrder()
    within: list[str] = []
    sides: list[str] = []
    labels: list[str] = []
    outcome: Outcome = Outcome.VALUES
    text: str = ""
    words: str = ""


class ReplyDoubt(ReplyPart):
    """A question back; reason "" for none. options: whole questions to choose from."""

    reason: str = ""
    options: list[str] = []


class ReadingReply(ReplyPart):
    """A question as the model reads it.

    reading: it in other words. questions: whole ones, where several are asked. steps: the last is the answer.
    left_out: words that no step takes. wordings: of what is looked for in text. buckets: those it names.
    """

    need: Need = "collection"
    reading: str = ""
    ask_back: ReplyDoubt = ReplyDoubt()
    questions: list[str] = []
    steps: list[ReplyStep] = []
    left_out: list[str] = []
    wordings: list[str] = []
    buckets: list[str] = []
    output: Output = "any"
