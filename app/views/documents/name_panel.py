"""The name of a document: what it was made of, with the words for each part, and another one by hand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from app import state
from app.components.controls import draw_button
from app.components.shell import plain
from core.domain.document import DocumentSummary
from core.domain.fields import Identity, IdentityPart

_SURE_FROM = 0.9
"""From which probability a part is not marked as a best guess."""


@dataclass(frozen=True, slots=True)
class NameActions:
    """Actions on the name of a document. rename: gets the new name, "" for the one that its text says."""

    identity: Callable[[], Identity | None]
    rename: Callable[[str], None]


def draw_name(summary: DocumentSummary, actions: NameActions) -> None:
    """A button that opens the parts of the name, and the field for another one."""
    with st.popover("Name", icon=":material/badge:", type="tertiary", key="name"):
        found = actions.identity()
        if found is None:
            st.caption("What the text says of its kind, parties and date is not read yet.")
        else:
            _draw_parts(found)
        key = f"name-{summary.id}"
        st.text_input("Name", summary.name, key=key, max_chars=200)
        with st.container(horizontal=True):
            draw_button(
                "Rename", lambda: actions.rename(str(state.widget(key))), type="primary", key="rename"
            )
            if found is not None and found.name != summary.name:
                draw_button("As the text says", actions.rename, "", key="rename-back", help=found.name)


def _draw_parts(identity: Identity) -> None:
    parts = [("What it is", identity.kind), *(("With", each) for each in identity.parties)]
    parts.append(("When", identity.day))
    for label, part in parts:
        if part.text:
            st.markdown(f"{label}: **{plain(part.whole or part.text)}**{_sureness(part)}")
            if part.quotes:
                said = part.quotes[0]
                st.caption(f"Page {said.span.page_no}: “{plain(' '.join(said.quote.split())[:160])}”")


def _sureness(part: IdentityPart) -> str:
    return "" if part.confidence >= _SURE_FROM else f" · best guess, {100 * part.confidence:.0f} %"
