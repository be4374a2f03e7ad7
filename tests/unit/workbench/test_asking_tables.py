"""Questions over tables that were ingested as files: exact values, each on the cells it is made of."""

from __future__ import annotations

import csv
import threading
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest

from core.config.load import load_settings
from core.domain.answer import Answer, Status
from core.domain.conversation import Turn, TurnState
from core.domain.ids import ConversationId, TurnId
from core.jobs.worker import run
from core.plan.ir.nodes import Plan
from core.workbench import Workbench
from core.workbench.work.handlers import Handlers
from tests.support.given_encoder import PartsWith
from tests.support.hashed_encoder import HashedEncoder

TRIPS = [
    ("Day", "Driver", "Destination", "Kilometres", "Toll", "Refunded"),
    ("2024-03-04", "Ines Duarte", "Porto", "310", "$21.50", "yes"),
    ("2024-03-11", "Omar Haddad", "Graz", "125.5", "$9.00", "no"),
    ("2024-03-12", "Ines Duarte", "Graz", "125.5", "$9.00", "yes"),
    ("2024-04-02", "Omar Lund", "Porto", "308", "$21.50", "no"),
]
AGAIN = [TRIPS[0], TRIPS[1], ("2024-05-06", "Omar Lund", "Graz", "126", "$9.00", "no")]


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    """A home with two logs of trips, one row of which stands in both."""
    folder = tmp_path_factory.mktemp("trips")
    _write(folder / "trip-log-2024.csv", TRIPS)
    _write(folder / "trip-notes.csv", AGAIN)
    home = folder / "home"
    parts, stop = PartsWith(load_settings(home), HashedEncoder()), threading.Event()
    worker = threading.Thread(target=run, args=(parts.records, home, Handlers(parts).make, stop))
    worker.start()
    try:
        with Workbench(parts) as opened:
            while not opened.local.settings.status().worker_alive:
                worker.join(0.05)
            opened.ingest([folder / "trip-log-2024.csv", folder / "trip-notes.csv"], bucket="invoices")
            yield opened
            stop.set()
            worker.join()
    finally:
        stop.set()


def _write(path: Path, rows: Sequence[Sequence[str]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(rows)


def _answered(bench: Workbench, question: str) -> Answer:
    plan = bench.plan(question)
    assert isinstance(plan, Plan)
    assert bench.local.plans.problems(plan) == ()
    answer = bench.run(plan)
    assert answer.status is Status.ANSWERED
    assert answer.ledger is not None
    ledger = answer.ledger
    assert ledger.scope == ledger.present + ledger.absent + ledger.unreadable + ledger.uncertain
    return answer


@pytest.mark.parametrize(
    ("question", "value", "unit"),
    [
        ("How many rows of the 2024 trip log are to Graz?", "2", None),
        ("total kilometres in the 2024 trip log", "869", "Kilometres"),
        ("What is the average toll in the 2024 trip log?", "15.25", "USD"),
        ("What was the highest toll in the 2024 trip log?", "21.50", "USD"),
        ("How many 2024 trip log rows are not refunded?", "2", None),
        (
            "What were the total kilometres of Ines Duarte in March 2024 in the 2024 trip log?",
            "435.5",
            "Kilometres",
        ),
        ("How many different destinations are in the 2024 trip log?", "2", None),
    ],
)
def test_a_value_over_rows_is_exact_and_cites_its_cells(
    bench: Workbench, question: str, value: str, unit: str | None
) -> None:
    answer = _answered(bench, question)
    assert answer.value is not None
    assert (answer.value.value, answer.value.unit and answer.value.unit.casefold()) == (
        value,
        unit and unit.casefold(),
    )
    assert answer.citations


def test_each_group_rests_on_its_own_rows(bench: Workbench) -> None:
    answer = _answered(bench, "toll per driver in the 2024 trip log")
    assert answer.table is not None
    assert [row[:2] for row in answer.table.rows] == [
        ("Ines Duarte", "30.50"),
        ("Omar Haddad", "9.00"),
        ("Omar Lund", "21.50"),
    ]
    assert {citation.quote for citation in answer.citations} >= {"$21.50", "$9.00", "Omar Lund"}


def test_a_row_that_stands_in_two_documents_is_named(bench: Workbench) -> None:
    answer = _answered(bench, "total kilometres per destination")
    assert any("stands word for word in several documents" in gap for gap in answer.gaps)


def test_a_whole_question_about_rows_is_not_asked_of_the_rows_in_hand_alone(bench: Workbench) -> None:
    first = bench.ask("Which trips in the 2024 trip log were not refunded?")
    turn = Turn(
        TurnId("1"),
        ConversationId("c"),
        1,
        first.question,
        TurnState.DONE,
        first,
        datetime(2026, 1, 1, tzinfo=UTC),
    )

    then = bench.ask("What was the total toll of Ines Duarte?", history=[turn])

    assert then.value is not None
    assert (then.value.value, then.value.unit) == ("52.00", "USD")  # three rows of both logs
