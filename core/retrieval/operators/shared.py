"""Aggregate over several sets: the groups that all of them have, or only the first."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from core.domain.results import Group, Groups, Result
from core.plan.ir.nodes import Aggregate
from core.retrieval.sets import union

Compute = Callable[[Aggregate, Mapping[str, Result]], Groups]


def shared_groups(node: Aggregate, inputs: Mapping[str, Result], compute: Compute) -> Groups:
    """The groups of the first set that every other has (`all`), or that none of them has (`first`)."""
    sides = [
        compute(node.model_copy(update={"shared": "", "inputs": (name,)}), {name: inputs[name]})
        for name in node.inputs
    ]
    first, *others = sides
    known = [{group.key: group for group in side.groups} for side in others]
    kept: list[Group] = []
    for group in first.groups:
        found = [side[group.key] for side in known if group.key in side]
        if not any(group.key):
            continue
        if node.shared == "first" and not found:
            kept.append(group)
        elif node.shared == "all" and len(found) == len(known):
            kept.append(_merged(group, found))
    documents = union([side.documents for side in sides])
    present = frozenset(id for group in kept for id in group.documents)
    left = documents.present - present
    return first.model_copy(
        update={
            "groups": tuple(kept),
            "rows": sum(group.rows for group in kept),
            "documents": documents.model_copy(
                update={"present": present, "absent": documents.absent | left, "order": ()}
            ),
            "excluded": tuple(dict.fromkeys(each for side in sides for each in side.excluded)),
        }
    )


def _merged(group: Group, others: list[Group]) -> Group:
    """A group of several sets: what they count, and all their documents."""
    documents = tuple(dict.fromkeys(id for each in (group, *others) for id in each.documents))
    rows = len(documents) or sum(each.rows for each in (group, *others))
    return group.model_copy(update={"rows": rows, "value": str(rows), "documents": documents})
