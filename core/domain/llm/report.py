"""Reports of a model server: a test of it, and what was spent."""

from __future__ import annotations

from datetime import date, datetime

from core.domain.frozen import Frozen
from core.domain.llm.use import ModelCall, ModelOutcome, ModelRole


class KindTest(Frozen):
    """One kind of call, tried. kind: "structured", "tools" or "stream"; detail: in plain words."""

    kind: str
    model: str
    ok: bool
    detail: str
    next_step: str = ""
    latency_ms: float = 0.0
    tokens: int = 0


class ModelTestReport(Frozen):
    """A test of a server with the models that the settings name. server: its address, never a key."""

    server: str
    calls: tuple[KindTest, ...]

    @property
    def ok(self) -> bool:
        """True where every kind of call works."""
        return all(call.ok for call in self.calls)


class KeptModelCall(Frozen):
    """A call with when and for whom. trace, job: that it belongs to; "" for none."""

    at: datetime
    user: str
    trace: str
    job: str
    call: ModelCall


class DaySpending(Frozen):
    """Sums of one day (UTC). cost_usd: of the calls whose price is known; None where none is."""

    day: date
    calls: int = 0
    tokens: int = 0
    cost_usd: float | None = None
    refused: int = 0
    failed: int = 0


class RoleSpending(Frozen):
    """Sums of one role over some days. failed: those that a limit kept back, too."""

    role: ModelRole
    calls: int
    tokens: int
    cost_usd: float | None
    failed: int


class LostCalls(Frozen):
    """Calls that ended in the same way without a reply; detail: of the newest, never with a secret."""

    outcome: ModelOutcome
    calls: int
    last_at: datetime
    detail: str


class ModelHistory(Frozen):
    """What was spent on the last days, the oldest first, a day without calls too.

    roles: those that cost most first; lost: those that happened last first.
    """

    days: tuple[DaySpending, ...]
    roles: tuple[RoleSpending, ...] = ()
    lost: tuple[LostCalls, ...] = ()

    @property
    def today(self) -> DaySpending:
        """The last day, which is not over."""
        return self.days[-1]


class ModelSpending(Frozen):
    """What was spent on a day (UTC). refused: calls that a limit kept back; failed: that gave nothing else.

    cost_usd: of the calls whose price is known; None where none is.
    """

    calls: int = 0
    tokens: int = 0
    cost_usd: float | None = None
    refused: int = 0
    failed: int = 0
    token_limit: int = 0
    recent: tuple[KeptModelCall, ...] = ()
