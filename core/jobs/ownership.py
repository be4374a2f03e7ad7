"""The right to run jobs: of a home one process at a time, of a shared database any number.

On SQLite a lock on `worker.lock` is dropped by the operating system however its holder ends; the lease in
the records tells people. On Postgres each worker has a lease of its own: while it lasts nobody touches the
jobs that it claimed, and once it has run out anybody may adopt them.

The lead, besides: of all processes on one set of records, the one that does what only one may do.
Who writes the search index is decided by it: an engine may let only one process write, and two that apply
the same changes side by side could leave an older version of a document behind.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path

from core.errors import GroundworkError, HomeBusyError, RecordsUnavailableError
from core.jobs.base import LEASE_TTL_S, WORKER_LEASE, host_of, is_dead, new_owner
from core.store.store import Records

LOCK_FILE = "worker.lock"
_RENEW_S = LEASE_TTL_S / 4
_FORGET_AFTER_S = 24 * 3600.0


class Ownership:
    """Holds the right from `with` to its end, and renews it in the background."""

    def __init__(self, records: Records, home: Path, *, clock: Callable[[], float] = time.monotonic) -> None:
        import filelock  # with asyncio behind it: who holds the lead only does without

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
        import filelock

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

    def __exit__(self, *_: object) -> None:
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


INDEX_LEASE = "index"
_LEAD_RENEW_S = LEASE_TTL_S / 4
_ASK_EVERY_S = 0.5
_UNASKED_S = 30.0  # a worker asks four times a second; who stopped being one must not keep it


class Leader:
    """Holds a lease from the first `take` that succeeds until `close`, and renews it. Thread-safe.

    It lets go by itself of what nobody asked for in half a minute: a program that ingested something is no
    worker any more. Two of the same process on the same open records are one holder.
    """

    def __init__(
        self, records: Records, name: str = INDEX_LEASE, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._records = records
        self._name = name
        self._owner = new_owner(records.session)
        self._clock = clock
        self._taking = threading.Lock()  # guards the keeper and _ask_at
        self._ended = threading.Event()
        self._keeper: threading.Thread | None = None
        self._ask_at = 0.0
        self._wanted_at = 0.0
        self._valid_until = 0.0

    @property
    def is_held(self) -> bool:
        """True where we are the leader, beyond doubt."""
        return self._clock() < self._valid_until

    def take(self) -> bool:
        """Take the lead where nobody has it; gives whether it is ours. Cheap: ask as often as you like."""
        with self._taking:
            self._wanted_at = asked_at = self._clock()
            if self.is_held:
                return True
            if asked_at < self._ask_at or self._ended.is_set():
                return False
            self._ask_at = asked_at + _ASK_EVERY_S
            if not self._acquire():
                return False
            self._valid_until = asked_at + LEASE_TTL_S
            if self._keeper is None or not self._keeper.is_alive():
                self._keeper = threading.Thread(target=self._keep, name=f"{self._name}-lead", daemon=True)
                self._keeper.start()
            return True

    def let_go(self) -> None:
        """Leave the lead to another; it may be taken again."""
        with self._taking:
            if self.is_held:
                self._valid_until = 0.0
                self._records.leases.release(self._name, self._owner)

    def holder(self) -> str:
        """Leader: "host:process:token", "" for nobody."""
        held = self._records.leases.holder(self._name)
        return "" if held is None else held.owner

    def close(self) -> None:
        """Let go for good; safe to call twice, and while the server is away."""
        self._ended.set()
        if self._keeper is not None:
            self._keeper.join()
        try:
            self.let_go()
        except GroundworkError:
            return  # it runs out by itself

    def _acquire(self) -> bool:
        leases = self._records.leases
        held = leases.holder(self._name)
        if held is not None and held.owner != self._owner:
            if not is_dead(held.owner):
                return False
            leases.release(self._name, held.owner)
        return leases.acquire(self._name, self._owner, LEASE_TTL_S)

    def _keep(self) -> None:
        while not self._ended.wait(_LEAD_RENEW_S):
            try:
                if not self.renew():
                    return
            except GroundworkError:
                continue  # `is_held` says when it has lasted too long

    def renew(self) -> bool:
        """Hold it longer, or let go of what nobody wants; gives whether it is held. Done by itself."""
        asked_at = self._clock()
        if asked_at - self._wanted_at > _UNASKED_S:
            self.let_go()
        if not self.is_held:
            return False
        is_ours = self._records.leases.renew(self._name, self._owner, LEASE_TTL_S)
        with self._taking:
            # Not where it ran out meanwhile: another may have had it in between.
            self._valid_until = asked_at + LEASE_TTL_S if is_ours and self.is_held else 0.0
            return self.is_held
