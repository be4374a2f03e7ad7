"""Thresholds of a clause's presence: those of a bucket, their costs, and models trained in this home."""

from __future__ import annotations

from functools import partial

import streamlit as st

from app import services
from app.components.controls import draw_button, draw_page_link
from app.components.shell import plain
from app.presenting.field_quality import reliability, training
from app.presenting.wording import date
from app.views.schemas import actions
from app.views.schemas.promise_panel import draw_promise
from app.views.schemas.thresholds import draw_costs, draw_lines, draw_reliability
from core.config.fields import Schema
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
