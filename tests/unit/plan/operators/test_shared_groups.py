"""Groups that several sets share, or that only the first of them has."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from core.domain.annotation import Calculation as Function
from core.domain.results import Documents, Group, Groups, Result
from core.plan.ir.nodes import Aggregate
from core.plan.operators.aggregate import shared_groups

SETS: dict[str, dict[str, tuple[str, ...]]] = {
    "acme": {"Northwind": ("a1", "a2"), "Harbor": ("a3",), "": ("a4",)},
    "beta": {"Northwind": ("b1",), "Prairie": ("b2",), "": ("b3",)},
}


def compute(node: Aggregate, inputs: Mapping[str, Result]) -> Groups:
    members = SETS[next(iter(inputs))]
    groups = tuple(
        Group(key=(key,), value=str(len(ids)), unit="", rows=len(ids), documents=ids)
        for key, ids in members.items()
    )
    present = frozenset(id for ids in members.values() for id in ids)
    return Groups(function="count", field="", groups=groups, documents=Documents(present=present))


def shared(how: Literal["all", "first"]) -> Groups:
    node = Aggregate(
        id="x",
        purpose="",
        inputs=("acme", "beta"),
        function=Function.COUNT,
        group_by=("customer",),
        shared=how,
    )
    return shared_groups(node, {"acme": Documents(), "beta": Documents()}, compute)


def test_groups_of_both_sets_count_the_documents_of_both() -> None:
    found = shared("all")
    assert [(group.key, group.value, group.documents) for group in found.groups] == [
        (("Northwind",), "3", ("a1", "a2", "b1"))
    ]
    assert found.documents.present == {"a1", "a2", "b1"}


def test_groups_of_the_first_set_only_leave_out_those_of_the_other() -> None:
    found = shared("first")
    assert [group.key for group in found.groups] == [("Harbor",)]
    assert found.documents.absent == {"a1", "a2", "a4", "b1", "b2", "b3"}
