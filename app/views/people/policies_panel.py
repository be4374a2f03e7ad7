"""The tab of the policies in force: what roles may do, and the files that say so. Nothing is changed here."""

from __future__ import annotations

import streamlit as st

from core.domain.principal import ROLES
from core.domain.trust.permission import deed_words, spoken
from core.errors import GroundworkError
from core.workbench import Session
from core.workbench.trust.policies import RoleRight


def draw_policies(session: Session) -> None:
    """Draw what the chosen roles may do, and the policies in force with their files."""
    st.subheader("What may these roles do?", anchor=False)
    chosen = st.multiselect("Roles", list(ROLES), default=["contract_read"], key="people-rights")
    try:
        rights = session.policies.rights(frozenset(chosen))
        policies, files = session.policies.in_force(), session.policies.files()
    except GroundworkError as error:
        st.error(error.explanation, icon=":material/gavel:")
        return
    st.dataframe(
        [
            {
                "Deed": deed_words(each.request),
                "Allowed": "yes" if each.decision.is_allowed else "no",
                "Because": _because(each),
            }
            for each in rights
        ],
        hide_index=True,
    )
    st.subheader("Policies in force", anchor=False)
    own = {file.name: is_own for file, is_own in files}
    for policy in policies:
        place = "of this home" if own[policy.file] else "as shipped"
        with st.expander(f"{policy.id} ({policy.file}, line {policy.line}, {place})"):
            st.code(policy.text, language=None)
    st.caption(
        "They are files: `groundwork policies copy` puts them into the home, where they can be changed, and "
        "`groundwork policies test` runs the cases beside them."
    )


def _because(right: RoleRight) -> str:
    if right.decision.is_allowed:
        return f"allowed by {', '.join(right.decision.policies)}"
    if right.decision.lacking:
        return f"needs the role {spoken(right.decision.lacking)}"
    return f"refused by {', '.join(right.decision.policies)}"
