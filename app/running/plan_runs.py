"""Plans that run: each on its own thread, its events kept for whoever watches, its outcome for who looks."""

from __future__ import annotations

import threading
import time
import uuid
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from core.cache import Cache
from core.domain.principal import Principal
from core.errors import GroundworkError
from core.plan.ir.nodes import Plan

if TYPE_CHECKING:
    from core.workbench import Workbench
    from core.workbench.services.plans import PlanRan

KEPT = 40
_VERDICTS = 500


@dataclass
class RunningPlan:
    """A run of this process. `events` only grows, so it may be read by index while it runs.

    audit: the saved audit that it is a run of, "" for none. outcome: what it came to, None while it runs or
    where it failed; said: why it failed, and what to do.
    """

    id: str
    plan: Plan
    principal: Principal
    began: float
    audit: str = ""
    events: list[dict[str, Any]] = field(default_factory=list)
    ended: threading.Event = field(default_factory=threading.Event)
    cancelled: threading.Event = field(default_factory=threading.Event)
    outcome: PlanRan | None = None
    said: tuple[str, str] | None = None

    @property
    def done(self) -> bool:
        """True where it has ended, one way or another."""
        return self.ended.is_set()

    @property
    def spent_ms(self) -> float:
        """Running time so far, for who opens the page in the middle of it."""
        return (time.monotonic() - self.began) * 1000


class PlanRuns:
    """Starts, cancels and remembers runs; the last ones stay for who compares. Thread-safe."""

    def __init__(self, bench: Workbench, *, kept: int = KEPT) -> None:
        self._bench = bench
        self._kept = kept
        self._lock = threading.Lock()  # guards: _runs
        self._runs: OrderedDict[str, RunningPlan] = OrderedDict()
        self._shown: Cache[tuple[str, int, Principal], bool] = Cache(_VERDICTS)

    def start(self, plan: Plan, principal: Principal, audit: str = "") -> RunningPlan:
        """Run it on a thread of its own; returns at once. audit: what it gives is kept as a run of it."""
        run = RunningPlan(uuid.uuid4().hex[:16], plan, principal, time.monotonic(), audit)
        with self._lock:
            self._runs[run.id] = run
            for old in [each.id for each in self._runs.values() if each.done][: -self._kept or None]:
                del self._runs[old]
        threading.Thread(target=self._run, args=(run,), name=f"plan-{run.id}", daemon=True).start()
        return run

    def get(self, id: str, principal: Principal) -> RunningPlan | None:
        """The run, if it is one of this principal that runs here or ran here lately.

        One that rests on documents which they may not see any more is gone.
        """
        with self._lock:
            found = self._runs.get(id)
        if found is None or found.principal.user != principal.user:
            return None
        return found if self._is_shown(found, principal) else None

    def _is_shown(self, run: RunningPlan, principal: Principal) -> bool:
        outcome = run.outcome
        if outcome is None or principal.is_admin:
            return True
        key = (run.id, self._bench.data_version(), principal)
        plans = self._bench.for_principal(principal).plans
        return self._shown.get_or_make(key, lambda: plans.is_shown(outcome))

    def cancel(self, id: str, principal: Principal) -> None:
        """Ask a run to end; what its nodes have given by then stays."""
        found = self.get(id, principal)
        if found is not None:
            found.cancelled.set()

    def close(self) -> None:
        """Cancel all that runs."""
        with self._lock:
            for run in self._runs.values():
                run.cancelled.set()

    def _run(self, run: RunningPlan) -> None:
        from core.workbench.services.plans import PlanRan

        try:
            session = self._bench.for_principal(run.principal)
            for event in session.plans.stream(run.plan, run.cancelled):
                if isinstance(event, PlanRan):
                    run.outcome = event
                elif event.type == "node_changed":
                    run.events.append(event.model_dump(mode="json"))
            # Here, and not by the page: whoever leaves it before the end would lose the run.
            if run.audit and run.outcome is not None and run.outcome.answer is not None:
                session.audits.keep_run(run.audit, run.outcome.answer, run.outcome.plan)
        except GroundworkError as error:
            run.said = (error.message, error.next_step)
        except Exception as error:  # the thread's edge: the run must end, and say so, whatever happened
            run.said = (f"The plan failed: {error}", "Run it again; if it stays, run doctor.")
        finally:
            run.ended.set()
