"""Clarification of a planner: why it needs another word, what was tried, what there is to choose from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeGuard

from core.domain.answer import Attempt, Frozen
from core.plan.catalogue import DocumentEntry
from core.plan.ir.nodes import Plan
from core.plan.names.alike import told_apart
from core.values.dates import ambiguous_date, impossible_date

Reason = Literal["vague", "no_match", "ambiguous", "several_meanings", "absent"]
"""The last is no question: what is named does not exist, and the answer abstains."""

MOST_OFFERED = 8


class Option(Frozen):
    """Something to choose: the question that it stands for, and how many documents that concerns.

    documents None: not known before it is asked. plan: what is run when it is chosen; None where the
    question is planned instead. document: the id of the one document that it stands for, "" for any other.
    """

    label: str
    question: str
    documents: int | None = None
    plan: Plan | None = None
    document: str = ""


class Clarify(Frozen):
    """A question back. phrase: the words that it is about; "" for all of them."""

    type: Reason
    question: str
    reason: str
    phrase: str = ""
    attempts: tuple[Attempt, ...] = ()
    options: tuple[Option, ...] = ()


def is_whole(planned: Plan | Clarify) -> TypeGuard[Plan]:
    """True where a question has a plan over fields or rows that leaves no word out."""
    return isinstance(planned, Plan) and planned.is_whole


class AskBackError(Exception):
    """Raised while a plan is made, where only the person can say what is meant."""

    def __init__(self, clarify: Clarify) -> None:
        super().__init__(clarify.reason)
        self.clarify = clarify


def option_for(question: str, phrase: str, replacement: str, documents: int | None = None) -> Option:
    """The same question with other words in place of a phrase."""
    at = question.casefold().find(phrase.casefold())
    said = question[:at] + replacement + question[at + len(phrase) :] if phrase and at >= 0 else replacement
    return Option(label=replacement, question=said, documents=documents)


def unclear_day(question: str) -> Clarify | None:
    """Asks which day is meant by one that no calendar has, or that can be read as two; None for neither."""
    wrong, twofold = impossible_date(question), ambiguous_date(question)
    if wrong:
        reason = f"No calendar has the date “{wrong}”. Which day do you mean?"
        return Clarify(type="no_match", question=question, phrase=wrong, reason=reason)
    if twofold is None:
        return None
    written, readings = twofold
    reason = f"“{written}” can be read as {' or '.join(readings)}. Which day do you mean?"
    options = tuple(option_for(question, written, each) for each in readings)
    return Clarify(type="ambiguous", question=question, phrase=written, reason=reason, options=options)


def which_document(question: str, text: str, documents: Sequence[DocumentEntry], noun: str = "") -> Clarify:
    """Asks which of several documents is meant. noun: of their kind, where the words stand for one of it."""
    many = len(documents)
    said = f"“{text}” may be any of {many} {noun}" if noun else f"{many} documents may be meant by “{text}”"
    return Clarify(
        type="ambiguous",
        question=question,
        phrase=text,
        reason=f"{said}. Which of them?",
        attempts=(Attempt(tool="documents", args={"kind": noun} if noun else {"name": text}, hits=many),),
        options=options_of(question, text, documents),
    )


def options_of(
    question: str, text: str, documents: Sequence[DocumentEntry], joined: str = ""
) -> tuple[Option, ...]:
    """The documents to choose from in place of some words, each by what tells it apart behind `joined`."""
    offered = documents[:MOST_OFFERED]
    return tuple(
        option_for(question, text, joined + label, 1).model_copy(update={"label": label, "document": each.id})
        for each, label in zip(offered, told_apart(documents), strict=False)
    )
