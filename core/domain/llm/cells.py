"""Cells that a language model reads: what it would cost, what came of it, how right reviewers found it."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict

MODEL = "model"
"""The method of a cell that a language model decided."""

SAMPLE_SIZE = 50


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class CellReadingEstimate(_Frozen):
    """Cost of having uncertain cells read, before anything is sent.

    cells: to be asked; kept: read before from the same text by the same question, and put back without a
    call; asked_before: read before in vain, which are not asked again. is_exact: every prompt was made; else
    figures are those of a few documents, taken for all. cost_usd: None without known prices. seconds: with
    the minute's budget of tokens. day_tokens_left: of today's budget.
    """

    model: str
    cells: int
    kept: int = 0
    asked_before: int = 0
    documents: int = 0
    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost_usd: float | None = None
    seconds: float = 0.0
    day_tokens_left: int = 0
    is_exact: bool = True

    @property
    def tokens(self) -> int:
        """Tokens of all calls, prompts and completions."""
        return self.prompt_tokens + self.completion_tokens

    @property
    def fits_day(self) -> bool:
        """True where today's budget reaches for all of it."""
        return self.tokens <= self.day_tokens_left


class CellReadingTally(_Frozen):
    """Cells that a job had read. reasons: why cells stayed uncertain, with how many, the most first.

    tokens, cost_usd: of its calls; None where no price is known.
    """

    read: int = 0
    present: int = 0
    absent: int = 0
    reasons: tuple[tuple[str, int], ...] = ()
    calls: int = 0
    tokens: int = 0
    cost_usd: float | None = None

    @property
    def decided(self) -> int:
        """Cells that it decided."""
        return self.present + self.absent

    @property
    def uncertain(self) -> int:
        """Cells that stay uncertain."""
        return self.read - self.decided


class ModelSample(_Frozen):
    """Cells drawn from those that rest on a model, to be checked by a person. of: how many rest on one.

    checked: of the sample; right: of the checked, those that the reviewer left as the model had them.
    """

    of: int = 0
    size: int = 0
    checked: int = 0
    right: int = 0

    @property
    def precision(self) -> float | None:
        """Share of the checked cells that were right; None before the first check."""
        return self.right / self.checked if self.checked else None
