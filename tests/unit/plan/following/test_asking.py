"""Turns that ask something of the set in hand, or of one document of it."""

from __future__ import annotations

import pytest

from core.plan.reading import Operation
from tests.support.conversation_readings import MarkedConversation
from tests.support.known_collection import known_collection

KNOWN = known_collection()


def conversation(*documents: str) -> MarkedConversation:
    talk = MarkedConversation(KNOWN, documents=documents, groups=("Texas", "Germany"))
    talk.turn("list", "contracts [under Texas law]{=governing_law}")
    return talk


@pytest.mark.parametrize(("place", "document"), [("1st", "d01"), ("second", "d02"), ("last", "d03")])
def test_the_member_at_a_place_is_meant_by_its_id(place: str, document: str) -> None:
    found = conversation("d01", "d02", "d03").turn(
        "ordinal:lookup", f"[law]{{?governing_law}} of the [{place}]{{nth}}"
    )

    assert found.names[0].documents == (document,)


def test_the_group_at_a_place_becomes_a_condition() -> None:
    talk = conversation("d01")
    talk.turn("ask:group/count", "[per law]{by governing_law}")

    found = talk.turn("ordinal:list", "those of the [second]{nth}")

    assert found.conditions[-1].values == ("Germany",)


def test_a_group_that_is_not_there_is_not_gone_on_from() -> None:
    talk = conversation("d01")
    talk.turn("ask:group/count", "[per law]{by governing_law}")

    talk.turn("ordinal:list", "those of the [ninth]{nth}")

    assert talk.followed is None


def test_an_explanation_of_nothing_named_gives_the_set_once_more() -> None:
    talk = conversation("d01", "d02")

    found = talk.turn("explain:text", "how do you know?")

    assert found.operation is Operation.LIST
    assert not found.explains


def test_a_set_of_one_is_explained_by_its_conditions() -> None:
    found = conversation("d01").turn("explain:text", "how do you know?")

    assert found.explains
    assert [each.conditions[0].field.name for each in found.steps] == ["governing_law"]


def test_an_order_by_nothing_is_not_gone_on_from() -> None:
    talk = conversation("d01")

    talk.turn("order:rank", "sorted please")

    assert talk.followed is None
