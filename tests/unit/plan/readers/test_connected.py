"""Questions for connections, read by the names of a map alone."""

from __future__ import annotations

import pytest

from core.domain.evidence.connection import ConnectionMap, MapNode, MapNodeKind
from core.errors import DeadlineError
from core.graph.walk import MapWalks
from core.plan.readers.connected import read_connection

NAMES = {"acme widgets": "ACME Widgets Ltd", "beta": "Beta Inc.", "bank of erie": "Bank of Erie"}
MAP = MapWalks(
    ConnectionMap(
        {f"party:{key}": MapNode(f"party:{key}", MapNodeKind.PARTY, name) for key, name in NAMES.items()}, []
    )
)


def names(question: str) -> list[str]:
    return [name.words for reading in read_connection(question, lambda: MAP) for name in reading.names]


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("How is ACME connected with Beta?", ["ACME", "Beta"]),
        ("What is the relationship between Bank of Erie and Beta Inc.?", ["Bank of Erie", "Beta Inc"]),
        ("show me any path from beta to acme widgets", ["beta", "acme widgets"]),
        ("Beta's connection to ACME?", ["Beta", "ACME"]),
        ("Which contracts are connected with ACME and Beta?", []),
        ("What does Beta say of its connection with ACME?", []),
        ("How is Beta connected?", []),
        ("How is Beta connected with Nobody?", []),
        ("Beta and ACME", []),
    ],
)  # fmt: skip
def test_two_names_and_nothing_beside_their_connection_are_read(question: str, found: list[str]) -> None:
    assert names(question) == found


def test_no_map_is_made_for_other_questions_and_one_that_is_being_made_is_left_to_the_plan() -> None:
    def late() -> MapWalks:
        raise DeadlineError("The map is being made.")

    assert list(read_connection("What does Beta owe ACME?", late)) == []
    [read] = read_connection("How is ACME Widgets connected with Beta?", late)
    assert [each.words for each in read.names] == ["ACME Widgets", "Beta"]
    assert list(read_connection("Is the path of Beta in Erie a link to ACME?", late)) == []
