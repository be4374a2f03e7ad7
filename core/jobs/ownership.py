"""The right to run the jobs of a home: one process at a time, known dead the moment it dies.

A lock on `worker.lock` is dropped by the operating system however its holder ends; the lease in the records
tells people and other machines, and runs out by itself where the lock does not reach (a shared database).
"""

from __future__ import annotations

import os
import secrets
import socket
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

import filelock

from core.errors import GroundworkError, HomeBusyError
from core.jobs.base import LEASE_TTL_S, WORKER_LEASE
from core.records.store import Records

LOCK_FILE = "worker.lock"
_RENEW_S = LEASE_TTL_S / 4


class Ownership:
    """Holds the right from `with` to its end, and renews it in the background."""

    def __init__(self, records: Records, home: Path, *, clock: Callable[[], float] = time.monotonic) -> None:
        self.owner = f"{socket.gethostname()}:{os.getpid()}:{secrets.token_hex(4)}"
        self._records = records
        self._clock = clock
        self._lock = filelock.FileLock(home / LOCK_FILE)
        self._ended = threading.Event()
        self._valid_until = 0.0
        self._keeper = threading.Thread(target=self._keep, name="worker-lease", daemon=True)

    @property
    def is_held(self) -> bool:
        """False once the lease ran out unrenewed (a suspended machine): another worker may be at work."""
        return self._clock() < self._valid_until

    def __enter__(self) -> Ownership:
        """Take the right. Raises HomeBusyError where another worker has it."""
        try:
            self._lock.acquire(timeout=0)
        except filelock.Timeout:
            raise _busy(self._holder()) from None
        try:
            self._take_lease()
        except BaseException:
            self._lock.release()
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
            self._records.leases.release(WORKER_LEASE, self.owner)
        finally:
            self._lock.release()

    def _take_lease(self) -> None:
        asked_at = self._clock()
        holder = self._holder()
        if holder and holder.split(":")[0] == socket.gethostname():
            # We hold the file lock of this home, so a holder on this machine is dead.
            self._records.leases.release(WORKER_LEASE, holder)
        if not self._records.leases.acquire(WORKER_LEASE, self.owner, LEASE_TTL_S):
            raise _busy(self._holder())
        self._valid_until = asked_at + LEASE_TTL_S

    def _holder(self) -> str:
        lease = self._records.leases.holder(WORKER_LEASE)
        return "" if lease is None else lease.owner

    def _keep(self) -> None:
        while not self._ended.wait(_RENEW_S):
            asked_at = self._clock()
            try:
                if not self._records.leases.renew(WORKER_LEASE, self.owner, LEASE_TTL_S):
                    self._valid_until = 0.0
                    return
                self._valid_until = asked_at + LEASE_TTL_S
            except GroundworkError:
                continue  # a full disk, a busy database: `is_held` says when it has lasted too long


def _busy(holder: str) -> HomeBusyError:
    host, _, rest = holder.partition(":")
    where = f" (process {rest.split(':')[0]} on {host})" if rest else ""
    return HomeBusyError(
        f"Another worker runs the jobs of this home{where}.",
        next_step="Submit the job and it will be run there, or stop that worker first.",
    )
