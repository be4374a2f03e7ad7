"""Reply of a planning model: steps in one flat form, which strict decoding can hold a model to."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from core.domain.answer import Kind
from core.domain.predicate import Operator

MOST_STEPS = 12
MOST_QUESTIONS = 4
MOST_PHRASES = 8  # of a list of short texts

Need = Literal["general", "collection"]
TextForm = Literal["faq", "troubleshooting", "procedural", "other"]
Output = Literal["any", "list", "table", "value", "prose"]
Way = Literal["fields", "text"]


class ReplyForm(BaseModel):
    """Base of what a model replies: closed, and every part has to be there."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class PlannedCondition(ReplyForm):
    """A condition. values: none for is-missing, two for between, several for in; else one, or "$step".

    either: 0 where it must hold; of conditions with the same other number one must hold.
    """

    field: str
    op: Operator
    values: list[str]
    either: int


class PlannedStep(ReplyForm):
    """One step; parts that its `do` has no use for are empty. how: of combine, aggregate and compare."""

    id: str
    do: Literal["select", "rows", "search", "combine", "aggregate", "compare"]
    purpose: str
    inputs: list[str]
    kind: str
    documents: list[str]
    conditions: list[PlannedCondition]
    shows: list[str]
    how: str
    field: str
    group_by: list[str]
    order_by: str
    descending: bool
    limit: int
    text: str
    wordings: list[str] = Field(max_length=MOST_PHRASES)
    labels: list[str]


class PlanReply(ReplyForm):
    """Classification, parts and plan of a question in one reply.

    need: of the collection. form: of an answer from text. document_kind, buckets: what it is about, "" and []
    for all. constraints: what has to hold, in words of the question. questions: whole ones, of several.
    output: the form that it asks for. decision: a plan, or that text answers it. fallback: where to look
    next, in order. wordings: of a search of the text. left_out: words that no step answers.
    """

    need: Need
    form: TextForm
    document_kind: str
    buckets: list[str] = Field(max_length=MOST_PHRASES)
    constraints: list[str] = Field(max_length=MOST_PHRASES)
    questions: list[str] = Field(max_length=MOST_PHRASES)
    output: Output
    fallback: list[Way] = Field(max_length=2)
    wordings: list[str] = Field(max_length=MOST_PHRASES)
    decision: Literal["plan", "text"]
    kind: Literal[Kind.LOOKUP, Kind.AGGREGATE, Kind.COMPLIANCE, Kind.COMPARISON, Kind.SUMMARY]
    reading: str
    steps: list[PlannedStep] = Field(max_length=MOST_STEPS)
    answer: str
    left_out: list[str]
