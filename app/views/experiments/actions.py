"""Actions of the page Experiments: variants made, built, compared, switched to, rolled back, removed."""

from __future__ import annotations

import streamlit as st

from app import services, state
from app.components.shell import guarded, plain
from core.domain.experiments.variant import VariantState
from core.domain.ids import JobId
from core.errors import UsageError


def open_variant(name: str) -> None:
    """Show a variant."""
    state.to_address(variant=name)


def open_question(number: str) -> None:
    """Show what both sides found for a question."""
    state.to_address(question=number)


@guarded
def make(name: str, settings: dict[str, str]) -> None:
    """Make a variant and begin to build it."""
    if not name:
        raise UsageError("The variant has no name.", next_step="Write one into the first box of the form.")
    experiments = services.session().experiments
    experiments.add(name, settings)
    _told(experiments.build(name), f"The variant {name} is being built; questions go on as they are.")
    state.to_address(variant=name)
    for key in ("name", *settings):
        state.forget_widget(f"variant-{key}")


@guarded
def build(name: str) -> None:
    """Build a variant further."""
    _told(services.session().experiments.build(name), f"The variant {name} is being built.")


@guarded
def evaluate(name: str, suite: str, with_model: bool) -> None:
    """Begin a run of a suite by a variant, and one by what answers."""
    experiments = services.session().experiments
    live = next(each.variant.name for each in experiments.list() if each.status == "live")
    for each in (live, name):
        experiments.evaluate(each, suite, with_model=with_model)
    state.flash(f"The suite {suite} runs on {live} and on {name}: see the page Evaluate.")


@guarded
def compare(left: str, right: str, source: str, recent: int) -> None:
    """Begin a comparison, and show it."""
    session = services.session()
    cases = session.evaluations.cases(source) if source else ()
    job = session.experiments.compare(left, right, cases=cases, recent=0 if cases else recent)
    state.to_address(comparison=job, question=None)


@st.dialog("Switch")
def confirm_switch(to: VariantState, live: VariantState, *, is_back: bool = False) -> None:
    """What a switch does, and its one confirmation. is_back: it undoes the last one."""
    encoder = f"Questions are encoded by {plain(to.encoder)} then. " if to.encoder != live.encoder else ""
    st.markdown(
        f"**{plain(to.variant.name)}** answers from the next question on, in every window and program. "
        f"{encoder}Questions that run end as they began. "
        f"**{plain(live.variant.name)}** stays beside it, and takes new documents too: switch at any time."
    )
    if to.missing or to.uncut:
        st.markdown("It lacks passages or vectors of new documents: they are made first, as a job.")
    if st.button("Switch", type="primary", key="confirm-switch"):
        _switch(to.variant.name, is_back=is_back)
        st.rerun()


@st.dialog("Remove variant")
def confirm_removal(of: VariantState) -> None:
    """What goes with a variant, and the confirmation."""
    st.markdown(
        f"**{plain(of.variant.name)}** goes, with its vectors and its index where no other one uses them. "
        "Documents stay as they are; building it again takes as long as the first time."
    )
    if st.button("Remove", type="primary", key="confirm-removal"):
        _remove(of.variant.name)
        st.rerun()


@guarded
def _switch(name: str, *, is_back: bool) -> None:
    experiments = services.session().experiments
    job = experiments.rollback() if is_back else experiments.switch(name)
    if job is None:
        state.flash(f"{name} answers from the next question on.")
    else:
        _told(job, f"{name} is brought up to the documents, and answers then.")


@guarded
def _remove(name: str) -> None:
    services.session().experiments.remove(name)
    state.flash(f"The variant {name} is gone.")
    state.to_address(variant=None)


def _told(job: JobId, message: str) -> None:
    state.flash(message, job)
