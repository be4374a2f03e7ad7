"""Two variants over the same questions: figures, the questions that differ, one of them side by side."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from app import services, state
from app.components.controls import draw_button
from app.components.shell import plain
from app.components.table import column, draw_table, row
from app.panels.jobs import draw_progress, follow
from app.views.experiments import actions
from core.domain.experiments.variant import QuestionDifference, SideFigures, VariantComparison, VariantState
from core.domain.ids import JobId
from core.errors import NotFoundError

_HEIGHT = 340
_DEFINED = (
    "Counted in characters of pages that both hold, over those of the side that found more text, so that "
    "passages of another length can be compared. A passage is the same where half of the shorter one is."
)


def suite_titles() -> dict[str, str]:
    """Titles of the suites that can be asked, by name."""
    known = services.session().evaluations.suites()
    return {each.name: each.title for each in known if each.cases or not each.problem}


def draw(found: Sequence[VariantState]) -> None:
    """The choice of two variants, and the comparison that the address names."""
    st.header("Compare", anchor=False)
    names = [each.variant.name for each in found if each.status in ("live", "ready", "behind")]
    if len(names) < 2:
        st.info("Two variants are compared over the same questions. Make one above first, and build it.")
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        left = st.selectbox("Variant", names, index=len(names) - 1, key="left", width=180)
        right = st.selectbox("With", names, key="right", width=180)
        titles = {"": "Last questions, of runs too"} | suite_titles()
        source = st.selectbox("Over", list(titles), key="source", format_func=titles.__getitem__, width=230)
        recent = st.number_input("How many", 1, 1000, 50, key="recent", width=110, disabled=bool(source))
        same = left == right
        draw_button(
            "Compare", actions.compare, left, right, source, int(recent), icon="compare", disabled=same
        )
    job = JobId(state.from_address("comparison"))
    if job:
        _draw_job(job)


def _draw_job(id: JobId) -> None:
    try:
        job = services.session().jobs.get(id)
    except NotFoundError:
        return
    if not job.state.is_ended:
        follow(job.id, draw_progress)
        return
    report = services.session().experiments.comparison(id)
    if report is None:
        st.error(plain(job.error or "It was stopped, or forgotten."), icon=":material/error:")
    else:
        _draw_report(report)


def _draw_report(report: VariantComparison) -> None:
    st.markdown(
        f"**{report.overlap_at_10:.0%}** of the text of the first ten passages is the same over "
        f"**{report.questions:,}** questions; the first one is the same in **{report.same_first:.0%}**. "
        f":small[{_DEFINED}]"
    )
    st.table([_figures(each) for each in (report.left, report.right)], border="horizontal", width="content")
    if not (report.left.known or report.right.known):
        st.markdown(
            ":small[Precision, recall and rank need questions whose right documents are known: "
            "choose a suite to compare over.]"
        )
    differing = [each for each in report.differences if each.overlap < 1 or each.moved]
    if not differing:
        st.info("Both found the same passages in the same order for every question.")
        return
    opened = state.from_address("question")
    _draw_questions(differing, report, opened)
    if opened.isdecimal() and int(opened) < len(differing):
        _draw_question(differing[int(opened)], report)


def _draw_questions(differing: Sequence[QuestionDifference], report: VariantComparison, opened: str) -> None:
    rows = [
        row(
            str(number),
            {
                "question": each.question,
                "overlap": f"{each.overlap:.0%}",
                "moved": f"{each.moved:.1f}",
                "left": _rank(each.left_rank, each),
                "right": _rank(each.right_rank, each),
            },
        )
        for number, each in enumerate(differing)
    ]
    columns = [
        column("question", "Question", 360, kind="words"),
        column("overlap", "Same text", 110, right=True),
        column("moved", "Ranks moved", 120, right=True),
        column("left", f"Right one, {report.left.variant}", 150, right=True),
        column("right", f"Right one, {report.right.variant}", 150, right=True),
    ]
    draw_table(
        "differences-table",
        "differences",
        "Questions that differ, most first",
        columns,
        rows,
        opened=opened,
        most=_HEIGHT,
        only_filled=True,
        file="differences",
        open=lambda sent: actions.open_question(str(sent["id"])),
    )


def _draw_question(each: QuestionDifference, report: VariantComparison) -> None:
    st.subheader(plain(each.question), anchor=False)
    sides = ((report.left, each.left), (report.right, each.right))
    for place, (side, hits) in zip(st.columns(2), sides, strict=True):
        with place:
            st.markdown(f"**{plain(side.variant)}**")
            lines = [f"{number}. {_hit(hit, hits, each)}" for number, hit in enumerate(hits, start=1)]
            st.markdown("\n".join(lines) or "Nothing was found.")


def _hit(hit: str, hits: tuple[str, ...], each: QuestionDifference) -> str:
    other = each.right if hits is each.left else each.left
    return plain(hit) if hit in other else f"**{plain(hit)}** :small[(here alone)]"


def _figures(side: SideFigures) -> dict[str, str]:
    ranked = {
        "Precision at 10": side.precision_at_10,
        "Recall at 10": side.recall_at_10,
        "Mean reciprocal rank": side.mrr,
    }
    known = {"Questions with known documents": f"{side.known:,}"} if side.known else {}
    return {
        "Variant": plain(side.variant),
        **known,
        **{name: f"{value:.3f}" for name, value in ranked.items() if value is not None},
        "Text of ten passages": f"{side.characters:,} characters",
        "Median time": f"{side.median_ms:,.0f} ms",
    }


def _rank(rank: int | None, each: QuestionDifference) -> str:
    if not each.gold:
        return ""
    return f"{rank}" if rank else "not in ten"
