"""Hop: the one value that a later node needs."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from core.plan.ir.node import Node
from core.plan.ir.nodes.compare import fields_before
from core.plan.ir.spec import SETS, Checks, FormField, NodeEstimate, NodeSpec, Said
from core.plan.ir.statistics import Cost


class Hop(Node):
    """Find the one value that a later node needs, in what its input found. Gives a value.

    field: read from the cells of the input's documents (or the groups of an aggregate). template: asked of
    their text where no cell states it; {titles} stands for theirs, {value} for the value of an input hop.
    More values than one, or none, stop the plan and are asked about. several: any number of values serves,
    as a later condition holds of each that is one of them.
    follow: "titles" gives documents instead: those whose titles the best passages of its input mention.
    phrase: the words of the question that the value stands for.
    """

    type: Literal["hop"] = "hop"
    template: str = Field(default="", max_length=500)
    field: str = ""
    follow: Literal["", "titles"] = ""
    phrase: str = Field(default="", max_length=300)
    several: bool = False


def _checks(node: Hop, checks: Checks) -> Said:
    if not node.inputs:
        yield "It has no input to read from.", "Connect a node that finds documents."
    if node.follow:
        yield from checks.inputs(node, ("passages",))
        return
    if not node.field and not node.template:
        yield "It asks for nothing.", "Choose a field, or write a question for the documents found."
    yield from checks.inputs(node, ("documents", "rows", "groups", "value", "passages"))
    if node.field and any(checks.types[name] != "groups" for name in node.inputs):
        yield from checks.known(node, node.field)


HOP = NodeSpec(
    node=Hop,
    word="Look up",
    about="The one value that a later node needs",
    takes=(*SETS, "groups", "value"),
    gives=lambda node: "documents" if node.follow else "value",
    unit=lambda node: "value",
    cost=Cost(25.0, 0.5),
    estimate=lambda node, setting: NodeEstimate(sum(setting.taken), 1, "one value, or it stops and asks"),
    checks=_checks,
    begins="Read the value that is needed",
    parts=lambda start: {"field": next(iter(fields_before(start)), "")},
    form=(
        FormField("field", "Reads the field", "field", none="None: only the text"),
        FormField(
            "template",
            "Asks the text where no field states it",
            "line",
            help="{titles} stands for what was found, {value} for the value of a look-up before.",
        ),
    ),
    fields=lambda node: (node.field,),
    words=lambda node: (node.phrase, node.template),
    is_value=lambda node: not node.follow,
    is_exact=lambda node: not node.template,
    is_hop=True,
    source="index",
)
