"""Turns about one document."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.plan.clarify import Clarify
from core.plan.conversation.edit import FollowUpPlan
from core.plan.conversation.one_document import OneDocument
from core.plan.conversation.setting import setting_of
from core.plan.conversation_state import ConversationState
from core.plan.ir.nodes import Plan
from tests.support.conversations import (
    FOLLOW_UPS,
    LEXICON,
    PLANNER,
    at,
    plan_of,
    reading_of,
    state_after,
    talk,
)
from tests.support.known_collection import in_a_line


def said(found: object) -> str:
    assert isinstance(found, FollowUpPlan), found
    return in_a_line(found.plan)


@pytest.mark.parametrize(
    ("turn", "planned"),
    [
        ("when does the second one expire?", "contracts in d01[] show expiration_date"),
        ("the last one: which law governs it?", "contracts in d04[] show governing_law"),
        ("what is the value of the Castor one?", "contracts in d04[] show contract_value"),
        ("the first one", "contracts in d03[] show governing_law"),
    ],
)
def test_a_document_is_picked_by_its_place_or_name(turn: str, planned: str) -> None:
    assert said(OneDocument(at(turn)).pick()) == planned


def test_a_document_outside_of_what_is_in_hand_is_not_swapped_for_one_of_its_parties() -> None:
    turn = "What is the governing law of the Cleaning Contract between Halden and Meridian Utilities?"

    assert OneDocument(at(turn)).ask_by_name() is None


def test_a_place_that_is_not_there_is_asked_about() -> None:
    found = OneDocument(at("the ninth one")).pick()
    assert isinstance(found, Clarify)
    assert found.reason.startswith("There are 3 documents in hand")


def test_it_means_one_document_or_is_asked_about() -> None:
    found = OneDocument(at("when does it expire?")).follow_focus()
    assert isinstance(found, Clarify)
    assert next(option.question for option in found.options) == "when does “Consulting Agreement” expire?"
    of_one = at("when does it expire?", "What is the value of the Cleaning Contract?")
    assert said(OneDocument(of_one).follow_focus()) == "contracts in d02[] show expiration_date"


def test_a_clause_that_one_document_would_have_to_have_is_decided() -> None:
    before = "What is the value of the Cleaning Contract?"
    found = OneDocument(at("does it have a force majeure clause?", before)).follow_focus()
    assert isinstance(found, FollowUpPlan)
    assert (said(found), found.plan.decides) == ("contracts in d02[] show force_majeure", "there")
    found = OneDocument(at("does it lack insurance?", before)).follow_focus()
    assert isinstance(found, FollowUpPlan)
    assert found.plan.decides == "missing"


def test_a_question_for_documents_is_about_the_set_again() -> None:
    state = state_after("What is the value of the Cleaning Contract?")
    setting = setting_of("which have insurance?", state, PLANNER.plan, reading_of, LEXICON)
    assert OneDocument(setting).follow_focus() is None


def test_each_condition_is_asked_of_a_document_that_is_not_among_those_found() -> None:
    found = OneDocument(at("why isn't the Cleaning Contract in there?")).explain_membership()
    assert isinstance(found, FollowUpPlan)
    assert found.plan.decides == "why"
    assert said(found) == (
        "contracts in d02[document_kind = agreement] -> contracts in d02[governing_law = Texas]"
        " -> contracts in d02[] show document_kind, governing_law"
    )


def test_nothing_is_explained_of_a_document_that_nobody_has() -> None:
    assert OneDocument(at("why not the Zebra lease?")).explain_membership() is None


def test_a_party_stands_for_documents_that_no_name_tells_apart() -> None:
    state = state_after("Which contracts are governed by Texas law?")
    nameless = tuple(
        replace(each, parties=(), source="", title="Contract") for each in LEXICON.catalogue.documents
    )
    lexicon = type(LEXICON)(replace(LEXICON.catalogue, documents=nameless))  # type: ignore[type-var]
    setting = setting_of("when does the Castor one expire?", state, PLANNER.plan, reading_of, lexicon)
    found = OneDocument(setting).pick()
    assert said(found).startswith("contracts[parties = castor builders | vendor = castor builders")


def test_the_same_is_asked_of_another_document() -> None:
    state = ConversationState()
    first = plan_of("When does the Cleaning Contract expire?")
    state = state_after("When does the Cleaning Contract expire?")
    found = FOLLOW_UPS.follow("and the construction contract?", state)
    assert isinstance(first, Plan)
    assert said(found) == "contracts in d04[] show expiration_date"


def test_the_same_is_asked_of_another_model() -> None:
    planned = talk(["what is the width of the Solis S-300 Module?", "and the S-500?", "what about the C-90?"])
    assert planned[1:] == [
        "focus: datasheets in d22[] show width",
        "focus: datasheets in d23[] show width",
    ]
