"""Two runs, case by case: what got better, what got worse, and what is not in both."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from core.evaluate.figures import figures
from core.evaluate.measured import EvaluationRun, MeasuredCase, RunDetails
from core.evaluate.metrics import METRICS, MetricFigure


class CaseChange(StrEnum):
    """Change of a case from one run to another."""

    SAME = "same"
    BETTER = "better"
    WORSE = "worse"
    CHANGED = "changed"
    ONLY_BEFORE = "only_before"
    ONLY_AFTER = "only_after"


@dataclass(frozen=True, slots=True)
class ComparedCase:
    """A case of two runs; None where one has not got it. differences: in words."""

    id: str
    change: CaseChange
    before: MeasuredCase | None
    after: MeasuredCase | None
    differences: tuple[str, ...] = ()

    @property
    def question(self) -> str:
        """The question of the later run, else of the earlier one."""
        one = self.after or self.before
        return one.question if one is not None else ""

    @property
    def is_muted(self) -> bool:
        """True where it does not count."""
        return any(each is not None and bool(each.muted) for each in (self.before, self.after))


@dataclass(frozen=True, slots=True)
class ComparedFigure:
    """A metric of two runs, over the cases of both alone. is_better None: equal, or not told."""

    name: str
    before: MetricFigure
    after: MetricFigure
    is_better: bool | None


@dataclass(frozen=True, slots=True)
class EvaluationComparison:
    """Two runs compared. versions: in which they differ. counts: of cases by change, muted ones left out."""

    before: EvaluationRun
    after: EvaluationRun
    versions: dict[str, tuple[str, str]]
    figures: tuple[ComparedFigure, ...]
    cases: tuple[ComparedCase, ...]

    @property
    def counts(self) -> dict[CaseChange, int]:
        """Number of cases by their change; every change is a key."""
        found = Counter(each.change for each in self.cases if not each.is_muted)
        return {change: found[change] for change in CaseChange}

    def questions(self, change: CaseChange) -> list[str]:
        """The questions of the cases that changed so, muted ones left out."""
        return [each.question for each in self.cases if each.change is change and not each.is_muted]


def compare_runs(before: RunDetails, after: RunDetails) -> EvaluationComparison:
    """Compare two runs; figures are over the cases that both have measured."""
    old, new = ({each.id: each for each in run.cases if not each.skipped} for run in (before, after))
    both = [id for id in old if id in new]
    pairs = zip(figures(old[id] for id in both), figures(new[id] for id in both), strict=True)
    ids = dict.fromkeys((*old, *new))
    return EvaluationComparison(
        before.run,
        after.run,
        before.run.versions.changed(after.run.versions),
        tuple(ComparedFigure(one.name, one, two, _is_better(one, two)) for one, two in pairs),
        tuple(_compared(id, old.get(id), new.get(id)) for id in ids),
    )


def _is_better(before: MetricFigure, after: MetricFigure) -> bool | None:
    if before.value is None or after.value is None or before.value == after.value:
        return None
    return METRICS[before.name].is_better(after.value, before.value)


def _compared(id: str, before: MeasuredCase | None, after: MeasuredCase | None) -> ComparedCase:
    if before is None or after is None:
        change = CaseChange.ONLY_BEFORE if after is None else CaseChange.ONLY_AFTER
        return ComparedCase(id, change, before, after)
    rank = _rank(after) - _rank(before)
    told = tuple(_differences(before, after))
    if rank:
        return ComparedCase(id, CaseChange.BETTER if rank > 0 else CaseChange.WORSE, before, after, told)
    return ComparedCase(id, CaseChange.CHANGED if told else CaseChange.SAME, before, after, told)


def _rank(case: MeasuredCase) -> int:
    """2 for exact, 1 for wrong and said so, 0 for silently wrong."""
    return 2 if case.result.exact else 0 if case.result.silently_wrong else 1


def _differences(before: MeasuredCase, after: MeasuredCase) -> Iterator[str]:
    one, two = before.result, after.result
    if one.status is not two.status:
        yield f"{one.status.value}, then {two.status.value}"
    if one.problems != two.problems:
        yield f"{'; '.join(one.problems) or 'right'}, then {'; '.join(two.problems) or 'right'}"
    if before.answer != after.answer:
        yield "other words"
    for name, old, new in (
        ("first right rank", before.measures.reciprocal_rank, after.measures.reciprocal_rank),
        ("claims without ground", len(before.measures.unfounded), len(after.measures.unfounded)),
        ("wrong citations", len(before.measures.broken), len(after.measures.broken)),
    ):
        if old != new:
            yield f"{name}: {_shown(old)}, then {_shown(new)}"


def _shown(value: float | None) -> str:
    return "none" if value is None else f"{value:g}"
