"""Replies of the models that repair and judge prose, in strict forms."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict

from core.answer.prose.claim_lines import WrittenCalculation, WrittenFigure, plain_sentence


class RepairedSentence(BaseModel):
    """A sentence in place of one that failed, with the ids of its evidence."""

    model_config = ConfigDict(extra="forbid")

    text: str
    ids: list[str]


class RepairedFigure(BaseModel):
    """An operand: its name in the expression, and where a model says that it stands."""

    model_config = ConfigDict(extra="forbid")

    name: str
    id: str
    quote: str
    figure: str


class RepairedCalculation(BaseModel):
    """A calculation in place of one that was not to be made."""

    model_config = ConfigDict(extra="forbid")

    calc: str
    label: str
    expr: str
    operands: list[RepairedFigure]

    def written(self) -> WrittenCalculation:
        """The calculation in the form of a streamed one."""
        figures = tuple(WrittenFigure(**each.model_dump()) for each in self.operands)
        return WrittenCalculation(0, self.calc, plain_sentence(self.label), self.expr, figures)


class RepairReply(BaseModel):
    """Reply of a repair: the sentences, and calculations, that stand in for those that failed."""

    model_config = ConfigDict(extra="forbid")

    claims: list[RepairedSentence]
    calculations: list[RepairedCalculation] = []


class SentenceJudgement(BaseModel):
    """Whether the evidence of a sentence, by its number from 1, says it."""

    model_config = ConfigDict(extra="forbid")

    claim: int
    supported: bool
    reason: str


class JudgeReply(BaseModel):
    """Reply of the checking model: a verdict for every claim, by its number, and whether they answer."""

    model_config = ConfigDict(extra="forbid")

    verdicts: list[SentenceJudgement]
    answers: Literal["yes", "part", "no"] = "part"
