"""The name of a document with the words for each part, and its family: what it belongs to, and what to it."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from app import links, services, state
from app.components.controls import draw_button
from app.components.shell import plain
from app.presenting.wording import brief, counted
from app.views.documents import actions
from core.domain.document import DocumentSummary
from core.domain.fields import Family, Fit, Identity, IdentityPart, Relative

_SURE_FROM = 0.9
"""From which probability a part is not marked as a best guess."""


def draw_name(summary: DocumentSummary) -> None:
    """A button that opens the parts of the name, and the field for another one."""
    with st.popover("Name", icon=":material/badge:", type="tertiary", key="name"):
        found = services.session().documents.identity(summary.id)
        if found is None:
            st.caption("What the text says of its kind, parties and date is not read yet.")
        else:
            _draw_parts(found)
        key = f"name-{summary.id}"
        st.text_input("Name", summary.name, key=key, max_chars=200)
        with st.container(horizontal=True):
            draw_button(
                "Rename",
                lambda: actions.rename(summary.id, str(state.widget(key))),
                type="primary",
                key="rename",
            )
            if found is not None and found.name != summary.name:
                draw_button(
                    "As the text says", actions.rename, summary.id, "", key="rename-back", help=found.name
                )


def _draw_parts(identity: Identity) -> None:
    parts = [("What it is", identity.kind), *(("With", each) for each in identity.parties)]
    parts.append(("When", identity.day))
    for label, part in parts:
        if part.text:
            st.markdown(f"{label}: **{plain(part.whole or part.text)}**{_sureness(part)}")
            if part.quotes:
                said = part.quotes[0]
                st.caption(f"Page {said.span.page_no}: “{plain(' '.join(said.quote.split())[:160])}”")


def _sureness(part: IdentityPart) -> str:
    return "" if part.confidence >= _SURE_FROM else f" · best guess, {100 * part.confidence:.0f} %"


_CHILDREN = {"amends": "Amended by", "under": "Under it"}
_SHOWN_CHARS = 160
_MANY, _MOST_PX = 5, 260  # more relatives than that scroll: the pages stay in sight


def draw_family(family: Family) -> None:
    """A line with a heading for each side that there is; nothing for a document without relatives."""
    if not family.parents and not family.children:
        return
    is_long = len(family.parents) + len(family.children) > _MANY
    with st.container(border=True, gap="small", key="family", height=_MOST_PX if is_long else "content"):
        _draw_side("Belongs to", family.parents)
        for kinship, heading in _CHILDREN.items():
            _draw_side(heading, [each for each in family.children if each.kinship == kinship])
        if (more := family.count - len(family.children)) > 0:
            st.caption(f"and {counted(more, 'more document')}")


def _draw_side(heading: str, relatives: Sequence[Relative]) -> None:
    if not relatives:
        return
    lines = [f"**{heading}**", *map(_line, relatives)]
    st.markdown("  \n".join(lines))


def _line(relative: Relative) -> str:
    mark = " · :gray[likely]" if relative.fit is Fit.LIKELY else ""
    short = brief(relative.quote.quote, _SHOWN_CHARS)
    return f"[{plain(relative.name)}]({links.place(relative.id)}){mark} · :gray[“{plain(short)}”]"
