"""Evaluations in words: figures, what was expected, and what became of a case."""

from __future__ import annotations

from collections.abc import Iterator

from app.presenting.rows.datasets import cell_word
from app.presenting.wording import counted, duration
from core.domain.answer import Status
from core.domain.job import JobState
from core.evaluate.comparison import CaseChange
from core.evaluate.measured import EvaluationRun, MeasuredCase
from core.evaluate.metrics import METRICS, MetricFigure, MetricGroup, MetricUnit
from core.evaluate.suite import Case
from core.text.markdown import unescape, without_signs

GROUPS = {
    MetricGroup.ANSWERS: "Answers",
    MetricGroup.RETRIEVAL: "Search",
    MetricGroup.GROUNDS: "Grounds",
    MetricGroup.ABSTENTION: "Abstention",
    MetricGroup.SPEED: "Time",
    MetricGroup.COST: "Cost",
}
CHANGES = {
    CaseChange.BETTER: "▲ Better",
    CaseChange.WORSE: "▼ Worse",
    CaseChange.CHANGED: "◆ Otherwise",
    CaseChange.SAME: "● Same",
    CaseChange.ONLY_BEFORE: "○ Only before",
    CaseChange.ONLY_AFTER: "○ Only after",
}
_STATUSES = {
    Status.ANSWERED: "an answer",
    Status.PARTIAL: "an answer in part",
    Status.CLARIFY: "a question back",
    Status.ABSTAINED: "no answer, since the collection cannot tell",
    Status.REFUSED: "a refusal",
    Status.FAILED: "a failure",
}
_STATES = {
    JobState.QUEUED: "○ Waiting",
    JobState.RUNNING: "● Running",
    JobState.FAILED: "■ Failed",
    JobState.CANCELLED: "○ Cancelled",
}
_MOST_NAMES = 12


def figure_text(figure: MetricFigure) -> str:
    """`0.927`, `1.2 s`, `4,210`, `USD 0.0312`; a dash where it could not be computed."""
    if figure.value is None:
        return "–"
    match METRICS[figure.name].unit:
        case MetricUnit.SHARE:
            return f"{figure.value:.3f}"
        case MetricUnit.MS:
            return duration(figure.value / 1000) if figure.value >= 1000 else f"{figure.value:,.0f} ms"
        case MetricUnit.USD:
            return f"USD {figure.value:,.4f}"
        case MetricUnit.TOKENS:
            return f"{figure.value:,.0f}"


def difference_text(before: MetricFigure, after: MetricFigure) -> str:
    """`+0.012`; "" where one of them is not known, or both are equal."""
    if before.value is None or after.value is None or before.value == after.value:
        return ""
    by = after.value - before.value
    sign = "+" if by > 0 else "−"
    return f"{sign}{figure_text(MetricFigure(name=before.name, value=abs(by)))}"


def run_state(run: EvaluationRun) -> str:
    """A sign and a word: complete, at work, or ended before its end."""
    if run.is_complete:
        return "● Complete"
    return _STATES.get(run.job.state, "◆ In part") if run.job is not None else "◆ In part"


def case_state(case: MeasuredCase) -> str:
    """A sign and a word: right, wrong, silently wrong, only searched for, muted or skipped."""
    if case.muted:
        return "○ Muted"
    if case.skipped:
        return "○ Skipped"
    if not case.is_asked:
        return "◇ Searched"
    if case.result.exact:
        return "● Right"
    return "■ Silently wrong" if case.result.silently_wrong else "▲ Wrong"


def place_in_order(case: MeasuredCase) -> int:
    """Place among cases whose failures come first: silently wrong, wrong, searched, right, muted."""
    order = ("■", "▲", "◇", "●", "○")
    return order.index(case_state(case)[0])


def expected_lines(case: Case) -> list[str]:
    """Expectation of a case, part by part."""
    return list(_expected(case))


def _expected(case: Case) -> Iterator[str]:
    expect = case.expect
    yield f"Expected is {_STATUSES[expect.status]}." if not expect.is_place else "Expected are these pages."
    if expect.value is not None:
        said = cell_word(expect.value.value, expect.value.type)
        yield f"The value: {said} {expect.value.unit or ''}".rstrip()
    for key, value, unit in (expect.groups or ())[:_MOST_NAMES]:
        said = cell_word(value or "", "number") if unit else value or ""
        yield f"Row {key}: {said} {unit or ''}".rstrip().removesuffix(":")
    if expect.groups and len(expect.groups) > _MOST_NAMES:
        yield f"and {counted(len(expect.groups) - _MOST_NAMES, 'more row')}"
    if expect.documents is not None:
        yield f"Documents: {_names(expect.documents)}"
    if expect.pages:
        yield f"Pages: {_names([f'{name}, page {page}' for name, page in expect.pages])}"
    if expect.order:
        yield "Their order counts."
    if (ledger := expect.ledger) is not None:
        yield (
            f"Counts: {ledger.scope:,} in scope = {ledger.present:,} with it + {ledger.absent:,} without "
            f"+ {ledger.unreadable:,} unreadable"
        )
    if expect.steps is not None:
        yield f"Numbered steps: {expect.steps:,}"


def _names(names: list[str] | tuple[str, ...]) -> str:
    more = len(names) - _MOST_NAMES
    shown = ", ".join(names[:_MOST_NAMES]) or "none"
    return f"{shown}, and {more:,} more" if more > 0 else shown


def why_wrong(case: MeasuredCase) -> list[str]:
    """Reasons why an answer is not right, each in a sentence; [] for one that is."""
    result = case.result
    told = [f"{each[:1].upper()}{each[1:]}." for each in result.problems]
    if result.status is not result.expected:  # which is then the only problem
        came = _STATUSES[result.status]
        told = [f"{came[:1].upper()}{came[1:]} came instead of {_STATUSES[result.expected]}."]
    if case.result.silently_wrong:
        told.append("It says nothing of it: no question back, and no gap.")
    told += [f"A claim has no ground: {each}" for each in case.measures.unfounded]
    return told + [f"A citation is not the stored text: {each}" for each in case.measures.broken]


def answer_text(case: MeasuredCase) -> str:
    """Answer without the signs of Markdown."""
    return text_of(case.answer) or "It was only searched for."


def text_of(answer: str) -> str:
    """The text of an answer without the signs of Markdown."""
    return unescape(without_signs(answer))


def shape_word(shape: str) -> str:
    """`Date range`."""
    return shape.replace("_", " ").capitalize()


def run_title(run: EvaluationRun, moment: str) -> str:
    """`questions, with the model, 3 Oct 14:05`."""
    by = ", with the model" if run.with_model else ""
    return f"{run.suite}{by}, {moment}"
