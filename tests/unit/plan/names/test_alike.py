"""Documents that words name alike."""

from __future__ import annotations

import pytest

from core.plan.catalogue import DocumentEntry
from core.plan.names.alike import decided_by, named_in, told_apart
from core.plan.names.index import NameIndex
from core.values.naming.opening import opening_names

CHARTER = """VESSEL CHARTER AGREEMENT

This Vessel Charter Agreement is made on {day} between Tidewater Lines Ltd ("Owner") and
{party} ("Charterer").
"""


def charter(id: str, source: str, day: str, party: str) -> DocumentEntry:
    opening = opening_names(CHARTER.format(day=day, party=party))
    return DocumentEntry(id, "VESSEL CHARTER AGREEMENT", source, "contracts", opening=opening)


OLD = charter("a", "in/one.txt", "14 March 2023", "Brightsea Foods Inc.")
NEW = charter("b", "in/two.txt", "9 February 2024", "Northgate Grain A/S")
BOTH = (OLD, NEW)
INDEX = NameIndex(BOTH)


def test_the_parties_and_the_day_tell_documents_of_one_title_apart() -> None:
    old, new = told_apart(BOTH)

    assert old.startswith("VESSEL CHARTER AGREEMENT · Brightsea Foods")
    assert new.endswith("Northgate Grain A/S · 9 Feb 2024")
    assert "Tidewater" not in old + new


def test_what_does_not_differ_is_left_out_and_the_file_tells_the_rest_apart() -> None:
    copies = (OLD, charter("c", "in/copy.txt", "14 March 2023", "Brightsea Foods Inc."))

    assert told_apart(copies) == ("VESSEL CHARTER AGREEMENT · one.txt", "VESSEL CHARTER AGREEMENT · copy.txt")


def test_a_title_of_one_document_alone_is_its_label() -> None:
    lease = DocumentEntry("l", "Lease", "lease.txt", "contracts")

    assert told_apart((lease, OLD)) == ("Lease", "VESSEL CHARTER AGREEMENT")


@pytest.mark.parametrize(
    ("question", "phrase", "id", "words"),
    [
        ("end of the charter of February 2024", "charter", "b", "charter of February 2024"),
        ("when does the 2023 charter end?", "charter", "a", "2023 charter"),
        ("hire of the charter (2024)", "charter", "b", "charter (2024"),
        ("when does the charter with Northgate end?", "charter", "b", "charter"),
    ],
)
def test_a_day_beside_the_name_or_a_party_decides(question: str, phrase: str, id: str, words: str) -> None:
    decided = decided_by(question, phrase, BOTH, INDEX)

    assert decided is not None
    assert decided.document.id == id
    assert question[decided.start : decided.end].startswith(words)


@pytest.mark.parametrize(
    "question",
    ["Was the charter in force in 2024?", "When does the charter of Tidewater end?", "What is it?"],
)
def test_a_year_elsewhere_and_a_party_of_both_decide_nothing(question: str) -> None:
    assert decided_by(question, "charter", BOTH, INDEX) is None


def test_words_before_a_colon_and_a_title_of_several_name_documents() -> None:
    one = named_in("2024 charter: hire", INDEX)
    several = named_in("What is the hire of the vessel charter agreement?", INDEX)

    assert one is not None
    assert [each.id for each in one.documents] == ["b"]
    assert several is not None
    assert [each.id for each in several.documents] == ["a", "b"]
    assert named_in("Which charters are there?", INDEX) is None
