"""Questions over tables asked with a model that writes SQL: the whole way from reading to denotation."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from bench.tables import asking
from bench.tables.denotation import denotation
from bench.tables.home import open_tables
from core.domain.answer import Status
from tests.support.scripted_llm import ScriptedLlm, reply_json

CSV = "Team,Points,Spend\nReds,3,$10.00\nBlues,7,$2.50\nGreens,7,$4.00\n"
SQL = 'SELECT "Team" AS team FROM t1 WHERE "Points" = (SELECT max("Points") FROM t1) ORDER BY 1'
SUM = 'SELECT sum("Spend") AS spend FROM t1'


def _steps(sql: str) -> dict[str, object]:
    return {"reading": "As read.", "steps": [{"id": "s1", "operation": "query", "sql": sql}]}


def _options(**changes: object) -> argparse.Namespace:
    return argparse.Namespace(**{"with_model": True, "draw": None, "seed": 1, "at_once": 1} | changes)


def test_sql_of_a_model_is_answered_with_its_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = tmp_path / "teams.csv"
    table.write_text(CSV)
    with ScriptedLlm(reply_json(_steps(SQL)), reply_json(_steps(SUM))) as server:
        monkeypatch.setenv("GROUNDWORK_LLM__BASE_URL", server.url)
        with open_tables({"t": table}) as bench:
            questions = [("Which teams have the most points?", ("t",)), ("What was spent in all?", ("t",))]
            (listed, _), (value, _) = asking.ask_each(bench, questions, _options())
    assert denotation(listed) == ["Blues", "Greens"]
    assert listed.status is Status.ANSWERED
    assert [c.quote for c in listed.claims[1].citations][:1] == ["Blues"]
    assert (value.value.value, value.value.unit) == ("16.50", "USD") if value.value else False
    assert [c.quote for c in value.claims[0].citations] == ["$10.00", "$2.50", "$4.00"]


def test_questions_are_drawn_by_seed_and_stay_in_order() -> None:
    some = asking.drawn(list(range(100)), _options(draw=10))
    assert some == sorted(some) == asking.drawn(list(range(100)), _options(draw=10))
    assert asking.drawn([1, 2], _options(draw=10)) == [1, 2]
