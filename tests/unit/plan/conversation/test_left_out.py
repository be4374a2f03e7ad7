"""What is no longer in hand."""

from __future__ import annotations

from dataclasses import replace

from core.plan.conversation.alteration import with_base
from core.plan.conversation.left_out import among_those_left, is_gone, nothing_left, readmit, why_left_out
from core.plan.conversation.setting import TurnSetting
from core.plan.conversation_state import SetInHand, base_of
from tests.support.conversations import LISTED, at


def _holding(setting: TurnSetting, *documents: str, earlier: tuple[SetInHand, ...] = ()) -> TurnSetting:
    in_hand = replace(setting.in_hand, documents=documents)
    return replace(setting, state=replace(setting.state, in_hand=in_hand, earlier=earlier))


def test_documents_that_were_removed_are_said_to_be_gone() -> None:
    setting = _holding(at("list them"), "gone-1", "gone-2")

    assert is_gone(setting)
    assert "2 documents that were in hand are no longer" in nothing_left(setting).reason
    assert not is_gone(_holding(at("Which contracts lack insurance?"), "gone-1"))


def test_what_is_left_of_a_set_goes_on() -> None:
    setting = _holding(at("list them"), "gone-1", *LISTED)

    assert not is_gone(setting)
    assert among_those_left(setting).in_hand.documents == LISTED


def test_documents_that_were_left_out_are_taken_again_in_the_place_of_the_others() -> None:
    whole = at("with the Brightwater one").in_hand
    earlier = (replace(whole, documents=("d01", "d03", "d04")),)
    found = readmit(_holding(at("with the Brightwater one"), "d01", "d04", earlier=earlier))

    base = base_of(found.plan) if found is not None else None
    assert base is not None
    assert base.scope.documents == ("d03",)


def test_a_document_that_a_turn_left_out_is_said_to_be() -> None:
    earlier = (replace(at("x").in_hand, documents=("d01", "d03", "d04")),)
    setting = _holding(at("why not Brightwater?"), "d01", "d04", earlier=earlier)
    base, anchor = setting.base, setting.anchor
    assert base is not None
    assert anchor is not None
    chosen = base.model_copy(update={"scope": base.scope.model_copy(update={"documents": ("d01", "d04")})})
    plan = with_base(anchor, chosen).model_copy(update={"question": "contracts — without Brightwater"})
    held = replace(setting.in_hand, plan=plan)
    said = why_left_out(replace(setting, state=replace(setting.state, in_hand=held)))

    assert said is not None
    assert "was left out by “without Brightwater”" in said.reason
    assert why_left_out(at("why not Brightwater?")) is None


def test_nothing_is_taken_again_that_is_in_hand_or_was_never_left_out() -> None:
    earlier = (replace(at("x").in_hand, documents=("d01", "d03", "d04")),)

    assert readmit(at("with the Brightwater one")) is None
    assert readmit(_holding(at("with the Brightwater one"), "d01", "d03", earlier=earlier)) is None
