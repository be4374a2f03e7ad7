"""What is shown here and never again: a new password or token, a link that was just made."""

from __future__ import annotations

import streamlit as st

from app import links, services, state
from app.components.controls import draw_button
from app.components.shell import plain
from core.domain.ids import ConversationId, TurnId
from core.workbench.trust.sharing import DAYS


def draw_secret() -> None:
    """The secret that was just made, until it is put away; nothing where there is none."""
    found = state.shown_once()
    if found is None:
        return
    label, secret = found
    with st.container(border=True, key="secret"):
        st.markdown(f"{plain(label)} It is not shown again.")
        st.code(secret, language=None)
        draw_button("I have kept it", state.put_secret_away, icon="check")


_LABEL = (
    "Link to {what}, for people who may see what it rests on: others get a sentence. It ends in "
    f"{DAYS} days, or when you end it (Shared links)."
)


def share_answer(conversation: ConversationId, turn: TurnId) -> None:
    """Make a link to an answer, and show it."""
    secret, _ = services.session().sharing.share_answer(conversation, turn)
    _show("this answer", secret)


def share_conversation(conversation: ConversationId) -> None:
    """Make a link to a conversation, and show it."""
    secret, _ = services.session().sharing.share_conversation(conversation)
    _show("this conversation", secret)


def share_audit(audit: str) -> None:
    """Make a link to an audit, and show it."""
    secret, _ = services.session().sharing.share_audit(audit)
    _show("this audit", secret)


def _show(what: str, secret: str) -> None:
    parts = (st.context.url or "").split("/", 3)
    origin = "/".join(parts[:3]) if len(parts) > 2 else ""
    state.show_once(_LABEL.format(what=what), f"{origin}{links.shared(secret)}")
