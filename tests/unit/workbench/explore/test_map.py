from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.domain.evidence.connection import MapNodeKind
from core.domain.principal import LOCAL_ADMIN, Principal
from core.errors import NotFoundError, RefusedError, UsageError
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
    assert map.part(MapFilter(least=1.0)).edges == []


def test_files_have_every_edge_with_its_words(bench: Workbench) -> None:
    map = bench.for_principal(LOCAL_ADMIN).map
    lines = map.file(ALL, "csv").decode("utf-8-sig").splitlines()

    assert len(lines) == 1 + len(map.part(ALL).edges)
    assert any("PO-77123" in line for line in lines)
    assert b"graphml" in map.file(ALL, "graphml")
    with pytest.raises(UsageError, match="'pdf'"):
        map.file(ALL, "pdf")
