"""Two runs beside each other: figures, versions in which they differ, and their cases."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from app import services, state
from app.components.controls import draw_exports, draw_switch
from app.components.shell import moment, plain
from app.components.table import column, draw_table, row
from app.presenting.evaluation.tables import table_file
from app.presenting.evaluation.words import (
    CHANGES,
    answer_text,
    case_state,
    difference_text,
    figure_text,
    run_title,
)
from app.presenting.wording import counted
from app.views.evaluate import actions
from app.views.evaluate.cases import draw_case
from core.evaluate.comparison import CaseChange, ComparedCase, ComparedFigure, EvaluationComparison
from core.evaluate.metrics import METRICS
from core.spreadsheet import sheet

_HEIGHT = 420  # px
_STATES = {CaseChange.BETTER: "ready", CaseChange.WORSE: "failed", CaseChange.CHANGED: "unreadable"}
_ALL = "all"
_HEADS = ["id", "question", "change", "before", "after", "differences"]


def draw_compared(before: str, after: str) -> None:
    """Draw it; figures are over the cases of both runs."""
    found = services.session().evaluations.compare(before, after)
    one, two = (run_title(each, moment(each.created_at)) for each in (found.before, found.after))
    is_one_suite = found.before.suite == found.after.suite
    st.header(plain(f"{one}, then {moment(found.after.created_at) if is_one_suite else two}"), anchor=False)
    if not is_one_suite:
        st.warning("These are runs of two suites: only cases with the same id are compared.")
    _draw_versions(found)
    figures = [_figure_row(each) for each in found.figures if _is_known(each)]
    with st.container(horizontal=True, vertical_alignment="center"):
        st.subheader("Figures", anchor=False, width="content")
        draw_exports("figures", "evaluation-figures", lambda kind: table_file(kind, figures), "These figures")
    st.table(figures, border="horizontal")
    st.subheader("Cases", anchor=False)
    _draw_cases(found)


def _draw_versions(found: EvaluationComparison) -> None:
    if not found.versions:
        st.markdown("Both were run with the same program, data, schemas, encoder, model and settings.")
        return
    st.markdown("**They differ in**")
    rows = [{"What": name, "Before": old, "After": new} for name, (old, new) in found.versions.items()]
    st.table(rows, border="horizontal")


def _is_known(figure: ComparedFigure) -> bool:
    return figure.before.value is not None or figure.after.value is not None


def _figure_row(figure: ComparedFigure) -> dict[str, str]:
    words = {True: "▲ Better", False: "▼ Worse", None: ""}
    return {
        "Metric": METRICS[figure.name].title,
        "Before": figure_text(figure.before),
        "After": figure_text(figure.after),
        "Difference": difference_text(figure.before, figure.after),
        "Is it better": words[figure.is_better],
        "What it is": METRICS[figure.name].definition,
    }


def _draw_cases(found: EvaluationComparison) -> None:
    counts = found.counts
    options = [_ALL, *(change.value for change in CaseChange if counts[change])]
    said = {_ALL: f"All {len(found.cases):,}"}
    said |= {change.value: f"{CHANGES[change]} {counts[change]:,}" for change in CaseChange}
    first = next((each.value for each in (CaseChange.WORSE, CaseChange.BETTER) if counts[each]), _ALL)
    shown = draw_switch("Show", options, "change", first, says=lambda each: said[each])
    chosen = [each for each in found.cases if shown in (_ALL, each.change.value)]
    opened = state.from_address("case")
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"**{len(chosen):,}** of **{counted(len(found.cases), 'case')}**", width="content")
        draw_exports(
            "compared", "evaluation-compared", lambda kind: sheet(kind, _HEADS, _lines(chosen)), "Those shown"
        )
    columns = [
        column("question", "Question", 300, least=220),
        column("change", "Change", 120, kind="state"),
        column("before", "Before", 120),
        column("after", "After", 120),
        column("differences", "What is different", 340, kind="words"),
    ]
    draw_table(
        "compared-table",
        "evaluation-compared",
        "Cases of both runs",
        columns,
        [_row(each) for each in chosen],
        opened=opened,
        most=_HEIGHT,
        open=lambda sent: actions.open_case(str(sent["id"])),
    )
    case = next((each for each in found.cases if each.id == opened), None)
    if case is None:
        st.markdown(":small[Choose a row to see both answers.]")
        return
    _draw_both(found, case)


def _draw_both(found: EvaluationComparison, case: ComparedCase) -> None:
    if case.before is not None:
        st.markdown(f"**Before: {case_state(case.before)}**")
        st.markdown(plain(answer_text(case.before)))
    if case.after is not None:
        draw_case(found.after, case.after)
    elif case.before is not None:
        draw_case(found.before, case.before)


def _row(case: ComparedCase) -> dict[str, object]:
    return row(
        case.id,
        {
            "change": CHANGES[case.change],
            "question": case.question,
            "before": case_state(case.before) if case.before is not None else "",
            "after": case_state(case.after) if case.after is not None else "",
            "differences": "; ".join(case.differences) or ("does not count" if case.is_muted else ""),
        },
        state=_STATES.get(case.change, "gone"),
    )


def _lines(cases: Sequence[ComparedCase]) -> list[list[object]]:
    return [
        [
            each.id,
            each.question,
            each.change.value,
            case_state(each.before) if each.before is not None else "",
            case_state(each.after) if each.after is not None else "",
            "; ".join(each.differences),
        ]
        for each in cases
    ]
