"""A door of policies that lets everybody in, and one that says what it was asked."""

from __future__ import annotations

from collections.abc import Sequence

from core.errors import RefusedError
from core.plan.door import PlanDoor
from core.plan.ir.node import Node
from core.plan.ir.nodes import Plan


class OpenDoor:
    """Lets every plan through."""

    known_by = ""
    allows_all = True

    def refusal(self, plan: Plan | None) -> RefusedError | None:
        return None

    def require(self, nodes: Sequence[Node]) -> None:
        return None


OPEN: PlanDoor = OpenDoor()
