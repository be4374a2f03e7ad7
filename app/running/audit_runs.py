"""Audits that are run again, one after the other on a thread, for whoever watches or cancels."""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from core.domain.audit import Audit, RunComparison
from core.domain.principal import Principal
from core.errors import GroundworkError

if TYPE_CHECKING:
    from core.workbench import Workbench


class AuditState(StrEnum):
    """State of one audit of a batch."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


@dataclass
class BatchItem:
    """One audit that is run again. compared: with its run before; said: why it failed, and what to do."""

    audit: Audit
    state: AuditState = AuditState.WAITING
    compared: RunComparison | None = None
    said: tuple[str, str] | None = None


@dataclass
class AuditBatch:
    """Audits that one principal runs again, in order."""

    id: str
    principal: Principal
    items: list[BatchItem]
    began: float
    cancelled: threading.Event = field(default_factory=threading.Event)
    ended: threading.Event = field(default_factory=threading.Event)

    @property
    def done(self) -> int:
        """Number of audits that ended, one way or another."""
        return sum(each.state not in (AuditState.WAITING, AuditState.RUNNING) for each in self.items)

    @property
    def current(self) -> BatchItem | None:
        """The audit that runs now."""
        return next((each for each in self.items if each.state is AuditState.RUNNING), None)

    @property
    def left_s(self) -> float | None:
        """Time that the rest may take, by what the ended ones took; None before the first ended."""
        if not self.done:
            return None
        return (time.monotonic() - self.began) / self.done * (len(self.items) - self.done)


class AuditRuns:
    """Starts and cancels batches; the last one of each principal stays until the next. Thread-safe."""

    def __init__(self, bench: Workbench) -> None:
        self._bench = bench
        self._lock = threading.Lock()  # guards: _last, of which at most one a principal runs
        self._last: dict[str, AuditBatch] = {}

    def start(self, audits: Sequence[Audit], principal: Principal) -> AuditBatch:
        """Run them again on a thread; returns at once. Where a batch runs already, that is given."""
        with self._lock:
            running = self._last.get(principal.user)
            if running is not None and not running.ended.is_set():
                return running
            items = [BatchItem(each) for each in audits]
            batch = AuditBatch(uuid.uuid4().hex[:16], principal, items, time.monotonic())
            self._last[principal.user] = batch
        threading.Thread(target=self._run, args=(batch,), name=f"audits-{batch.id}", daemon=True).start()
        return batch

    def last(self, principal: Principal) -> AuditBatch | None:
        """The batch of this principal that runs, or ran last in this process."""
        with self._lock:
            return self._last.get(principal.user)

    def forget(self, principal: Principal) -> None:
        """Let go of what the last batch gave, once it has ended."""
        with self._lock:
            found = self._last.get(principal.user)
            if found is not None and found.ended.is_set():
                del self._last[principal.user]

    def close(self) -> None:
        """Cancel all that runs."""
        with self._lock:
            for batch in self._last.values():
                batch.cancelled.set()

    def _run(self, batch: AuditBatch) -> None:
        try:
            audits = self._bench.for_principal(batch.principal).audits
            for item in batch.items:
                if batch.cancelled.is_set():
                    item.state = AuditState.CANCELLED
                    continue
                item.state = AuditState.RUNNING
                try:
                    item.compared = audits.run_again(item.audit.id)
                    item.state = AuditState.DONE
                except GroundworkError as error:
                    item.said, item.state = (error.message, error.next_step), AuditState.FAILED
                except Exception as error:  # the thread's edge: the others must run, and this one say so
                    item.said = (f"The audit failed: {error}", "Run it again; if it stays, run doctor.")
                    item.state = AuditState.FAILED
        finally:
            batch.ended.set()
