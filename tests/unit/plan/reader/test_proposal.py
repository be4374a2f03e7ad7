"""Proposals of a reading: which words they account for, and what their plans decide."""

from __future__ import annotations

from bench.reader.marks import reading_of
from core.plan.reader.proposal import Proposal, asides, propose
from tests.support.known_collection import in_a_line
from tests.support.known_readings import KNOWN, TODAY


def _proposed(operation: str, marked: str) -> Proposal:
    return propose(reading_of(operation, marked, "contracts"), KNOWN, TODAY)


def test_a_clause_that_says_why_is_an_aside() -> None:
    reading = reading_of(
        "list", "Our auditors are here. Which contracts lack [insurance]{-insurance}?", "contracts"
    )

    assert [reading.question[start:end] for start, end in asides(reading)] == ["Our auditors are here. "]


def test_a_clause_that_restricts_is_no_aside() -> None:
    reading = reading_of(
        "list", "Contracts with [insurance]{+insurance}, only those on blue paper", "contracts"
    )

    assert asides(reading) == ()


def test_an_aside_is_noted_and_covered() -> None:
    proposal = _proposed("list", "Our auditors are here. Which contracts lack [insurance]{-insurance}?")

    assert proposal.is_whole
    assert proposal.plan is not None
    assert any("why it is asked" in note.reading for note in proposal.plan.notes)


def test_what_stands_in_brackets_is_an_aside_whatever_it_names() -> None:
    proposal = _proposed(
        "list", "contracts with [insurance]{+insurance} (we spoke of it in March 2024 at lunch)"
    )

    assert proposal.is_whole


def test_small_change_of_speaking_is_covered() -> None:
    proposal = _proposed("list", "contracts with [insurance]{+insurance}, that kind of thing I mean")

    assert proposal.is_whole


def test_a_word_that_no_node_has_is_not_covered() -> None:
    proposal = _proposed("list", "contracts with [insurance]{+insurance} printed on purple paper")

    assert proposal.plan is not None
    assert "purple" in proposal.plan.uncovered


def test_a_question_for_text_has_no_plan() -> None:
    proposal = _proposed("text", "explain the duties in the [Halden cleaning contract]{doc}")

    assert proposal.plan is None
    assert proposal.is_text


def test_whether_a_clause_is_missing_is_what_is_decided() -> None:
    proposal = _proposed("check", "Is the [Halden cleaning contract]{doc} missing [insurance]{-insurance}?")

    assert proposal.plan is not None
    assert proposal.plan.decides == "missing"


def test_what_is_over_is_before_today() -> None:
    proposal = _proposed("list", "Which contracts [have run out]{=expiration_date}?")

    assert proposal.plan is not None
    assert in_a_line(proposal.plan).endswith("expiration_date < 2024-11-22]")


def test_any_of_several_that_are_named_is_one_of_them() -> None:
    proposal = _proposed("check", "Do any of the [Halden]{party} contracts have [insurance]{+insurance}?")

    assert proposal.plan is not None
    assert proposal.plan.decides == "any"


def test_a_kind_that_is_included_is_asked_for_as_well() -> None:
    proposal = _proposed("list", "everything with [Castor]{party}, [amendments]{kind} included")

    assert proposal.plan is not None
    assert "amendment" in in_a_line(proposal.plan)
    assert "agreement" in in_a_line(proposal.plan)
