"""Attacks, and what is too large: all refused before anything runs."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from core.datasets.base import QueryRefusedError
from core.datasets.sql.gate import MOST_CHARS, check
from tests.support.data_tables import TABLES

ATTACKS = [
    line.split(":", 1)[1].strip().encode("raw_unicode_escape").decode("unicode_escape")
    for line in Path(__file__).with_name("attacks.txt").read_text(encoding="utf-8").splitlines()
]
DEEP = {
    "brackets": "select " + "(" * 900 + "1" + ")" * 900,
    "not": "select " + "not " * 1_500 + "true",
    "sums": "select " + "+".join(["1"] * 1_900),
    "cases": "select " + "case when true then " * 300 + "1" + " end" * 300,
    "selects": "select " + "(select " * 200 + "1" + ")" * 200,
    "unions": " union all ".join(["select 1"] * 200),
    "types": "select " + "date(" * 40 + "1" + ")" * 40,
    "rows": "select " + "row(" * 40 + "1",
    "joins": "select 1 from spend" + " join spend" * 22,
    "names of names": "select 1 as x0" + "".join(f", x{at} + x{at} as x{at + 1}" for at in range(30)),
    "names in conditions": "select a as x0, x0 + x0 as x1, x1 + x1 as x2 where " + " or x2" * 600,
    "long": f"select '{'x' * MOST_CHARS}'",
    "text": f"select '{'x' * 2_000}'",
}


@pytest.mark.parametrize("sql", ATTACKS)
def test_an_attack_is_refused_with_a_reason_and_a_next_step(sql: str) -> None:
    with pytest.raises(QueryRefusedError) as refused:
        check(sql, TABLES)
    assert refused.value.message
    assert refused.value.next_step


def test_there_are_more_attacks_than_were_asked_for() -> None:
    assert len(set(ATTACKS)) >= 58


@pytest.mark.parametrize("sql", DEEP.values(), ids=DEEP)
def test_what_is_too_long_or_too_deep_is_refused_at_once(sql: str) -> None:
    started = time.monotonic()
    with pytest.raises(QueryRefusedError):
        check(sql, TABLES)
    assert time.monotonic() - started < 2
