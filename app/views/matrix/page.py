"""Matrix: what every document of a bucket states, field by field, and where; decided cell by cell."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from app import services, state
from app.column_sets import ColumnSets
from app.components.controls import draw_button, draw_page_link, draw_switch
from app.components.shell import draw_said, guarded
from app.panels.jobs import draw_filling, rerun_on_change
from app.panels.model_cells import draw_model_button, draw_model_reading
from app.presenting.column_groups import filled_first
from app.presenting.field_quality import figures_of
from app.views.matrix.contradictions import CELLS, CONTRADICTIONS, draw_contradictions
from app.views.matrix.grid import MatrixSetting, MatrixView, asked, draw_matrix, remember
from app.views.matrix.scope import choose_bucket, choose_schema, draw_unread, of_schema
from core.config.fields import Schema
from core.domain.matrix import MatrixColumn
from core.domain.trust.permission import Action
from core.store.base import BucketSummary


def page() -> None:
    """Draw the page."""
    session = services.session()
    st.title("Matrix", anchor=False)
    buckets = session.documents.buckets()
    if not buckets:
        st.info("There are no documents yet.")
        draw_page_link("ingest", "Add documents", "upload_file")
        return
    with st.container(horizontal=True, vertical_alignment="center", key="matrix-bar"):
        bucket = choose_bucket(buckets)
        part = draw_switch("Part of the page", (CELLS, CONTRADICTIONS), "part-of-matrix", CELLS)
        columns = session.matrix.columns(bucket.name, None)
        if part == CELLS:
            schemas = {each.name: each for each in session.schemas.list()}
            kinds, unread = session.matrix.kinds(bucket.name), session.matrix.of_unknown_kind(bucket.name)
            schema = choose_schema(columns, schemas, kinds, has_others=bool(unread))
            if services.may(Action.INGEST):
                draw_button(
                    "Read fields",
                    _read,
                    bucket.name,
                    icon="sync",
                    key="read-fields",
                    help="Reads the fields of documents that lack some, as a job. Verdicts stay as they are.",
                )
            offer = draw_model_button(bucket.name, of_schema(columns, schema))
    draw_filling()
    if part == CONTRADICTIONS:
        draw_contradictions(bucket.name, columns)
        return
    draw_model_reading(bucket.name, offer)
    if schema:
        draw_unread(bucket.name, unread)
    columns = of_schema(columns, schema)
    counts = session.matrix.counts(bucket.name, [each.name for each in columns])
    _grid(bucket, schema, filled_first(columns, counts), schemas)
    rerun_on_change(is_awaited=offer.reads_new)


@st.fragment(key="matrix-fragment")
def _grid(
    bucket: BucketSummary, schema: str, columns: Sequence[MatrixColumn], schemas: dict[str, Schema]
) -> None:
    draw_said()
    definitions = {
        field.name: field
        for column in columns
        for name in column.schemas[:1]
        if (field := schemas[name].field(column.name)) is not None
    }
    setting = MatrixSetting(
        bucket=bucket.name,
        schema=schema,
        documents=services.session().documents.count(bucket=bucket.name, once=True),
        columns=columns,
        definitions=definitions,
        figures=figures_of(definitions.values()),
        may_review=services.may(Action.REVIEW),
        changed=services.bench().data_version(),
    )
    sets = ColumnSets(services.bench().settings.home, services.current_principal())
    hidden = sets.hidden(bucket.name, schema)
    drawn = asked(hidden)

    def keep(view: MatrixView) -> None:
        if view.hidden != drawn.hidden:  # a link that somebody sent is looked at, not chosen
            sets.hide(bucket.name, schema, list(view.hidden))
        remember(view, chosen=hidden is not None or bool(view.hidden))

    draw_matrix(setting, drawn, keep)


@guarded
def _read(bucket: str) -> None:
    job = services.session().schemas.submit_extract(bucket)
    state.flash("The fields are being read.", job)
