"""What Ask shows before the first question: questions that work, or how to get documents in."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from app import links
from app.components.wording import counted


def draw_welcome(
    documents: int, starters: Sequence[str], ask: Callable[[str], None], load_sample: Callable[[], None]
) -> None:
    """Starters where there are documents; else the two ways to begin."""
    st.space("large")
    if not documents:
        st.title("Nothing to ask about yet")
        st.markdown(
            "Add your own documents, or load the sample collection: contracts, invoices, datasheets, "
            "certificates and manuals that show what answers look like."
        )
        with st.container(horizontal=True):
            st.button(
                "Load the sample collection",
                type="primary",
                icon=":material/inventory_2:",
                on_click=load_sample,
                key="load-sample",
            )
            st.page_link(links.page("ingest"), label="Add documents", icon=":material/upload_file:")
        return
    st.title("Ask your documents")
    st.markdown(
        f"Every claim opens on the page it stands on. {counted(documents, 'document')} "
        f"{'is' if documents == 1 else 'are'} ready."
    )
    if starters:
        with st.container(key="starters", gap="small"):
            for number, starter in enumerate(starters[:6]):
                st.button(
                    starter,
                    key=f"starter-{number}",
                    on_click=ask,
                    args=(starter,),
                    icon=":material/north_east:",
                    type="secondary",
                )
