"""Clarification of a planner: why it needs another word, what was tried, what there is to choose from."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Literal, TypeGuard

from core.domain.answer import Attempt
from core.domain.frozen import Frozen
from core.domain.value_text import period
from core.plan.catalogue import DocumentEntry
from core.plan.ir.nodes import Plan
from core.values.dates import ambiguous_date, impossible_date

_BETWEEN = " · "
_MOST_PARTIES = 2
Reason = Literal["vague", "no_match", "ambiguous", "several_meanings", "absent"]
"""The last is no question: what is named does not exist, and the answer abstains."""
MOST_OFFERED = 8


def told_apart(documents: Sequence[DocumentEntry]) -> tuple[str, ...]:
    """A label for each document, each another: the title, with what differs of those that share it.

    What differs is the parties that not all of them have, then the day in the opening, then the file's name.
    """
    titles = Counter(each.name for each in documents)
    made: dict[str, str] = {}
    for title, count in titles.items():
        alike = [each for each in documents if each.name == title]
        labels = [title] if count == 1 else _apart(alike)
        made.update({each.id: label for each, label in zip(alike, labels, strict=True)})
    return tuple(made[each.id] for each in documents)


def _apart(alike: Sequence[DocumentEntry]) -> list[str]:
    """Labels of documents of one title."""
    parts: list[list[str]] = [[each.name] for each in alike]
    tellers: tuple[Callable[[DocumentEntry], str], ...] = (
        _own_parties(alike),
        lambda each: period(each.opening.days[0]) if each.opening.days else "",
        lambda each: each.source.replace("\\", "/").rsplit("/", 1)[-1],
        lambda each: each.source,
        lambda each: each.id,
    )
    for place, tell in enumerate(tellers):
        said = [tell(each) for each in alike]
        is_whole = len({tuple(each) for each in parts}) == len(alike)
        if len(set(said)) > 1 and not (is_whole and place > 1):
            for part, text in zip(parts, said, strict=True):
                part += [text] if text else []
    return [_BETWEEN.join(each) for each in parts]


def _own_parties(alike: Sequence[DocumentEntry]) -> Callable[[DocumentEntry], str]:
    """The parties of a document that not all of those alike have."""
    shared = set.intersection(*(set(_parties(each)) for each in alike))
    return lambda each: ", ".join([name for name in _parties(each) if name not in shared][:_MOST_PARTIES])


def _parties(entry: DocumentEntry) -> tuple[str, ...]:
    """The parties as the opening writes them; as they are compared where it names none."""
    return tuple(name[0] for name in entry.opening.names) or entry.parties


def place_of(question: str, phrase: str) -> tuple[int, int] | None:
    """Start and end of some words in a question, whole words alone; None where they do not stand in it."""
    found = re.search(rf"(?<!\w){re.escape(phrase)}(?!\w)", question, re.IGNORECASE) if phrase else None
    return found.span() if found is not None else None


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
