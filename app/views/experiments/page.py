"""Experiments: another encoder or other settings beside those that answer, compared and switched to."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from app import links, services, state
from app.components.controls import draw_button, draw_page_link
from app.components.shell import draw_said, plain
from app.components.table import column, draw_table, row
from app.panels.jobs import draw_progress, follow
from app.panels.lags import draw_lags
from app.presenting.wording import counted
from app.views.experiments import actions, comparison
from core.config.variants import PROMPTS, TITLES, VARIABLE, prompt_texts
from core.domain.experiments.variant import ENCODER, HOME, PROFILE, VariantState

STATUS = {
    "live": ("●", "answers"),
    "ready": ("○", "ready"),
    "behind": ("▲", "behind"),
    "waiting": ("–", "not built"),
    "building": ("…", "being built"),
    "failed": ("✕", "failed"),
}
_EXAMPLES = {ENCODER: "a folder, or a name on this machine"}
_PROFILES = {
    "": "As in this home",
    "standard": "standard: 200 to 500 tokens a passage",
    "long": "long: about 1,000 words a passage",
}
_LOOKS = {"live": "ready", "ready": "idle", "behind": "gaps", "failed": "failed"}


def page() -> None:
    """Draw the page."""
    st.title("Experiments", anchor=False)
    draw_said()
    found = services.session().experiments.list()
    live = next(each for each in found if each.status == "live")
    _draw_live(live, found)
    _draw_variants(found)
    opened = next((each for each in found if each.variant.name == state.from_address("variant")), None)
    if opened is not None:
        _draw_variant(opened, live)
    _draw_form(len(found))
    comparison.draw(found)


def _draw_live(live: VariantState, found: Sequence[VariantState]) -> None:
    before = next((each for each in found if each.is_before), None)
    if live.passages:
        by = f", encoded by {plain(live.encoder)}" if live.encoder else ""
        said = f"{counted(live.passages, 'passage')}{by}."
    else:
        said = (
            "no text yet. Experiments measure the search of texts: they need documents. "
            "Datasets are asked by SQL, whichever variant answers."
        )
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"**{plain(live.variant.name)}** answers now: {said}", width="content")
        if not live.passages:
            draw_page_link("ingest", "Add documents", "upload_file")
        if before is not None:
            label = f"Roll back to {before.variant.name}"
            if st.button(label, icon=":material/undo:", key="rollback"):
                actions.confirm_switch(before, live, is_back=True)
    draw_lags(services.session().experiments.staleness(), at="experiments")


def _draw_variants(found: Sequence[VariantState]) -> None:
    rows = [
        row(
            each.variant.name,
            {
                "name": each.variant.name,
                "status": " ".join(STATUS[each.status]),
                "encoder": each.encoder,
                "passages": f"{each.passages - each.missing:,} of {each.passages:,}",
                "uncut": f"{each.uncut:,}" if each.uncut else "",
                "settings": changes_of(each),
                "lags": " ".join(lag.text for lag in each.lags),
            },
            _LOOKS.get(each.status, "idle"),
            hover={"encoder": f"{each.encoder}: {each.dimension:,} numbers a vector"} if each.encoder else {},
        )
        for each in found
    ]
    columns = [
        column("name", "Variant", 150),
        column("status", "Status", 136, kind="state"),
        column("encoder", "Encoder", 170, least=110),
        column("passages", "Passages", 110, right=True),
        column("uncut", "Documents to cut", 140, right=True),
        column("settings", "What differs", 240, kind="words"),
        column("lags", "Lags behind", 240, kind="words"),
    ]
    draw_table(
        "variants-table",
        "variants",
        "Variants of this home",
        columns,
        rows,
        opened=state.from_address("variant"),
        only_filled=True,
        file="variants",
        open=lambda sent: actions.open_variant(str(sent["id"])),
    )


def _draw_variant(opened: VariantState, live: VariantState) -> None:
    st.subheader(plain(opened.variant.name), anchor=False)
    if opened is not live:  # whose lags stand above
        draw_lags(opened.lags, at="experiments")
    job = opened.job
    if job is not None and not job.state.is_ended:
        follow(job.id, draw_progress)
    elif job is not None and job.error:
        st.error(plain(job.error), icon=":material/error:")
    if opened is live:
        if opened.variant.id != HOME:
            st.markdown(":small[It answers now. Switch to another one before it can be removed.]")
        else:
            st.markdown(":small[The settings of this home as they are: others are compared with it.]")
        return
    own = prompt_texts(opened.variant.settings)
    if own:
        with st.expander("Its prompts", icon=":material/chat:"):
            for name, text in own.items():
                st.markdown(f"**{name}**")
                st.code(text, language=None, wrap_lines=True)
    if opened.status in ("ready", "behind"):
        _draw_evaluation(opened.variant.name)
    is_busy = opened.status == "building"
    with st.container(horizontal=True):
        name = opened.variant.name
        if opened.missing or opened.uncut or opened.status in ("waiting", "failed"):
            label = "Build" if opened.status == "waiting" else "Build further"
            draw_button(label, actions.build, name, icon="build", disabled=is_busy, key="build")
        can_serve = opened.status in ("ready", "behind")
        if can_serve and st.button("Switch to it", icon=":material/swap_horiz:", key="switch"):
            actions.confirm_switch(opened, live)
        if opened.variant.id != HOME and st.button("Remove", icon=":material/delete:", key="remove"):
            actions.confirm_removal(opened)


def _draw_evaluation(name: str) -> None:
    """A suite asked of the variant and of what answers: what is written differs there, not in a search."""
    session = services.session()
    suites = comparison.suite_titles()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        suite = st.selectbox("Suite", list(suites), key="suite", format_func=suites.__getitem__, width=230)
        with_model = (
            st.checkbox("With the model", key="with-model") if session.experiments.prompts() else False
        )
        draw_button("Run it on both", actions.evaluate, name, suite, with_model, icon="speed", key="evaluate")
        st.page_link(links.page("evaluate"), label="Runs, compared case by case")


def _draw_form(known: int) -> None:
    """The form; known: how many variants there are, with each of which it begins anew, folded."""
    prompts = services.session().experiments.prompts()
    with (
        st.expander("New variant", icon=":material/add:", key=f"new-variant-{known}"),
        st.form("new-variant", border=False),
    ):
        st.markdown(":small[Fill in what differs from the settings of this home; the rest stays as it is.]")
        name = st.text_input("Name", max_chars=60, key="variant-name")
        known_here = [key for key in VARIABLE if prompts or not key.startswith("llm.")]
        left, right = st.columns(2)
        given = {}
        for at, key in enumerate(known_here):
            with right if at % 2 else left:
                given[key] = _draw_setting(key, f"{VARIABLE[key]} ({key})")
        if not prompts:
            st.markdown(":small[Models and prompts can differ once a language model is chosen in Settings.]")
        for key, text in prompts.items():
            edited = st.text_area(f"{PROMPTS[key]} ({key})", text, key=f"variant-{key}", height=150)
            given[key] = edited if edited.strip() != text.strip() else ""
        if st.form_submit_button("Make and build", icon=":material/science:"):
            actions.make((name or "").strip(), {key: value for key, value in given.items() if value})
            st.rerun()


def _draw_setting(key: str, label: str) -> str | None:
    if key == PROFILE:
        return st.selectbox(label, list(_PROFILES), key=f"variant-{key}", format_func=_PROFILES.__getitem__)
    section, _, name = key.partition(".")
    now = "" if section == "llm" else getattr(getattr(services.bench().settings, section), name)
    now = "on" if now is True else "off" if now is False else now
    return st.text_input(
        label, key=f"variant-{key}", placeholder=_EXAMPLES.get(key, f"now: {now}" if now != "" else "")
    )


def changes_of(state: VariantState) -> str:
    """The settings in which a variant differs, in words."""
    own = state.variant.settings
    return "; ".join(TITLES[key] if key in PROMPTS else f"{TITLES[key]}: {own[key]}" for key in own)
