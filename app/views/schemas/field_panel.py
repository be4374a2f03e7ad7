"""One field beside the table of a schema: its form, a trial on ten documents, save and remove."""

from __future__ import annotations

import streamlit as st

from app import services, state
from app.components.controls import draw_button
from app.components.shell import draw_said, plain
from app.presenting.field_draft import Draft, definition_of, draft_of, said
from app.presenting.field_quality import figures_of, quality_lines
from app.presenting.field_wording import TYPE, definition_lines
from app.presenting.wording import counted
from app.views.schemas import actions
from app.views.schemas.field_form import draw_form
from app.views.schemas.fields import draw_trial
from app.views.schemas.word_panel import draw_learnt, draw_word_trial
from core.config.fields import FieldDefinition, Schema
from core.domain.fields import FieldType
from core.domain.trust.permission import Action
from core.errors import SettingsError


def draw_new(schema: Schema) -> None:
    """The form of a new field."""
    _draw_head("A new field")
    draw_said()
    draft = draw_form(Draft(method="words"), f"new-{schema.name}", _buckets(), is_new=True)
    _draw_trial(schema, draft)
    st.markdown("**4 · Save**")
    st.markdown(":small[A job fills it for the documents that are there; nothing is read or encoded anew.]")
    draw_button("Add the field", actions.save, schema.name, draft, True, type="primary", key="save-field")


def draw_field(schema: Schema, field: FieldDefinition) -> None:
    """An existing field: read by all, changed by who may configure."""
    _draw_head(field.title)
    draw_said()
    for line in figures_of([field]).get(field.name, []):
        st.markdown(f":small[{plain(line)}]")
    _draw_quality(schema, field)
    if not services.may(Action.CONFIGURE):
        st.markdown("  \n".join(f"**{label}**: {plain(said)}" for label, said in definition_lines(field)))
        st.markdown(f"{TYPE[field.type]} · {said(field.extractors)}")
        return
    if draft_of(field).method == "words":
        draw_learnt(schema, field)
    schemas, of = services.session().schemas, (schema.name, field.name)
    draft = draw_form(
        draft_of(field),
        f"field-{schema.name}-{field.name}",
        _buckets(),
        is_new=False,
        proposals=lambda known: schemas.examples(*of, known),
    )
    _draw_trial(schema, draft)
    st.markdown("**4 · Save**")
    _draw_asked_again(schema, field, draft)
    with st.container(horizontal=True):
        given = actions.verdicts_on(schema.name, draft)
        if given and draft == draft_of(field):
            draw_button(
                f"Keep {len(given)} verdicts and learn",
                actions.keep,
                schema.name,
                field.name,
                draft,
                type="primary",
                key="keep-verdicts",
            )
        draw_button(
            "Save the change",
            actions.save,
            schema.name,
            draft,
            False,
            type="primary",
            key="save-field",
            disabled=draft == draft_of(field),
        )
        with st.popover("Remove the field", icon=":material/delete:", type="tertiary"):
            st.markdown(
                f"Remove **{plain(field.title)}** from {plain(schema.title)}? Its column goes. Its "
                "definition, cells and verdicts are kept: “Restore” under “Removed fields” brings them back."
            )
            draw_button(
                "Yes, remove it", actions.remove, schema.name, field.name, key="remove-field", type="primary"
            )


def _draw_asked_again(schema: Schema, field: FieldDefinition, draft: Draft) -> None:
    """Number of cells that the model read by a definition that is, or is to be, another one."""
    is_changed = draft != draft_of(field)
    try:
        definition = definition_of(draft) if is_changed else field
    except SettingsError:
        return  # said when it is saved
    count = services.session().model_cells.of_before(schema.name, definition)
    if not count:
        return
    cells = counted(count, "cell")
    said = f"The model read {cells} by the definition of before. "
    said += "Once this is saved it is asked again: " if is_changed else "It is asked again: "
    st.markdown(
        f":small[{said}by “Have uncertain cells read by the model” in the [matrix](/matrix), or by itself "
        "where new documents are read with the model.]"
    )


def main_bucket(schema: Schema) -> str:
    """The bucket with most documents of those that are read by a schema; "" where none is."""
    session = services.session()
    found = [
        bucket
        for bucket in session.documents.buckets()
        if session.schemas.of_bucket(bucket.name).name == schema.name
    ]
    return max(found, key=lambda bucket: bucket.documents).name if found else ""


def _draw_quality(schema: Schema, field: FieldDefinition) -> None:
    """How much is decided, how right that was, and what more verdicts bring, for who may see verdicts."""
    bucket = main_bucket(schema)
    if not bucket or not services.may(Action.REVIEW):
        return
    thresholds = services.session().thresholds
    quality = thresholds.qualities(bucket, [field.name])[field.name]
    with st.expander(f"How it does in {bucket}", expanded=False):
        lines = quality_lines(quality, thresholds.outlook(bucket, field.name))
        st.markdown("\n".join(f"- {plain(line)}" for line in lines))


def _draw_head(title: str) -> None:
    with st.container(horizontal=True, vertical_alignment="center", wrap=False):
        st.subheader(plain(title), anchor=False)
        st.space("stretch")
        draw_button(
            "Close the field", actions.pick, None, icon="close", type="tertiary", key="close-document"
        )


def _buckets() -> list[str]:
    return [bucket.name for bucket in services.session().documents.buckets()]


def _draw_trial(schema: Schema, draft: Draft) -> None:
    session = services.session()
    st.markdown("**3 · Try it**")
    buckets = _buckets()
    if not buckets:
        st.markdown("There are no documents to try it on yet.")
        return
    own = [name for name in buckets if session.schemas.of_bucket(name).name == schema.name]
    ordered = [*own, *(name for name in buckets if name not in own)]
    if draft.method == "words":
        draw_word_trial(schema, draft, ordered)
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        bucket = st.selectbox("On documents of", ordered, key=f"try-{schema.name}", width=220)
        tried = st.button("Try it on ten documents", key="try-field", icon=":material/science:")
    if tried:
        with st.spinner("Looking into ten documents…"):
            actions.try_out(draft, bucket)
        draw_said()
    trial = state.trial(actions.mark_of(draft, bucket))
    if trial is not None:
        draw_trial(trial, _why_not(draft))


def _why_not(draft: Draft) -> str:
    """Reason for a field of words to be found nowhere though its key stands in the text."""
    if draft.type is not FieldType.TEXT or draft.method != "key_value":
        return ""
    return (
        "A text is found by its key in lines and cells, as in “Total: 90,000”. In a running sentence a key "
        "finds only values that can be told from words: choose money, a date, a length of time or a number."
    )
