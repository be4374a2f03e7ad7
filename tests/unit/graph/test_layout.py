from __future__ import annotations

from itertools import pairwise

import pytest

from core.graph.layout import lay_out


@pytest.mark.parametrize("count", [0, 1, 2, 30])
def test_places_stay_on_the_plane_and_are_the_same_again(count: int) -> None:
    nodes = [f"n{number}" for number in range(count)]
    edges = [(one, other) for one, other in pairwise(nodes) if one != "n9"]
    at = lay_out(nodes, edges)

    assert set(at) == set(nodes)
    assert all(-1.001 <= each <= 1.001 for place in at.values() for each in place)
    assert len(set(at.values())) == count
    assert lay_out(nodes, edges) == at
