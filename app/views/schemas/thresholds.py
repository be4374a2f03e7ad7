"""Thresholds of a bucket for a clause, and the cost of each choice on reviewed cells."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from app.components.controls import draw_button
from app.components.shell import plain
from app.presenting.wording import counted, date
from core.domain.facts import FieldThresholds, ThresholdCost

ENOUGH = 20
"""Reviewed cells from which on shares of them say something."""

Move = Callable[[str, float | None, float | None], None]


def draw_lines(found: FieldThresholds, title: str, move: Move | None) -> None:
    """The two lines of one field; `move` is None for who may not."""
    who = "as shipped"
    if not found.is_default:
        who = f"moved by {plain(found.set_by)}" + (f" on {date(found.set_at)}" if found.set_at else "")
    st.markdown(
        f"**{plain(title)}**: absent below {_share(found.absent_below)}, present {_from(found)} ({who})"
    )
    if move is None:
        return
    low, high = st.slider(
        "Absent below, present from (probability in %)",
        0.0,
        100.0,
        (_percent(found.absent_below), _percent(found.present_from)),
        step=0.5,
        key=f"lines-{found.field}",
        format="%.1f %%",
    )
    with st.container(horizontal=True):
        draw_button(
            "Move the lines",
            move,
            found.field,
            low / 100,
            high / 100,
            type="primary",
            key="move-lines",
            disabled=(low, high) == (_percent(found.absent_below), _percent(found.present_from)),
            help="Cells of this field are decided anew, as a job; verdicts stay.",
        )
        if not found.is_default:
            draw_button("Back to the shipped ones", move, found.field, None, None, key="reset-lines")


def _percent(probability: float) -> float:
    return min(100.0, round(probability * 100, 1))


def _from(found: FieldThresholds) -> str:
    return f"from {_share(found.present_from)} on" if found.present_from <= 1 else "never without a person"


def draw_costs(costs: Sequence[ThresholdCost], title: str) -> None:
    """The table: a row a pair of lines."""
    reviewed = costs[0].reviewed if costs else 0
    st.markdown(
        f"**What each choice would have cost** on {counted(reviewed, 'reviewed cell')} of {plain(title)}"
    )
    if reviewed < ENOUGH:
        st.info(
            f"The table shows once {ENOUGH} cells of this are reviewed here; {ENOUGH - reviewed:,} more are "
            "needed. Decide some in the work list of the matrix."
        )
        return
    lines = [
        f"| {_share(each.absent_below)} | {_share(each.present_from)} | {_share(each.uncertain)} | "
        f"{_or_none(each.present_right)} | {_or_none(each.absent_right)} | {_or_none(each.missed)} |"
        for each in costs
    ]
    head = "| Absent below | Present from | To people | Present right | Absent right | Real, called absent |"
    st.markdown(f"{head}\n|---:|---:|---:|---:|---:|---:|\n" + "\n".join(lines))
    if reviewed < 50:
        st.markdown(":small[These are few cells: treat the shares as hints.]")


def draw_reliability(rows: Sequence[tuple[float, float, int]], trained: str) -> None:
    """Reliability of the shipped probabilities on contracts that they were not trained on."""
    if not rows:
        return
    with st.expander("How well the shipped probabilities hold"):
        st.markdown(f":small[{plain(trained)}]")
        lines = [f"| {said:.1%} | {true:.1%} | {count:,} |" for said, true, count in rows]
        st.markdown("| Said | True | Cells |\n|---:|---:|---:|\n" + "\n".join(lines))


def _share(value: float) -> str:
    return f"{100 * value:.1f} %"


def _or_none(value: float | None) -> str:
    return "none" if value is None else _share(value)
