"""Settings of turns: what they go on from, and what their words stand for."""

from __future__ import annotations

from core.plan.conversation.setting import setting_of
from core.plan.conversation.turn import SetNoun
from tests.support.conversations import LEXICON, PLANNER, at, reading_of, state_after


def test_a_turn_goes_on_from_the_plan_of_the_set() -> None:
    setting = at("which of them expire in 2025?")
    assert setting.anchor is not None
    assert setting.schema == "contracts"
    assert setting.noun == SetNoun("contracts", "contract")


def test_one_with_a_description_is_the_noun_of_what_is_in_hand() -> None:
    setting = at("the oldest one")
    assert setting.is_described
    assert setting.turn.text == "the oldest contract"
    assert not at("the Castor one").is_described


def test_what_a_turn_wants() -> None:
    assert at("do they have a cap?").is_check
    assert at("how many of them?").counts
    assert at("which have a cap?").asks_for_documents
    assert not at("which law?").asks_for_documents
    assert at("only the amendments").names_kind
    assert [piece.text for piece in at("how many of them, please?").said] == ["how many"]


def test_what_words_that_point_stand_for() -> None:
    before = "Which contracts with a value above $5,000 have insurance?"
    setting = at("which have one and are above that amount?", before)
    assert setting.known.value == "5000 USD"
    assert setting.known.thing == "insurance"
    state = state_after("What is the average value of the contracts?", value="USD 7,500")
    setting = setting_of("which are above that?", state, PLANNER.plan, reading_of, LEXICON)
    assert setting.known.value == "USD 7,500"


def test_a_law_that_was_given_is_called_one() -> None:
    assert at("which contracts are under that law?").known.value == "Texas law"
