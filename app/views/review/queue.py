"""The queue of the page Review: its filters, its table, and its files."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import streamlit as st

from app import services, state
from app.components import mounts
from app.components.shell import moment
from app.presenting.trust.review_words import reasons_of, state_of
from app.presenting.wording import counted
from core.domain.trust.review import FLAG_WORDS, FlagReason, ReviewFilter, ReviewItem, ReviewPage, ReviewState
from core.spreadsheet import KINDS, sheet

PART = 100
_HEIGHT = 250  # px, where an item stands below
STATES = {"open": ReviewState.OPEN, "resolved": ReviewState.RESOLVED, "all": None}
_WHOSE = {"": "Anybody's", "me": "Mine", "-": "Nobody's"}


def wanted() -> ReviewFilter:
    """The filter that the address says."""
    reason, whose = state.from_address("reason"), state.from_address("whose")
    me = services.current_principal().user
    part = state.from_address("part")
    return ReviewFilter(
        state=STATES.get(state.from_address("state") or "open", ReviewState.OPEN),
        reason=FlagReason(reason) if reason in list(FlagReason) else None,
        assignee=me if whose == "me" else whose,
        text=state.from_address("find"),
        by=state.from_address("by") or "flagged_at",
        descending=state.from_address("down") != "0",
        offset=PART * (max(1, int(part)) - 1) if part.isdecimal() else 0,
        limit=PART,
    )


def draw_filters() -> None:
    """Widgets of the filter, which the address holds."""
    counts = services.session().reviews.counts()
    reasons = {
        "": "Every reason",
        **{each.value: f"{FLAG_WORDS[each].capitalize()} ({counts.get(each, 0):,})" for each in FLAG_WORDS},
    }
    names = {**_WHOSE, **{name: name for name in services.session().reviews.reviewers()}}
    with st.container(horizontal=True, vertical_alignment="bottom", key="review-filters"):
        _draw_choice("State", "state", {each: each.capitalize() for each in STATES}, 130)
        _draw_choice("Reason", "reason", reasons, 230)
        _draw_choice("Whose", "whose", names, 160)
        st.text_input(
            "Find",
            key="find",
            bind="query-params",
            placeholder="Words of the question",
            type="search",
            width=220,
        )


def _draw_choice(label: str, name: str, options: Mapping[str, str], width: int) -> None:
    """A choice that the address holds by its value, and not by its words, which have counts in them."""
    given, known, key = state.from_address(name), list(options), f"review-{name}"

    def chosen() -> None:
        value = str(state.widget(key) or "")
        state.to_address(**{name: value if value != known[0] else None, "item": None, "part": None})

    st.selectbox(
        label,
        known,
        index=known.index(given) if given in options else 0,
        key=key,
        width=width,
        format_func=lambda each: options.get(each, each),
        on_change=chosen,
    )


def draw_export(shown: ReviewPage, asked: ReviewFilter) -> None:
    """How many there are, and all of them as files."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"**{counted(shown.total, 'answer')}**", width="content")
        for kind, media_type in KINDS.items():
            st.download_button(
                kind.upper(),
                partial(_file, kind, asked),
                f"review-queue.{kind}",
                media_type,
                key=f"review-{kind}",
                icon=":material/download:",
                help="Download all answers that fit",
            )


def draw_queue(
    shown: ReviewPage,
    asked: ReviewFilter,
    opened: str,
    pick: Callable[[str], None],
    sort: Callable[[str, bool], None],
    turn: Callable[[int], None],
) -> None:
    """The items as a table; a click on a row opens it."""
    key = "review-table"

    def reordered() -> None:
        sent = state.sent(key, "sort")
        sort(str(sent["key"]), bool(sent["descending"]))

    columns: list[dict[str, object]] = [
        {"key": "question", "label": "Question", "width": 300, "sort": "question"},
        {"key": "reasons", "label": "Flagged for", "width": 230, "sort": None, "kind": "words"},
        {"key": "state", "label": "State", "width": 130, "kind": "state", "sort": "state"},
        {"key": "asker", "label": "Asked by", "width": 100, "sort": "asker"},
        {"key": "confidence", "label": "Confidence", "width": 100, "sort": "confidence", "right": True},
        {"key": "flagged", "label": "Flagged", "width": 120, "sort": "flagged_at", "falling": True},
        {"key": "assignee", "label": "Reviewer", "width": 110, "sort": "assignee"},
    ]
    mounts.table(
        key=key,
        data={
            "name": "review",
            "label": "Flagged answers",
            "ticks": False,
            "most": _HEIGHT if opened else None,
            "columns": columns,
            "rows": [_row(each) for each in shown.items],
            "sort": asked.by,
            "descending": asked.descending,
            "first": asked.offset + 1,
            "total": shown.total,
            "size": PART,
            "open": opened,
            "chosen": [],
        },
        on_open_change=lambda: pick(str(state.sent(key, "open")["id"])),
        on_sort_change=reordered,
        on_part_change=lambda: turn(int(state.sent(key, "part")["n"])),
    )


def place_of(items: Sequence[ReviewItem], opened: str) -> int:
    """The place of the open item among those shown, from 0; -1 where it is not among them."""
    return next((at for at, each in enumerate(items) if each.id == opened), -1)


def _row(item: ReviewItem) -> dict[str, object]:
    word, look = state_of(item)
    cells = {
        "question": item.question,
        "reasons": ", ".join(each["word"] for each in reasons_of(item)),
        "state": word,
        "asker": item.asker,
        "confidence": f"{100 * item.confidence:.0f} %",
        "flagged": moment(item.flagged_at),
        "assignee": item.reviewer or item.assignee,
    }
    hover = {
        "flagged": item.flagged_at.isoformat(timespec="seconds"),
        "reasons": "; ".join(f"{each['word']}: {each['note']}" for each in reasons_of(item)),
    }
    return {"id": item.id, "state": look, "note": item.note, "cells": cells, "hover": hover}


def _file(kind: str, asked: ReviewFilter) -> bytes:
    heads, lines = services.session().reviews.export(asked)
    return sheet(kind, heads, list(lines))
