"""All that is known of one address of a crawl, with the ways from there."""

from __future__ import annotations

import streamlit as st

from app import links
from app.components.controls import draw_button
from app.components.shell import plain
from app.presenting.crawl_words import CHANGE, REASON, STATE, advice, media_word, short_address
from app.presenting.wording import size
from app.views.crawl import actions
from core.domain.crawl.ledger import UrlRow


def draw_address(row: UrlRow) -> None:
    """State and reason in words, the answer of the site, the document, where it was found and leads."""
    with st.container(border=True, key="crawl-url"):
        st.subheader(plain(row.title or short_address(row.url)), anchor=False)
        word = REASON[row.reason].word
        st.markdown(
            f"**{STATE[row.state].word}**{': ' + word if word else ''}. {advice(row.state, row.reason)}"
            + (f"  \n{plain(row.detail)}" if row.detail else "")
        )
        st.markdown("  \n".join(f"{label}: {value}" for label, value in _facts(row) if value))
        with st.container(horizontal=True, vertical_alignment="center"):
            if row.document:
                st.link_button("Open the document", links.place(row.document), icon=":material/description:")
            for label, url in (("Show found on", row.found_on), ("Show where it leads", row.leads_to)):
                if url:
                    draw_button(label, actions.open_url, url, key=label, type="tertiary")


def _facts(row: UrlRow) -> list[tuple[str, str]]:
    fetched = f"{row.fetched_at:%d %b %Y %H:%M:%S} UTC" if row.fetched_at else ""
    return [
        ("Address", _code(row.url)),
        ("Found on", _code(row.found_on)),
        ("Leads to", _code(row.leads_to)),
        (
            "Answer",
            " · ".join(
                part
                for part in (
                    f"HTTP {row.status}" if row.status else "",
                    media_word(row.media_type),
                    size(row.size_bytes) if row.size_bytes else "",
                    fetched.lstrip("0"),
                )
                if part
            ),
        ),
        ("Depth", f"{row.depth}, seen in run {row.run}"),
        ("Change", f"{CHANGE[row.change].word}. {CHANGE[row.change].sentence}" if row.change else ""),
        ("Content", _code(row.content_hash)),
    ]


def _code(text: str) -> str:
    return f"`{text.replace('`', '%60')}`" if text else ""
