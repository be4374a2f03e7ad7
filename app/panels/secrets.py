"""A new password or token: shown here, and never again."""

from __future__ import annotations

import streamlit as st

from app import state
from app.components.controls import draw_button
from app.components.shell import plain


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
