"""The router: which pages there are, and what stands on all of them."""

from __future__ import annotations

import importlib
from collections.abc import Callable

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
HIDDEN = () if Action.INGEST in allowed else ("ingest", "jobs")
PAGES = {  # by the name that links call it: folder, title, icon
    "ask": ("ask", "Ask", "forum"),
    "documents": ("documents", "Documents", "description"),
    "matrix": ("matrix", "Matrix", "grid_on"),
    "map": ("map", "Map", "hub"),
    "datasets": ("datasets", "Datasets", "database"),
    "inspector": ("plan", "Plan", "account_tree"),
    "search": ("search", "Search", "manage_search"),
    "ingest": ("ingest", "Ingest", "upload_file"),
    "crawl": ("crawl", "Crawl", "travel_explore"),
    "schemas": ("schemas", "Schemas", "schema"),
    "experiments": ("experiments", "Experiments", "science"),
    "jobs": ("jobs", "Jobs", "pending_actions"),
    "review": ("review", "Review", "rate_review"),
    "evaluate": ("evaluate", "Evaluate", "speed"),
    "audit": ("audit_log", "Audit log", "fact_check"),
    "learning": ("learning", "Learning", "school"),
    "settings": ("settings", "Settings", "tune"),
    "people": ("people", "People", "group"),
    "shared": ("shared", "Shared links", "link"),
    "account": ("account", "My account", "account_circle"),
}
pages = {
    name: st.Page(
        view(folder),
        title=title,
        icon=f":material/{icon}:",
        url_path=name,
        default=name == "ask",
        visibility="hidden" if name in HIDDEN else "visible",
    )
    for name, (folder, title, icon) in PAGES.items()
}
links.register(pages)
has_accounts = services.needs_sign_in()
SECTIONS = {  # pages, with whether who asks may use them
    "": {"ask": True},
    "Explore": dict.fromkeys(("documents", "matrix", "datasets", "map", "inspector", "search"), True),
    "Build": {
        "ingest": True,
        "crawl": Action.CRAWL in allowed,
        "schemas": True,
        "experiments": Action.CONFIGURE in allowed,
        "jobs": True,
    },
    "Review": {
        "review": Action.REVIEW in allowed,
        "evaluate": Action.REVIEW in allowed,
        "audit": Action.AUDIT in allowed,
        "learning": Action.CONFIGURE in allowed,
    },
    "Settings": {
        "settings": True,
        "people": Action.PEOPLE in allowed,
        "shared": True,
        "account": has_accounts,
    },
}
shown = {title: [pages[name] for name, on in names.items() if on] for title, names in SECTIONS.items()}
page = st.navigation({title: each for title, each in shown.items() if each}, expanded=True)
if page == pages["ask"] and not services.has_opened():
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
