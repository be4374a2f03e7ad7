"""The JSON of evaluations: one vocabulary for the command line and the API."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from core.evaluate.comparison import CaseChange, ComparedCase, EvaluationComparison, compare_runs
from core.evaluate.figures import figures_by_shape
from core.evaluate.measured import EvaluationRun, MeasuredCase, RunDetails, SuiteOverview
from core.evaluate.metrics import METRICS, MetricFigure


def suite_json(suite: SuiteOverview) -> dict[str, Any]:
    """A suite that can be run."""
    return {**asdict(suite), "kind": suite.kind.value}


def figure_json(figure: MetricFigure) -> dict[str, Any]:
    """A figure with its definition beside it."""
    metric = METRICS[figure.name]
    return {
        **figure.model_dump(mode="json"),
        "title": metric.title,
        "unit": metric.unit.value,
        "direction": metric.direction.value,
        "definition": metric.definition,
        "counts": metric.counts,
    }


def run_json(run: EvaluationRun) -> dict[str, Any]:
    """A run with its figures, without its cases."""
    return {
        "id": run.id,
        "suite": run.suite,
        "with_model": run.with_model,
        "user": run.user,
        "created_at": run.created_at.isoformat(),
        "state": run.job.state.value if run.job is not None else "",
        "job": run.job.id if run.job is not None else None,
        "error": run.job.error if run.job is not None else None,
        "done": run.done,
        "total": run.total,
        "hidden": run.hidden,
        "muted": run.muted,
        "skipped": run.skipped,
        "versions": run.versions.model_dump(mode="json"),
        "figures": [figure_json(each) for each in run.figures],
    }


def details_json(details: RunDetails) -> dict[str, Any]:
    """A run with its cases."""
    return {**run_json(details.run), "cases": [case_json(each) for each in details.cases]}


def report_json(found: RunDetails, with_model: RunDetails | None = None) -> dict[str, Any]:
    """A run as its command reports it; with_model: the same suite asked with a language model, beside it."""
    report = {"suite": found.run.suite, **_reported(found), "with_model": None}
    if with_model is None:
        return report
    compared = compare_runs(found, with_model)
    measures = [each.measures for each in with_model.cases]
    report["with_model"] = {
        **_reported(with_model),
        "model": with_model.run.versions.model,
        "calls": sum(each.calls for each in measures),
        "failed": sum(each.failed for each in measures),
        "tokens": sum(each.tokens for each in measures),
        "cost_usd": with_model.run.figure("cost_usd").value,
        "better": compared.questions(CaseChange.BETTER),
        "worse": compared.questions(CaseChange.WORSE),
    }
    return report


def _reported(found: RunDetails) -> dict[str, Any]:
    shapes = figures_by_shape(found.cases)
    return {
        "run": found.run.id,
        "figures": [figure_json(each) for each in found.run.figures],
        "shapes": {shape.value: {each.name: each.value for each in own} for shape, own in shapes.items()},
        "results": [each.result.model_dump(mode="json") for each in found.cases if not each.skipped],
        "muted": {each.id: each.muted for each in found.cases if each.muted},
        "skipped": found.run.skipped,
    }


def trend_json(suite: str, runs: Sequence[EvaluationRun]) -> dict[str, Any]:
    """Figures of a suite over its runs, the oldest first."""
    return {"suite": suite, "runs": [{**run_json(each), "figures": _values(each)} for each in runs]}


def _values(run: EvaluationRun) -> dict[str, float | None]:
    return {each.name: each.value for each in run.figures}


def case_json(case: MeasuredCase) -> dict[str, Any]:
    """A measured case."""
    return case.model_dump(mode="json")


def comparison_json(found: EvaluationComparison) -> dict[str, Any]:
    """Two runs, case by case."""
    return {
        "before": run_json(found.before),
        "after": run_json(found.after),
        "versions": {name: list(pair) for name, pair in found.versions.items()},
        "counts": {change.value: count for change, count in found.counts.items()},
        "figures": [
            {
                "name": each.name,
                "before": each.before.value,
                "after": each.after.value,
                "is_better": each.is_better,
            }
            for each in found.figures
        ],
        "cases": [_compared_json(each) for each in found.cases],
    }


def _compared_json(each: ComparedCase) -> dict[str, Any]:
    return {
        "id": each.id,
        "question": each.question,
        "change": each.change.value,
        "is_muted": each.is_muted,
        "differences": list(each.differences),
        "before": None if each.before is None else case_json(each.before),
        "after": None if each.after is None else case_json(each.after),
    }
