"""The one door of a home's policies, for one principal: deeds, and plans by their nodes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace

from core.domain.principal import Principal
from core.domain.trust.permission import ENTER, Action, PolicyDecision, PolicyRequest, Trait, refusal
from core.errors import RecordsError, RefusedError
from core.guard.policies.in_force import Policies
from core.plan.catalogue import Catalogue
from core.plan.door import request_of
from core.plan.ir.node import Node
from core.plan.ir.nodes import Plan, ScopedNode
from core.store.database.chain import is_doing, tell
from core.store.people.audit_log import AuditLog
from core.workbench.recorded import deed_of

REFUSED = "policy.refuse"


class PolicyDoor:
    """Decides by the policies in force, and keeps refusals in the audit log. Thread-safe; cheap to make.

    catalogue: loads what this principal may see, for the types of fields; only for plans.
    """

    def __init__(
        self,
        policies: Policies,
        audit_log: AuditLog,
        principal: Principal,
        catalogue: Callable[[], Catalogue],
    ) -> None:
        self._policies = policies
        self._audit_log = audit_log
        self._principal = principal
        self._catalogue = catalogue

    @property
    def known_by(self) -> str:
        """Of the policies in force and of all that they can tell this principal by."""
        return self._policies.known_by(self._principal)

    @property
    def allows_all(self) -> bool:
        """True where a query with every trait is allowed; False where a file is broken."""
        return self._refusal(PolicyRequest(Action.QUERY, frozenset(Trait))) is None

    def refusal(self, plan: Plan | None) -> RefusedError | None:
        """The refusal of a plan, or of any question at all for None; None where it may be run.

        Nothing is kept of it: whoever asks keeps it with what it belongs to.
        """
        return self._refusal(ENTER if plan is None else request_of_plan(plan, self._catalogue()))

    def require_plan(self, plan: Plan) -> None:
        """Raise RefusedError, once it is in the audit log, where the principal may not run a plan."""
        self._require(request_of_plan(plan, self._catalogue()))

    def require(self, nodes: Sequence[Node]) -> None:
        """Raise RefusedError, once it is in the audit log, where the principal may not run these nodes."""
        self._require(request_of(nodes, self._catalogue()))

    def require_deed(self, action: Action, deed: str = "") -> None:
        """Raise RefusedError, once it is in the audit log. deed: completes "may not"; "" for the action's."""
        self._require(PolicyRequest(action), deed)

    def may(self, action: Action) -> bool:
        """True where the principal may do such deeds; nothing is kept of it. False where a file is broken."""
        try:
            return self._policies.decide(self._principal, PolicyRequest(action)).is_allowed
        except RefusedError:
            return False

    def decision(self, request: PolicyRequest) -> PolicyDecision:
        """The decision on a request. Raises PolicyFileError."""
        return self._policies.decide(self._principal, request)

    def _refusal(self, request: PolicyRequest, deed: str = "") -> RefusedError | None:
        try:
            decision = self.decision(request)
        except RefusedError as broken:
            return broken
        if decision.is_allowed:
            return None
        return refusal(self._principal.user, request, decision, deed)

    def _require(self, request: PolicyRequest, deed: str = "") -> None:
        refused = self._refusal(request, deed)
        if refused is None:
            return
        detail: dict[str, str | list[str]] = {
            "traits": sorted(each.value for each in request.traits),
            "lacking": list(refused.lacking),
        }
        if is_doing():  # the deed that is refused is kept itself
            tell(**{name: each for name, each in detail.items() if each})
        else:
            detail = {"action": request.action.value, **detail}
            kept = replace(deed_of(REFUSED, self._principal, detail), outcome="refused")
            with suppress(RecordsError):  # the refusal itself says more
                self._audit_log.append(kept)
        raise refused


def request_of_plan(plan: Plan, catalogue: Catalogue) -> PolicyRequest:
    """The deed of running a plan: a summary of a set tells what its documents lack, and computes amounts."""
    request = request_of(plan.nodes, catalogue)
    scopes = [node.scope.documents for node in plan.nodes if isinstance(node, ScopedNode)]
    if plan.summary is None or [len(each) for each in scopes] == [1]:
        return request
    told = {Trait.COMPLIANCE, Trait.FINANCIAL_AGGREGATE}
    return PolicyRequest(request.action, request.traits | told, request.nodes)
