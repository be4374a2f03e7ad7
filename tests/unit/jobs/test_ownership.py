from __future__ import annotations

import contextlib
import os
import subprocess

from core.jobs.base import is_dead, new_owner
from core.jobs.ownership import INDEX_LEASE, Leader
from core.store.store import Records


def test_the_lead_is_held_until_it_is_closed(records: Records) -> None:
    with contextlib.closing(Leader(records)) as lead:
        assert not lead.is_held
        assert lead.take()
        assert lead.is_held
        assert lead.holder().split(":")[1] == str(os.getpid())

    assert not lead.is_held
    assert records.leases.holder(INDEX_LEASE) is None
    assert not lead.take()


def test_the_lead_of_another_machine_is_left_to_it(records: Records) -> None:
    records.leases.acquire(INDEX_LEASE, "elsewhere:1:alive", 60)

    with contextlib.closing(Leader(records)) as lead:
        assert not lead.take()
        assert lead.holder() == "elsewhere:1:alive"


def test_the_lead_of_a_dead_process_is_taken_at_once(records: Records) -> None:
    ended = subprocess.Popen(["true"])
    ended.wait()
    host, _, token = new_owner().split(":")
    records.leases.acquire(INDEX_LEASE, f"{host}:{ended.pid}:{token}", 60)

    with contextlib.closing(Leader(records)) as lead:
        assert lead.take()


def test_two_leads_over_the_same_open_records_are_one_holder(records: Records) -> None:
    with contextlib.closing(Leader(records)) as one, contextlib.closing(Leader(records)) as two:
        assert one.take()
        assert two.take()


def test_a_lead_that_was_not_renewed_in_time_is_no_longer_held(records: Records) -> None:
    now = [0.0]
    with contextlib.closing(Leader(records, clock=lambda: now[0])) as lead:
        lead.take()
        now[0] = 15.1

        assert not lead.is_held


def test_a_lead_that_nobody_asks_for_any_more_is_let_go_of(records: Records) -> None:
    now = [0.0]
    with contextlib.closing(Leader(records, clock=lambda: now[0])) as lead:
        lead.take()
        for now[0] in (10.0, 20.0, 30.0):
            assert lead.renew()
        now[0] = 31.0

        assert not lead.renew()
        assert records.leases.holder(INDEX_LEASE) is None


def test_a_process_in_another_container_of_the_same_name_is_not_taken_for_dead() -> None:
    host, _, _ = new_owner().split(":")

    assert not is_dead(f"{host}:999999999:abc@1")
    assert not is_dead(new_owner())
    assert is_dead(f"{host}:999999999:abc")
