from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from app.presenting.crawl.words import (
    CHANGE,
    COLOUR,
    KIND,
    LOOK,
    REASON,
    SCOPE,
    STATE,
    advice,
    media_word,
    schedule_word,
    short_address,
    stage_word,
    state_word,
    why,
)
from core.domain.crawl.ledger import Change, CrawlState, CrawlSummary, UrlReason, UrlRow, UrlState
from core.domain.crawl.request import PageKind, SiteScope
from core.domain.ids import CrawlId, JobId
from core.domain.job import Job, JobState

NOW = datetime(2026, 1, 1, tzinfo=UTC)
SUMMARY = CrawlSummary(
    CrawlId("c1"), "Site", "b", False, CrawlState.RUNNING, 1, JobId("j1"), {}, "", None, NOW, "ann"
)
JOB = Job(JobId("j1"), "crawl", "", JobState.RUNNING, 0, 0, None, None, "", None, NOW, NOW)


@pytest.mark.parametrize("state", UrlState)
def test_every_state_has_a_sign_a_word_a_sentence_and_colours(state: UrlState) -> None:
    sign, _, word = STATE[state].word.partition(" ")
    assert len(sign) == 1
    assert word[0].isupper()
    assert STATE[state].sentence.endswith(".")
    assert state in LOOK
    assert COLOUR[state].startswith("--st-")


@pytest.mark.parametrize("reason", [reason for reason in UrlReason if reason is not UrlReason.NONE])
def test_every_reason_has_a_word_and_a_sentence_with_what_to_do(reason: UrlReason) -> None:
    assert REASON[reason].word[0].isupper()
    assert REASON[reason].sentence.endswith(".")
    assert advice(UrlState.FAILED, reason) == REASON[reason].sentence


def test_words_of_states_and_of_reasons_are_told_apart() -> None:
    for words in (STATE, REASON):
        shown = [each.word for each in words.values()]
        assert len(set(shown)) == len(shown)


def test_without_a_reason_the_state_says_what_it_means() -> None:
    assert REASON[UrlReason.NONE].word == ""
    assert advice(UrlState.KEPT, UrlReason.NONE) == STATE[UrlState.KEPT].sentence


def test_every_change_scope_and_kind_has_a_word() -> None:
    assert all(CHANGE[change].word for change in Change if change is not Change.NONE)
    assert all(SCOPE[scope].sentence.endswith(".") for scope in SiteScope)
    assert all(KIND[kind] for kind in PageKind)


def test_every_state_of_a_crawl_has_a_word_and_a_colour() -> None:
    assert {state.value for state in JobState} < set(CrawlState)
    for state in CrawlState:
        word, look = state_word(state)
        assert word.partition(" ")[2]
        assert look in ("idle", "ready", "failed", "unreadable")


def test_an_http_error_says_its_status() -> None:
    row = UrlRow("http://a.example/", "a.example", 0, UrlState.FAILED, UrlReason.HTTP_ERROR, status=503)
    assert why(row).endswith(": 503")
    assert why(replace(row, reason=UrlReason.TIMEOUT)) == REASON[UrlReason.TIMEOUT].word


def test_what_was_asked_of_a_run_is_said_until_it_happens() -> None:
    assert stage_word(SUMMARY, JOB) == "● Running"
    assert stage_word(SUMMARY, replace(JOB, is_cancelling=True)) == "◆ Pausing"
    assert stage_word(replace(SUMMARY, is_stopping=True), JOB) == "○ Stopping"
    assert stage_word(replace(SUMMARY, is_stopping=True), replace(JOB, state=JobState.DONE)) == "● Running"


def test_types_schedules_and_addresses_are_said_briefly() -> None:
    assert media_word("text/html; charset=utf-8") == "HTML"
    assert media_word("image/x-icon") == "image/x-icon"
    assert [schedule_word(each) for each in ("", "daily", "30 6 * * 1-5")] == [
        "Never",
        "Daily",
        "cron 30 6 * * 1-5",
    ]
    assert short_address("https://a.example/b") == "a.example/b"
    assert short_address("mailto:x") == "mailto:x"


def test_an_address_keeps_a_scheme_that_is_not_of_the_web() -> None:
    assert short_address("https://a.example/x") == "a.example/x"
    assert short_address("file:///etc/passwd") == "file:///etc/passwd"


def test_a_crawl_with_failed_addresses_is_not_simply_done() -> None:
    assert state_word(CrawlState.DONE, 20) == ("◆ Done, 20 failed", "failed")
    assert state_word(CrawlState.DONE)[0] == "● Done"


def test_no_two_states_share_a_colour_but_those_still_to_come() -> None:
    settled = [colour for of, colour in COLOUR.items() if not of.is_open]
    assert len(set(settled)) == len(settled)
