"""A disk without room: plans run and answer all the same, and what was kept before stays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace

import pytest
import sqlalchemy as sa

from core.domain.fields import CellStatus
from core.errors import RecordsError
from core.jobs import queue
from core.jobs.kinds import READ_CELLS
from core.plan.ir.nodes import Condition
from core.store.base import JobOrder
from core.store.database.db import Database
from core.store.database.visibility import Visibility
from core.store.store import Records
from tests.support.contracts_at_hand import TEXAN, Contracts, contracts_at_hand, plan_for
from tests.support.reading_cells import fill_home, handler, opened, reading
from tests.support.scripted_llm import ScriptedLlm


@pytest.fixture
def at_hand(tmp_path: Path) -> Iterator[Contracts]:
    with contracts_at_hand(tmp_path / "home") as found:
        yield found


def fill_the_disk(at_hand: Contracts) -> None:
    leave_no_room(at_hand.records.database)


def leave_no_room(database: Database) -> None:
    """Give the database no page more than it has; what its pages hold still fits."""
    with database.write_rows() as connection:
        connection.exec_driver_sql("CREATE TABLE filler (bytes BLOB)")
    with database.read() as connection:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
    sa.event.listen(
        database._engine,
        "begin",
        lambda connection: connection.exec_driver_sql(f"PRAGMA max_page_count={pages}"),
    )
    with pytest.raises(RecordsError, match="disk is full"), database.write_rows() as connection:
        connection.exec_driver_sql("INSERT INTO filler VALUES (zeroblob(1000000))")


def test_a_plan_that_cannot_be_kept_is_refused_and_the_one_that_was_there_stays(at_hand: Contracts) -> None:
    bench = at_hand.bench
    audit = bench.local.audits.save(plan_for(), "Texas")
    bench.local.audits.run(audit.id)
    before, runs = bench.local.audits.get(audit.id), bench.local.audits.runs(audit.id)
    fill_the_disk(at_hand)
    large = plan_for(*(TEXAN.model_copy(update={"id": f"n{at}", "purpose": "p" * 300}) for at in range(30)))
    with pytest.raises(RecordsError, match="disk is full") as refused:
        bench.local.audits.change(audit.id, 1, plan=large)
    assert "unharmed" in refused.value.next_step
    with pytest.raises(RecordsError, match="disk is full"):
        bench.local.audits.save(large, "Large")
    assert (bench.local.audits.get(audit.id), bench.local.audits.runs(audit.id)) == (before, runs)
    assert [each.name for each in bench.local.audits.list()] == ["Texas"]


def test_a_plan_is_answered_where_nothing_of_it_can_be_kept(at_hand: Contracts) -> None:
    fill_the_disk(at_hand)
    for law, count in (("Texas", 2), ("England", 2)):
        condition = Condition(field="governing_law", op="=", value=law)
        answer = at_hand.bench.run(plan_for(TEXAN.model_copy(update={"conditions": (condition,)})))
        assert answer.table is not None
        assert len(answer.table.documents) == count
        assert answer.degradations == ()


def test_cells_that_a_model_reads_are_whole_or_not_there_and_the_job_goes_on_when_there_is_room(
    tmp_path: Path,
) -> None:
    with ScriptedLlm(reading()) as server:
        with opened(tmp_path) as records:
            fill_home(records, LEASES)
            order = records.jobs.order(queue.submit(records, READ_CELLS, "test", {}, user="ada"))
            leave_no_room(records.database)
            with pytest.raises(RecordsError, match="disk is full"):
                read_cells(records, server.url, order)
            assert settled(records) in ([], *([LEASE_CELLS] * each for each in range(1, LEASES)))
        with opened(tmp_path) as records:
            read_cells(records, server.url, order)
            assert settled(records) == [LEASE_CELLS] * LEASES


LEASES, LEASE_CELLS = 9, 4  # that a model is asked about, and that it settles in each


def read_cells(records: Records, url: str, order: JobOrder) -> None:
    """Read to the end, as a worker would."""
    job, reader = SimpleNamespace(order=order, created_at=datetime.now(UTC)), handler(records, url)
    job.check, job.should_yield = lambda: None, lambda: False
    reader.prepare(job)
    while reader.work(job):
        pass


def settled(records: Records) -> list[int]:
    """For each lease of which cells are settled, how many are."""
    cells = records.fields.cells(Visibility.everything())
    found = Counter(each.document for each in cells if each.finding.status is not CellStatus.UNCERTAIN)
    return list(found.values())
