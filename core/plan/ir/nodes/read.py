"""Read: documents in full, or their sections under a heading."""

from __future__ import annotations

from typing import Literal

from core.plan.ir.node import ScopedNode
from core.plan.ir.spec import SETS, Checks, EstimateSetting, FormField, NodeEstimate, NodeSpec, Said
from core.plan.ir.statistics import Cost, in_scope


class Read(ScopedNode):
    """Read documents in full, or the sections under a heading that says `section`. Gives passages."""

    type: Literal["read"] = "read"
    section: str = ""


def _checks(node: Read, checks: Checks) -> Said:
    yield from checks.narrowing(node, 1)
    yield from checks.scope(node.scope)
    if not node.inputs and not node.scope.documents:
        yield "It reads everything there is.", "Name documents, or connect a node that finds them."


def _estimate(node: Read, setting: EstimateSetting) -> NodeEstimate:
    size = setting.taken[0] if setting.taken else len(in_scope(node.scope, setting.catalogue))
    return NodeEstimate(size, size, "every page of these documents")


READ = NodeSpec(
    node=Read,
    word="Read",
    about="Documents or their sections in full",
    takes=SETS,
    gives=lambda node: "passages",
    unit=lambda node: "page",
    cost=Cost(4.0, 1.5),
    estimate=_estimate,
    checks=_checks,
    begins="Read them in full",
    parts=lambda start: {"scope": start.any_kind},
    form=(
        FormField(
            "section",
            "Only sections under a heading that says",
            "line",
            brief="Only sections under",
            none="Whole documents",
        ),
        FormField("scope", "", "scope", of_kind=False),
    ),
    is_exact=lambda node: False,
)
