"""Plans that run on a thread: kept as runs of their audits, whoever looks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.running.plan_runs import PlanRuns
from core.domain.principal import LOCAL_ADMIN
from tests.support.contracts_at_hand import Contracts, contracts_at_hand, plan_for


@pytest.fixture
def at_hand(tmp_path: Path) -> Iterator[Contracts]:
    with contracts_at_hand(tmp_path / "home") as found:
        yield found


def test_a_run_of_an_audit_is_kept_though_nobody_watches_its_end(at_hand: Contracts) -> None:
    audits = at_hand.bench.local.audits
    audit = audits.save(plan_for(), "Texas")
    audits.run(audit.id)
    at_hand.add("Nova agreement", "Texas")
    assert [each.audit.id for each in audits.outdated()] == [audit.id]
    run = PlanRuns(at_hand.bench).start(plan_for(), LOCAL_ADMIN, audit.id)
    assert run.ended.wait(30)
    assert run.said is None
    assert [each.counts["answers"] for each in audits.runs(audit.id)] == [3, 2]
    assert audits.outdated() == []


def test_a_plan_that_is_of_no_audit_is_kept_nowhere(at_hand: Contracts) -> None:
    audits = at_hand.bench.local.audits
    audit = audits.save(plan_for(), "Texas")
    run = PlanRuns(at_hand.bench).start(plan_for(), LOCAL_ADMIN)
    assert run.ended.wait(30)
    assert audits.runs(audit.id) == []


def test_an_audit_that_was_removed_meanwhile_leaves_the_answer_and_says_so(at_hand: Contracts) -> None:
    run = PlanRuns(at_hand.bench).start(plan_for(), LOCAL_ADMIN, "removed")
    assert run.ended.wait(30)
    assert run.outcome is not None
    assert run.said is not None
    assert "There is no audit 'removed' that you may see." in run.said[0]
