"""The queue of the page Review: its filters, its table, and its files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import streamlit as st

from app import services, state
from app.components.controls import draw_address_choice, draw_exports
from app.components.shell import moment
from app.components.table import Row, column, draw_table, row
from app.presenting.trust.review_words import reasons_of, state_of
from app.presenting.wording import counted
from core.domain.trust.review import FLAG_WORDS, FlagReason, ReviewFilter, ReviewItem, ReviewPage, ReviewState
from core.spreadsheet import sheet

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
        draw_address_choice(
            "State",
            "state",
            {each: each.capitalize() for each in STATES},
            130,
            "review-state",
            "item",
            "part",
        )
        draw_address_choice("Reason", "reason", reasons, 230, "review-reason", "item", "part")
        draw_address_choice("Whose", "whose", names, 160, "review-whose", "item", "part")
        st.text_input(
            "Find",
            key="find",
            bind="query-params",
            placeholder="Words of the question",
            type="search",
            width=220,
        )


def draw_export(shown: ReviewPage, asked: ReviewFilter) -> None:
    """How many there are, and all of them as files."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"**{counted(shown.total, 'answer')}**", width="content")
        draw_exports("review", "review-queue", partial(_file, asked), "Download all answers that fit")


def draw_queue(
    shown: ReviewPage,
    asked: ReviewFilter,
    opened: str,
    pick: Callable[[str], None],
    sort: Callable[[str, bool], None],
    turn: Callable[[int], None],
) -> None:
    """The items as a table; a click on a row opens it."""
    columns = [
        column("question", "Question", 300, "question"),
        column("reasons", "Flagged for", 230, kind="words"),
        column("state", "State", 130, "state", kind="state"),
        column("asker", "Asked by", 100, "asker"),
        column("confidence", "Confidence", 100, "confidence", right=True),
        column("flagged", "Flagged", 120, "flagged_at", falling=True),
        column("assignee", "Reviewer", 110, "assignee"),
    ]
    draw_table(
        "review-table",
        "review",
        "Flagged answers",
        columns,
        [_row(each) for each in shown.items],
        order=(asked.by, asked.descending),
        first=asked.offset + 1,
        total=shown.total,
        size=PART,
        opened=opened,
        most=_HEIGHT if opened else None,
        open=lambda sent: pick(str(sent["id"])),
        sort=lambda sent: sort(str(sent["key"]), bool(sent["descending"])),
        part=lambda sent: turn(int(sent["n"])),
    )


def place_of(items: Sequence[ReviewItem], opened: str) -> int:
    """The place of the open item among those shown, from 0; -1 where it is not among them."""
    return next((at for at, each in enumerate(items) if each.id == opened), -1)


def _row(item: ReviewItem) -> Row:
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
    return row(item.id, cells, look, item.note, hover)


def _file(asked: ReviewFilter, kind: str) -> bytes:
    heads, lines = services.session().reviews.export(asked)
    return sheet(kind, heads, list(lines))
