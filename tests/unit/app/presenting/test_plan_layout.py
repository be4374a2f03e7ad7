from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from app.presenting.plan_layout import HEIGHT, WIDTH, Layout, lay_out


@st.composite
def graphs(draw: st.DrawFn) -> dict[str, list[str]]:
    names = [f"n{at}" for at in range(draw(st.integers(1, 12)))]
    return {
        name: draw(st.lists(st.sampled_from(names[:at]), unique=True, max_size=4)) if at else []
        for at, name in enumerate(names)
    }


def corners(layout: Layout) -> dict[str, tuple[int, int]]:
    return {each.id: (each.x, each.y) for each in layout.nodes}


@settings(deadline=None)  # the machine may be busy
@given(graphs())
def test_what_a_node_takes_in_stands_to_its_left(inputs: dict[str, list[str]]) -> None:
    places = corners(lay_out(inputs))

    for id, names in inputs.items():
        assert all(places[name][0] + WIDTH < places[id][0] for name in names)


@settings(deadline=None)  # the machine may be busy
@given(graphs())
def test_no_node_stands_on_another_and_all_are_within_the_drawing(inputs: dict[str, list[str]]) -> None:
    layout = lay_out(inputs)
    boxes = list(corners(layout).values())

    for at, (x, y) in enumerate(boxes):
        assert 0 <= x <= layout.width - WIDTH
        assert 0 <= y <= layout.height - HEIGHT
        for other_x, other_y in boxes[:at]:
            assert abs(x - other_x) >= WIDTH or abs(y - other_y) >= HEIGHT


@settings(deadline=None)  # the machine may be busy
@given(graphs())
def test_edges_lead_from_side_to_side_and_the_same_plan_is_drawn_the_same(
    inputs: dict[str, list[str]],
) -> None:
    layout = lay_out(inputs)
    places = corners(layout)

    assert layout == lay_out(inputs)
    assert len(layout.edges) == sum(map(len, inputs.values()))
    for edge in layout.edges:
        (x, y), (end_x, end_y) = places[edge.source], places[edge.target]
        assert edge.points[0] == (x + WIDTH, y + HEIGHT // 2)
        assert edge.points[-1] == (end_x, end_y + HEIGHT // 2)


@settings(deadline=None)  # the machine may be busy
@given(graphs())
def test_layers_may_stand_below_each_other(inputs: dict[str, list[str]]) -> None:
    layout = lay_out(inputs, down=True)
    places = corners(layout)

    for id, names in inputs.items():
        assert all(places[name][1] + HEIGHT < places[id][1] for name in names)
    boxes = list(places.values())
    for at, (x, y) in enumerate(boxes):
        assert 0 <= x <= layout.width - WIDTH
        assert 0 <= y <= layout.height - HEIGHT
        for other_x, other_y in boxes[:at]:
            assert abs(x - other_x) >= WIDTH or abs(y - other_y) >= HEIGHT
    for edge in layout.edges:
        (x, y), (end_x, end_y) = places[edge.source], places[edge.target]
        assert edge.points[0] == (x + WIDTH // 2, y + HEIGHT)
        assert edge.points[-1] == (end_x + WIDTH // 2, end_y)


def test_two_chains_do_not_cross() -> None:
    layout = lay_out({"a": [], "b": [], "c": ["b"], "d": ["a"], "e": ["c"], "f": ["d"]})
    tops = {each.id: each.y for each in layout.nodes}

    assert (tops["a"] < tops["b"]) == (tops["d"] < tops["c"]) == (tops["f"] < tops["e"])


def test_a_circle_is_drawn_too_and_nothing_gives_nothing() -> None:
    assert len(lay_out({"a": ["b"], "b": ["a"]}).nodes) == 2
    assert lay_out({}) == Layout(0, 0, (), ())
