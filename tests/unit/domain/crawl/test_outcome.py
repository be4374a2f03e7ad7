from __future__ import annotations

from dataclasses import replace

from core.domain.crawl.ledger import UrlReason, UrlState
from core.domain.crawl.outcome import FoundUrl, distinct

QUEUED = FoundUrl("http://site.example/x", "site.example")
LEFT_OUT = replace(QUEUED, state=UrlState.SKIPPED, reason=UrlReason.NOFOLLOW)


def test_an_address_that_is_to_be_fetched_goes_before_one_that_is_left_out() -> None:
    assert distinct([LEFT_OUT, QUEUED, LEFT_OUT]) == (QUEUED,)


def test_addresses_stay_in_the_order_in_which_they_were_found() -> None:
    other = FoundUrl("http://site.example/a", "site.example")
    assert distinct([LEFT_OUT, other, QUEUED]) == (QUEUED, other)
