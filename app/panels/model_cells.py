"""Uncertain cells read by the language model: the cost first, then the job, then how right it was."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from app import services, state
from app.components.controls import draw_button
from app.components.shell import draw_error, guarded, plain
from app.panels.jobs import draw_progress, follow, resume
from app.presenting.wording import counted
from core.domain.job import Job, JobState
from core.domain.llm.cells import CellReadingEstimate, estimate_said, sample_said, spent_said, tally_said
from core.domain.matrix import MatrixColumn
from core.domain.trust.permission import Action
from core.errors import GroundworkError
from core.workbench.services.model_cells import ModelCellOffer

_ALL = "All fields"
_SAMPLE, _CONTRADICTED = "model", "contradicted"  # as the address of the matrix names their work lists


def draw_model_button(bucket: str, columns: Sequence[MatrixColumn]) -> ModelCellOffer:
    """The button, for who may configure, where a model is; gives what it was drawn from.

    Where the model is gone, what was switched on stays in sight, with the reason, and can be switched off.
    """
    offer = services.session().model_cells.offer(bucket)
    if not services.may(Action.CONFIGURE):
        return offer
    if offer.model:
        is_running = offer.job is not None and not offer.job.state.is_ended
        if st.button(
            "Have uncertain cells read by the model",
            icon=":material/quick_reference_all:",
            key="read-by-model",
            disabled=is_running,
            help="Calls, cost and time are shown first. Verdicts of people stay as they are.",
        ):
            _confirm(bucket, columns)
    if offer.model or offer.reads_new:
        key = f"read-new-{bucket}"
        state.set_widget(key, offer.reads_new)  # also after an error: it shows what holds
        st.toggle(
            "Read new documents with the model",
            key=key,
            on_change=guarded(_switch),
            args=(bucket, not offer.reads_new),
            help="What extraction leaves uncertain is read as soon as extraction is done, within the budgets "
            "in Settings. That goes for documents that are here and uncertain now, too.",
        )
    if offer.reads_new and not offer.model:
        st.caption("No language model is configured, so none is read.", width="content")
    return offer


def draw_model_reading(bucket: str, offer: ModelCellOffer) -> None:
    """The job at work with cancel, what the last one came to, and the sample to check; else nothing."""
    if offer.job is not None and not offer.job.state.is_ended:
        follow(offer.job.id, _draw_reading)
        return
    parts = []
    if offer.job is not None and offer.tally.read:
        parts.append(tally_said(offer.tally, offer.asked))
        if offer.tally.batch_calls:
            parts.append(spent_said(offer.tally))
    if offer.by_model:
        rests = "rests" if offer.by_model == 1 else "rest"
        parts.append(f"◇ {counted(offer.by_model, 'cell')} of {plain(bucket)} {rests} on the model.")
    parts.append(sample_said(offer.sample))
    if offer.contradicted:
        parts.append(
            f"\u2260 {counted(offer.contradicted, 'cell')} the model reads otherwise than extraction."
        )
    if not any(parts):
        return
    with st.container(horizontal=True, vertical_alignment="center", key="model-cells"):
        st.caption(" ".join(part for part in parts if part), width="content")
        if offer.sample.size > offer.sample.checked:
            draw_button(
                "Check the sample",
                state.show_in_matrix,
                icon="rule",
                key="check-sample",
                kwargs={"mode": "work", "of": _SAMPLE, "cell": None, "where": None},
            )
        if offer.contradicted:
            draw_button(
                "Decide contradictions",
                state.show_in_matrix,
                icon="difference",
                key="check-contradictions",
                kwargs={"mode": "work", "of": _CONTRADICTED, "cell": None, "where": None},
            )
        if offer.job is not None and offer.job.state in (JobState.FAILED, JobState.CANCELLED):
            draw_button(
                "Go on with the rest",
                resume,
                offer.job.id,
                icon="play_arrow",
                key="resume-model-cells",
            )
    if offer.job is not None and offer.job.state is JobState.FAILED and offer.job.error:
        st.warning(plain(offer.job.error), icon=":material/error:")


@st.dialog("Have uncertain cells read by the model", width="medium")
def _confirm(bucket: str, columns: Sequence[MatrixColumn]) -> None:
    titles = {each.name: each.title for each in columns}
    chosen = st.selectbox(
        "Cells of",
        ["", *titles],
        format_func=lambda name: titles.get(name, f"{_ALL} of {bucket}"),
        key="model-field",
    )
    fields = [chosen] if chosen else None
    with_decided = st.checkbox(
        "Also cells that extraction decided",
        key="model-decided",
        help="They stay as they are; where the model reads them otherwise, both are shown side by side.",
    )
    try:
        with st.spinner("Counting cells and tokens"):
            estimate = services.session().model_cells.estimate(bucket, fields, with_decided=with_decided)
    except GroundworkError as error:
        draw_error(error)
        return
    st.markdown(plain(estimate_said(estimate)))
    is_something = bool(estimate.cells or estimate.kept)
    if is_something:
        figures = (
            ("Cells", f"{estimate.cells:,}"),
            ("Calls", f"{estimate.calls:,}"),
            ("Tokens", f"{estimate.tokens:,}"),
            ("Cost", "price not known" if estimate.cost_usd is None else f"${estimate.cost_usd:,.4f}"),
        )
        for place, (label, shown) in zip(st.columns(len(figures)), figures, strict=True):
            place.metric(label, shown)
        st.caption(
            f"{counted(estimate.documents, 'document')}{_each(estimate)}. Each is read whole, with all "
            "definitions of fields. A value counts only where words of the document say it; the rest stays "
            "as it is. It runs as a job that can be cancelled, and what was read stays."
        )
    with st.container(horizontal=True):
        label = f"Read {counted(estimate.cells, 'cell')}" if estimate.cells else "Put them back"
        if is_something and draw_button(
            label, guarded(_start), bucket, fields, with_decided, type="primary", key="start-model-cells"
        ):
            st.rerun()
        if st.button("Not now" if is_something else "Close", key="no-model-cells"):
            st.rerun()


def _switch(bucket: str, is_on: bool) -> None:
    cells = services.session().model_cells
    cells.read_new(bucket, is_on)
    if is_on and (waiting := cells.offer(bucket).uncertain):
        each = _each(cells.estimate(bucket))
        state.flash(
            f"New documents are read from now on{each}, and {counted(waiting, 'uncertain cell')} of {bucket}."
        )


def _each(estimate: CellReadingEstimate) -> str:
    """Cost of one document, as part of a sentence; "" where that is not known."""
    if estimate.cost_usd is None or not estimate.documents:
        return ""
    half = " (batch: half price)" if estimate.is_batch else ""
    return f", about ${estimate.cost_usd / estimate.documents:,.4f} a document{half}"


def _start(bucket: str, fields: list[str] | None, with_decided: bool) -> None:
    job = services.session().model_cells.start(bucket, fields, with_decided=with_decided)
    state.flash("The model is reading uncertain cells.", job)


def _draw_reading(job: Job) -> None:
    with st.container(border=True, key="model-cells-job"):
        draw_progress(job)
        service = services.session().model_cells
        tally, asked = service.tally(job.id), service.asked(job.id)
        if tally.read:
            st.caption(
                f"{tally.decided:,} of {tally.read:,} cells decided so far, of {asked:,}; {spent_said(tally)}"
            )
