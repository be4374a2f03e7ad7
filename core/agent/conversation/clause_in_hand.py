"""Clause that the last answer quoted or spoke of, for turns that point at it: "what does that clause say?".

A turn that points at a clause is made a whole question about that clause of that document; where no clause
was spoken of, nothing tells which one is meant, and it is asked.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.agent.conversation.follow_up import noun_phrases
from core.domain.answer import Answer, Status
from core.domain.conversation import Turn
from core.plan.catalogue import Catalogue
from core.plan.clarify import MOST_OFFERED, Clarify, Option
from core.plan.conversation_state import base_of, plan_read
from core.plan.ir.nodes import clause_parts, without_aspect
from core.plan.language.interpretation import read_over
from core.plan.language.pieces import DocumentSet, Noun, Parties
from core.text.analyse import analyse

FieldTitle = Callable[[str, str], str]
"""The title of a field of a schema, in small letters; "" for none."""

_NOUNS = r"clause|section|provision|paragraph|passage|article"
_POINTER = re.compile(
    rf"\b(?:(?:this|that|the\s+same|the\s+said|said|such)\s+(?:very\s+)?(?P<noun>{_NOUNS})"
    rf"|the\s+(?P<bare>{_NOUNS}))\b"
    r"(?!\s+(?:on|about|of|for|regarding|concerning|that|which|where|who|with|governing|called|titled|\d))",
    re.IGNORECASE,
)
_NOT_TOPICS = frozenset(
    term
    for word in f"clause section provision paragraph passage article {_NOUNS.replace('|', ' ')} agreement "
    "contract document lease policy term terms say says".split()
    for term in analyse(word)
)
_HAVING = re.compile(
    r"\b(?:have|has|having|with|without|lack|lacks|lacking|contains?|includes?)\s*$", re.IGNORECASE
)
_NAMED = re.compile(rf"\bthe\s+(?P<topic>(?:[\w&'’-]+\s+){{1,5}}?)(?:{_NOUNS})\b", re.IGNORECASE)
_TOLD = (Status.ANSWERED, Status.PARTIAL)


@dataclass(frozen=True, slots=True)
class ClauseInHand:
    """A clause by its topic ("termination") and the name of its document."""

    topic: str
    document: str


def clause_turn(question: str, history: Sequence[Turn], catalogue: Catalogue) -> str | Clarify | None:
    """The whole question of a turn that points at a clause, or which one is meant; None for other turns.

    A question that says itself of which document it is needs nothing that was said before. history: with the
    answers that the asker may see.
    """
    if not points_at_clause(question):
        return None
    meanings = [piece.meaning for piece in read_over(catalogue, question).pieces]
    if any(isinstance(each, DocumentSet) for each in meanings):
        return None

    def title_of(name: str, schema: str) -> str:
        entry = catalogue.field(name, schema)
        return entry.title.lower() if entry is not None else ""

    clauses = clauses_in_hand(history, title_of)
    if len(clauses) == 1 or (clauses and asks_for_it_elsewhere(question)):
        return about_clause(question, clauses[0])
    if clauses:
        return which_clause(question, clauses)
    says_more = any(isinstance(each, Noun | Parties) for each in meanings)
    return None if says_more else which_clause(question)


def points_at_clause(question: str) -> bool:
    """True where a question says "that clause", or "the clause" without saying which."""
    return _POINTER.search(question) is not None


def clauses_in_hand(history: Sequence[Turn], title_of: FieldTitle) -> tuple[ClauseInHand, ...]:
    """The clause of the last answer in each document that it quotes, in order; () where it speaks of none.

    Of an answer from text only the first document counts: the others are only near.
    """
    answer = next((t.answer for t in reversed(history) if t.answer and t.answer.status in _TOLD), None)
    if answer is None or not answer.citations:
        return ()
    first = answer.citations[0]
    topic = _topic_of_fields(answer, title_of)
    if topic:
        return tuple(ClauseInHand(topic, title) for title in dict.fromkeys(c.title for c in answer.citations))
    topic = "" if answer.table is not None else _topic_of_question(answer, first.title, first.source)
    return (ClauseInHand(topic, first.title),) if topic else ()


def _topic_of_fields(answer: Answer, title_of: FieldTitle) -> str:
    """The one field that a computed answer is on; "" where it is on none, or on several."""
    plan = plan_read(answer.plan)
    base = base_of(plan)
    if base is None:
        return ""
    asked = [part.field for each in base.conditions if not _narrows(each) for part in clause_parts(each)]
    names = dict.fromkeys(without_aspect(name) for name in (*base.fields, *asked))
    titles = [title for name in names if (title := title_of(name, base.scope.schema_name))]
    return titles[0] if len(titles) == 1 else ""


def _narrows(clause: object) -> bool:
    return bool(getattr(clause, "narrows", False))


def _topic_of_question(answer: Answer, title: str, source: str) -> str:
    """What the last question asked about beside the name of its document: "termination"."""
    known = set(analyse(f"{title} {source}")) | _NOT_TOPICS
    asked = answer.standalone or answer.question
    named = _NAMED.search(asked)
    if named is not None:
        return named["topic"].strip()
    for phrase in reversed(noun_phrases(asked)):
        words = [word for word in phrase.split() if not set(analyse(word)) <= known]
        if words:
            return " ".join(words)
    return ""


def asks_for_it_elsewhere(question: str) -> bool:
    """True where a question asks which others have such a clause: "which contracts have that clause?"."""
    match = _POINTER.search(question)
    return match is not None and _HAVING.search(question[: match.start()]) is not None


def about_clause(question: str, clause: ClauseInHand) -> str:
    """The question with the clause in the place of what points at it, in its document.

    "Which contracts have that clause?" asks for others that have one.
    """

    def named(match: re.Match[str]) -> str:
        noun = match["noun"] or match["bare"]
        topic = clause.topic.removesuffix(f" {noun}")
        if _HAVING.search(question[: match.start()]):
            return f"{'an' if topic[:1].casefold() in 'aeiou' else 'a'} {topic} {noun}"
        return f"the {topic} {noun} in “{clause.document}”"

    return _POINTER.sub(named, question, count=1)


def which_clause(question: str, clauses: Sequence[ClauseInHand] = ()) -> Clarify:
    """Asks which clause is meant; clauses: those of several documents that were spoken of."""
    match = _POINTER.search(question)
    phrase = match[0] if match is not None else "that clause"
    if not clauses:
        reason = f"“{phrase}” points at no clause that was spoken of. Which one is it, and of which document?"
        return Clarify(type="vague", question=question, phrase=phrase, reason=reason)
    options = tuple(
        Option(label=each.document, question=about_clause(question, each), documents=1)
        for each in clauses[:MOST_OFFERED]
    )
    reason = f"“{phrase}” may be that of any of {len(clauses)} documents. Which of them?"
    return Clarify(type="ambiguous", question=question, phrase=phrase, reason=reason, options=options)
