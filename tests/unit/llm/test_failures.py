from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest

from core.domain.llm.use import ModelOutcome
from core.errors import LlmError
from core.llm import failures
from core.llm.failures import (
    Ending,
    code_of,
    cut_off,
    degradation_of,
    ending_of,
    error_of_body,
    error_of_status,
    retry_after_s,
)


@pytest.mark.parametrize(
    ("status", "code", "outcome", "is_lasting"),
    [
        (400, "", ModelOutcome.UNAVAILABLE, True),
        (400, "json_validate_failed", ModelOutcome.INVALID, True),
        (400, "context_length_exceeded", ModelOutcome.TOO_LARGE, True),
        (401, "", ModelOutcome.REFUSED_KEY, True),
        (402, "", ModelOutcome.REFUSED_KEY, True),
        (403, "", ModelOutcome.REFUSED_KEY, True),
        (413, "rate_limit_exceeded", ModelOutcome.TOO_LARGE, True),
        (429, "insufficient_quota", ModelOutcome.REFUSED_KEY, True),
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


GROQ_TPM = "Request too large for model `m` on tokens per minute (TPM): Limit 8000, Requested 9000"


@pytest.mark.parametrize(
    ("status", "message", "words", "step"),
    [
        (400, "The model `gpt-9` does not exist", "does not know the model 'gpt-9'", "Choose a model"),
        (400, "messages must not be empty", "does not take the request", "'Server address'"),
        (401, "bad", "refused the API key", "GROQ_API_KEY"),
        (402, "no credit", "wants to be paid", "Add credit"),
        (403, "no", "does not let this API key use the model 'gpt-9'", "another model"),
        (404, "model `gpt-9` not found", "does not know the model 'gpt-9'", "Choose a model"),
        (404, "404 page not found", "serves no chat completions at this address", "'Server address'"),
        (413, GROQ_TPM, "too large", "'Tokens a minute'"),
        (429, "slow down", "takes no more requests for now", "Ask again in 40 s"),
        (429, "Rate limit reached on tokens per day (TPD)", "The quota of today is used up", "in 40 s"),
        (498, "flex", "has no room", "Ask again in 40 s"),
        (500, "oops", "cannot answer now", "Ask again in a while"),
        (504, "", "did not answer in time", "smaller model"),
    ],
)
def test_every_status_is_a_sentence_of_its_own_with_what_to_do(
    status: int, message: str, words: str, step: str
) -> None:
    found = error_of_status(status, {"error": {"message": message}}, {"retry-after": "40"}, "Groq", "gpt-9")

    assert words in found.message
    assert step in found.next_step
    assert "llm." not in found.next_step


def test_a_quota_of_a_day_is_not_tried_again() -> None:
    of_day = error_of_status(429, {"error": {"message": "tokens per day (TPD)"}}, {}, "Groq")

    assert (of_day.is_lasting, of_day.next_step.startswith("Ask again tomorrow")) == (True, True)


def test_secrets_are_taken_out_of_what_the_server_says() -> None:
    found = error_of_status(401, {"error": {"message": "key abc"}}, {}, "Groq", hide=lambda text: text[:3])

    assert found.message == "Groq refused the API key (status 401: key)."


@pytest.mark.parametrize(
    ("finish", "ending"),
    [
        ("stop", Ending.WHOLE),
        ("STOP", Ending.WHOLE),
        ("tool_calls", Ending.WHOLE),
        ("length", Ending.LENGTH),
        ("content_filter", Ending.FILTER),
        ("recitation", Ending.UNKNOWN),
    ],
)
def test_a_reason_is_read_as_what_it_means(finish: str, ending: Ending) -> None:
    assert ending_of(finish) is ending


@pytest.mark.parametrize(
    ("finish", "outcome", "words"),
    [
        ("length", ModelOutcome.CUT_SHORT, "longer than 1,500 tokens"),
        ("content_filter", ModelOutcome.FILTERED, "content filter"),
        ("recitation", ModelOutcome.CUT_SHORT, "'recitation'"),
    ],
)
def test_a_reply_that_is_not_whole_is_an_error_in_its_own_words(
    finish: str, outcome: ModelOutcome, words: str
) -> None:
    error = cut_off(finish, "m", 1_500)

    assert error is not None
    assert (error.outcome, error.is_lasting) == (outcome, True)
    assert words in error.message
    assert cut_off("stop", "m", 1_500) is None


def test_what_came_too_late_has_a_code_of_its_own() -> None:
    late = LlmError("Too late.", outcome=ModelOutcome.OVER_BUDGET)

    assert (code_of(late), code_of(LlmError("No.", outcome=ModelOutcome.INVALID))) == ("E005", "E004")


def test_a_failure_is_told_with_what_to_do() -> None:
    error = LlmError("No.", outcome=ModelOutcome.UNAVAILABLE, next_step="Check it.")

    assert degradation_of(error).message == "No. The answer is given without the model. Check it."


def test_every_failure_that_is_named_has_a_message_without_blanks() -> None:
    code = "".join(each.read_text("utf-8") for each in Path(failures.__file__).parent.glob("*.py"))
    names = {*failures._FAILURES, *re.findall(r'\bfailure\("(\w+)"', code)}

    made = [failures.failure(name, "Groq", model="small", kind="a page", status=302) for name in names]
    assert not [each for each in made if "{" in each.explanation or not each.next_step]
