"""Replies of the models that repair and judge prose, in strict forms."""

from __future__ import annotations

from typing import Literal

from core.answer.prose.claim_lines import WrittenCalculation, WrittenFigure, plain_sentence
from core.domain.answer import Frozen


class RepairedSentence(Frozen):
    """A sentence in place of one that failed, with the ids of its evidence."""

    text: str
    ids: list[str]


class RepairedFigure(Frozen):
    """An operand: its name in the expression, and where a model says that it stands."""

    name: str
    id: str
    quote: str
    figure: str


class RepairedCalculation(Frozen):
    """A calculation in place of one that was not to be made."""

    calc: str
    label: str
    expr: str
    operands: list[RepairedFigure]

    def written(self) -> WrittenCalculation:
        """The calculation in the form of a streamed one."""
        figures = tuple(WrittenFigure(**each.model_dump()) for each in self.operands)
        return WrittenCalculation(0, self.calc, plain_sentence(self.label), self.expr, figures)


class RepairReply(Frozen):
    """Reply of a repair: the sentences, and calculations, that stand in for those that failed."""

    claims: list[RepairedSentence]
    calculations: tuple[RepairedCalculation, ...] = ()


class SentenceJudgement(Frozen):
    """Whether the evidence of a sentence, by its number from 1, says it."""

    claim: int
    supported: bool
    reason: str


class JudgeReply(Frozen):
    """Reply of the checking model: a verdict for every claim, by its number, and whether they answer."""

    verdicts: list[SentenceJudgement]
    answers: Literal["yes", "part", "no"] = "part"
