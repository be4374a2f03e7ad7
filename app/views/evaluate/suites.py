"""Suites that can be run, their runs, and their figures over time."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from app import services, state
from app.components.chart import draw_chart_and_table
from app.components.controls import draw_address_choice, draw_button
from app.components.shell import moment, plain
from app.components.table import column, draw_table, row
from app.presenting.evaluation.trends import trend_chart
from app.presenting.evaluation.words import figure_text, run_state, shape_word
from app.presenting.wording import counted
from app.views.evaluate import actions
from core.evaluate.measured import EvaluationRun, SuiteKind, SuiteOverview
from core.evaluate.metrics import METRICS

_HEIGHT = 420  # px
_FIGURES = {
    "exact": ("Right", 66),
    "silently_wrong": ("Silent", 68),
    "recall_at_50": ("Recall", 70),
    "citation_accuracy": ("Citations", 86),
    "hallucination_rate": ("Unfounded", 98),
    "p95_ms": ("95 % within", 102),
    "cost_usd": ("Cost", 110),
}
"""Figures of a run in the table, each with the head and the width of its column."""

_KINDS = {
    SuiteKind.SHIPPED: "Shipped",
    SuiteKind.REVIEWS: "From verdicts",
    SuiteKind.HOME: "Of this home",
    SuiteKind.OWN: "Own",
}
_LOOK_EVERY_S = 2


def draw_suites(found: Sequence[SuiteOverview]) -> None:
    """The suites, the one that is open, and the runs."""
    opened = state.from_address("suite")
    _draw_table(found, opened)
    suite = next((each for each in found if each.name == opened), None)
    if suite is not None:
        _draw_suite(suite)
    else:
        st.markdown(":small[Choose a suite to run it.]")
    _draw_bringing_in()
    st.header("Runs", anchor=False)
    runs = services.session().evaluations.runs(opened)
    _draw_runs(opened, runs)
    if not all(map(_is_over, runs)):
        st.fragment(_look, run_every=_LOOK_EVERY_S)(opened, _progress(runs))


def _look(suite: str, before: tuple[object, ...]) -> None:
    """Draw the page anew once a run has come further: what stands in a fragment cannot open a run."""
    if _progress(services.session().evaluations.runs(suite)) != before:
        st.rerun()


def _progress(runs: Sequence[EvaluationRun]) -> tuple[object, ...]:
    return tuple((each.id, each.done, _is_over(each)) for each in runs)


def _draw_table(found: Sequence[SuiteOverview], opened: str) -> None:
    rows = [
        row(
            each.name,
            {
                "title": each.title,
                "kind": _KINDS[each.kind],
                "cases": f"{each.cases:,}" if each.kind is not SuiteKind.HOME else "made when run",
                "about": each.about,
                "problem": each.problem,
            },
            hover={"title": each.name},
        )
        for each in found
    ]
    columns = [
        column("title", "Suite", 140),
        column("kind", "From", 100),
        column("cases", "Cases", 116, right=True),
        column("about", "What it asks", 330, kind="words"),
        column("problem", "In this home", 330, kind="words"),
    ]
    draw_table(
        "suites-table",
        "suites",
        "Suites",
        columns,
        rows,
        opened=opened,
        most=_HEIGHT,
        only_filled=True,
        file="suites",
        open=lambda sent: actions.open_suite(str(sent["id"])),
    )


def _draw_suite(suite: SuiteOverview) -> None:
    st.subheader(plain(suite.title), anchor=False)
    shapes = ", ".join(f"{shape_word(name)} {count:,}" for name, count in suite.shapes.items())
    muted = f" {counted(suite.muted, 'case of it does', 'cases of it do')} not count." if suite.muted else ""
    st.markdown(f"{plain(suite.about)} {shapes}.{muted}" if shapes else plain(suite.about))
    if suite.problem:
        st.warning(plain(suite.problem))
    is_possible = services.session().settings.llm.is_configured
    with st.container(horizontal=True, vertical_alignment="center"):
        with_model = st.toggle(
            "With the language model",
            key="with-model",
            disabled=not is_possible,
            help=None if is_possible else "No language model is configured: see Settings.",
        )
        draw_button(
            "Run it",
            actions.start,
            suite.name,
            with_model and is_possible,
            key="start",
            type="primary",
            icon="play_arrow",
            disabled=bool(suite.problem) and not suite.cases,
        )
        if suite.kind is SuiteKind.OWN:
            draw_button(
                "Remove this suite", actions.remove_suite, suite.name, key="remove-suite", icon="delete"
            )
    said = "Each question is asked of the model, which costs what its calls cost." if with_model else ""
    st.markdown(f":small[{said or 'No language model is called.'} It is a job: the page may be left.]")


_EXAMPLE = (
    '{"id": "law-1", "shape": "lookup", "question": "Which law governs the ACME supply agreement?", '
    '"expect": {"status": "answered", "documents": ["acme-supply-agreement.docx"], '
    '"value": {"type": "text", "value": "Iowa"}}, "why": "Clause 12 says so."}'
)


def _draw_bringing_in() -> None:
    with st.expander("Bring in a suite from a file", key="bring-in-suite"):
        st.markdown(
            "A file of cases, one JSON object a line, such as this; `docs/operations.md` tells its parts, "
            "and the suite of a run can be saved as one."
        )
        st.code(_EXAMPLE, language="json", wrap_lines=True)
        given = st.file_uploader("Suite", type=["jsonl"], key="suite-file", label_visibility="collapsed")
        draw_button(
            "Keep it as a suite of this home",
            actions.bring_in,
            "suite-file",
            key="bring-in",
            icon="upload_file",
            disabled=given is None,
        )


def _draw_runs(suite: str, found: Sequence[EvaluationRun]) -> None:
    if not found:
        where = "of this suite " if suite else ""
        st.info(f"No run {where}yet. Choose a suite and run it: the figures stand here then.")
        return
    picked = [each for each in state.from_address("picked").split(",") if each]
    with st.container(horizontal=True, vertical_alignment="center"):
        of = f" of “{plain(suite)}”" if suite else ""
        st.markdown(f"**{counted(len(found), 'run')}**{of}", width="content")
        if suite:
            draw_button("Show runs of all suites", actions.open_suite, "", key="all-runs", type="tertiary")
        pair = [each.id for each in reversed(found) if each.id in picked]
        draw_button(
            "Compare the two that are ticked",
            actions.compare,
            *(pair if len(pair) == 2 else ("", "")),
            key="compare",
            icon="compare_arrows",
            disabled=len(pair) != 2,
        )
    columns = [
        column("suite", "Suite", 84),
        column("when", "Begun", 92),
        column("state", "State", 108, kind="state"),
        column("done", "Cases", 82, right=True),
        *(column(name, *head, right=True, about=METRICS[name].title) for name, head in _FIGURES.items()),
        column("model", "Model", 130),
        column("by", "By", 70),
    ]
    draw_table(
        "runs-table",
        "runs",
        "Runs",
        columns,
        [_run_row(each) for each in found],
        chosen=picked,
        most=_HEIGHT,
        only_filled=True,
        file="runs",
        open=lambda sent: actions.open_run(str(sent["id"])),
        choose=lambda sent: actions.pick([str(each) for each in sent["ids"]]),
    )


def _run_row(run: EvaluationRun) -> dict[str, object]:
    figures = {name: figure_text(run.figure(name)) for name in _FIGURES}
    return row(
        run.id,
        {
            "suite": run.suite,
            "when": moment(run.created_at),
            "state": run_state(run),
            "done": f"{run.done:,} of {run.total:,}",
            "model": run.versions.model if run.with_model else "",
            "by": run.user,
            **{name: "" if text == "–" else text for name, text in figures.items()},
        },
        state="ready" if run.is_complete else "gaps" if _is_over(run) else "idle",
        hover={"when": run.created_at.isoformat(timespec="seconds"), "suite": run.id},
        by={name: value for name in _FIGURES if (value := run.figure(name).value) is not None},
    )


def _is_over(run: EvaluationRun) -> bool:
    return run.job is None or run.job.state.is_ended


def draw_trends(found: Sequence[SuiteOverview]) -> None:
    """A figure of a suite over its runs; a click on a point opens that run."""
    names = {each.name: each.title for each in found}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        draw_address_choice("Suite", "suite", {"": "Choose a suite", **names}, 240, "trend-suite")
        metrics = {each.name: each.title for each in METRICS.values()}
        draw_address_choice("Figure", "metric", metrics, 240, "trend-metric")
    suite, metric = state.from_address("suite"), state.from_address("metric")
    runs = services.session().evaluations.trend(suite) if suite else []
    if len(runs) < 2:
        st.info("A line needs two runs of one suite. Choose a suite, or run it again." if suite else
                "Choose a suite: its figures over time stand here.")  # fmt: skip
        return
    metric = metric if metric in METRICS else next(iter(METRICS))
    draw_chart_and_table("trend", trend_chart(runs, metric), actions.open_run)
    definition = METRICS[metric]
    st.markdown(f":small[**{definition.title}**: {plain(definition.definition)} {plain(definition.counts)}]")
