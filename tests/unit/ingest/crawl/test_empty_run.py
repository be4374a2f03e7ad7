from __future__ import annotations

import pytest

from core.domain.crawl.ledger import UrlReason, UrlRow, UrlState
from core.ingest.crawl.empty_run import nothing_kept

START = "https://site.example/docs"


def row(state: UrlState, reason: UrlReason = UrlReason.NONE, **more: object) -> UrlRow:
    return UrlRow(START, "site.example", 0, state, reason, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("start", "words", "step"),
    [
        (
            row(UrlState.SKIPPED, UrlReason.ROBOTS),
            "robots.txt of site.example forbids",
            "Ask the site's owner",
        ),
        (row(UrlState.FAILED, UrlReason.UNKNOWN_HOST), "There is no host 'site.example'.", "in a browser"),
        (
            row(UrlState.FAILED, UrlReason.UNREACHABLE, detail="Connection refused."),
            "site.example cannot be reached: Connection refused.",
            "in a browser",
        ),
        (
            row(UrlState.FAILED, UrlReason.PRIVATE_ADDRESS, detail="10.0.0.1"),
            "leads to a private address (10.0.0.1).",
            "crawl.allowed_hosts",
        ),
        (
            row(UrlState.FAILED, UrlReason.HTTP_ERROR, status=500),
            "answers with status 500.",
            "start addresses",
        ),
        (row(UrlState.FAILED, UrlReason.LOGIN_WALL), "asks to sign in.", "start addresses"),
    ],
)
def test_the_reason_of_the_start_address_is_said_with_a_next_step(
    start: UrlRow, words: str, step: str
) -> None:
    error = nothing_kept([start])

    assert error.message.startswith("No page was kept. ")
    assert words in error.message
    assert step in error.next_step


def test_a_start_that_redirects_is_told_by_what_it_leads_to() -> None:
    error = nothing_kept([row(UrlState.REDIRECTED), row(UrlState.FAILED, UrlReason.TIMEOUT)])

    assert error.message == "No page was kept. site.example cannot be reached: no answer in time."


def test_of_many_starts_some_are_named_and_equal_sentences_once() -> None:
    starts = [
        row(UrlState.FAILED, UrlReason.HTTP_ERROR, status=status) for status in (500, 500, 501, 502, 503)
    ]

    message = nothing_kept(starts).message

    assert [message.count(f"status {status}") for status in (500, 501, 502, 503)] == [1, 1, 1, 0]
    assert message.endswith("1 more start addresses gave nothing.")


def test_no_address_at_all_is_said_too() -> None:
    assert nothing_kept([]).message == "Nothing was fetched."
