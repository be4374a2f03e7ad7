from __future__ import annotations

import pytest

from core.domain.crawl.ledger import UrlReason, UrlRow, UrlState
from core.domain.crawl.withdrawal import cause_of, mass_withdrawal

HOST = "site.example"
CLOSED = f"http://{HOST}/closed"


def row(
    number: int,
    state: UrlState = UrlState.REDIRECTED,
    reason: UrlReason = UrlReason.NONE,
    *,
    to: str = "",
    status: int | None = None,
) -> UrlRow:
    return UrlRow(f"http://{HOST}/{number}", HOST, 1, state, reason, leads_to=to, status=status)


def closed(count: int) -> list[UrlRow]:
    """Rows that redirect to one page."""
    return [row(number, to=CLOSED) for number in range(count)]


@pytest.mark.parametrize(
    ("rows", "documents", "stay"),
    [
        (closed(10), 19, 10),
        (closed(10), 20, 0),  # half of them is no more than half
        (closed(9), 9, 0),  # too few to tell a site out of order from one that became small
        ([row(number, to=f"http://{HOST}/new/{number}") for number in range(50)], 50, 0),  # it moved
        ([row(number, UrlState.GONE, status=404) for number in range(30)], 40, 30),
        ([*closed(10), *(row(n + 50, UrlState.SKIPPED, UrlReason.NOINDEX) for n in range(10))], 30, 20),
        ([*closed(20), row(99, UrlState.GONE, status=404)], 30, 20),  # the one that is gone may go
        ([], 0, 0),
    ],
)
def test_most_of_the_documents_do_not_leave_for_one_cause(
    rows: list[UrlRow], documents: int, stay: int
) -> None:
    mass = mass_withdrawal(rows, {}, documents)

    assert (0 if mass is None else len(mass.rows)) == stay


def test_addresses_whose_redirects_end_at_one_page_are_alike() -> None:
    rows = [row(number, to=f"{CLOSED}?from={number}") for number in range(12)]

    assert mass_withdrawal(rows, {}, 12) is None
    mass = mass_withdrawal(rows, dict.fromkeys((each.url for each in rows), CLOSED), 12)

    assert mass is not None
    assert mass.sentence.startswith("12 of 12 documents stay for now")
    assert f"12 of their addresses lead to {CLOSED}" in mass.sentence


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (row(1, UrlState.GONE, status=410), "answer with status 410"),
        (row(1, UrlState.GONE, UrlReason.SOFT_404, status=200), "say that there is no such page"),
        (row(1, UrlState.SKIPPED, UrlReason.NOINDEX), "are left out (the page asks not to be indexed)"),
        (row(1, UrlState.DUPLICATE, UrlReason.SAME_CONTENT, to=CLOSED), f"lead to {CLOSED}"),
    ],
)
def test_a_cause_ends_a_sentence(found: UrlRow, words: str) -> None:
    assert cause_of(found, {}) == words
