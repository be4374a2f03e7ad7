"""The fields of a schema: their table, those that were removed, and what a trial found."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from textwrap import shorten

import streamlit as st

from app import links
from app.components.controls import draw_button
from app.components.shell import plain
from app.components.table import Row, column, draw_table, row
from app.presenting.field_draft import said
from app.presenting.field_wording import SIGN, TYPE, WORD, method
from core.config.fields import FieldDefinition
from core.domain.document import DocumentSummary
from core.domain.facts import FieldQuality
from core.domain.fields import CellStatus, Finding
from core.domain.value_text import shown_all

_LONGEST_TITLE = 60
Trial = list[dict[str, str]]


def draw_fields(
    fields: Sequence[FieldDefinition],
    opened: str,
    pick: Callable[[str], None],
    qualities: Mapping[str, FieldQuality],
) -> None:
    """A row a field; a click opens it. qualities: by field, {} for who may not see verdicts."""
    columns = [
        column("title", "Field", 210),
        column("type", "Type", 150),
        column("group", "Group", 120),
        column("found", "How it is found", 250),
        column("name", "Name", 160),
    ]
    if qualities:
        columns[3:3] = [column("decided", "Decided", 100), column("right", "Right where checked", 150)]
    if opened:  # beside an open field there is room for few
        columns = [
            column("title", "Field", 180),
            column("type", "Type", 130),
            column("found", "How it is found", 195),
        ]
    draw_table(
        "fields-table",
        "fields",
        "Fields of the schema",
        columns,
        [_row(field, qualities.get(field.name)) for field in fields],
        order=("", False),
        opened=opened,
        open=lambda sent: pick(str(sent["id"])),
    )


def _row(field: FieldDefinition, quality: FieldQuality | None) -> Row:
    cells = {
        "title": field.title,
        "type": TYPE[field.type] + (", several" if field.many else ""),
        "group": field.group,
        "found": said(field.extractors),
        "name": field.name,
    }
    if quality is not None:
        read = quality.documents - quality.unreadable - quality.pending
        cells["decided"] = f"{quality.decided / read:.0%} of {read:,}" if read else "–"
        right = quality.decisions
        cells["right"] = f"{right.right:,} of {right.checked:,}" if right.checked else "–"
    return row(field.name, cells, hover={"title": field.description})


def draw_removed(
    removed: Sequence[FieldDefinition], restore: Callable[[str], None] | None, is_open: bool
) -> None:
    """Fields that were taken out; their cells are kept. is_open: one was taken out a moment ago."""
    if not removed:
        return
    with st.expander(f"Removed fields ({len(removed)})", expanded=is_open):
        st.markdown(":small[Their definitions, cells and verdicts are kept, and come back with them.]")
        for field in removed:
            with st.container(horizontal=True, vertical_alignment="center"):
                st.markdown(f"**{plain(field.title)}** · {TYPE[field.type]}", width="content")
                if restore is not None:
                    draw_button("Restore", restore, field.name, key=f"restore-{field.name}", type="tertiary")


def trial_of(found: Sequence[tuple[DocumentSummary, Finding]]) -> Trial:
    """Result of a trial, as plain words that a session can hold."""
    return [_tried(summary, finding) for summary, finding in found]


def _tried(summary: DocumentSummary, finding: Finding) -> dict[str, str]:
    values, spans = finding.values, finding.spans
    if finding.status is CellStatus.UNCERTAIN and finding.candidates:
        best = finding.candidates[0]
        values, spans = (best.value,) if best.value else (), best.spans
    return {
        "title": summary.name,
        "status": f"{SIGN[finding.status]} {WORD[finding.status]}",
        "value": shown_all(values),
        "quote": " ".join(spans[0].quote.split())[:160] if spans else finding.note,
        "how": method(finding.method),
        "link": links.span(summary.id, summary.version, spans[0].span if spans else None),
    }


def draw_trial(trial: Trial, hint: str = "") -> None:
    """Document by document: status, value, and the words that it was read from.

    hint: why little may be found, said where nothing is.
    """
    if not trial:
        st.info("There are no documents in this bucket to try it on.")
        return
    found = sum(row["status"].endswith(WORD[CellStatus.PRESENT]) for row in trial)
    st.markdown(f"Found in **{found}** of **{len(trial)}** documents.")
    if hint and not found:
        st.markdown(f":small[{plain(hint)}]")
    st.markdown("\n".join(f"- {_linked(row)}  \n  {_found(row)}" for row in trial))


def _found(row: dict[str, str]) -> str:
    value = f" · **{plain(row['value'])}**" if row["value"] else ""
    says_more = row["quote"].casefold() not in row["value"].casefold()
    return f"{row['status']}{value}" + (f" · {plain(row['quote'])}" if says_more else "")


def _linked(row: dict[str, str]) -> str:
    title = plain(shorten(row["title"], _LONGEST_TITLE, placeholder="…"))
    return f"[{title}]({row['link']})" if row["link"] else title
