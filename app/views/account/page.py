"""My account: what everybody can see and change of their own."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from app import identity, services, state
from app.components.controls import draw_button
from app.components.shell import guarded, moment, plain
from app.panels.secrets import draw_secret
from app.panels.tokens import draw_new_token, draw_tokens
from core.domain.trust.account import BrowserSession


def page() -> None:
    """Draw the page."""
    session = services.session()
    st.title("My account", anchor=False)
    draw_secret()
    account = session.accounts.own()
    if account is None:
        st.info("This is the local start, which needs no account.")
        return
    roles, groups = (", ".join(sorted(each)) or "none" for each in (account.all_roles, account.groups))
    st.markdown(f"**{plain(account.display)}** ({plain(account.name)})")
    st.markdown(f"Roles: {plain(roles)} · Groups: {plain(groups)}")
    st.html('<p class="gw-who"><a href="/sign-in/password?next=%2Faccount">Change password</a></p>')
    st.subheader("Signed-in browsers", anchor=False)
    _draw_sessions(session.accounts.sessions())
    st.subheader("API tokens", anchor=False)
    draw_tokens(session.tokens.list(), key="own-tokens")
    draw_new_token(key="own-tokens")


def _draw_sessions(sessions: Sequence[BrowserSession]) -> None:
    own = identity.session_of_page()
    for each in sessions:
        with st.container(horizontal=True, vertical_alignment="center"):
            here = " (this one)" if each.id == own else ""
            words = f"{each.browser[:80] or 'Unknown browser'}, {each.address or 'unknown address'}"
            st.markdown(f"{plain(words)}{here} · last used {moment(each.used_at)}", width="stretch")
            if each.id != own:
                draw_button("End", guarded(_end), each.id, key=f"end-{each.id}")


def _end(session: str) -> None:
    services.session().accounts.end_session(session)
    state.flash("That browser is signed out.")
