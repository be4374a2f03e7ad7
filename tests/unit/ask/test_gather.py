"""Questions that need two passages: answered over hops, which the plan shows."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.ask.conversation import FollowUp
from core.ask.gather import Gathering, SearchedPassages, node_events
from core.domain.event import NodeChanged
from core.plan.text_plan import text_plan
from core.search.classify import classify
from core.store.database.visibility import Visibility
from tests.support.shelf import Shelf

ALL = Visibility.everything()
QUESTION = "In which year was the director of Silver Lantern born?"


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    shelf = Shelf(tmp_path)
    for number in range(8):
        shelf.put(f"n{number}", f"The director of firm {number} signs for a year.", title=f"Note {number}")
    yield shelf
    shelf.close()


def gathered(shelf: Shelf, question: str = QUESTION) -> SearchedPassages:
    plan = text_plan(classify(question), question, ())
    return Gathering(FollowUp("", ()), shelf.retriever, shelf.records.documents, ALL, 100).gather(plan)


def test_both_passages_of_a_bridge_are_gathered_and_every_node_says_what_it_did(shelf: Shelf) -> None:
    shelf.put("film", "Silver Lantern is a film. It was made by Mara Quist.", title="Silver Lantern")
    shelf.put("maker", "Mara Quist was born at Lund in 1931.", title="Mara Quist")
    found = gathered(shelf)
    first = [candidate.stored.title for candidate in found.evidence.candidates[:2]]
    assert first == ["Silver Lantern", "Mara Quist"]
    types = [node.type for node in found.plan.nodes]
    assert types[:3] == ["search", "hop", "search"]
    figures = [node.ran for node in found.plan.nodes[:3]]
    assert figures[1] is not None
    assert figures[1].rows == 1
    assert all(each is not None and each.rows for each in figures)
    assert found.plan.answer_node == found.plan.nodes[-1].id


def test_where_nothing_is_named_the_plan_says_that_one_search_was_made(shelf: Shelf) -> None:
    found = gathered(shelf)
    assert [node.ran is not None for node in found.plan.nodes] == [True, True, False]
    assert found.plan.notes[-1].reading == "Nothing that was found names a further document."


def test_the_events_of_hops_draw_the_plan_and_tell_of_every_node(shelf: Shelf) -> None:
    events = node_events(gathered(shelf).plan, 5.0)
    assert events[0].type == "plan_drawn"
    told = [(each.node, each.state) for each in events if isinstance(each, NodeChanged)]
    assert told == [("search-1", "done"), ("hop-1", "done"), ("search-2", "stopped")]
