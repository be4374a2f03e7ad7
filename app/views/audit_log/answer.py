"""The answer of a trace in the audit log: asked again and compared, and packed with its evidence."""

from __future__ import annotations

from functools import partial
from html import escape

import streamlit as st

from app import services
from app.components.shell import plain
from app.panels.plan_answer import linked
from core.domain.ids import TraceId
from core.errors import GroundworkError, NotFoundError
from core.workbench.trust.replay import Replay

_STYLE = """<style>
.gw-differs{width:100%;border-collapse:collapse;font-size:.9rem;table-layout:fixed}
.gw-differs th,.gw-differs td{padding:.35rem .6rem;border:1px solid rgba(128,128,128,.35);text-align:left;
vertical-align:top;white-space:pre-line;overflow-wrap:anywhere}
.gw-differs th:first-child{width:11rem}
</style>"""


def draw_answer(trace: str) -> None:
    """What was asked and answered, with the ways to prove it; a sentence where it is not there."""
    session = services.session()
    st.subheader("The answer of this trace", anchor=False)
    try:
        kept, answer = session.replays.answer_of(TraceId(trace))
    except NotFoundError as error:
        st.info(f"{plain(error.message)} {plain(error.next_step)}")
        return
    st.markdown(f"**{plain(kept.question)}**")
    first, _, rest = linked(answer).strip().partition("\n")
    st.markdown(first)
    if rest.strip():
        with st.expander("The rest of the answer"):
            st.markdown(rest.strip())
    facts = f"state of the collection {answer.data_version:,} · {answer.status.value}"
    st.caption(f"Asked by {plain(kept.user)} · {facts}")
    with st.container(horizontal=True, vertical_alignment="center"):
        is_asked = st.button("Replay", key="audit-replay", icon=":material/replay:")
        st.download_button(
            "Evidence pack",
            partial(_pack, trace),
            f"evidence-{trace[:12]}.zip",
            "application/zip",
            key="audit-pack",
            icon=":material/folder_zip:",
            help="The answer with its plan, pages, ledger and audit entries; it opens without Groundwork",
        )
    if is_asked:
        _draw_replay(trace)


def _draw_replay(trace: str) -> None:
    try:
        found = services.session().replays.replay(TraceId(trace))
    except GroundworkError as error:
        st.warning(f"{plain(error.message)} {plain(error.next_step)}")
        return
    show = st.success if found.is_equal else st.warning
    show(plain(found.text), icon=":material/check:" if found.is_equal else ":material/difference:")
    for note in found.notes:
        st.caption(plain(note))
    if found.cited:
        st.markdown(
            f"{found.held:,} of {found.cited:,} cited places still say, in their version, what was quoted."
        )
    if found.changed:
        names = [
            f"{plain(each.name)} ({'gone' if each.is_gone else f'version {each.version} now'})"
            for each in found.changed[:30]
        ]
        st.markdown(f"Changed since: {', '.join(names)}")
    if found.differences:
        st.html(_STYLE + differences_html(found))


def differences_html(found: Replay) -> str:
    """What differs, side by side; all text is escaped."""
    heads = "<tr><th>What</th><th>Then</th><th>Now</th></tr>"
    rows = "".join(
        f"<tr><th>{escape(each.name)}</th><td>{_cell(each.before)}</td><td>{_cell(each.after)}</td></tr>"
        for each in found.differences
    )
    return f'<table class="gw-differs"><thead>{heads}</thead><tbody>{rows}</tbody></table>'


def _cell(text: str) -> str:
    return escape(text) or "nothing"


def _pack(trace: str) -> bytes:
    return services.session().evidence_packs.data(TraceId(trace))
