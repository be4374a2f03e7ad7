"""Guards of the planner by rules, in order: of its wording and names before it builds, of its plan behind.

Any plan of a reading is judged by `core.plan.check` instead.
"""

from __future__ import annotations

from core.plan.guards.ambiguity import (
    check_counts,
    check_criterion,
    check_dates,
    check_pointing,
    check_vague,
    check_when,
)
from core.plan.guards.misreadings import (
    check_meant,
    check_parties,
    check_places,
    check_purpose,
)
from core.plan.guards.unknown_names import check_absent
from core.plan.ir.nodes import Plan
from core.plan.language.lexicon.meaning import Known
from core.plan.language.pieces import DocumentSet, Mentions, Parties, UnknownWord

_NAMED = (DocumentSet, Parties, UnknownWord)  # of which something may not exist, beside what has digits


def check_wording(question: str, mentions: Mentions, known: Known) -> None:
    """Raises AskBackError for dates, numbers and values that can be read in no way or in several."""
    check_dates(question)
    check_counts(mentions)
    check_meant(mentions, known.lexicon)


def check_names(mentions: Mentions, known: Known) -> None:
    """Raises AskBackError where a question names nothing, or what does not exist."""
    check_vague(mentions, known.lexicon.catalogue)
    check_pointing(mentions)
    check_when(mentions)
    if any(isinstance(p.meaning, _NAMED) or any(map(str.isdigit, p.text)) for p in mentions.pieces):
        check_absent(mentions, known)


def check_plan(mentions: Mentions, plan: Plan, known: Known) -> None:
    """Raises AskBackError where a structured plan would answer another question than the one asked."""
    check_criterion(mentions, plan, known.lexicon.catalogue)
    check_places(plan, known.lexicon.catalogue)
    check_parties(plan, known)
    check_purpose(mentions, plan, known)
