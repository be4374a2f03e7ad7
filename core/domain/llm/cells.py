"""Cells that a language model reads: what it would cost, what came of it, how right reviewers found it."""

from __future__ import annotations

from dataclasses import dataclass, field

from core.domain.certainty.share import CheckedShare
from core.domain.frozen import Frozen
from core.domain.ids import DocumentId

MODEL = "model"
"""The method of a cell that a language model decided."""

CONTRADICTION = "Contradicted: "
"""Beginning of the note of a cell that extraction decided and a model read otherwise."""

SAMPLE_SIZE = 50

BATCH_SHARE = 0.5
"""Share of the price that a call in a batch costs."""


UNEARNED = 0.5
"""Confidence of a cell that a model decided while too few were reviewed to say more."""

ENOUGH_REVIEWED = 10


class CellReadingEstimate(Frozen):
    """Cost of having uncertain cells read, before anything is sent.

    cells: to be asked; kept: read before from the same text by the same question, and put back without a
    call; asked_before: read before in vain, which are not asked again. is_exact: every prompt was made; else
    figures are those of a few documents, taken for all. cost_usd: None without known prices. seconds: with
    the minute's budget of tokens. day_tokens_left: of today's budget. with_decided: also decided
    cells, to be compared. is_batch: within a day, for half the price, which cost_usd is then.
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
    with_decided: bool = False
    is_batch: bool = False

    @property
    def tokens(self) -> int:
        """Tokens of all calls, prompts and completions."""
        return self.prompt_tokens + self.completion_tokens

    @property
    def fits_day(self) -> bool:
        """True where today's budget reaches for all of it."""
        return self.tokens <= self.day_tokens_left


class CellReadingTally(Frozen):
    """Cells that a job had read. reasons: why cells stayed uncertain, with how many, the most first.

    tokens, cost_usd: of its calls; None where no price is known. batch_calls: those that cost half of it.
    """

    read: int = 0
    present: int = 0
    absent: int = 0
    reasons: tuple[tuple[str, int], ...] = ()
    calls: int = 0
    tokens: int = 0
    cost_usd: float | None = None
    batch_calls: int = 0

    @property
    def decided(self) -> int:
        """Cells that it decided."""
        return self.present + self.absent

    @property
    def uncertain(self) -> int:
        """Cells that stay uncertain."""
        return self.read - self.decided


class ModelSample(Frozen):
    """Cells drawn from those that rest on a model, to be checked by a person. of: how many rest on one.

    checked: of the sample; right: of the checked, those that the reviewer left as the model had them.
    """

    of: int = 0
    size: int = 0
    checked: int = 0
    right: int = 0

    @property
    def precision(self) -> CheckedShare:
        """Share of the checked cells that were right."""
        return CheckedShare(self.right, self.checked)

    @property
    def confidence(self) -> float | None:
        """Confidence that such cells have earned; None where too few were checked.

        Source: Laplace's rule of succession.
        """
        return (self.right + 1) / (self.checked + 2) if self.checked >= ENOUGH_REVIEWED else None


@dataclass(frozen=True, slots=True)
class RestingCells:
    """Documents of which a cell rests on a model alone, and the sample of such cells of the same fields."""

    documents: frozenset[DocumentId] = frozenset()
    sample: ModelSample = field(default_factory=ModelSample)


def estimate_said(estimate: CellReadingEstimate) -> str:
    """The cost in one or two sentences, as page and command line say it."""
    kind = "cell" if estimate.with_decided else "uncertain cell"
    if not estimate.cells and not estimate.kept:
        asked = (
            f" {estimate.asked_before:,} were read before and stay uncertain."
            if estimate.asked_before
            else ""
        )
        return f"No {kind} waits to be read by {estimate.model}.{asked}"
    about = "" if estimate.is_exact else "about "
    cost = "price not known" if estimate.cost_usd is None else _dollars(estimate.cost_usd)
    time = "batch: half price, within a day" if estimate.is_batch else f"about {_time(estimate.seconds)}"
    said = (
        f"{_counted(estimate.cells, kind)} of {_counted(estimate.documents, 'document')} for "
        f"{estimate.model}: {about}{_counted(estimate.calls, 'call')}, about {estimate.tokens:,} tokens, "
        f"{cost}, {time}."
    )
    if estimate.kept:
        comes = "comes" if estimate.kept == 1 else "come"
        said += f" {_counted(estimate.kept, 'cell')} read before {comes} back without a call."
    if estimate.asked_before:
        said += f" {estimate.asked_before:,} were read before in vain, and are not asked again."
    if not estimate.fits_day:
        said += (
            f" Today's budget has {estimate.day_tokens_left:,} tokens left: the job stops there, and can be "
            "resumed tomorrow (UTC)."
        )
    return said


def tally_said(tally: CellReadingTally, asked: int) -> str:
    """What came of it, in a sentence. asked: how many cells waited."""
    total = max(asked, tally.read)
    said = f"The model settled {tally.decided:,} of {total:,} cells"
    if total == tally.read:
        return f"{said}; {tally.uncertain:,} stay as they were."
    stay = f", {tally.uncertain:,} asked that stay as they were" if tally.uncertain else ""
    return f"{said}{stay}, {total - tally.read:,} not asked."


def spent_said(tally: CellReadingTally) -> str:
    """Cost of the calls of a job, in a sentence."""
    cost = "" if tally.cost_usd is None else f", ${tally.cost_usd:,.4f}"
    half = f" ({_counted(tally.batch_calls, 'call')} in a batch: half price)" if tally.batch_calls else ""
    return f"{_counted(tally.calls, 'call')}, {tally.tokens:,} tokens{cost}{half}."


def sample_said(sample: ModelSample) -> str:
    """How right reviewers found the sample, in a sentence; "" where no cell rests on a model."""
    if not sample.size:
        return ""
    if sample.precision.share is None:
        return f"None of the sample of {sample.size:,} is checked yet."
    return (
        f"Of the sample of {sample.size:,}, {sample.checked:,} are checked: {sample.right:,} right "
        f"({_shares(sample)})."
    )


def resting_said(count: int, sample: ModelSample) -> str:
    """How many cells rest on a model alone, and how right those were that people checked; "" for none."""
    if not count:
        return ""
    rests = "rests" if count == 1 else "rest"
    said = f"{_counted(count, 'document')} {rests} on cells that a language model read and nobody checked"
    if sample.precision.share is None:
        return f"{said}; none of its sample was checked either."
    return (
        f"{said}; of {sample.checked:,} such cells that people checked, {sample.right:,} were right "
        f"({_shares(sample)})."
    )


def _shares(sample: ModelSample) -> str:
    likely = sample.precision.interval
    return f"{sample.precision.share:.0%}, 95 % interval {likely.low:.0%} to {likely.high:.0%}"


def _counted(number: int, one: str) -> str:
    return f"{number:,} {one}{'' if number == 1 else 's'}"


def _dollars(amount: float) -> str:
    return f"${amount:.4f}" if amount < 1 else f"${amount:,.2f}"


def _time(seconds: float) -> str:
    minutes = round(seconds / 60)
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60} min"
