"""Shares: a count told in percent of the documents that it can be decided of."""

from __future__ import annotations

import pytest

from core.answer.computed.draft import ComputedDraft, DraftLine
from core.answer.computed.numbers import share_of
from core.domain.results import Documents, Group, Groups


def _counted(count: int, absent: int, uncertain: int) -> Groups:
    present = frozenset(f"p{n}" for n in range(count))
    documents = Documents(
        present=present,
        absent=frozenset(f"a{n}" for n in range(absent)),
        uncertain=frozenset(f"u{n}" for n in range(uncertain)),
    )
    group = Group(key=(), value=str(count), unit="", rows=count, documents=tuple(sorted(present)))
    return Groups(function="count", field="", groups=(group,), documents=documents)


@pytest.mark.parametrize(
    ("count", "absent", "uncertain", "share", "lead"),
    [
        (8, 5, 0, "61.5", "8 of 13 contracts have a cap: 61.5 %."),
        (1, 1, 2, "50", "1 of 2 contracts has a cap: 50 %. Of 2 more it is not certain."),
        (0, 4, 0, "0", "0 of 4 contracts have a cap: 0 %."),
        (10, 0, 0, "100", "10 of 10 contracts have a cap: 100 %."),
    ],
)
def test_a_share_is_of_those_that_are_decided(
    count: int, absent: int, uncertain: int, share: str, lead: str
) -> None:
    draft = ComputedDraft(lead=DraftLine(""))
    told = share_of(draft, _counted(count, absent, uncertain), "contracts", "have a cap", "")
    assert told.lead.text == lead
    assert told.value is not None
    assert (told.value.value, told.value.unit) == (share, "%")


def test_no_share_is_given_where_nothing_is_decided() -> None:
    told = share_of(ComputedDraft(lead=DraftLine("None.")), _counted(0, 0, 3), "contracts", "have a cap", "")
    assert told.value is None
