"""Suggestions after a computed answer: the neighbours of its plan, in words that name their fields."""

from __future__ import annotations

import re

from core.agent.suggestions.candidates import Proposer, repeating
from core.cache import Cache
from core.domain.answer import Answer
from core.domain.results import Result
from core.plan.catalogue import Catalogue, FieldEntry, SchemaEntry
from core.plan.ir.nodes import Plan

COUNT = 3
LONGEST = 160  # characters of a question that is offered
# "a valid until in 2026" is no English
_LOOSE = re.compile(r"\b(?:until|from|by) (?:in|on|before|after|of)\b")
_KEPT_GROUPS = 50  # schemas of catalogues


class GoingOn:
    """Chooses follow-up questions. Thread-safe."""

    def __init__(self) -> None:
        self._groups: Cache[tuple[str, str], tuple[FieldEntry, ...]] = Cache(_KEPT_GROUPS)

    def questions(self, plan: Plan, answer: Answer, given: Result, catalogue: Catalogue) -> tuple[str, ...]:
        """At most three, none of them the question itself; nothing is planned for them."""

        def repeats(schema: SchemaEntry) -> tuple[FieldEntry, ...]:
            return self._repeating(catalogue, schema)

        known = {_plain(answer.question)}
        kept: list[str] = []
        for question in Proposer(plan, answer, given, catalogue, repeats).proposals():
            if len(kept) == COUNT:
                break
            if len(question) <= LONGEST and not _LOOSE.search(question) and _plain(question) not in known:
                known.add(_plain(question))
                kept.append(question)
        return tuple(kept)

    def _repeating(self, catalogue: Catalogue, schema: SchemaEntry) -> tuple[FieldEntry, ...]:
        """The fields that make groups, counted once for each state of the collection."""
        key = (catalogue.fingerprint, schema.name)
        return self._groups.get_or_make(key, lambda: repeating(catalogue, schema))


def _plain(question: str) -> str:
    return " ".join(question.casefold().strip(" ?.!").split())
