"""The router: which pages there are, and what stands on all of them."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Literal

import streamlit as st

from app import links, services
from app.components import shell
from core.domain.trust.permission import Action
from core.errors import GroundworkError, SignInError

is_first = not services.has_opened()
shell.draw_frame(is_first=is_first)


def view(name: str) -> Callable[[], None]:
    """The page of a folder in app.views, imported when it is drawn: the first one waits for no other."""
    return lambda: importlib.import_module(f"app.views.{name}.page").page()


try:
    principal = services.current_principal()
    allowed = {action for action in Action if services.may(action)}
except GroundworkError as error:  # signed out elsewhere, or the home cannot be opened
    shell.draw_error(error)
    if isinstance(error, SignInError):
        shell.draw_sign_in()
    st.stop()
bringing: Literal["visible", "hidden"] = "visible" if Action.INGEST in allowed else "hidden"

ASK = st.Page(view("ask"), title="Ask", icon=":material/forum:", url_path="ask", default=True)
DOCUMENTS = st.Page(view("documents"), title="Documents", icon=":material/description:", url_path="documents")
MATRIX = st.Page(view("matrix"), title="Matrix", icon=":material/grid_on:", url_path="matrix")
INSPECTOR = st.Page(view("plan"), title="Plan", icon=":material/account_tree:", url_path="inspector")
SEARCH = st.Page(view("search"), title="Search", icon=":material/manage_search:", url_path="search")
INGEST = st.Page(
    view("ingest"), title="Ingest", icon=":material/upload_file:", url_path="ingest", visibility=bringing
)
CRAWL = st.Page(view("crawl"), title="Crawl", icon=":material/travel_explore:", url_path="crawl")
JOBS = st.Page(
    view("jobs"), title="Jobs", icon=":material/pending_actions:", url_path="jobs", visibility=bringing
)
SCHEMAS = st.Page(view("schemas"), title="Schemas", icon=":material/schema:", url_path="schemas")
REVIEW = st.Page(view("review"), title="Review", icon=":material/rate_review:", url_path="review")
AUDIT = st.Page(view("audit_log"), title="Audit log", icon=":material/fact_check:", url_path="audit")
LEARNING = st.Page(view("learning"), title="Learning", icon=":material/school:", url_path="learning")
PEOPLE = st.Page(view("people"), title="People", icon=":material/group:", url_path="people")
ACCOUNT = st.Page(view("account"), title="My account", icon=":material/account_circle:", url_path="account")
SHARED = st.Page(view("shared"), title="Shared links", icon=":material/link:", url_path="shared")
SETTINGS = st.Page(view("settings"), title="Settings", icon=":material/tune:", url_path="settings")

links.register(
    {
        "ask": ASK,
        "documents": DOCUMENTS,
        "matrix": MATRIX,
        "inspector": INSPECTOR,
        "search": SEARCH,
        "ingest": INGEST,
        "crawl": CRAWL,
        "jobs": JOBS,
        "schemas": SCHEMAS,
        "review": REVIEW,
        "audit": AUDIT,
        "learning": LEARNING,
        "settings": SETTINGS,
        "people": PEOPLE,
        "account": ACCOUNT,
        "shared": SHARED,
    }
)
has_accounts = services.needs_sign_in()
reviewing = [
    *([REVIEW] if Action.REVIEW in allowed else []),
    *([AUDIT] if Action.AUDIT in allowed else []),
    *([LEARNING] if Action.CONFIGURE in allowed else []),
]
page = st.navigation(
    {
        "": [ASK],
        "Explore": [DOCUMENTS, MATRIX, INSPECTOR, SEARCH],
        "Build": [INGEST, *([CRAWL] if Action.CRAWL in allowed else []), SCHEMAS, JOBS],
        **({"Review": reviewing} if reviewing else {}),
        "Settings": [
            SETTINGS,
            *([PEOPLE] if Action.PEOPLE in allowed else []),
            SHARED,
            *([ACCOUNT] if has_accounts else []),
        ],
    },
    expanded=True,
)
if page == ASK and not services.has_opened():
    page.run()
    services.open_soon()
    st.stop()
try:
    services.bench()
except GroundworkError as error:
    shell.draw_error(error)
    st.stop()
if is_first:
    shell.draw_pictures()
try:
    page.run()
except GroundworkError as error:
    shell.draw_error(error)
if has_accounts:
    shell.draw_who(principal.user)
shell.draw_foot(services.session())
services.warm()
