from __future__ import annotations

from datetime import UTC, datetime

import pytest

from core.domain.llm.use import ModelOutcome
from core.llm.statuses import error_of_body, error_of_status, retry_after_s


@pytest.mark.parametrize(
    ("status", "code", "outcome", "is_lasting"),
    [
        (400, "", ModelOutcome.UNAVAILABLE, True),
        (400, "json_validate_failed", ModelOutcome.INVALID, True),
        (400, "context_length_exceeded", ModelOutcome.TOO_LARGE, True),
        (401, "", ModelOutcome.REFUSED_KEY, True),
        (403, "", ModelOutcome.REFUSED_KEY, True),
        (404, "model_not_found", ModelOutcome.UNAVAILABLE, True),
        (408, "", ModelOutcome.TIMED_OUT, False),
        (413, "", ModelOutcome.TOO_LARGE, True),
        (429, "", ModelOutcome.RATE_LIMITED, False),
        (498, "", ModelOutcome.RATE_LIMITED, False),
        (500, "", ModelOutcome.UNAVAILABLE, False),
        (503, "", ModelOutcome.UNAVAILABLE, False),
    ],
)
def test_a_status_has_an_outcome_and_a_next_step(
    status: int, code: str, outcome: ModelOutcome, is_lasting: bool
) -> None:
    found = error_of_status(status, {"error": {"message": "Because.", "code": code}}, {}, "Groq")

    assert (found.outcome, found.is_lasting) == (outcome, is_lasting)
    assert f"(status {status}: Because)" in found.message
    assert found.next_step


def test_a_page_as_the_body_of_an_error_is_not_shown() -> None:
    assert (
        error_of_status(502, "<html>x</html>", {}, "Groq").message == "Groq cannot answer now (status 502)."
    )


def test_a_rate_limit_says_how_long() -> None:
    found = error_of_status(429, {}, {"retry-after": "7"}, "Groq")

    assert (found.retry_after_s, found.next_step) == (7.0, "Ask again in 7 s.")


def test_an_error_in_a_body_whose_status_was_well() -> None:
    assert error_of_body({"message": "gone", "code": "rate_limit_exceeded"}, "Groq").outcome == "rate_limited"
    assert error_of_body("gone", "Groq").outcome == "unavailable"


@pytest.mark.parametrize(
    ("header", "wait"),
    [
        ("", 0),
        ("7.5", 7.5),
        ("-3", 0),
        ("nan", 0),
        ("inf", 0),
        ("soon", 0),
        ("999999999", 86_400),
        ("Wed, 25 Nov 2026 12:00:30 GMT", 30),
        ("Wed, 25 Nov 2026 11:00:00 GMT", 0),
    ],
)
def test_a_retry_after_is_seconds_or_a_date(header: str, wait: float) -> None:
    now = datetime(2026, 11, 25, 12, tzinfo=UTC).timestamp()

    assert retry_after_s(header, now) == wait
