"""Questions about registered tables without a model: the trained reader's reading becomes SQL."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from core.domain.answer import Answer, Status
from core.domain.principal import LOCAL_ADMIN
from core.workbench import Workbench

ROWS = """Ticket;Queue;Priority;Hours
T-1;Billing;high;2
T-2;Billing;low;5
T-3;Access;high;1
T-4;Access;;4
T-5;Mail;high;3
"""


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    folder = tmp_path_factory.mktemp("tickets")
    (folder / "tickets.csv").write_text(ROWS, encoding="utf-8")
    with Workbench.open(home=folder / "home") as made:
        made.for_principal(LOCAL_ADMIN).datasets.register([folder / "tickets.csv"])
        yield made


def sql_of(answer: Answer) -> str:
    """The SQL of the plan of an answer."""
    (node,) = (answer.plan or {})["nodes"]
    return str(node["sql"])


def test_a_count_is_asked_by_sql_and_cites_its_rows(bench: Workbench) -> None:
    answer = bench.ask("How many tickets have the priority high?")
    assert answer.status is Status.ANSWERED
    assert answer.value is not None
    assert answer.value.value == "3"
    assert "lower(trim" in sql_of(answer)
    assert {each.quote.split(" | ")[0] for each in answer.citations} == {"T-1", "T-3", "T-5"}


def test_groups_are_asked_by_sql(bench: Workbench) -> None:
    answer = bench.ask("tickets per queue")
    assert answer.table is not None
    assert [tuple(row) for row in answer.table.rows] == [("Access", "2"), ("Billing", "2"), ("Mail", "1")]


def test_yes_or_no_is_told(bench: Workbench) -> None:
    answer = bench.ask("Are there tickets with more than 4 hours?")
    assert answer.value is not None
    assert answer.value.value == "true"
