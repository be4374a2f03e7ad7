"""Schemas: which fields documents are asked for, how each is found, and how sure is sure enough."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from app import services, state
from app.components.controls import draw_button, draw_switch
from app.components.evidence import draw_widths
from app.components.shell import plain
from app.panels.extraction_jobs import draw_filling
from app.presenting.wording import counted
from app.views.schemas import actions
from app.views.schemas.field_panel import draw_field, draw_new, main_bucket
from app.views.schemas.fields import draw_fields, draw_removed
from app.views.schemas.many_panel import draw_many
from app.views.schemas.thresholds_panel import draw_decisions
from core.config.fields import Schema
from core.domain.facts import FieldQuality
from core.domain.trust.permission import Action

FIELDS, DECISIONS = "Fields", "When it is sure"


def page() -> None:
    """Draw the page."""
    session = services.session()
    st.title("Schemas", anchor=False)
    with st.container(horizontal=True, vertical_alignment="center"):
        schema = _choose(session.schemas.list())
        part = draw_switch("Part", [FIELDS, DECISIONS], "part", FIELDS)
        st.markdown(f"[Download as TOML](/api/schemas/{schema.name}.toml)", width="content")
    _draw_about(schema)
    draw_filling()
    if part == DECISIONS:
        draw_decisions(schema)
        return
    asked = state.from_address("field")
    opened = schema.field(asked)
    is_new = asked == actions.NEW and services.may(Action.CONFIGURE)
    draw_widths("wide" if is_new else "half" if opened else "closed")
    with st.container(key="zones"):
        left, right = st.columns([1, 1], gap="medium")
    with left:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"**{counted(len(schema.fields), 'field')}**", width="content")
            if services.may(Action.CONFIGURE):
                draw_button("Add a field", actions.pick, actions.NEW, icon="add", key="add")
                draw_many(schema)
        draw_fields(schema.fields, asked, actions.pick, _qualities(schema))
        removed = session.schemas.removed_fields(schema.name)
        draw_removed(
            removed,
            (lambda name: actions.restore(schema.name, name)) if services.may(Action.CONFIGURE) else None,
            state.removed() in {each.name for each in removed},
        )
    with right, st.container(key="document-panel"):
        if is_new:
            draw_new(schema)
        elif opened:
            draw_field(schema, opened)


def _qualities(schema: Schema) -> dict[str, FieldQuality]:
    """Quality of the fields in the largest bucket of the schema; {} where nothing is to be said."""
    bucket = main_bucket(schema)
    if not bucket or not services.may(Action.REVIEW):
        return {}
    names = [field.name for field in schema.fields]
    return services.session().thresholds.qualities(bucket, names)


def _choose(schemas: Sequence[Schema]) -> Schema:
    named = {schema.name: schema for schema in schemas}
    chosen = st.selectbox(
        "Schema",
        list(named),
        key="schema",
        bind="query-params",
        persist_state="session",
        width=260,
        format_func=lambda name: named[name].title,
        label_visibility="collapsed",
        on_change=lambda: actions.pick(None),
    )
    return named[chosen]


def _draw_about(schema: Schema) -> None:
    where = ", ".join(schema.buckets)
    buckets = f" Documents of these buckets are always read by it: {where}." if where else ""
    st.markdown(f":small[{plain(schema.description + buckets)}]")
