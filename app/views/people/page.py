"""People: who may sign in, with which roles and groups, and the tokens of all."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from app import services
from app.components.controls import draw_button
from app.components.shell import guarded, moment
from app.panels.secrets import draw_secret
from app.panels.tokens import draw_new_token, draw_tokens
from app.views.people import actions
from app.views.people.access import draw_access, draw_sight
from app.views.people.policies_panel import draw_policies
from core.domain.principal import ROLES
from core.domain.trust.account import Account, AccountGroup

ROLE_WORDS = {
    "analyst": "analyst: questions, searches, plans",
    "reviewer": "reviewer: resolves flagged answers, decides cells",
    "finance_read": "finance_read: sums and other figures of money",
    "contract_read": "contract_read: questions, searches, plans",
    "compliance_officer": "compliance_officer: compliance questions, the audit log",
    "admin": "admin: everything",
}


def page() -> None:
    """Draw the page."""
    session = services.session()
    st.title("People", anchor=False)
    draw_secret()
    accounts = session.accounts.list()
    people, groups, access, tokens, policies = st.tabs(
        ["Accounts", "Groups", "Document access", "Tokens", "Policies"],
        key="people-part",
        bind="query-params",
        on_change="rerun",
    )
    with people:
        _draw_accounts(accounts)
    with groups:
        _draw_groups(session.accounts.groups())
    with access:
        draw_access(session)
    with tokens:
        draw_tokens(session.tokens.list(everybody=True), key="all-tokens", with_owner=True)
        if accounts:
            st.subheader("New token", anchor=False)
            draw_new_token(key="all-tokens", accounts=[each.name for each in accounts])
        else:
            st.caption("A token belongs to an account: add one first, on the tab Accounts.")
    with policies:
        draw_policies(session)


def _draw_accounts(accounts: Sequence[Account]) -> None:
    if not accounts:
        st.info(
            "There are no accounts: whoever reaches this machine's own address is admin. With the first "
            "account, which must be an admin, everybody has to sign in.",
            icon=":material/lock_open:",
        )
    else:
        st.dataframe(
            [
                {
                    "Name": each.name,
                    "Shown as": each.display,
                    "State": "disabled" if each.is_disabled else "active",
                    "Roles": ", ".join(sorted(each.all_roles)),
                    "Groups": ", ".join(sorted(each.groups)),
                    "Signed in": moment(each.signed_in_at) if each.signed_in_at else "never",
                }
                for each in accounts
            ],
            hide_index=True,
        )
        names = [each.name for each in accounts]
        chosen = st.selectbox("Account", names, key="people-which", bind="query-params")
        _draw_account(next(each for each in accounts if each.name == chosen))
        st.divider()
    st.subheader("New account", anchor=False)
    with st.form("people-new", border=False):
        st.text_input("Name", key="people-name", max_chars=64, placeholder="ann.lee")
        st.text_input("Shown as", key="people-display", max_chars=200, placeholder="Ann Lee")
        if not accounts:
            st.text_input("Password, at least 10 characters", type="password", key="people-password")
        st.multiselect(
            "Roles",
            list(ROLES),
            default=[] if accounts else ["admin"],
            format_func=ROLE_WORDS.__getitem__,
            placeholder="None: may sign in, and ask nothing",
            key="people-roles",
        )
        st.text_input("Groups, with commas between", key="people-groups")
        st.form_submit_button("Add account", on_click=guarded(actions.add))


def _draw_account(account: Account) -> None:
    name = account.name
    with st.form(f"person-{name}", border=True):
        st.text_input("Shown as", account.display, key=f"person-display-{name}", max_chars=200)
        st.multiselect(
            "Roles of this account",
            list(ROLES),
            default=sorted(account.roles),
            format_func=ROLE_WORDS.__getitem__,
            key=f"person-roles-{name}",
        )
        st.text_input(
            "Groups of this account, with commas between",
            ", ".join(sorted(account.groups)),
            key=f"person-groups-{name}",
        )
        inherited = sorted(account.all_roles - account.roles)
        if inherited:
            st.caption(f"From groups: {', '.join(inherited)}.")
        with st.container(horizontal=True):
            st.form_submit_button("Save changes", on_click=guarded(actions.change), args=[name])
            asked = st.form_submit_button("What would they see?")
    if asked:
        draw_sight(actions.person_preview(name))
    with st.container(horizontal=True):
        if account.is_disabled:
            draw_button("Enable", guarded(actions.enable), name)
        else:
            draw_button("Disable", guarded(actions.disable), name, icon="block")
        if account.has_password:
            draw_button("Reset password", guarded(actions.reset), name)
        draw_button("Sign out everywhere", guarded(actions.sign_out), name)


def _draw_groups(groups: Sequence[AccountGroup]) -> None:
    if groups:
        st.dataframe(
            [
                {
                    "Name": each.name,
                    "Note": each.note,
                    "Roles": ", ".join(sorted(each.roles)),
                    "Members": ", ".join(sorted(each.members)),
                }
                for each in groups
            ],
            hide_index=True,
        )
        with st.container(horizontal=True, vertical_alignment="bottom"):
            st.selectbox("Group", [each.name for each in groups], key="group-which")
            draw_button("Remove group", guarded(actions.remove_group))
    else:
        st.info("There are no groups yet. Documents are shared with groups, and a group can have roles.")
    st.subheader("New group, or change one", anchor=False)
    with st.form("group-new", border=False):
        st.text_input("Name of the group", key="group-name", max_chars=64, placeholder="legal")
        st.text_input("Note", key="group-note", max_chars=500)
        st.multiselect(
            "Roles of its members", list(ROLES), format_func=ROLE_WORDS.__getitem__, key="group-roles"
        )
        st.form_submit_button("Set group", on_click=guarded(actions.set_group))
