"""A disk without room: plans run and answer all the same, and what was kept before stays."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from core.errors import RecordsError
from core.plan.ir.nodes import Condition
from tests.support.contracts_at_hand import TEXAN, Contracts, contracts_at_hand, plan_for


@pytest.fixture
def at_hand(tmp_path: Path) -> Iterator[Contracts]:
    with contracts_at_hand(tmp_path / "home") as found:
        yield found


def fill_the_disk(at_hand: Contracts) -> None:
    """Give the database no page more than it has; what its pages hold still fits."""
    database = at_hand.records.database
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
