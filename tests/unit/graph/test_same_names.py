from __future__ import annotations

import pytest

from core.graph.same_names import one_names


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("acme widgets", "acmewidgets"),
        ("harlow instruments", "harlow instrumants"),
        ("northwind utility", "northwind utilities"),
        ("delta freight", "freight delta"),
    ],
)
def test_spellings_of_one_name_are_one(one: str, other: str) -> None:
    assert len(set(one_names([one, other, "somebody else"]).values())) == 2


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("harlow fund ii", "harlow fund iii"),
        ("depot 12", "depot 13"),
        ("harlow marine", "harlow maritime"),
        ("harlow east", "harlow west"),
        ("acme", "acne"),
        ("harlow freight", "harlow freight rail"),
    ],
)
def test_names_that_are_only_alike_stay_apart(one: str, other: str) -> None:
    assert one_names([one, other]) == {one: one, other: other}


def test_three_spellings_have_one_that_stands_for_all() -> None:
    names = ["harlow components", "harlow componants", "harlow componente"]

    assert len(set(one_names(names).values())) == 1
    assert one_names([]) == {}
