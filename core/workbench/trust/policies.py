"""The policies in force, for who wants to know them; their files are changed in the home's folder."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from core.domain.principal import Principal
from core.domain.trust.permission import Action, PolicyDecision, PolicyRequest, Trait
from core.guard.policies.cases import PolicyCaseResult, run_cases
from core.guard.policies.cedar import PolicyText
from core.plan.ir.nodes import Plan
from core.workbench.door import request_of_plan
from core.workbench.recorded import recorded
from core.workbench.services.base import Service

QUERIES = (frozenset[Trait](), frozenset({Trait.COMPLIANCE}), frozenset({Trait.FINANCIAL_AGGREGATE}))
"""Queries that are told apart, where a role's rights are shown."""


@dataclass(frozen=True, slots=True)
class RoleRight:
    """Whether a role alone, or with what it takes to ask at all, allows a deed."""

    request: PolicyRequest
    decision: PolicyDecision


class PolicyService(Service):
    """Policies of the home. Everybody may read them; they are changed as files, by who has the machine."""

    def in_force(self) -> tuple[PolicyText, ...]:
        """All policies in force, file by file. Raises PolicyFileError."""
        return self._parts.policies.in_force()

    def files(self) -> list[tuple[Path, bool]]:
        """The files in force, each with whether it is the home's own."""
        policies = self._parts.policies
        return [(file, policies.is_own(file)) for file in policies.files()]

    def rights(self, roles: frozenset[str]) -> list[RoleRight]:
        """What somebody with these roles may do: each kind of query, then each other action.

        Raises PolicyFileError.
        """
        who = Principal("somebody", roles)
        requests = [PolicyRequest(Action.QUERY, traits) for traits in QUERIES]
        requests += [PolicyRequest(action) for action in Action if action is not Action.QUERY]
        return [RoleRight(each, self._parts.policies.decide(who, each)) for each in requests]

    def explain(self, plan: Plan, roles: frozenset[str] | None = None) -> RoleRight:
        """The decision on a plan for this principal, or for who has these roles. Raises PolicyFileError."""
        request = request_of_plan(plan, self._catalogue)
        who = self._principal if roles is None else Principal(self._principal.user, roles)
        return RoleRight(request, self._parts.policies.decide(who, request))

    def test(self) -> list[PolicyCaseResult]:
        """The cases that belong to the policies, with their results. Raises PolicyFileError, UsageError."""
        return list(run_cases(self._parts.policies))

    @recorded("policy.copy")
    def copy(self, *, replace: bool = False) -> list[Path]:
        """Copy the shipped files into the home, to be changed there. Raises RefusedError, UsageError."""
        self._permit(Action.CONFIGURE, "change policies")
        return self._parts.policies.copy(replace=replace)

    @property
    def cases(self) -> Path:
        """The file of cases that is run."""
        return self._parts.policies.cases
