"""Entries of the audit log: their filter, their table, and one that is open."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, date, datetime, time
from functools import partial
from itertools import islice

import streamlit as st

from app import services, state
from app.components.controls import draw_address_choice, draw_button, draw_exports
from app.components.shell import moment, plain
from app.components.table import Row, column, draw_table, row
from app.presenting.trust.audit_words import (
    GROUPS,
    OUTCOMES,
    deed_words,
    detail_lines,
    detail_words,
    documents_named,
    look_of,
)
from core.domain.ids import DocumentId
from core.domain.trust.deed import AuditEntry, AuditQuery
from core.spreadsheet import sheet
from core.workbench.trust.audit_log import ENTRY_HEADS, entry_json, entry_line

PART = 100
_HEIGHT = 320  # px, where an entry stands below
_MOST_LINES = 100_000  # of a file


def wanted() -> AuditQuery:
    """The filter that the address says."""
    before = state.from_address("before")
    return AuditQuery(
        account=state.from_address("who"),
        deed=state.from_address("deed"),
        subject=state.from_address("on"),
        trace=state.from_address("trace"),
        outcome=state.from_address("outcome"),
        since=_day(state.from_address("since")),
        until=_day(state.from_address("until"), is_end=True),
        before=int(before) if before.isdecimal() else None,
        limit=PART,
    )


def draw_filters() -> None:
    """Widgets of the filter, which the address holds."""
    with st.container(horizontal=True, vertical_alignment="bottom", key="audit-filters"):
        _draw_text("Who", "who", "ann.lee", 140)
        deed = state.from_address("deed")
        own = {} if deed in ("", *GROUPS) else {deed: deed_words(deed)}
        deeds = {"": "Everything", **own, **GROUPS}
        draw_address_choice("What", "deed", deeds, 260, "audit-deed", "before", "entry")
        _draw_text("On", "on", "id of a thing, a name", 200)
        _draw_text("Trace", "trace", "of one question", 170)
        outcomes = {"": "Any outcome", **OUTCOMES}
        draw_address_choice("Outcome", "outcome", outcomes, 140, "audit-outcome", "before", "entry")
        _draw_day("From", "since")
        _draw_day("Until", "until")


def draw_export(total: int, asked: AuditQuery) -> None:
    """How many there are, and all of them as files."""
    with st.container(horizontal=True, vertical_alignment="center"):
        word = "entry" if total == 1 else "entries"
        st.markdown(f"**{total:,}** {word}", width="content")
        draw_exports("audit", "audit-log", partial(_file, asked), "Download all entries that fit")


def draw_entries(found: Sequence[AuditEntry], opened: str, pick: Callable[[str], None]) -> None:
    """The entries as a table, newest first; a click on a row opens it."""
    names = _names(found)
    columns = [
        column("number", "Entry", 66),
        column("at", "When", 110),
        column("who", "Who", 90),
        column("deed", "What", 175),
        column("on", "On", 190),
        column("outcome", "Outcome", 90, kind="state"),
        column("origin", "From", 110),
        column("detail", "Detail", 290, kind="words"),
    ]
    draw_table(
        "audit-table",
        "audit",
        "Entries of the audit log",
        columns,
        [_row(each, names) for each in found],
        opened=opened,
        most=_HEIGHT if opened else None,
        open=lambda sent: pick(str(sent["id"])),
    )


def draw_parts(found: Sequence[AuditEntry], total: int) -> None:
    """The ways to older entries and back to the newest."""
    is_part = bool(state.from_address("before"))
    if len(found) < PART and not is_part:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        draw_button("Newest", _turn, None, key="audit-newest", disabled=not is_part)
        older = found[-1].sequence if found else None
        draw_button(
            "Older", _turn, older, key="audit-older", disabled=len(found) < PART, icon="chevron_right"
        )
        if found:
            st.markdown(
                f":small[Entries {found[-1].sequence:,} to {found[0].sequence:,} of {total:,} that fit.]"
            )


def draw_entry(entry: AuditEntry, *, follow: Callable[[str], None], about: Callable[[str], None]) -> None:
    """All that an entry says, and the ways on from it."""
    deed = entry.deed
    st.subheader(f"Entry {entry.sequence:,}: {plain(deed_words(deed.name))}", anchor=False)
    if entry.is_redacted:
        st.info(
            "The content of this entry was redacted. Its number, time and deed stay, and the chain is whole."
        )
    with st.container(horizontal=True):
        if deed.trace:
            draw_button("Follow this trace", follow, deed.trace, key="audit-follow")
        if deed.subject:
            draw_button("All on this", about, deed.subject, key="audit-about")
    names = _names([entry])
    lines = [
        ("When", entry.at.isoformat(sep=" ", timespec="seconds")),
        ("Who", "(redacted)" if entry.is_redacted else deed.account),
        ("On", names.get(deed.subject, deed.subject)),
        ("Question", deed.trace),
        ("From", deed.origin),
        ("Outcome", deed.outcome),
        *((label.rstrip(":").capitalize(), value) for label, value in detail_lines(entry, names)),
    ]
    st.markdown(
        "\n".join(
            [
                "| What | Value |",
                "|---|---|",
                *(f"| {plain(label)} | {plain(value)} |" for label, value in lines if value),
            ]
        )
    )
    with st.expander("As it is stored, with its hash"):
        st.json(entry_json(entry), expanded=True)


def _names(found: Sequence[AuditEntry]) -> dict[str, str]:
    """Names of the documents that entries tell of, by id, as far as they may be seen."""
    ids = {DocumentId(each) for entry in found for each in documents_named(entry)}
    return {str(id): each.name for id, each in services.session().documents.by_id(ids).items()} if ids else {}


def _row(entry: AuditEntry, names: Mapping[str, str]) -> Row:
    deed = entry.deed
    cells = {
        "number": f"{entry.sequence:,}",
        "at": moment(entry.at),
        "who": "(redacted)" if entry.is_redacted else deed.account,
        "deed": deed_words(deed.name),
        "on": names.get(deed.subject, deed.subject) or deed.trace,
        "outcome": deed.outcome,
        "origin": deed.origin,
        "detail": detail_words(entry, names),
    }
    hover = {
        "at": entry.at.isoformat(timespec="seconds"),
        "deed": deed.name,
        "on": deed.subject or deed.trace,
    }
    return row(str(entry.sequence), cells, look_of(entry), hover=hover)


def _file(asked: AuditQuery, kind: str) -> bytes:
    entries = islice(services.session().audit_log.every(asked), _MOST_LINES)
    return sheet(kind, ENTRY_HEADS, [entry_line(each) for each in entries])


def _turn(before: int | None) -> None:
    state.to_address(before=before, entry=None)


def _set(name: str, value: str) -> None:
    state.to_address(**{name: value or None, "before": None, "entry": None})


def _draw_text(label: str, name: str, placeholder: str, width: int) -> None:
    key = f"audit-{name}"
    st.text_input(
        label,
        state.from_address(name),
        key=key,
        placeholder=placeholder,
        type="search",
        width=width,
        on_change=lambda: _set(name, str(state.widget(key) or "").strip()),
    )


def _draw_day(label: str, name: str) -> None:
    key, given = f"audit-{name}", _day(state.from_address(name))

    def chosen() -> None:
        found = state.widget(key)
        _set(name, found.isoformat() if isinstance(found, date) else "")

    st.date_input(label, given.date() if given else None, key=key, width=140, on_change=chosen)


def _day(text: str, *, is_end: bool = False) -> datetime | None:
    """The beginning of a day of the address (or its end), UTC; None for none."""
    try:
        return datetime.combine(date.fromisoformat(text), time.max if is_end else time(), UTC)
    except ValueError:
        return None
