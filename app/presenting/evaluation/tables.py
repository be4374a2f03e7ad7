"""Tables of evaluations: figures by metric and by shape, cases, and files of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

from app.presenting.evaluation.words import GROUPS, case_state, figure_text, place_in_order, shape_word
from core.evaluate.figures import figures_by_shape
from core.evaluate.measured import EvaluationRun, MeasuredCase
from core.evaluate.metrics import METRICS
from core.spreadsheet import number, sheet

SHOWN = ("all", "failed", "silent", "muted")
_SHOWS: dict[str, Callable[[MeasuredCase], bool]] = {
    "all": lambda case: True,
    "failed": lambda case: not case.result.exact and case.is_asked and case.counts,
    "silent": lambda case: case.result.silently_wrong and case.counts,
    "muted": lambda case: not case.counts,
}
_KEYS: dict[str, Callable[[MeasuredCase], object]] = {
    "state": place_in_order,
    "question": lambda case: case.question.casefold(),
    "shape": lambda case: case.result.shape.value,
    "ms": lambda case: case.measures.latency_ms or 0.0,
    "rank": lambda case: case.measures.reciprocal_rank if case.measures.reciprocal_rank is not None else -1.0,
}
HEADS = [
    "id",
    "shape",
    "question",
    "bucket",
    "expected",
    "status",
    "exact",
    "silently_wrong",
    "problems",
    "answer",
    "muted",
    *("precision_at_10", "recall_at_50", "reciprocal_rank", "faithfulness", "answer_relevancy"),
    *("context_precision", "context_recall", "latency_ms", "tokens", "cost_usd", "trace"),
]


def figure_rows(run: EvaluationRun) -> list[dict[str, str]]:
    """A row a metric: its group, its figure, over how many cases, and the definition beside it."""
    found = []
    for each in run.figures:
        metric = METRICS[each.name]
        found.append(
            {
                "Group": GROUPS[metric.group],
                "Metric": metric.title,
                "Figure": figure_text(each).replace(" ", "\u00a0"),
                "Cases": f"{each.cases:,}" if each.value is not None else "",
                "What it is": f"{metric.definition} {each.reason}".strip(),
                "What counts": metric.counts,
                "How": each.by or metric.by,
            }
        )
    return found


def table_file(kind: str, rows: Sequence[Mapping[str, str]]) -> bytes:
    """A table as a CSV or XLSX file; its heads are the names of the first row."""
    heads = list(rows[0]) if rows else []
    return sheet(kind, heads, [[number(each[head]) for head in heads] for each in rows])


def shape_rows(cases: Sequence[MeasuredCase]) -> list[dict[str, str]]:
    """A row a shape: cases that count, exactly right, silently wrong, first right rank, and time."""
    found = []
    counts = Counter(each.result.shape for each in cases if each.counts)
    for shape, own in figures_by_shape(cases).items():
        known = {each.name: figure_text(each) for each in own}
        found.append(
            {
                "Kind of answer": shape_word(shape.value),
                "Cases": f"{counts[shape]:,}",
                "Exactly right": known["exact"],
                "Silently wrong": known["silently_wrong"],
                "Mean reciprocal rank": known["mrr"],
                "Citation accuracy": known["citation_accuracy"],
                "95 % of times": known["p95_ms"],
            }
        )
    return found


def chosen_cases(
    cases: Iterable[MeasuredCase], show: str, shape: str, text: str, by: str, descending: bool
) -> list[MeasuredCase]:
    """The cases that a filter chooses, in an order; equal ones as the suite has them.

    show: of SHOWN; shape: "" for all; by: a column, failures first for any other.
    """
    words, is_shown = text.strip().casefold(), _SHOWS.get(show, _SHOWS["all"])
    found = [
        each
        for each in cases
        if is_shown(each)
        and shape in ("", each.result.shape.value)
        and words in f"{each.id} {each.question} {each.answer} {' '.join(each.result.problems)}".casefold()
    ]
    return sorted(found, key=_KEYS.get(by, place_in_order), reverse=descending)  # type: ignore[arg-type]


def case_lines(cases: Iterable[MeasuredCase]) -> list[list[object]]:
    """A line a case, as HEADS name its cells."""
    return [_line(each) for each in cases]


def _line(case: MeasuredCase) -> list[object]:
    result, measures = case.result, case.measures
    told = [
        case.id,
        result.shape.value,
        case.question,
        case.bucket or "",
        result.expected.value,
        result.status.value,
        result.exact,
        result.silently_wrong,
        "; ".join(result.problems),
        case.answer,
        case.muted or case.skipped,
    ]
    return [*told, *(getattr(measures, name) for name in HEADS[len(told) : -1]), case.trace]


def state_counts(cases: Iterable[MeasuredCase]) -> dict[str, int]:
    """Number of cases by sign and word, failures first."""
    ordered = sorted(cases, key=place_in_order)
    counts: dict[str, int] = {}
    for each in ordered:
        counts[case_state(each)] = counts.get(case_state(each), 0) + 1
    return counts
