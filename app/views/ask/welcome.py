"""Ask before the first question: questions that work, or how to get documents in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import streamlit as st

from app.components.controls import draw_button, draw_page_link
from app.presenting.wording import counted


@dataclass(frozen=True, slots=True)
class Loading:
    """Documents that are there, and how many of those that come were read; total 0 while they are counted."""

    documents: int
    done: int
    total: int


def draw_welcome(
    ready: int,
    total: int,
    starters: Sequence[str],
    ask: Callable[[str], None],
    load_sample: Callable[[], None],
    loading: Callable[[], Loading | None],
    *,
    may_ingest: bool,
) -> None:
    """Starters where there are documents; else what is being read, or the ways to begin."""
    st.space("large")
    running = loading()
    if not total and running:
        st.title("Reading the first documents")
        _draw_loading(loading, running)
        return
    if not total:
        if may_ingest:
            _draw_empty(load_sample)
        else:
            st.title("Nothing to ask about yet")
            st.markdown(
                "There are no documents that you may see. Whoever runs this workbench brings documents in, "
                "and opens them to you or to a group of yours."
            )
        return
    st.title("Ask your documents")
    rest = f" {total - ready:,} cannot be read: Documents says why." if total > ready else ""
    st.markdown(
        f"Every claim opens on the page it stands on. {counted(ready, 'document')} "
        f"{'is' if ready == 1 else 'are'} ready.{rest}"
    )
    if running:
        _draw_loading(loading, running)
    if starters:
        with st.container(key="starters", gap="small"):
            for number, starter in enumerate(starters[:6]):
                draw_button(starter, ask, starter, key=f"starter-{number}", icon="north_east")


def _draw_loading(loading: Callable[[], Loading | None], before: Loading) -> None:
    def line() -> None:
        now = loading()
        if now is None or bool(now.documents) != bool(before.documents):
            st.rerun()
        share = min(1.0, now.done / now.total) if now.total else 0.0
        text = f"{now.done:,} of {counted(now.total, 'document')} read" if now.total else "Counting the files"
        st.progress(share, text=f"{text}. You can ask about those that are there.")

    st.fragment(line, run_every=1)()


def _draw_empty(load_sample: Callable[[], None]) -> None:
    st.title("Nothing to ask about yet")
    st.markdown(
        "Add your own documents, or load the sample collection: contracts, invoices, datasheets, "
        "certificates and manuals that show what answers look like."
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        draw_button(
            "Load the sample collection", load_sample, type="primary", icon="inventory_2", key="load-sample"
        )
        draw_page_link("ingest", "Add documents", "upload_file")
