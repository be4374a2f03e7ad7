"""Many fields in words at once: pasted as lines, with what they cost before they are added."""

from __future__ import annotations

import streamlit as st

from app import services
from app.components.controls import draw_button
from app.components.shell import draw_error
from app.presenting.field_wording import TYPE
from app.views.schemas import word_actions
from core.config.field_words import lines_of
from core.config.fields import Schema
from core.errors import GroundworkError


def draw_many(schema: Schema) -> None:
    """Lines "name: what it is", what they are read as, their cost, and the button that adds them."""
    with st.popover("Add several", icon=":material/playlist_add:", width="content"):
        text = st.text_area(
            "A field a line: its name, a colon, and what it is",
            key=f"many-{schema.name}",
            height=180,
            placeholder="Warranty period: how long the seller warrants the goods\nDuty to insure: ...",
        )
        if not text.strip():
            st.markdown(":small[A table with two columns can be pasted, too.]")
            return
        service = services.session().word_fields
        try:
            fields = service.read_lines(schema.name, lines_of(text))
        except GroundworkError as error:
            draw_error(error)
            return
        cost = service.cost(schema.name, len(fields))
        minutes = max(1, round(cost.seconds / 60))
        st.markdown(
            f"**{cost.fields:,} fields** in {cost.documents:,} documents are {cost.cells:,} cells: about "
            f"{minutes:,} minute{'' if minutes == 1 else 's'} of one core, in one job that can be cancelled."
        )
        st.markdown(
            "\n".join(f":small[{each.title} · {TYPE[each.type].lower()}]  " for each in fields[:12])
            + (f"  \n:small[and {len(fields) - 12:,} more]" if len(fields) > 12 else "")
        )
        draw_button(
            f"Add {cost.fields:,} fields",
            word_actions.add_many,
            schema.name,
            text,
            type="primary",
            key="add-many",
        )
