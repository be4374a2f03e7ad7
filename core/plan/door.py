"""The door of policies: every plan passes it before a node of it runs, whoever made it, on whatever way.

`core.workbench.door` has the real one, made for one principal.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from core.domain.trust.permission import Action, PolicyRequest, Trait
from core.errors import RefusedError
from core.plan.catalogue import Catalogue
from core.plan.ir.node import Node
from core.plan.ir.nodes import Plan, spec_of
from core.plan.ir.spec import TraitSetting
from core.plan.text_plan import searches
from core.search.classify import asks_for_compliance


class PlanDoor(Protocol):
    """Says of plans whether a principal may run them. Thread-safe; what it gives depends on nodes alone."""

    @property
    def known_by(self) -> str:
        """Equal for principals to whom the same is allowed: what is kept of their questions may be shared."""
        ...

    @property
    def allows_all(self) -> bool:
        """True where no plan would be refused, so that none has to be looked at."""
        ...

    def refusal(self, plan: Plan | None) -> RefusedError | None:
        """The refusal of a plan, or of any question at all for None; None where it may be run."""
        ...

    def require(self, nodes: Sequence[Node]) -> None:
        """Raise RefusedError, once it is in the audit log, where the principal may not run these nodes."""
        ...


def request_of(nodes: Sequence[Node], catalogue: Catalogue) -> PolicyRequest:
    """The deed of running some nodes, of a whole plan as well. Nodes with the same id count each."""
    setting = TraitSetting({node.id: node for node in nodes}, catalogue)
    traits = {trait for node in nodes for trait in spec_of(node).asks(node, setting)}
    if any(asks_for_compliance(text) for each in searches(nodes) for text in (each.text, *each.wordings)):
        traits.add(Trait.COMPLIANCE)
    return PolicyRequest(Action.QUERY, frozenset(traits), frozenset(node.type for node in nodes))
