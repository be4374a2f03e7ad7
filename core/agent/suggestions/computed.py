"""Suggestions after a computed answer: questions that the planner is known to plan whole."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from core.agent.suggestions.candidates import Proposer, SuggestionCandidate, fields_of, repeating
from core.cache import Cache
from core.domain.answer import Answer
from core.domain.results import Result
from core.plan.catalogue import Catalogue, FieldEntry, SchemaEntry
from core.plan.clarify import Clarify, is_whole
from core.plan.ir.hashing import node_hashes
from core.plan.ir.nodes import Plan, ScopedNode

COUNT = 3
LONGEST = 160  # characters of a question that is offered
# "a valid until in 2026" is no English
_LOOSE = re.compile(r"\b(?:until|from|by) (?:in|on|before|after|of)\b")
TRIED = 6  # plans of one answer: 3 to 5 ms each where a question is new
_KEPT_GROUPS = 50  # schemas of catalogues
_KEPT = 2_000  # questions of which it is known whether they can be planned


class Planner(Protocol):
    """Plans questions; `RulePlanner` and `LearnedPlanner` are the real ones."""

    def plan(self, question: str, buckets: tuple[str, ...] = ()) -> Plan | Clarify:
        """The plan of a question, or what has to be asked back."""
        ...


@dataclass(frozen=True, slots=True)
class _Whole:
    """Content of a plan, and the fields that it asks about."""

    content: str
    fields: frozenset[str]


class GoingOn:
    """Chooses follow-up questions; what was planned once is remembered. Thread-safe."""

    def __init__(self) -> None:
        self._plans: Cache[tuple[str, tuple[str, ...], str], _Whole | None] = Cache(_KEPT)
        self._groups: Cache[tuple[str, str], tuple[FieldEntry, ...]] = Cache(_KEPT_GROUPS)

    def questions(
        self,
        plan: Plan,
        answer: Answer,
        given: Result,
        catalogue: Catalogue,
        planner: Callable[[], Planner],
    ) -> tuple[str, ...]:
        """At most three; a plan covers each of them whole, and none asks the same again."""
        buckets = next((node.scope.buckets for node in plan.nodes if isinstance(node, ScopedNode)), ())
        known = {node_hashes(plan)[plan.answer_node or ""]}
        kept: list[str] = []

        def repeats(schema: SchemaEntry) -> tuple[FieldEntry, ...]:
            return self._repeating(catalogue, schema)

        for tried, proposal in enumerate(Proposer(plan, answer, given, catalogue, repeats).proposals()):
            if len(kept) == COUNT or tried == TRIED:
                break
            if len(proposal.question) > LONGEST or _LOOSE.search(proposal.question):
                continue
            made = self._planned(proposal, buckets, catalogue, planner)
            if made is not None and proposal.fields <= made.fields and made.content not in known:
                known.add(made.content)
                kept.append(proposal.question)
        return tuple(kept)

    def _repeating(self, catalogue: Catalogue, schema: SchemaEntry) -> tuple[FieldEntry, ...]:
        """The fields that make groups, counted once for each state of the collection."""
        key = (catalogue.fingerprint, schema.name)
        return self._groups.get_or_make(key, lambda: repeating(catalogue, schema))

    def _planned(
        self,
        proposal: SuggestionCandidate,
        buckets: tuple[str, ...],
        catalogue: Catalogue,
        planner: Callable[[], Planner],
    ) -> _Whole | None:
        """Content of the plan that fields answer whole; None where there is none."""

        def made() -> _Whole | None:
            found = planner().plan(proposal.question, buckets)
            if is_whole(found):
                return _Whole(node_hashes(found)[found.answer_node or ""], fields_of(found))
            return None

        return self._plans.get_or_make((catalogue.fingerprint, buckets, proposal.question), made)
