"""The right to run jobs: of a home one process at a time, of a shared database any number.

On SQLite a lock on `worker.lock` is dropped by the operating system however its holder ends; the lease in
the records tells people. On Postgres each worker has a lease of its own: while it lasts nobody touches the
jobs that it claimed, and once it has run out anybody may adopt them.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

import filelock

from core.errors import GroundworkError, HomeBusyError, RecordsUnavailableError
from core.jobs.base import LEASE_TTL_S, WORKER_LEASE
from core.jobs.identity import host_of, new_owner
from core.records.store import Records

LOCK_FILE = "worker.lock"
_RENEW_S = LEASE_TTL_S / 4
_FORGET_AFTER_S = 24 * 3600.0


class Ownership:
    """Holds the right from `with` to its end, and renews it in the background."""

    def __init__(self, records: Records, home: Path, *, clock: Callable[[], float] = time.monotonic) -> None:
        self.owner = new_owner()
        self._records = records
        self._clock = clock
        self._lease = f"{WORKER_LEASE}:{self.owner}" if records.is_shared else WORKER_LEASE
        self._lock = None if records.is_shared else filelock.FileLock(home / LOCK_FILE)
        self._ended = threading.Event()
        self._valid_until = 0.0
        self._keeper = threading.Thread(target=self._keep, name="worker-lease", daemon=True)

    @property
    def is_held(self) -> bool:
        """False once the lease ran out unrenewed (a suspended machine): another worker may be at work.

        On a shared database it is taken again as soon as that can be reached.
        """
        return self._clock() < self._valid_until

    def __enter__(self) -> Ownership:
        """Take the right. Raises HomeBusyError where another worker has it."""
        try:
            if self._lock is not None:
                self._lock.acquire(timeout=0)
        except filelock.Timeout:
            raise _busy(self._holder()) from None
        try:
            self._take_lease()
        except BaseException:
            self._unlock()
            raise
        self._keeper.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended.set()
        self._keeper.join()
        self._valid_until = 0.0
        try:
            self._records.leases.release(self._lease, self.owner)
        except RecordsUnavailableError:
            return  # it runs out by itself
        finally:
            self._unlock()

    def _unlock(self) -> None:
        if self._lock is not None:
            self._lock.release()

    def _take_lease(self) -> None:
        asked_at = self._clock()
        if self._lock is None:
            self._records.leases.sweep(f"{WORKER_LEASE}:", _FORGET_AFTER_S)
        else:
            holder = self._holder()
            if holder and host_of(holder) == host_of(self.owner):
                # We hold the file lock of this home, so a holder on this machine is dead.
                self._records.leases.release(self._lease, holder)
        if not self._records.leases.acquire(self._lease, self.owner, LEASE_TTL_S):
            raise _busy(self._holder())
        self._valid_until = asked_at + LEASE_TTL_S

    def _holder(self) -> str:
        lease = self._records.leases.holder(WORKER_LEASE)
        return "" if lease is None else lease.owner

    def _keep(self) -> None:
        while not self._ended.wait(_RENEW_S):
            asked_at = self._clock()
            try:
                if self._renew():
                    self._valid_until = asked_at + LEASE_TTL_S
                else:
                    self._valid_until = 0.0
                    return
            except GroundworkError:
                continue  # a full disk, a server that is away: `is_held` says when it has lasted too long

    def _renew(self) -> bool:
        leases = self._records.leases
        if leases.renew(self._lease, self.owner, LEASE_TTL_S):
            return True
        # Nobody else ever takes a lease with our name in it; it was swept.
        return self._lock is None and leases.acquire(self._lease, self.owner, LEASE_TTL_S)


def _busy(holder: str) -> HomeBusyError:
    host, _, rest = holder.partition(":")
    where = f" (process {rest.split(':')[0]} on {host})" if rest else ""
    return HomeBusyError(
        f"Another worker runs the jobs of this home{where}.",
        next_step="Submit the job and it will be run there, or stop that worker first.",
    )
