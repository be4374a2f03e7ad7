"""The list of conversations in the sidebar, with its two dialogs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import streamlit as st

from app import state
from app.components.controls import draw_button
from app.components.shell import guarded, moment, plain
from app.panels.secrets import share_conversation
from app.presenting.wording import counted
from app.views.ask import actions
from core.domain.conversation import Conversation
from core.domain.ids import ConversationId

SHOWN = 30


def draw_conversations(found: Sequence[Conversation], current: ConversationId | None) -> None:
    """Newest first; the open one carries the menu; those of one title show when they were used."""
    draw_button("New conversation", state.open_conversation, None, icon="add", width="stretch", key="new")
    if not found:
        return
    everything = state.widget("all-conversations", False)
    with st.container(key="conversations"):
        shown = found if everything else found[:SHOWN]
        titles = Counter(conversation.title for conversation in shown)
        for conversation in shown:
            when = moment(conversation.updated_at) if titles[conversation.title] > 1 else ""
            _draw_row(conversation, conversation.id == current, when)
    if len(found) > SHOWN:
        st.toggle(f"All {len(found):,} conversations", key="all-conversations")


def _draw_row(conversation: Conversation, is_open: bool, when: str) -> None:
    if not is_open:
        _draw_title(conversation, when)
        return
    with st.container(
        horizontal=True, vertical_alignment="center", wrap=False, key=f"chosen-{conversation.id}"
    ):
        _draw_title(conversation, when)
        chosen = st.menu_button(
            "Rename, share or delete",
            ["Rename", "Share", "Delete"],
            type="tertiary",
            key=f"menu-{conversation.id}",
        )
    if chosen == "Rename":
        _rename(conversation)
    elif chosen == "Share":
        guarded(share_conversation)(conversation.id)
    elif chosen == "Delete":
        _delete(conversation)


def _draw_title(conversation: Conversation, when: str) -> None:
    title = plain(conversation.title or "Untitled")
    draw_button(
        f":gray[{when}] {title}" if when else title,
        state.open_conversation,
        conversation.id,
        key=f"open-{conversation.id}",
        type="tertiary",
        width="stretch",
    )


@st.dialog("Rename conversation")
def _rename(conversation: Conversation) -> None:
    with st.form("rename", border=False):
        title = st.text_input("Title", conversation.title, max_chars=120)
        if st.form_submit_button("Save", type="primary") and title.strip():
            actions.rename(conversation.id, title.strip())
            st.rerun()


@st.dialog("Delete conversation")
def _delete(conversation: Conversation) -> None:
    st.text(conversation.title or "Untitled")
    st.markdown(f"{counted(conversation.turns, 'question')} and their answers go for good. Documents stay.")
    with st.container(horizontal=True):
        if st.button("Delete", type="primary"):
            actions.delete(conversation.id)
            st.rerun()
        if st.button("Keep"):
            st.rerun()
