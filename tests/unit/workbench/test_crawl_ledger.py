from __future__ import annotations

import csv
from datetime import UTC, datetime
from pathlib import Path

import pytest

from core.domain.crawl.ledger import Change, UrlReason, UrlRow, UrlState
from core.domain.crawl.words import CHANGE_WORDS, REASON_WORDS, STATE_WORDS
from core.errors import UsageError
from core.workbench.services.crawls import COLUMNS, write_ledger

ROW = UrlRow(
    "http://site.example/a",
    "site.example",
    1,
    UrlState.FAILED,
    UrlReason.TIMEOUT,
    title='=HYPERLINK("http://evil.example")',
    fetched_at=datetime(2026, 1, 1, tzinfo=UTC),
    requests=2,
    repeats=1,
)


def test_rows_are_written_in_words_and_hold_no_formula(tmp_path: Path) -> None:
    path = tmp_path / "ledger.csv"

    assert write_ledger(path, [ROW]) == 1

    with path.open(encoding="utf-8-sig", newline="") as file:
        head, line = csv.reader(file)
    assert tuple(head) == COLUMNS
    cells = dict(zip(head, line, strict=True))
    assert (cells["State"], cells["Reason"], cells["Fetched at"]) == (
        "failed",
        "no answer in time",
        "2026-01-01T00:00:00+00:00",
    )
    assert cells["Title"].startswith("'=")


def test_another_ending_and_a_bad_place_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="unknown kind"):
        write_ledger(tmp_path / "ledger.xlsx", [ROW])
    with pytest.raises(UsageError, match="cannot be written"):
        write_ledger(tmp_path / "nowhere" / "ledger.csv", [ROW])


def test_there_are_words_for_every_state_reason_and_change() -> None:
    assert (set(STATE_WORDS), set(REASON_WORDS), set(CHANGE_WORDS)) == (
        set(UrlState),
        set(UrlReason),
        set(Change),
    )
    said = [words for words in REASON_WORDS.values() if words]
    assert len(set(said)) == len(said) == len(UrlReason) - 1
