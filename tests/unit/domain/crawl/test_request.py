from __future__ import annotations

import pytest

from core.domain.crawl.request import DEEPEST, CrawlRequest
from core.errors import UsageError


def test_start_addresses_are_written_as_in_a_browser_and_count_once() -> None:
    request = CrawlRequest.checked(urls=["example.com/docs", "https://example.com/docs", "http://intranet/x"])
    assert request.urls == ("https://example.com/docs", "http://intranet/x")
    assert request.heeds_robots


@pytest.mark.parametrize(
    "url",
    [
        "file:///etc/passwd",
        "javascript:alert(1)",
        "mailto:somebody@example.com",
        "https://exa mple.com",
        "http://",
        "http://[::1",
        "example",
        "",
    ],
)
def test_a_start_address_that_cannot_be_one_is_named(url: str) -> None:
    with pytest.raises(UsageError) as refused:
        CrawlRequest.checked(urls=[url])
    assert repr(url) in refused.value.message
    assert refused.value.next_step


def test_a_password_in_an_address_is_refused_and_not_repeated() -> None:
    with pytest.raises(UsageError) as refused:
        CrawlRequest.checked(urls=["https://me:secret@example.com/"])
    assert "secret" not in refused.value.message + refused.value.next_step


@pytest.mark.parametrize(
    ("name", "value"),
    [("depth", DEEPEST + 1), ("max_pages", 0), ("timeout_s", 0), ("kinds", []), ("urls", []), ("spead", 1)],
)
def test_a_value_that_cannot_be_is_named(name: str, value: object) -> None:
    with pytest.raises(UsageError) as refused:
        CrawlRequest.checked(**{"urls": ["https://example.com"], name: value})
    assert name in refused.value.message


def test_no_more_than_twenty_starts() -> None:
    with pytest.raises(UsageError):
        CrawlRequest.checked(urls=[f"https://example.com/{number}" for number in range(21)])
