"""Contrary readings: one plan has documents with something, and another those without the same.

Which of them a question means is told by the word right before what is named: "have insurance", "not under
Delaware law". Where no word tells it, a person has to.
"""

from __future__ import annotations

from core.domain.predicate import Operator
from core.plan.ir.nodes import Plan, SelectionNode, flattened
from core.plan.reader.conditions.conjunction import LACKING
from core.plan.reader.conditions.exclusion import EXCLUDING
from core.plan.reader.reading import QuestionReading, ReadSpan
from core.text.words import word_list

_ABSENT = (Operator.MISSING, Operator.NOT_EQUAL)
_EITHER_WAY = (*_ABSENT, Operator.IS, Operator.EQUAL, Operator.IN, Operator.CONTAINS)
_NOT = EXCLUDING | LACKING | word_list("reading", "negating")
_HAVING = word_list("reading", "having")
_BEFORE = 2
"""Words before a span that may tell its polarity, the nearest first."""


def contrary_fields(one: Plan, other: Plan) -> frozenset[str]:
    """The fields that one plan wants to be there, and the other not."""
    first, second = _polarities(one), _polarities(other)
    return frozenset(field for field in first.keys() & second.keys() if not first[field] & second[field])


def is_told(reading: QuestionReading, fields: frozenset[str]) -> bool | None:
    """True where the words before the spans of contrary fields say what a reading says, False where they
    say the contrary; None where none says either."""
    spans = [each for each in reading.spans if each.links and each.links[0].field in fields]
    cues = [(each.is_negated, cue) for each in spans if (cue := _cue(reading, each)) is not None]
    if not cues:
        return None
    return all(is_negated == cue for is_negated, cue in cues)


def _cue(reading: QuestionReading, span: ReadSpan) -> bool | None:
    """True where the nearest words say that a thing is not there, False that it is; None for neither."""
    inside = reading.text(span).casefold().split()[:1]
    before = reading.question[: span.start].casefold().split()[-2 * _BEFORE :]
    words = [word.strip(",;:()") for word in (*inside, *reversed(before))]
    for at, word in enumerate(words[: _BEFORE + 1]):
        if _negates(word):
            return True
        if word in _HAVING:  # "have", and not "do not have"
            return any(map(_negates, words[at + 1 : at + 1 + _BEFORE]))
    return None


def _negates(word: str) -> bool:
    return word in _NOT or word.endswith(("n't", "n’t"))


def _polarities(plan: Plan) -> dict[str, set[bool]]:
    """By field of a plan's conditions whether it is to be there, or not to be."""
    found: dict[str, set[bool]] = {}
    for node in plan.nodes:
        for each in flattened(node.conditions) if isinstance(node, SelectionNode) else ():
            if each.op in _EITHER_WAY:
                found.setdefault(each.field, set()).add(each.op not in _ABSENT and each.value != "false")
    return found
