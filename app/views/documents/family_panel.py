"""The family of a document: the agreement over it and what belongs to it, with the words for each."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from app import links
from app.components.shell import plain
from app.presenting.wording import counted
from core.domain.fields import Family, Fit, Relative

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
    said = " ".join(relative.quote.quote.split())
    short = said if len(said) <= _SHOWN_CHARS else said[: _SHOWN_CHARS - 1] + "…"
    mark = " · :gray[likely]" if relative.fit is Fit.LIKELY else ""
    return f"[{plain(relative.name)}]({links.place(relative.id)}){mark} · :gray[“{plain(short)}”]"
