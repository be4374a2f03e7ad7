"""Members of the set in hand that a turn keeps, or leaves out, by their names."""

from __future__ import annotations

from dataclasses import replace

from core.plan.conversation.members import choose_members, members
from core.plan.conversation.setting import TurnSetting
from core.plan.conversation_state import SetInHand
from tests.support.conversations import at

ALL = ("d01", "d02", "d03", "d04")


def _at(turn: str) -> TurnSetting:
    setting = at(turn)
    held = replace(setting.in_hand, documents=ALL) if setting.state.in_hand else SetInHand(ALL)
    return replace(setting, state=replace(setting.state, in_hand=held))


def test_names_and_places_mean_documents_of_the_set() -> None:
    setting = _at("the Brightwater one and the Castor one")

    assert members(setting, setting.turn.text) == ("d03", "d04")
    assert members(_at("the second one"), "the second one") == ("d02",)
    assert members(setting, "exclusive") == ()


def test_several_members_are_kept() -> None:
    found = choose_members(_at("just the Brightwater one and the Castor one"))

    assert found is not None
    assert any(
        getattr(node, "scope", None) and set(node.scope.documents) == {"d03", "d04"}
        for node in found.plan.nodes
    )


def test_a_member_is_left_out() -> None:
    found = choose_members(_at("without the Brightwater one"))

    assert found is not None
    assert any(
        getattr(node, "scope", None) and set(node.scope.documents) == {"d01", "d02", "d04"}
        for node in found.plan.nodes
    )


def test_a_turn_that_names_no_member_is_none() -> None:
    assert choose_members(_at("only those with insurance")) is None
