"""A plan for a question by the trained reader, or what it would have to ask; it decides nothing."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Literal

from core.domain.answer import Route
from core.plan.build.builder import NotStructuredError
from core.plan.build.finish import finished
from core.plan.clarify import AskBackError, Clarify
from core.plan.ir.nodes import Note, Plan
from core.plan.language.interpretation import framed_text
from core.plan.language.lexicon.meaning import Known
from core.plan.language.pieces import UnknownWord, tokens_of
from core.plan.language.reading.read import ParsedQuestion
from core.plan.reader.assembly import AssembledPlan, UnreadableError, assemble
from core.plan.reader.reading import Operation, QuestionReading, SpanRole
from core.plan.text.classify import classify


@dataclass(frozen=True, slots=True)
class Proposal:
    """The reading of a question, and the plan or the question back that was made of it, if any was.

    is_whole: the plan covers every word.
    """

    reading: QuestionReading
    plan: Plan | None = None
    clarify: Clarify | None = None

    @property
    def is_whole(self) -> bool:
        """True where there is a plan that covers every word."""
        return self.plan is not None and self.plan.route is Route.STRUCTURED and not self.plan.uncovered

    @property
    def is_text(self) -> bool:
        """True where the reader takes the question for one that only text answers."""
        return self.reading.operation in (Operation.TEXT, Operation.HELP)


def propose(reading: QuestionReading, known: Known, today: date) -> Proposal:
    """The proposal of a reading. Never raises for what a person may type."""
    try:
        assembled = assemble(reading, known, today)
    except AskBackError as needs:
        return Proposal(reading, clarify=needs.clarify)
    except (NotStructuredError, UnreadableError):
        return Proposal(reading)
    return Proposal(reading, _plan(reading, assembled, known, today))


def _plan(reading: QuestionReading, assembled: AssembledPlan, known: Known, today: date) -> Plan:
    question = reading.question
    text, notes = framed_text(question, known, today)
    mentions = _asked(assembled.mentions, text)
    said = tuple(Note(phrase=phrase[:500], reading=meant) for phrase, meant in notes)
    plan = finished(question, assembled.built, mentions, classify(question), today.isoformat(), said)
    return plan.model_copy(update={"decides": _decides(reading, assembled)})


def _decides(reading: QuestionReading, assembled: AssembledPlan) -> Literal["", "any", "there", "missing"]:
    if reading.operation is Operation.EXISTS:
        return "any"
    if reading.operation is not Operation.CHECK:
        return ""
    if not assembled.tree.shown:
        return "any"
    stated = reading.of(SpanRole.CONDITION, SpanRole.VALUE)
    return "missing" if any(span.is_negated for span in stated) else "there"


def _asked(mentions: ParsedQuestion, text: str) -> ParsedQuestion:
    """The mentions without unknown words that the frame of the question took out, or put in other words."""
    left = {token.word for token in tokens_of(text)}
    kept = tuple(
        piece
        for piece in mentions.pieces
        if not isinstance(piece.meaning, UnknownWord)
        or any(token.word in left for token in mentions.tokens[piece.first : piece.end])
    )
    return ParsedQuestion(mentions.question, mentions.tokens, kept, mentions.corrections)
