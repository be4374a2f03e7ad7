"""Parts of every page: the frame's styles, the mark, errors, and the line at the sidebar's foot."""

from __future__ import annotations

import functools
import html
from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING, ParamSpec
from urllib.parse import quote
from zoneinfo import ZoneInfo

import streamlit as st

from app import state
from app.assets import asset, picture
from app.presenting.wording import counted
from core.errors import GroundworkError
from core.text.markdown import escape_lines

if TYPE_CHECKING:
    from core.workbench import Session

P = ParamSpec("P")
_OF_ADDRESSES = "%/:?#[]@!$&'()*+,;=~"  # signs that an address holds as they are


def draw_frame(*, is_first: bool) -> None:
    """Title, mark, styles, and what the last action has to say.

    is_first: nothing is open yet. Such a page does without pictures, for which Streamlit imports numpy and
    PIL; it needs some icon nevertheless, or the tab's is fetched from the network.
    """
    st.set_page_config(
        page_title="Groundwork", page_icon="\N{OPEN BOOK}" if is_first else None, layout="wide"
    )
    if not is_first:
        draw_pictures()
    style = asset("shell.css")
    if style is not None:
        st.html(f"<style>{style.text}</style>")
    draw_said()


def draw_pictures() -> None:
    """The tab's icon, and the mark above the sidebar."""
    st.set_page_config(page_icon=picture("favicon.png"))
    theme = st.context.theme.type or "light"
    st.logo(picture(f"logo-{theme}.svg"), size="medium", icon_image=picture("favicon.png"))


def draw_said() -> None:
    """Message of the last action; a fragment with actions draws it too, for only it runs again then."""
    if complaint := state.take_complaint():
        with st.container(key="complaint"):
            draw_error(GroundworkError(complaint[0], next_step=complaint[1]))
    message, job = state.take_flash()
    if message:
        link = f" [Follow the job](/jobs?job={job})" if job else ""
        st.toast(message + link, icon=":material/check:", duration="long" if job else "short")


def guarded(action: Callable[P, None]) -> Callable[P, None]:
    """The action as a callback: what it cannot do is said on the page, not raised outside of it."""

    @functools.wraps(action)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            action(*args, **kwargs)
        except GroundworkError as error:
            state.complain(error.message, error.next_step)

    return run


def draw_error(error: GroundworkError) -> None:
    """Error and next step, in two sentences."""
    code = f" ({error.code})" if error.code else ""
    st.error(f"{plain(error.message)}{code}", icon=":material/error:")
    if error.next_step:
        st.markdown(plain(error.next_step))


def draw_sign_in() -> None:
    """The way to the form, where nobody is signed in, or not any more."""
    st.html('<p class="gw-who"><a href="/sign-in" target="_self">Sign in</a></p>')


def plain(text: str) -> str:
    """Text that Markdown leaves as it is."""
    return escape_lines(text)


def source_words(source: str) -> str:
    """The place that a document comes from, in Markdown: an address of the web leads there."""
    if not source.startswith(("http://", "https://")):
        return plain(source)
    return f"[{plain(source)}](<{quote(source, safe=_OF_ADDRESSES)}>)"


def moment(at: datetime) -> str:
    """`14:05` today, `3 Oct 14:05` before, as the clock of the browser shows it."""
    zone = st.context.timezone
    here = at.astimezone(ZoneInfo(zone)) if zone else at
    today = datetime.now(here.tzinfo).date() == here.date()
    return f"{here:%H:%M}" if today else f"{here.day} {here:%b %H:%M}"


def draw_who(name: str) -> None:
    """Name of who is signed in, with the way out, at the sidebar's foot."""
    st.sidebar.html(
        f'<p class="gw-who">Signed in as {html.escape(name)} · <a href="/sign-out">Sign out</a></p>'
    )


def draw_foot(session: Session) -> None:
    """Engine and models, documents, running jobs; live while something runs."""
    fresh = [session.settings.status()]
    running = fresh[0].open_jobs

    def line() -> None:
        status = fresh.pop() if fresh else session.settings.status()  # asked once for the first drawing
        parts = [
            "Offline" if status.mode == "offline" else status.mode,
            counted(status.documents, "document"),
        ]
        if status.open_jobs:
            queued = f"{status.queued_jobs:,} queued" if status.queued_jobs else ""
            at_work = f"{counted(status.running_jobs, 'job')} running" if status.running_jobs else ""
            parts.append(", ".join(part for part in (at_work, queued) if part))
        st.caption(
            " · ".join(parts),
            help=f"Search engine: {status.engine}. State of the collection: {status.data_version:,}.",
        )
        if bool(status.open_jobs) != bool(running):
            st.rerun()

    with st.sidebar, st.container(key="foot"):
        st.fragment(line, run_every=2 if running else None)()
