"""Cases of a run: filtered and sorted, and one of them opened."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from app import links, services, state
from app.components.controls import draw_address_choice, draw_button
from app.components.shell import plain
from app.components.table import column, draw_table, row
from app.presenting.evaluation.tables import SHOWN, chosen_cases
from app.presenting.evaluation.words import answer_text, case_state, expected_lines, shape_word, why_wrong
from app.presenting.wording import counted
from app.views.evaluate import actions
from core.domain.ids import DocumentId
from core.evaluate.measured import EvaluationRun, MeasuredCase
from core.evaluate.metrics import METRICS

PART = 100
_HEIGHT = 340  # px, where a case stands below
_MOST_SOURCES = 8
_SHOWN = {"all": "All cases", "failed": "Not right", "silent": "Silently wrong", "muted": "Not counted"}
_MEASURES = {
    "precision_at_10": "precision_at_10",
    "recall_at_50": "recall_at_50",
    "reciprocal_rank": "mrr",
    "faithfulness": "faithfulness",
    "answer_relevancy": "answer_relevancy",
    "context_precision": "context_precision",
    "context_recall": "context_recall",
}


def draw_cases(cases: Sequence[MeasuredCase], opened: str) -> None:
    """Filters, and the table; failures come first."""
    shapes = {each.result.shape.value: shape_word(each.result.shape.value) for each in cases}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        draw_address_choice("Show", "show", {name: _SHOWN[name] for name in SHOWN}, 170, "cases-show", "part")
        draw_address_choice("Kind", "shape", {"": "Every kind", **shapes}, 180, "cases-shape", "part")
        text = st.text_input(
            "Find", key="find", bind="query-params", placeholder="Words of a case", type="search", width=240
        )
    by, down = state.from_address("by") or "state", state.from_address("down") == "1"
    show, shape = state.from_address("show") or "all", state.from_address("shape")
    found = chosen_cases(cases, show, shape, text or "", by, down)
    st.markdown(f"**{len(found):,}** of **{counted(len(cases), 'case')}**")
    part = state.from_address("part")
    first = PART * (max(1, int(part)) - 1) if part.isdecimal() else 0
    columns = [
        column("question", "Question", 300, "question", least=220),
        column("state", "Came to", 140, "state", kind="state"),
        column("shape", "Kind", 104, "shape"),
        column("why", "Why not right", 330, kind="words", least=220),
        column("rank", "Right rank", 112, "rank", right=True, falling=True),
        column("ms", "Time", 90, "ms", right=True, falling=True),
    ]
    draw_table(
        "cases-table",
        "evaluation-cases",
        "Cases of the run",
        columns,
        [_row(each) for each in found[first : first + PART]],
        order=(by, down),
        first=first + 1,
        total=len(found),
        size=PART,
        opened=opened,
        most=_HEIGHT if opened else 560,
        open=lambda sent: actions.open_case(str(sent["id"])),
        sort=lambda sent: actions.sort(str(sent["key"]), bool(sent["descending"])),
        part=lambda sent: state.to_address(part=int(sent["n"])),
    )
    if not opened:
        st.markdown(":small[Choose a row to see why it came out so.]")


def _row(case: MeasuredCase) -> dict[str, object]:
    rank, ms = case.measures.reciprocal_rank, case.measures.latency_ms
    return row(
        case.id,
        {
            "state": case_state(case),
            "question": case.question,
            "shape": shape_word(case.result.shape.value),
            "why": case.muted or case.skipped or " ".join(why_wrong(case)),
            "rank": "" if rank is None else f"{round(1 / rank):,}" if rank else "none",
            "ms": "" if ms is None else f"{ms:,.0f} ms",
        },
        state={"●": "ready", "■": "failed", "▲": "unreadable"}.get(case_state(case)[0], "gone"),
        hover={"question": f"{case.question} ({case.id})"},
    )


def draw_case(run: EvaluationRun, case: MeasuredCase) -> None:
    """Question, what was expected, what came, why that is not right, and the ways from there."""
    st.subheader(plain(case.question), anchor=False)
    where = f" in {plain(case.bucket)}" if case.bucket else ""
    st.markdown(f":small[{plain(case.id)}, {shape_word(case.result.shape.value)}{where}]")
    left, right = st.columns(2)
    with left:
        st.markdown("**Expected**")
        expected = services.session().evaluations.expected(run.id, case.id)
        if expected is None:
            st.markdown("It names a document that you may not see.")
        else:
            st.markdown("\n".join(f"- {plain(each)}" for each in expected_lines(expected)))
            st.markdown(f":small[{plain(expected.why)}]")
    with right:
        st.markdown(f"**Came: {case_state(case)}**")
        st.markdown(plain(case.skipped or answer_text(case)))
        for each in why_wrong(case):
            st.markdown(f"- {plain(each)}")
        _draw_sources(case)
    _draw_measures(case)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        is_own = bool(case.trace) and run.user == services.current_principal().user
        plan = links.inspector(plan=case.trace) if is_own else links.inspector(question=case.question)
        st.link_button("Open its plan", plan, icon=":material/account_tree:")
        if case.muted:
            draw_button(
                "Let it count again", actions.unmute, run.suite, case.id, key="unmute", icon="volume_up"
            )
            st.markdown(f":small[Does not count: {plain(case.muted)}]", width="content")
            return
        st.text_input("Why it does not count", key="mute-reason", placeholder="A reason", width=280)
        draw_button("Mute it", actions.mute, run.suite, case.id, "mute-reason", key="mute", icon="volume_off")


def _draw_sources(case: MeasuredCase) -> None:
    known = services.session().documents.by_id(list(map(DocumentId, case.documents[:_MOST_SOURCES])))
    if known:
        named = (f"[{plain(each.name)}]({links.place(id)})" for id, each in known.items())
        more = len(case.documents) - _MOST_SOURCES
        st.markdown(f":small[It tells of: {', '.join(named)}{f' and {more:,} more' if more > 0 else ''}]")


def _draw_measures(case: MeasuredCase) -> None:
    told = [
        f"{METRICS[metric].title} {value:.3f}"
        for name, metric in _MEASURES.items()
        if (value := getattr(case.measures, name)) is not None
    ]
    if case.measures.calls:
        told.append(f"{counted(case.measures.calls, 'call')} of {plain(case.measures.model)}")
    if told:
        st.markdown(f":small[{' · '.join(told)}]")
