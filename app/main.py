"""The router: which pages there are, and what stands on all of them."""

from __future__ import annotations

import streamlit as st

from app import links, services
from app.assets import picture
from app.components import shell
from app.views import ask, documents, ingest, jobs, search, settings
from core.errors import GroundworkError

st.set_page_config(page_title="Groundwork", page_icon=picture("favicon.png"), layout="wide")
shell.draw_frame()

ASK = st.Page(ask.page, title="Ask", icon=":material/forum:", url_path="ask", default=True)
DOCUMENTS = st.Page(documents.page, title="Documents", icon=":material/description:", url_path="documents")
SEARCH = st.Page(search.page, title="Search", icon=":material/manage_search:", url_path="search")
INGEST = st.Page(ingest.page, title="Ingest", icon=":material/upload_file:", url_path="ingest")
JOBS = st.Page(jobs.page, title="Jobs", icon=":material/pending_actions:", url_path="jobs")
SETTINGS = st.Page(settings.page, title="Settings", icon=":material/tune:", url_path="settings")

links.register(
    {
        "ask": ASK,
        "documents": DOCUMENTS,
        "search": SEARCH,
        "ingest": INGEST,
        "jobs": JOBS,
        "settings": SETTINGS,
    }
)
page = st.navigation(
    {"": [ASK], "Explore": [DOCUMENTS, SEARCH], "Build": [INGEST, JOBS], "Settings": [SETTINGS]},
    expanded=True,
)
try:
    services.bench()
except GroundworkError as error:
    shell.draw_error(error)
    st.stop()
try:
    page.run()
except GroundworkError as error:
    shell.draw_error(error)
shell.draw_foot(services.bench(), services.current_principal())
services.warm()
