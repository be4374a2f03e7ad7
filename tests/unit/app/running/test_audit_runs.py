"""Audits that are run again on a thread: in order, with their differences, until somebody cancels."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.running.audit_runs import AuditRuns, AuditState
from core.domain.principal import LOCAL_ADMIN, Principal
from tests.support.contracts_at_hand import Contracts, contracts_at_hand, plan_for

OTHER = Principal("other")


@pytest.fixture
def at_hand(tmp_path: Path) -> Iterator[Contracts]:
    with contracts_at_hand(tmp_path / "home") as found:
        yield found


def test_all_are_run_and_say_what_is_different(at_hand: Contracts) -> None:
    audits = at_hand.bench.local.audits
    kept = [audits.save(plan_for(), name) for name in ("One", "Two")]
    for each in kept:
        audits.run(each.id)
    at_hand.add("Nova agreement", "Texas")
    batch = AuditRuns(at_hand.bench).start(kept, LOCAL_ADMIN)
    assert batch.ended.wait(30)
    assert [item.state for item in batch.items] == [AuditState.DONE, AuditState.DONE]
    titles = [[each.title for each in item.compared.new] for item in batch.items if item.compared is not None]
    assert titles == [["Nova agreement"], ["Nova agreement"]]
    assert (batch.done, batch.current, batch.left_s) == (2, None, 0.0)


def test_one_that_fails_says_why_and_the_others_go_on(at_hand: Contracts) -> None:
    audits = at_hand.bench.local.audits
    never, run = audits.save(plan_for(), "Never run"), audits.save(plan_for(), "Run")
    audits.run(run.id)
    batch = AuditRuns(at_hand.bench).start([never, run], LOCAL_ADMIN)
    assert batch.ended.wait(30)
    first, second = batch.items
    assert first.said == ("This audit has not been answered yet.", "Run it first.")
    assert (first.state, second.state) == (AuditState.FAILED, AuditState.DONE)


def test_a_batch_that_was_cancelled_runs_nothing_more(at_hand: Contracts) -> None:
    audits = at_hand.bench.local.audits
    kept = audits.save(plan_for(), "One")
    audits.run(kept.id)
    runs = AuditRuns(at_hand.bench)
    batch = runs.start([kept] * 50, LOCAL_ADMIN)
    runs.close()
    assert batch.ended.wait(30)
    assert batch.items[-1].state is AuditState.CANCELLED
    assert len(audits.runs(kept.id)) < 51


def test_a_second_start_gives_the_batch_that_runs(at_hand: Contracts) -> None:
    audits = at_hand.bench.local.audits
    kept = audits.save(plan_for(), "One")
    audits.run(kept.id)
    runs = AuditRuns(at_hand.bench)
    batch = runs.start([kept] * 20, LOCAL_ADMIN)
    assert runs.start([kept], LOCAL_ADMIN) is batch
    assert runs.last(OTHER) is None
    batch.cancelled.set()
    assert batch.ended.wait(30)
    runs.forget(LOCAL_ADMIN)
    assert runs.last(LOCAL_ADMIN) is None
