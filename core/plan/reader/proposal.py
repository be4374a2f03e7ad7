"""A plan for a question by the trained reader, or what it would have to ask; it decides nothing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise

from core.plan.build.builder import NotStructuredError
from core.plan.build.deciding import Decides, asks_of_any, deciding, is_universal
from core.plan.build.finish import finished
from core.plan.clarify import AskBackError, Clarify
from core.plan.ir.nodes import Note, Plan
from core.plan.language.interpretation import SAYS_NOTHING, framed_text
from core.plan.language.lexicon.meaning import Known
from core.plan.language.pieces import (
    DayRange,
    DocumentSet,
    FieldSenses,
    Parties,
    Piece,
    Quantity,
    Token,
    UnknownWord,
    Values,
    tokens_of,
)
from core.plan.language.reading.read import ParsedQuestion
from core.plan.language.syntax.tree import AnswerIntent
from core.plan.reader.assembly import AssembledPlan, assemble
from core.plan.reader.exact_reading import UnreadableError
from core.plan.reader.reading import Operation, QuestionReading, SpanRole
from core.plan.text.classify import classify
from core.text.analyse import content_terms
from core.text.words import word_list


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
        return self.plan is not None and self.plan.is_whole

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
    aside = [
        each
        for each in asides(reading)
        if _asks_nothing(reading, each) or not _names_something(assembled.mentions, each)
    ]
    idle = _places(question, [phrase for phrase, meant in notes if meant == SAYS_NOTHING])
    mentions = _asked(_without(assembled.mentions, (*aside, *idle)), text, reading)
    said = (
        *(Note(phrase=phrase[:500], reading=meant) for phrase, meant in notes),
        *(Note(phrase=question[start:end].strip()[:500], reading=_ASIDE) for start, end in aside),
    )
    plan = finished(question, assembled.built, mentions, classify(question), today.isoformat(), said)
    return deciding(plan, _decides(reading, assembled), known.lexicon.catalogue, reads_polarity=True)


def _decides(reading: QuestionReading, assembled: AssembledPlan) -> Decides:
    if reading.operation is Operation.EXISTS:
        return "any"
    if reading.operation is Operation.LIST and _ANYTHING.search(reading.question):
        return "any"  # the list, and whether there is one
    if reading.operation is Operation.LOOKUP and assembled.tree.intent is AnswerIntent.CHECK:
        return "there"
    if reading.operation is not Operation.CHECK:
        return ""
    if not reading.of(SpanRole.DOCUMENT, SpanRole.PARTY):
        return "all" if is_universal(reading.question) else "any"
    if assembled.tree.intent is not AnswerIntent.CHECK:
        return "any" if asks_of_any(reading.question) else "there"
    stated = reading.of(SpanRole.CONDITION, SpanRole.VALUE)
    return "missing" if any(span.is_negated for span in stated) else "there"


def _places(question: str, phrases: Sequence[str]) -> list[tuple[int, int]]:
    """Places of phrases in a question."""
    return [(at, at + len(phrase)) for phrase in phrases if (at := question.find(phrase)) >= 0]


def _asks_nothing(reading: QuestionReading, part: tuple[int, int]) -> bool:
    """True of a part in brackets, and where the reader is sure of nearly every word that it asks for nothing.

    "The broker comes on Thursday" bounds no day.
    """
    start, end = part
    if any(first <= start and end <= last for first, last in _in_brackets(reading)):
        return True
    words = [t for t in tokens_of(reading.question) if start <= t.start < end and content_terms(t.text)]
    beside = [token for token in words if _is_beside(token, reading)]
    return bool(words) and len(beside) >= _NEARLY_ALL * len(words)


def _in_brackets(reading: QuestionReading) -> list[tuple[int, int]]:
    """The parts in brackets that are long enough to be said aside, and of which no word was read."""
    return [
        match.span()
        for match in _BRACKETS.finditer(reading.question)
        if len(match[0].split()) >= _LEAST_IN_BRACKETS
        and not any(span.start < match.end() and span.end > match.start() for span in reading.spans)
        and not set(match[0].casefold().split()) & _RESTRICTING
    ]


def _names_something(mentions: ParsedQuestion, part: tuple[int, int]) -> bool:
    """True where a part has a name or a value, as no mere reason has: "where ACME is the supplier, ..."."""
    start, end = part
    return any(
        isinstance(piece.meaning, (Parties, DocumentSet, Values, Quantity, DayRange))
        and start <= mentions.tokens[piece.first].start < end
        for piece in mentions.pieces
    )


_ASIDE = "says why it is asked; nothing is searched for it"


def _without(mentions: ParsedQuestion, parts: Sequence[tuple[int, int]]) -> ParsedQuestion:
    """The mentions without the pieces in parts of the question."""

    def is_in(piece: Piece) -> bool:
        first, last = mentions.tokens[piece.first], mentions.tokens[piece.end - 1]
        return any(start <= first.start and last.end <= end for start, end in parts)

    kept = tuple(piece for piece in mentions.pieces if not is_in(piece))
    return ParsedQuestion(mentions.question, mentions.tokens, kept, mentions.corrections)


def _asked(mentions: ParsedQuestion, text: str, reading: QuestionReading) -> ParsedQuestion:
    """The mentions without unknown words that ask for nothing.

    These are words that the frame took out or put in other words, and those that only carry the question.
    """
    left = {token.word for token in tokens_of(text)}

    def carries(piece: Piece) -> bool:
        return all(
            token.word in _CARRIERS or token.word not in left or _is_beside(token, reading)
            for token in mentions.tokens[piece.first : piece.end]
        )

    def wants(piece: Piece) -> bool:
        """True of "after" in "I'm after ...", which bounds nothing."""
        start = mentions.tokens[piece.first].start
        is_after = mentions.tokens[piece.first].word == "after" and piece.end == piece.first + 1
        return is_after and bool(_WANTING.search(mentions.question[:start]))

    kept = (p for p in mentions.pieces if not wants(p) and not (_may_carry(p) and carries(p)))
    return ParsedQuestion(mentions.question, mentions.tokens, tuple(kept), mentions.corrections)


def _may_carry(piece: Piece) -> bool:
    """True of words that nothing is called by, and of verbs that also name a field: "which law covers it"."""
    meaning = piece.meaning
    return isinstance(meaning, UnknownWord) or (isinstance(meaning, FieldSenses) and meaning.is_verb)


def _is_beside(token: Token, reading: QuestionReading) -> bool:
    return any(start < token.end and token.start < end for start, end in reading.beside)


_BREAK = re.compile(r"[.;:!?()]\s|\s[-–—]\s|,\s")
_ANYTHING = re.compile(
    r"^(?:(?:and|so|hi|hello|hey)[,!]?\s+)?any(?:thing|one|body)?\b.*\?\s*$", re.IGNORECASE | re.DOTALL
)
_BRACKETS = re.compile(r"\([^()]*\)")
_LEAST_IN_BRACKETS = 5  # words
_NEARLY_ALL = 0.8  # of the words with content of an aside
_LEAST_ASIDE = 3  # words; "only Delaware" is none


def asides(reading: QuestionReading) -> tuple[tuple[int, int], ...]:
    """Clauses that say why something is asked, and not what: no word of them is read as part of it."""
    text = reading.question
    edges = [0, *(match.end() for match in _BREAK.finditer(text)), len(text)]
    found = []
    for start, end in pairwise(edges):
        words = text[start:end].casefold().split()
        is_read = any(span.start < end and span.end > start for span in reading.spans)
        if len(words) >= _LEAST_ASIDE and not is_read and not set(words) & _RESTRICTING:
            found.append((start, end))
    found = found if len(found) < len(edges) - 1 else []
    return (*found, *(part for part in _in_brackets(reading) if part not in found))


_CARRIERS = (
    word_list("carriers", "learnt") | word_list("reading", "spoken") | word_list("reading", "of_agreeing")
)
_WANTING = re.compile(r"(?:['’]m|['’]re|\bam|\bare)\s+$", re.IGNORECASE)
_RESTRICTING = word_list("reading", "restricting")
