"""Thresholds of a clause's presence: those of a bucket, their costs, and models trained in this home."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import streamlit as st

from app import services
from app.components.controls import draw_button, draw_page_link
from app.components.shell import plain
from app.presenting.field_quality import reliability, training
from app.presenting.wording import counted, date
from app.views.schemas import actions
from app.views.schemas.promise_panel import draw_promise
from core.config.fields import Schema
from core.domain.facts import FieldThresholds, ThresholdCost
from core.domain.trust.permission import Action


def draw_decisions(schema: Schema) -> None:
    """Draw them for one bucket that is read by this schema, and one of its fields."""
    session = services.session()
    found = [
        bucket.name
        for bucket in session.documents.buckets()
        if session.schemas.of_bucket(bucket.name).name == schema.name
    ]
    if not found:
        st.info("No bucket holds documents of this kind yet.")
        draw_page_link("ingest", "Add documents", "upload_file")
        return
    bucket = st.selectbox("Bucket", found, key="lines-bucket", width=260)
    lines = {each.field: each for each in session.thresholds.list(bucket)}
    if not lines:
        st.info(
            "The fields of this schema are found by rules, patterns and tables: nothing is to be set here. "
            "Clauses of contracts are decided by probabilities."
        )
        return
    draw_promise(bucket)
    titles = {field.name: field.title for field in schema.fields}
    names = [name for name in titles if name in lines]
    field = st.selectbox(
        "Clause", names, key="lines-field", width=420, format_func=lambda name: titles.get(name, name)
    )
    with st.container(width=820):
        move = partial(actions.move_lines, bucket) if services.may(Action.CONFIGURE) else None
        draw_lines(lines[field], titles[field], move)
        if services.may(Action.REVIEW):
            draw_costs(session.thresholds.costs(bucket, field), titles[field])
        draw_reliability(reliability(), training())
        if services.may(Action.CONFIGURE):
            _draw_models()


def _draw_models() -> None:
    models = services.session().thresholds.models()
    active = next((model for model in models if model.is_active), None)
    st.markdown("**Model of the clauses**")
    st.markdown(f"In use: trained here on {date(active.created_at)}" if active else "In use: as shipped")
    with st.container(horizontal=True):
        draw_button(
            "Train on the verdicts of this home",
            actions.retrain,
            key="retrain",
            help="A job; it is switched in only where it is not worse on verdicts that were held back.",
        )
        if active:
            draw_button("Back to the shipped model", actions.use_model, None, key="shipped")
    for model in models:
        with st.container(horizontal=True, vertical_alignment="center"):
            figures = ", ".join(f"{name}: {value}" for name, value in model.figures.items())
            st.markdown(plain(f"{date(model.created_at)} · {figures}"[:300]), width="content")
            if not model.is_active:
                draw_button("Use", actions.use_model, model.id, key=f"use-{model.id}", type="tertiary")


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
