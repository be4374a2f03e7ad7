import threading
from datetime import UTC, datetime, timedelta

from core.store.store import Records

NOW = datetime(2026, 1, 1, tzinfo=UTC)
LATER = NOW + timedelta(seconds=31)


def test_a_lease_has_one_owner_until_it_runs_out(records: Records) -> None:
    assert records.leases.acquire("write", "one", 30, NOW)
    assert not records.leases.acquire("write", "two", 30, NOW)
    held = records.leases.holder("write", NOW)
    assert held is not None
    assert (held.owner, held.expires_at) == ("one", NOW + timedelta(seconds=30))
    assert records.leases.holder("write", LATER) is None
    assert records.leases.acquire("write", "two", 30, LATER)
    assert not records.leases.renew("write", "one", 30, LATER)


def test_a_renewed_lease_lasts_longer_and_a_released_one_is_free(records: Records) -> None:
    records.leases.acquire("write", "one", 30, NOW)
    assert records.leases.renew("write", "one", 60, NOW)
    assert not records.leases.acquire("write", "two", 30, LATER)
    records.leases.release("write", "two")
    assert records.leases.holder("write", LATER) is not None
    records.leases.release("write", "one")
    assert records.leases.acquire("write", "two", 30, LATER)


def test_taking_a_lease_again_keeps_its_beginning(records: Records) -> None:
    records.leases.acquire("write", "one", 30, NOW)
    records.leases.acquire("write", "one", 30, NOW + timedelta(seconds=10))
    held = records.leases.holder("write", LATER)
    assert held is not None
    assert held.acquired_at == NOW


def test_leases_are_listed_by_the_beginning_of_their_names_and_old_ones_forgotten(records: Records) -> None:
    for name in ("worker:a", "worker:b", "index"):
        records.leases.acquire(name, name, 30, NOW)
    records.leases.acquire("worker:a", "worker:a", 90, NOW)
    assert [lease.owner for lease in records.leases.holders("worker:", NOW)] == ["worker:a", "worker:b"]
    assert [lease.owner for lease in records.leases.holders("worker:", LATER)] == ["worker:a"]
    records.leases.sweep("worker:", 0.5, LATER)
    assert not records.leases.renew("worker:b", "worker:b", 30, LATER)
    assert records.leases.renew("index", "index", 30, LATER)


def test_of_many_that_want_a_lease_at_once_one_gets_it(records: Records) -> None:
    won: list[str] = []

    def try_it(owner: str) -> None:
        if records.leases.acquire("index", owner, 30):
            won.append(owner)

    threads = [threading.Thread(target=try_it, args=(f"w{number}",)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(won) == 1
