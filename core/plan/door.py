"""The door of policies: every plan passes it before a node of it runs, whoever made it, on whatever way.

`core.workbench.door` has the real one, made for one principal.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from core.errors import RefusedError
from core.plan.ir.node import Node
from core.plan.ir.nodes import Plan


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
