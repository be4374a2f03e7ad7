"""Schemas: which fields documents are asked for, how each is found, and how sure is sure enough."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from app import services, state
from app.components.controls import draw_button, draw_switch
from app.components.shell import draw_error, plain
from app.panels.evidence import draw_widths
from app.panels.jobs import draw_filling
from app.presenting.field_wording import TYPE
from app.presenting.wording import counted
from app.views.schemas import actions
from app.views.schemas.field_panel import draw_field, draw_new, main_bucket
from app.views.schemas.fields import draw_fields, draw_removed
from app.views.schemas.thresholds_panel import draw_decisions
from core.answer.computed.wording import kind_plural
from core.config.field_words import lines_of
from core.config.fields import Schema
from core.domain.facts import FieldQuality
from core.domain.trust.permission import Action
from core.errors import GroundworkError

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
    _draw_counts(schema)
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


def _draw_counts(schema: Schema) -> None:
    """The kinds that the words for its documents mean; whoever may change schemas chooses them."""
    if not schema.kinds:
        return
    chosen = [each for each in schema.counts if each in schema.kinds]
    named = ", ".join(plain(kind_plural(each)) for each in chosen) or "documents of every kind"
    text = f"“{plain(schema.title)}” in a question counts: **{named}**"
    with st.container(horizontal=True, vertical_alignment="center", key="counts"):
        st.markdown(f":small[{text}]", width="content")
        if not services.may(Action.CONFIGURE):
            return
        with st.popover("Change", icon=":material/tune:", width="content"):
            key = f"counts-{schema.name}"
            kinds = st.multiselect(
                "Kinds that count where a question names none",
                schema.kinds,
                default=chosen,
                key=key,
                format_func=kind_plural,
                placeholder="Every kind",
            )
            draw_button("Save", actions.count_kinds, schema.name, kinds, type="primary", key=f"save-{key}")


def draw_many(schema: Schema) -> None:
    """Lines "name: what it is", what they are read as, their cost, and the button that adds them."""
    with st.popover("Add several", icon=":material/playlist_add:", width="content"):
        text = st.text_area(
            "A field a line: its name, a colon, and what it is",
            key=f"many-{schema.name}",
            height=180,
            placeholder="Warranty period: how long the seller warrants the goods\nDuty to insure: ...",
        )
        if not text.strip():
            st.markdown(":small[A table with two columns can be pasted, too.]")
            return
        service = services.session().word_fields
        try:
            fields = service.read_lines(schema.name, lines_of(text))
        except GroundworkError as error:
            draw_error(error)
            return
        cost = service.cost(schema.name, len(fields))
        minutes = max(1, round(cost.seconds / 60))
        st.markdown(
            f"**{cost.fields:,} fields** in {cost.documents:,} documents are {cost.cells:,} cells: about "
            f"{minutes:,} minute{'' if minutes == 1 else 's'} of one core, in one job that can be cancelled."
        )
        st.markdown(
            "\n".join(f":small[{each.title} · {TYPE[each.type].lower()}]  " for each in fields[:12])
            + (f"  \n:small[and {len(fields) - 12:,} more]" if len(fields) > 12 else "")
        )
        draw_button(
            f"Add {cost.fields:,} fields",
            actions.add_many,
            schema.name,
            text,
            type="primary",
            key="add-many",
        )
