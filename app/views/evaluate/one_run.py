"""One run: how far it is, its figures with their definitions, its cases, and one of them opened."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial

import streamlit as st

from app import services, state
from app.components.controls import draw_button, draw_exports
from app.components.shell import moment, plain
from app.presenting.evaluation.tables import (
    HEADS,
    case_lines,
    figure_rows,
    shape_rows,
    state_counts,
    table_file,
)
from app.presenting.evaluation.words import figure_text, run_state, run_title
from app.presenting.wording import counted, duration
from app.views.evaluate import actions
from app.views.evaluate.cases import draw_case, draw_cases
from core.domain.job import Job
from core.evaluate.measured import EvaluationRun, MeasuredCase, RunDetails, RunVersions
from core.evaluate.metrics import METRICS
from core.spreadsheet import sheet

_LEADING = ("exact", "silently_wrong", "citation_accuracy", "hallucination_rate", "recall_at_50", "p95_ms")
_ENOUGH = 5  # cases done before a time left means anything
_LOOK_EVERY_S = 1


def draw_run(id: str) -> None:
    """Draw it; while it is at work, its progress follows by itself."""
    details = services.session().evaluations.run(id)
    run = details.run
    st.header(plain(run_title(run, moment(run.created_at))), anchor=False)
    is_at_work = run.job is not None and not run.job.state.is_ended
    if is_at_work:
        st.fragment(_draw_progress, run_every=_LOOK_EVERY_S)(id)
    else:
        _draw_end(run)
    if not details.cases:
        if not is_at_work:
            st.info("Nothing is measured yet.")
        return
    _draw_leading(run)
    cases, figures, versions = st.tabs(
        ["Cases", "Figures", "What it was run with"], key="run-part", bind="query-params", on_change="rerun"
    )
    if cases.open:
        with cases:
            _draw_cases(details)
    if figures.open:
        with figures:
            _draw_figures(details)
    if versions.open:
        with versions:
            _draw_versions(run.versions)


def _draw_cases(details: RunDetails) -> None:
    _draw_exports(details)
    opened = state.from_address("case")
    draw_cases(details.cases, opened)
    case = next((each for each in details.cases if each.id == opened), None)
    if case is not None:
        draw_case(details.run, case)


def _draw_progress(id: str) -> None:
    run = services.session().evaluations.run(id).run
    if run.job is None or run.job.state.is_ended:
        st.rerun()
    _draw_state(run)
    st.progress(run.done / run.total, text=_facts(run, run.job))
    if not services.session().settings.status().worker_alive:
        st.warning("No worker is running, so nothing moves. `groundwork up` starts one again.")
    draw_button("Cancel", actions.cancel, id, key="cancel-run", icon="stop_circle")


def _draw_end(run: EvaluationRun) -> None:
    _draw_state(run)
    if run.job is not None and run.job.error:
        st.warning(plain(run.job.error))
    with st.container(horizontal=True):
        if not run.is_complete and run.job is not None:
            draw_button("Go on", actions.resume, run.id, key="resume-run", icon="play_arrow", type="primary")
        draw_button("Run it again", actions.start, run.suite, run.with_model, key="rerun", icon="replay")
        gone = ("Remove this run", actions.remove, run.id)
        draw_button(*gone, key="remove-run", icon="delete", type="tertiary")


def _draw_state(run: EvaluationRun) -> None:
    by = f" by {plain(run.user)}" if run.user else ""
    done = f"{run.done:,} of {counted(run.total, 'case')}"
    st.markdown(f"**{run_state(run)}**: {done}, begun{by}{_hidden(run)}")


def _facts(run: EvaluationRun, job: Job) -> str:
    facts = [f"{run.done:,} of {run.total:,}"]
    if run.done >= _ENOUGH and job.eta_s is not None:
        facts.append(f"about {duration(job.eta_s)} left")
    if job.current is not None:
        facts.append(f"asking {job.current.source}")
    return plain(" · ".join(facts))


def _hidden(run: EvaluationRun) -> str:
    tell = counted(run.hidden, "case tells", "cases tell")
    hidden = f"; {tell} of documents that you may not see" if run.hidden else ""
    do = counted(run.muted, "case of the suite does", "cases of the suite do")
    muted = f"; {do} not count" if run.muted else ""
    left_out = "".join(
        f" {counted(count, 'case')} of the suite skipped: {plain(reason)}"
        for reason, count in run.skipped.items()
    )
    return f"{hidden}{muted}.{left_out}"


def _draw_leading(run: EvaluationRun) -> None:
    with st.container(horizontal=True):
        for name in _LEADING:
            st.metric(
                METRICS[name].title, figure_text(run.figure(name)), help=METRICS[name].definition, width=145
            )


def _draw_figures(details: RunDetails) -> None:
    run = details.run
    figures, shapes = figure_rows(run), shape_rows(details.cases)
    name = f"evaluation-{run.suite}-{run.id}"
    with st.container(horizontal=True):
        draw_exports("figures", f"{name}-figures", lambda kind: table_file(kind, figures), "These figures")
    st.table(figures, border="horizontal")
    if run.with_model:
        _draw_cost(run, details.cases)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.subheader("By kind of answer", anchor=False, width="content")
        draw_exports("kinds", f"{name}-kinds", lambda kind: table_file(kind, shapes), "This table")
    st.table(shapes, border="horizontal")


def _draw_versions(versions: RunVersions) -> None:
    rows = [{"What": name, "Version": value or "none"} for name, value in versions.lines().items()]
    st.table(rows, border="horizontal")


def _draw_cost(run: EvaluationRun, cases: Sequence[MeasuredCase]) -> None:
    calls = sum(each.measures.calls for each in cases)
    failed = sum(each.measures.failed for each in cases)
    lost = f"; {failed:,} of them gave nothing" if failed else ""
    cost = figure_text(run.figure("cost_usd"))
    said = f"cost {cost}" if run.figure("cost_usd").value is not None else "without a known price"
    st.markdown(
        f"**{counted(calls, 'call')}** of {plain(run.versions.model or 'a language model')}{lost}, "
        f"{figure_text(run.figure('tokens'))} tokens, {said}."
    )


def _draw_exports(details: RunDetails) -> None:
    counts = "  ".join(f"{word} {count:,}" for word, count in state_counts(details.cases).items())
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(counts, width="content")
        name = f"evaluation-{details.run.suite}-{details.run.id}"
        draw_exports(
            "cases", name, lambda kind: sheet(kind, HEADS, case_lines(details.cases)), "All its cases"
        )
        st.download_button(
            "JSON",
            partial(_as_json, details),
            f"{name}.json",
            "application/json",
            key="cases-json",
            icon=":material/download:",
            help="The run with its figures and cases, as the command and REST give it",
        )
        _draw_comparing(details.run)


def _draw_comparing(run: EvaluationRun) -> None:
    others = [
        each for each in services.session().evaluations.runs(run.suite) if each.id != run.id and each.done
    ]
    if not others:
        return
    named = {each.id: run_title(each, moment(each.created_at)) for each in others}
    other = st.selectbox(
        "Compare with",
        list(named),
        index=None,
        key="compare-with",
        format_func=lambda each: named.get(each, each),
        placeholder="Compare with another run",
        label_visibility="collapsed",
        width=280,
    )
    if other is not None:
        at = {each.id: each.created_at for each in (run, *others)}
        before, after = sorted((run.id, other), key=lambda each: at[each])
        draw_button("Compare", actions.compare, before, after, key="compare-runs", icon="compare_arrows")


def _as_json(details: RunDetails) -> bytes:
    from core.domain.wire.shapes import envelope
    from core.evaluate.shapes import details_json

    return json.dumps(envelope(run=details_json(details)), ensure_ascii=False, indent=2).encode()
