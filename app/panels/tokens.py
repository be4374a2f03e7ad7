"""API tokens: a table, a form for a new one, and a way to end one."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

import streamlit as st

from app import services, state
from app.components.controls import draw_button
from app.components.shell import guarded, moment
from core.domain.trust.account import SCOPES, ApiToken


def draw_tokens(tokens: Sequence[ApiToken], *, key: str, with_owner: bool = False) -> None:
    """The tokens, newest first, and the button that ends one. with_owner: they are of several accounts."""
    now = datetime.now(UTC)
    if not tokens:
        st.info(
            "There are no tokens yet. A program signs in with one, by the header "
            "`Authorization: Bearer TOKEN`."
        )
        return
    st.dataframe(
        [
            {
                "Name": each.name,
                **({"Account": each.account} if with_owner else {}),
                "For": ", ".join(sorted(each.scopes)),
                "State": each.state(now),
                "Expires": f"{each.expires_at.day} {each.expires_at:%b %Y}",
                "Last used": moment(each.used_at) if each.used_at else "never",
            }
            for each in tokens
        ],
        hide_index=True,
    )
    active = {each.id: each for each in tokens if each.state(now) == "active"}
    if active:
        with st.container(horizontal=True, vertical_alignment="bottom"):
            st.selectbox(
                "Token",
                list(active),
                format_func=lambda id: f"{active[id].name} of {active[id].account}",
                key=f"{key}-which",
            )
            draw_button("Revoke", guarded(_revoke), key, key=f"{key}-revoke")


def draw_new_token(*, key: str, accounts: Sequence[str] = ()) -> None:
    """The form for a new token. accounts: whose it may be; () for one's own."""
    with st.form(f"{key}-new", border=False):
        st.text_input("Name of the token", key=f"{key}-name", max_chars=100, placeholder="Nightly report")
        if accounts:
            st.selectbox("Account of the token", list(accounts), key=f"{key}-owner")
        st.multiselect(
            "What it may do",
            list(SCOPES),
            default=["read"],
            format_func=lambda scope: f"{scope}: {SCOPES[scope]}",
            key=f"{key}-scopes",
        )
        st.number_input("Days until it expires", 1, 366, 90, key=f"{key}-days")
        st.form_submit_button("Make token", on_click=guarded(_make), args=[key])


def _make(key: str) -> None:
    text, token = services.session().tokens.add(
        str(state.widget(f"{key}-name", "")),
        state.widget(f"{key}-scopes", []),
        days=int(state.widget(f"{key}-days", 90)),
        account=state.widget(f"{key}-owner"),
    )
    state.show_once(f"Token '{token.name}' of {token.account}.", text)


def _revoke(key: str) -> None:
    token = services.session().tokens.revoke(str(state.widget(f"{key}-which", "")))
    state.flash(f"Token '{token.name}' is revoked.")
