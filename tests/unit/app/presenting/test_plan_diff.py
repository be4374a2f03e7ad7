from __future__ import annotations

from collections.abc import Mapping

from app.presenting.plan_diff import difference, four_parts, how
from core.domain.answer import Answer, Kind, Ledger, LedgerDocuments, Route, Status, Value
from core.domain.results import Documents, FoundValue, Group, Groups, PassageHit, Passages, Result, Stopped
from core.plan.ir.nodes import Aggregate, Figures, Node, Select
from core.workbench.services.plans import PlanRan
from tests.support.plans import plan_of


def answer(text: str, parts: Documents, value: Value | None = None) -> Answer:
    lists = {each: tuple(sorted(getattr(parts, each))) for each in four_parts(parts)}
    ledger = Ledger(
        field="law",
        scope=len(parts.scope),
        documents=LedgerDocuments(**lists),
        **{part: len(ids) for part, ids in lists.items()},
    )
    return Answer(
        question="q",
        trace_id="t",
        data_version=1,
        status=Status.ANSWERED,
        kind=Kind.AGGREGATE,
        route=Route.STRUCTURED,
        text=text,
        value=value,
        ledger=ledger,
    )


def ran(node: Node, result: Result, said: Answer | None, source: str = "sql") -> PlanRan:
    figures = Figures(rows=1, hits=1, latency_ms=1.0, source=source)
    plan = plan_of(node.model_copy(update={"ran": figures}))
    return PlanRan(plan, {node.id: result}, {}, said, 1)


SELECT = Select(id="s", purpose="p")
ONE = Documents(present=frozenset("ab"), absent=frozenset("c"), unreadable=frozenset("x"))
OTHER = Documents(present=frozenset("bc"), uncertain=frozenset("a"), unreadable=frozenset("x"))


def test_documents_that_came_and_went_are_named_and_others_are_not() -> None:
    found = difference(ran(SELECT, ONE, answer("two", ONE)), ran(SELECT, OTHER, answer("two", OTHER)))

    assert (found.new, found.left, found.moved) == (("c",), ("a",), ())
    assert found.counts == (("present", 2, 2), ("absent", 1, 0), ("uncertain", 0, 1), ("unreadable", 1, 1))
    assert found.values == ()


def test_a_document_that_is_known_otherwise_and_belongs_as_before_is_moved() -> None:
    later = Documents(present=frozenset("ab"), uncertain=frozenset("c"), unreadable=frozenset("x"))
    found = difference(ran(SELECT, ONE, answer("t", ONE)), ran(SELECT, later, answer("t", later)))

    assert [(each.document, each.before, each.after) for each in found.moved] == [
        ("c", "absent", "uncertain")
    ]
    assert not found.is_empty


def test_a_value_is_told_before_and_after_with_its_unit() -> None:
    values = [Value(type="money", value=each, unit="USD") for each in ("2332000.00", "395000.00")]
    node = Aggregate(id="sum", purpose="p", function="sum", field="fee")
    runs = [
        ran(node, FoundValue(kind="money", text=each.value, unit="USD"), answer("t", ONE, each))
        for each in values
    ]

    [change] = difference(*runs).values
    assert (change.group, change.before, change.after) == ("", "USD 2,332,000", "USD 395,000")


def test_groups_are_compared_one_by_one() -> None:
    node = Aggregate(id="by", purpose="p", function="count", group_by=("law",))

    def groups(**counts: str) -> Groups:
        made = tuple(Group(key=(name,), value=n, unit="", rows=1) for name, n in counts.items())
        return Groups(function="count", field="", group_by=("law",), groups=made)

    found = difference(
        ran(node, groups(texas="2", iowa="1", ohio="4"), answer("t", ONE)),
        ran(node, groups(texas="3", ohio="4", utah="1"), answer("t", ONE)),
    )

    assert [(each.group, each.before, each.after) for each in found.values] == [
        ("texas", "2", "3"),
        ("iowa", "1", None),
        ("utah", None, "1"),
    ]


def test_equal_runs_differ_in_nothing() -> None:
    once, again = ran(SELECT, ONE, answer("t", ONE)), ran(SELECT, ONE, answer("t", ONE), "memory")

    assert difference(once, again).is_empty
    assert difference(once, again).kept == ("s",)


def test_nodes_are_told_by_what_became_of_them() -> None:
    figures: Mapping[str, Figures | None] = {
        "a": Figures(rows=1, hits=1, latency_ms=1.0, source="sql"),
        "b": Figures(rows=1, hits=1, latency_ms=1.0, source="store"),
        "c": None,
    }
    nodes = [Select(id=id, purpose="p", ran=each) for id, each in figures.items()]
    run = PlanRan(plan_of(*nodes), {}, {"c": Stopped(node="c", reason="two values")}, None, 1)

    assert how(run) == {"ran": ("a",), "kept": ("b",), "stopped": ("c",)}


def test_what_a_search_found_is_present_and_a_value_has_no_documents() -> None:
    hit = PassageHit(passage=1, document="d", version=1, page=1, start=0, end=3, text="cap", score=0.5)

    assert four_parts(Passages(hits=(hit,)))["present"] == {"d"}
    assert four_parts(FoundValue(kind="text", text="x")) == {}
