from __future__ import annotations

import pytest

from core.plan.text.list_question import Listing, read_listing


@pytest.mark.parametrize(
    ("question", "listing"),
    [
        ("List every tire receipt.", Listing(("receipt",), "tire", "")),
        ("Show me all contracts", Listing(("contract", "agreement"), "", "")),
        ("Which policies do we have?", Listing(("policy",), "", "")),
        ("Find all Rail leases with a deposit", Listing(("lease",), "Rail", "with a deposit")),
        ("List all documents", Listing((), "", "")),
    ],
)
def test_a_list_is_read_as_kind_subject_and_condition(question: str, listing: Listing) -> None:
    assert read_listing(question) == listing


@pytest.mark.parametrize("question", ["How many contracts are there?", "What is the notice period?", ""])
def test_other_questions_ask_for_no_list(question: str) -> None:
    assert read_listing(question) is None
