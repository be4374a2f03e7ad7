"""Documents that words name alike."""

from __future__ import annotations

from core.plan.catalogue import DocumentEntry
from core.plan.names.alike import told_apart
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
