"""Shared: an answer, a conversation or an audit that somebody sent a link to, as far as one may see it."""

from __future__ import annotations

from datetime import UTC, datetime

import streamlit as st

from app import links, services, state
from app.components import result_blocks
from app.components.controls import draw_button, draw_page_link
from app.components.shell import guarded, moment, plain
from app.panels.plan_answer import linked
from app.presenting.plan_words import PART
from app.presenting.wording import counted
from core.domain.answer import LEDGER_PARTS, Answer
from core.domain.trust.access import SharedLink, SharedView
from core.errors import NotFoundError

_WORDS = {"answer": "An answer", "conversation": "A conversation", "audit": "An audit"}


def page() -> None:
    """Draw the page: what the link leads to, or one's own links where there is none."""
    secret = state.from_address("link")
    if not secret:
        _draw_own()
        return
    try:
        view = services.session().sharing.open(secret)
    except NotFoundError as error:
        st.title("Shared", anchor=False)
        st.info(f"{error.message} {error.next_step}", icon=":material/link_off:")
        return
    _draw_view(view)


def _draw_view(view: SharedView) -> None:
    link = view.link
    with st.container(width=800):
        st.title(plain(view.title), anchor=False)
        until = f", until {moment(link.expires_at)}" if link.expires_at else ""
        st.caption(
            f"{_WORDS[link.kind]} of {plain(link.account)}, shared {moment(link.created_at)}{until}. It is "
            "shown because you may see every document that it rests on."
        )
        for turn in view.turns:
            if link.kind == "conversation":
                with st.chat_message("user", avatar=":material/person:"):
                    st.text(turn.question)
            if turn.answer is not None:
                with st.chat_message("assistant", avatar=":material/layers:"):
                    _draw_answer(turn.answer)
        if view.audit is not None:
            _draw_audit(view)
        draw_page_link("ask", "Ask a question of your own", "forum")


def _draw_answer(answer: Answer) -> None:
    st.markdown(linked(answer))
    for part in answer.parts:
        st.markdown(f"**{plain(part.question)}**")
        _draw_answer(part)
    if answer.table is not None:
        names = [column.name for column in answer.table.columns]
        rows = [dict(zip(names, map(str, row), strict=False)) for row in answer.table.rows]
        st.dataframe(rows, hide_index=True)
    if answer.ledger is not None:
        counts = {part: getattr(answer.ledger, part) for part in LEDGER_PARTS}
        block = result_blocks.ledger(f"Documents by {answer.ledger.field}", counts, opens=False, words=PART)
        result_blocks.draw_sheet(f"ledger-{answer.trace_id}-{answer.ledger.field}", [block])
    for each in answer.citations:
        place = links.cited(each)
        st.caption(f"[\\[{each.n}\\] {plain(each.title)}, page {each.page}]({place}): “{plain(each.quote)}”")


def _draw_audit(view: SharedView) -> None:
    run = view.run
    if run is None or run.result is None:
        st.info("This audit has not been run yet.")
        return
    st.caption(f"Run by {plain(run.user)}, {moment(run.at)}.")
    st.markdown(run.result.text)
    if run.result.rows:
        rows = [dict(zip(run.result.columns, map(str, row), strict=False)) for row in run.result.rows]
        st.dataframe(rows, hide_index=True)
    counts = {part: run.counts.get(part, 0) for part in LEDGER_PARTS}
    if any(counts.values()):
        block = result_blocks.ledger("Documents", counts, opens=False, words=PART)
        result_blocks.draw_sheet(f"ledger-{run.id}", [block])


def _draw_own() -> None:
    st.title("Shared links", anchor=False)
    found = services.session().sharing.list()
    if not found:
        st.info(
            "You have shared nothing yet. “Share” below an answer, or beside a conversation, makes a link."
        )
        return
    st.caption(f"{counted(len(found), 'link')}. A link shows nothing to who may not see what it rests on.")
    for link in found:
        _draw_link(link)


def _draw_link(link: SharedLink) -> None:
    ends = f" until {moment(link.expires_at)}" if link.expires_at else ""
    how = link.state(datetime.now(UTC))
    with st.container(horizontal=True, vertical_alignment="center"):
        title = services.session().sharing.title_of(link)
        name = f"**{plain(title)}**" if title else "Removed since"
        said = f"{_WORDS[link.kind]}, shared {moment(link.created_at)}: {how}"
        st.markdown(f"{name}  \n:small[{said}{ends if how == 'open' else ''}]")
        if how == "open":
            draw_button("End it", guarded(_end), link.id, key=f"end-{link.id}")


def _end(link: str) -> None:
    services.session().sharing.revoke(link)
    state.flash("The link leads nowhere any more.")
