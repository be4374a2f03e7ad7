from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.domain.answer import Status
from core.domain.evidence.connection import MapNodeKind
from core.domain.principal import LOCAL_ADMIN, Principal
from core.errors import NotFoundError, PlanError, RefusedError, UsageError
from core.plan.ir.nodes import Connect, Plan, Scope
from core.plan.ir.serialization import plan_of
from core.workbench import Workbench
from core.workbench.explore.map import MapFilter
from tests.support.mapped import papers
from tests.support.roles import MAY_ASK

ALL = MapFilter()
GUEST = Principal("ann", MAY_ASK)


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Workbench]:
    with Workbench.open(home=tmp_path / "home") as opened:
        papers(opened._parts.records)
        yield opened


def test_ways_between_names_are_those_that_the_principal_may_see(bench: Workbench) -> None:
    mine, theirs = bench.for_principal(LOCAL_ADMIN).map, bench.for_principal(GUEST).map
    routes = mine.paths(ALL, "Acme Widgets", "beta")

    assert routes.other.name == "Beta Foods Inc."
    assert [each.kind.value for each in routes.paths[0].edges] == ["names"] * 4
    assert mine.paths(ALL, "ACME Widgets Ltd.", "Gamma Optics").paths
    with pytest.raises(NotFoundError, match="Gamma Optics"):
        theirs.paths(ALL, "ACME Widgets", "Gamma Optics")
    with pytest.raises(RefusedError):
        bench.for_principal(Principal("eve")).map.part(ALL)


def test_a_part_says_what_is_not_in_it(bench: Workbench) -> None:
    map = bench.for_principal(LOCAL_ADMIN).map
    whole = map.part(ALL)
    few = map.part(ALL, "Delta Freight", 1)

    assert whole.left_out == {}
    assert {each.kind for each in few.nodes.values()} == {MapNodeKind.PARTY, MapNodeKind.DOCUMENT}
    assert few.left_out == {"nodes that were not asked for": len(whole.nodes) - len(few.nodes)}
    with pytest.raises(UsageError, match="depth of 9"):
        map.part(ALL, depth=9)


def test_filters_keep_kinds_buckets_and_sure_edges(bench: Workbench) -> None:
    map = bench.for_principal(LOCAL_ADMIN).map
    products = map.part(MapFilter(kinds=(MapNodeKind.PRODUCT,)))

    assert {each.kind for each in products.nodes.values()} == {MapNodeKind.PRODUCT, MapNodeKind.DOCUMENT}
    assert map.part(MapFilter("elsewhere")).nodes == {}
    sure = MapFilter(least=0.5)
    assert map.walks(sure) is map.walks(sure)  # with what was worked out for it
    assert map.walks(sure) is not map.walks(MapFilter(least=0.6))
    assert map.part(MapFilter(least=1.0)).edges == []


def test_files_have_every_edge_with_its_words(bench: Workbench) -> None:
    map = bench.for_principal(LOCAL_ADMIN).map
    lines = map.file(ALL, "csv").decode("utf-8-sig").splitlines()

    assert len(lines) == 1 + len(map.part(ALL).edges)
    assert any("PO-77123" in line for line in lines)
    assert b"graphml" in map.file(ALL, "graphml")
    with pytest.raises(UsageError, match="'pdf'"):
        map.file(ALL, "pdf")


def test_a_question_for_a_connection_is_answered_by_ways_that_may_be_seen(bench: Workbench) -> None:
    answer = bench.ask("How is ACME Widgets connected with Beta Foods?")

    assert answer.status is Status.ANSWERED
    assert "**Way 1**: Title of agreement.txt names ACME Widgets Ltd" in answer.text
    assert [step.citations[0].quote for step in answer.claims[1:5]] == [
        "ACME Widgets Ltd",
        "Delta Freight GmbH",
        "Delta Freight GmbH",
        "Beta Foods Inc.",
    ]
    assert answer.ledger is not None
    assert (answer.ledger.scope, answer.ledger.present) == (7, 2)
    plan = plan_of(answer.plan or {})
    assert [(node.type, node.one, node.other) for node in plan.nodes if isinstance(node, Connect)] == [
        ("connect", "ACME Widgets", "Beta Foods")
    ]
    theirs = bench.ask("How is ACME Widgets connected with Gamma Optics?", principal=GUEST)
    assert theirs.plan is None or not any(each["type"] == "connect" for each in theirs.plan["nodes"])


def test_what_is_not_connected_is_told_with_what_was_searched(bench: Workbench) -> None:
    answer = bench.ask("Is there a link between Title of alone.txt and Gamma Optics?")

    assert answer.status is Status.ANSWERED
    assert answer.text.startswith("Nothing connects Title of alone")
    assert "over 7 documents" in answer.text
    assert answer.confidence_label == "LOW"


@pytest.mark.parametrize(
    "question",
    [
        "What does ACME Widgets say of its connection with Beta Foods in the agreement?",
        "How is ACME Widgets connected with Unheard Of?",
        "How is ACME Widgets connected?",
        "ACME Widgets Beta Foods",
    ],
)
def test_a_question_that_asks_for_more_or_less_is_read_otherwise(bench: Workbench, question: str) -> None:
    plan = bench.plan(question)

    assert not isinstance(plan, Plan) or not any(isinstance(each, Connect) for each in plan.nodes)


def test_a_plan_by_hand_says_why_there_is_no_way(bench: Workbench) -> None:
    session = bench.for_principal(LOCAL_ADMIN)
    plan = bench.plan("How is ACME Widgets connected with Beta Foods?")
    assert isinstance(plan, Plan)

    def told(one: str, other: str, **scope: tuple[str, ...]) -> str:
        [node] = plan.nodes
        parts = {"one": one, "other": other, "scope": Scope(**scope)}
        changed = plan.model_copy(update={"nodes": (node.model_copy(update=parts),), "reading": None})
        return session.plans.run(changed).text

    assert "Nothing on the map is called 'Zeta'" in told("Zeta", "Beta Foods").replace("\\", "")
    assert "Both names mean 'ACME" in told("ACME Widgets", "acme widgets limited")
    order = next(each.id for each in session.documents.list() if "order" in each.source)
    assert "Nothing connects" in told("ACME Widgets", "Beta Foods", documents=(order,))
    with pytest.raises(PlanError, match="two names"):
        told("", "Beta Foods")


def test_the_page_gets_the_map_of_now_once_it_is_made(bench: Workbench) -> None:
    map = bench.for_principal(LOCAL_ADMIN).map
    view = map.view(ALL, 10)

    assert view.is_current
    assert view.walks is not None
    assert map.view(MapFilter(least=1.0)).walks.map.edges == []  # type: ignore[union-attr]
