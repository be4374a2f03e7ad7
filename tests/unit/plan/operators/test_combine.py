from __future__ import annotations

import pytest

from core.domain.results import Comparison, Documents, FoundValue, PassageHit, Passages
from core.errors import UsageError
from core.plan.ir.nodes import Combine, Compare
from tests.support.operating import Desk, condition, select
from tests.support.stated_values import absent, day, money, present, text, uncertain

NO_DOCUMENTS = FoundValue(kind="text", text="x")


def combined(desk: Desk, how: str, *sides: object) -> Documents:
    names = tuple(f"n{at}" for at in range(len(sides)))
    node = Combine.model_validate({"id": "c", "purpose": "p", "inputs": names, "how": how})
    found = desk.run(node, dict(zip(names, sides, strict=True)))  # type: ignore[arg-type]
    assert isinstance(found, Documents)
    return found


@pytest.fixture
def deals(desk: Desk) -> Desk:
    desk.put("a", law=present(text("Texas")), fee=present(money("100")))
    desk.put("b", law=present(text("Iowa")), fee=present(money("100")))
    desk.put("c", law=absent(), fee=uncertain())
    return desk


def test_sets_are_combined_with_what_is_not_known_of_them(deals: Desk) -> None:
    texan = deals.run(select(condition("law", "=", "Texas")))
    costly = deals.run(select(condition("fee", ">", "1 USD")))
    assert deals.parts(combined(deals, "intersect", texan, costly)) == (["a"], ["b", "c"], [], [])
    assert deals.parts(combined(deals, "union", texan, costly)) == (["a", "b"], [], ["c"], [])
    assert deals.parts(combined(deals, "difference", costly, texan)) == (["b"], ["a"], ["c"], [])


def test_passages_count_as_their_documents_and_are_never_all_there_is(deals: Desk) -> None:
    hits = [
        PassageHit(
            passage=at, document=deals.ids["a"], version=1, page=1, start=0, end=1, text="F", score=0.5
        )
        for at in (1, 2)
    ]
    everything = deals.run(select())
    found = combined(deals, "intersect", everything, Passages(hits=tuple(hits)))
    assert deals.parts(found) == (["a"], ["b", "c"], [], [])
    assert not found.is_exhaustive


def test_what_gives_no_documents_is_refused(deals: Desk) -> None:
    with pytest.raises(UsageError, match="no documents to combine"):
        combined(deals, "union", NO_DOCUMENTS)
    with pytest.raises(UsageError, match="nothing to combine"):
        combined(deals, "union")


def test_documents_stand_side_by_side_with_what_they_state(deals: Desk) -> None:
    deals.put("z", title="Aardvark", law=present(text("Texas"), text("Iowa")), end=present(day("2024-01-01")))
    texan = deals.run(select(condition("law", "=", "Texas")))
    other = deals.run(select(condition("law", "is-missing")))
    node = Compare(id="v", purpose="p", inputs=("x", "y"), labels=("T", "O"), fields=("law", "fee"))
    found = deals.run(node, {"x": texan, "y": other})  # type: ignore[dict-item]
    assert isinstance(found, Comparison)
    assert [(row.side, deals.names([row.document])[0], row.values) for row in found.rows] == [
        ("T", "a", ("Texas", "100 USD")),
        ("T", "z", ("Texas; Iowa", None)),
        ("O", "c", (None, None)),
    ]
    assert deals.parts(found.documents) == (["a", "c", "z"], ["b"], [], [])
    with pytest.raises(UsageError, match="2 sides and 3 names"):
        deals.run(node.model_copy(update={"labels": ("a", "b", "c")}), {"x": texan, "y": other})  # type: ignore[dict-item]
    with pytest.raises(UsageError, match="no documents to compare"):
        deals.run(node, {"x": texan, "y": NO_DOCUMENTS})  # type: ignore[dict-item]
