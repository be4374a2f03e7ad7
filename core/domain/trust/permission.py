"""What a policy decides on: a deed of a principal, and what a plan asks for; and what it decided."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from core.errors import RefusedError


class Action(StrEnum):
    """Deeds that policies allow or refuse."""

    QUERY = "query"  # ask, search, run plans, read and export cells
    REVIEW = "review"  # resolve flagged answers, decide cells
    CRAWL = "crawl"
    INGEST = "ingest"
    CONFIGURE = "configure"  # settings, schemas, synonyms, models, the index
    PEOPLE = "people"  # accounts, groups, access
    AUDIT = "audit"  # read what others did


ACTION_WORDS = {
    Action.QUERY: "ask questions, search, run plans, read cells",
    Action.REVIEW: "resolve flagged answers, decide cells",
    Action.CRAWL: "crawl sites",
    Action.INGEST: "ingest, rename and remove documents, follow jobs",
    Action.CONFIGURE: "change settings, schemas, wordings and models",
    Action.PEOPLE: "manage accounts, groups and access",
    Action.AUDIT: "read and export the whole audit log",
}
"""What an action is, for people; completes "may"."""


class Trait(StrEnum):
    """Something about a query that a policy may ask a role for. It follows from the nodes of the plan."""

    COMPLIANCE = "compliance"
    FINANCIAL_AGGREGATE = "financial_aggregate"


TRAIT_WORDS = {
    Trait.COMPLIANCE: "it asks which documents lack something or break a rule",
    Trait.FINANCIAL_AGGREGATE: "it computes over amounts of money",
}
"""What a trait says of a query, for people."""


@dataclass(frozen=True, slots=True)
class PolicyRequest:
    """A deed to decide on. traits, nodes: of a query; nodes are the types of the plan's nodes ("select")."""

    action: Action
    traits: frozenset[Trait] = frozenset()
    nodes: frozenset[str] = frozenset()


ENTER = PolicyRequest(Action.QUERY)
"""The least that every question needs, whatever its plan turns out to be."""


@dataclass(frozen=True, slots=True)
class PolicyDecision:
    """What the policies in force say. policies: the ids of those that decided, as "file:id".

    lacking: of a refusal, the fewest roles with which it would be allowed; () where no role helps.
    """

    is_allowed: bool
    policies: tuple[str, ...] = ()
    lacking: tuple[str, ...] = ()


def refusal(user: str, request: PolicyRequest, decision: PolicyDecision, deed: str = "") -> RefusedError:
    """The error of a refused deed: what, why, which role is lacking, and whom to ask.

    deed: completes "may not"; "" for that of a query.
    """
    traits = [TRAIT_WORDS[each] for each in Trait if each in request.traits]
    what = deed or ("ask this" if traits else "ask questions here")
    why = f": {' and '.join(traits)}" if traits and not deed else ""
    roles = spoken(decision.lacking)
    lacks = f"{', and' if why else ':'} the role {roles} is lacking" if roles else ""
    step = f"Ask an admin of this workbench for the role {roles}." if roles else "No role allows it."
    return RefusedError(f"{user!r} may not {what}{why}{lacks}.", next_step=step, lacking=decision.lacking)


def spoken(roles: Iterable[str]) -> str:
    """Roles in words: `'finance_read' and 'contract_read'`."""
    return " and ".join(f"{each!r}" for each in roles)


def deed_words(request: PolicyRequest) -> str:
    """A deed in words, as a row of a table has it."""
    if request.action is not Action.QUERY or not request.traits:
        return ACTION_WORDS[request.action]
    return "; ".join(f"ask where {TRAIT_WORDS[each]}" for each in Trait if each in request.traits)
