"""Calls of language models as they are kept, counted and shown."""

from __future__ import annotations

from enum import StrEnum

from core.domain.frozen import Frozen


class ModelRole(StrEnum):
    """What a model is called for; each has a prompt and settings of its own."""

    STANDALONE = "standalone"
    PLAN = "plan"
    WRITE = "write"
    VERIFY = "verify"
    READ = "read"
    AGENT = "agent"
    TEST = "test"

    @classmethod
    def _missing_(cls, value: object) -> ModelRole | None:
        return _OLD_NAMES.get(value) if isinstance(value, str) else None


_OLD_NAMES = {"decompose": ModelRole.STANDALONE, "classify": ModelRole.PLAN, "review": ModelRole.VERIFY}
"""Names in rows and traces that earlier versions kept: a role is read by what it means."""


class ModelOutcome(StrEnum):
    """How a call ended."""

    DONE = "done"
    REPAIRED = "repaired"  # the first reply did not fit its schema, the second did
    INVALID = "invalid"
    TIMED_OUT = "timed_out"
    RATE_LIMITED = "rate_limited"
    TOO_LARGE = "too_large"
    REFUSED_KEY = "refused_key"
    UNAVAILABLE = "unavailable"
    CUT_SHORT = "cut_short"
    FILTERED = "filtered"  # by the server, in the middle of the reply
    OVER_BUDGET = "over_budget"  # never sent
    CIRCUIT_OPEN = "circuit_open"  # never sent
    STOPPED = "stopped"
    BEGUN = "begun"  # it runs, or its process was killed: its tokens are those that were set aside


USABLE = (ModelOutcome.DONE, ModelOutcome.REPAIRED)
"""Outcomes of calls whose reply can be used."""


class ModelCall(Frozen):
    """One call. prompt: name and version of its prompt, as "write@2". cost_usd: None without a known price.

    attempts: how often it was sent, 0 where a limit kept it back. detail: why it failed, never with a secret.
    """

    role: ModelRole
    prompt: str
    model: str
    outcome: ModelOutcome
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost_usd: float | None = None
    latency_ms: float = 0.0
    attempts: int = 0
    detail: str = ""

    @property
    def tokens(self) -> int:
        """Tokens of prompt and completion together."""
        return self.prompt_tokens + self.completion_tokens


class ModelUse(Frozen):
    """All that the models did for one answer."""

    calls: tuple[ModelCall, ...] = ()

    @property
    def tokens(self) -> int:
        """Tokens of all calls, prompts and completions."""
        return sum(call.tokens for call in self.calls)

    @property
    def failed(self) -> int:
        """Calls that gave nothing, those that a limit kept back included."""
        return sum(call.outcome not in USABLE for call in self.calls)

    @property
    def cost_usd(self) -> float | None:
        """Sum of the known costs; None where none is known."""
        known = [call.cost_usd for call in self.calls if call.cost_usd is not None]
        return sum(known) if known else None


class ModelStatement(Frozen):
    """One thing that a model said of a question. why: it was not used, or what it was used for."""

    part: str
    said: str
    is_used: bool
    why: str = ""
