"""A link that was just made, shown once with the button that copies it."""

from __future__ import annotations

import streamlit as st

from app import links, services, state
from core.domain.ids import ConversationId, TurnId
from core.workbench.trust.sharing import DAYS

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
