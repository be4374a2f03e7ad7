from __future__ import annotations

from typing import Any

import pytest

from core.evaluate.fitted import HomeFile, SuiteGround, fitted
from core.evaluate.shipped import SHIPPED, sample_files
from core.evaluate.suite import Case

SCAN = "old-scan.pdf"
KNOWN = frozenset({"lease.txt", SCAN})
OTHER = {"status": "answered", "documents": ["lease.txt", SCAN]}


def case(shape: str = "list", where_read: Any = None, bucket: str | None = None) -> Case:
    expect = {"status": "answered", "documents": ["lease.txt"]}
    told = {"id": "one", "shape": shape, "question": "Which?", "bucket": bucket, "why": "It says so."}
    return Case.model_validate({**told, "expect": expect, "where_read": where_read})


def ground(*beside: HomeFile, is_read: bool = False) -> SuiteGround:
    own = (HomeFile("contracts", "lease.txt"), HomeFile("contracts", SCAN, is_read))
    return SuiteGround.of((*own, *beside), KNOWN)


@pytest.mark.parametrize(("is_read", "expected"), [(False, ["lease.txt"]), (True, ["lease.txt", SCAN])])
def test_what_is_expected_depends_on_the_scans_that_the_home_has_read(
    is_read: bool, expected: list[str]
) -> None:
    held, reason = fitted(case(where_read={"file": SCAN, "expect": OTHER}), ground(is_read=is_read))

    assert (held.expect.documents, held.where_read, reason) == (tuple(expected), None, "")


def test_a_case_that_a_read_scan_leaves_open_is_skipped_there_alone() -> None:
    open_there = case(where_read={"file": SCAN, "expect": None})

    assert fitted(open_there, ground())[1] == ""
    assert SCAN in fitted(open_there, ground(is_read=True))[1]


def test_documents_in_other_buckets_are_left_out_by_asking_in_those_of_the_suite() -> None:
    beside = ground(HomeFile("letters", "mine.txt"))

    assert fitted(case(), ground())[0].buckets == ()
    assert (fitted(case(), beside)[0].buckets, fitted(case(), beside)[1]) == (("contracts",), "")
    assert fitted(case(bucket="contracts"), beside)[0].buckets == ("contracts",)


def test_documents_beside_those_of_the_suite_leave_only_questions_of_one_document() -> None:
    beside = ground(HomeFile("contracts", "mine.txt"))

    assert fitted(case("lookup"), beside)[1] == ""
    assert "stand in contracts" in fitted(case(), beside)[1]
    assert fitted(case(bucket="invoices"), beside)[1] == ""
    own_suite = SuiteGround.of([HomeFile("contracts", "mine.txt")], None)
    assert (fitted(case(), own_suite)[1], own_suite.within) == ("", ())


def test_right_answers_over_the_sample_follow_its_two_scans_and_one_is_open_then() -> None:
    files = [HomeFile("any", name) for name in sample_files()]
    read = SuiteGround.of(files, sample_files())
    found = [(each, *fitted(each, read)) for each in SHIPPED["questions"].load()]

    changed = {each.paraphrase_of or each.id for each, held, _ in found if held.expect != each.expect}
    assert {each.paraphrase_of or each.id for each, _, reason in found if reason} == {"date-range-03"}
    assert {"lack-01", "count-01", "group-06", "list-02"} <= changed
    ledgers = [held.expect.ledger for _, held, _ in found if held.expect.ledger]
    assert ledgers
    assert {each.unreadable for each in ledgers} == {1}  # an encrypted file stays unread
