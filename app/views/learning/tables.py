"""Words that no condition took, and corrections that are kept: their tables, and what is open of each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from app import links
from app.components.controls import draw_button, draw_exports
from app.components.shell import moment, plain
from app.components.table import column, draw_table, row
from app.presenting.wording import counted
from core.config.fields import Schema
from core.domain.audit import Lesson, UncoveredPhrase
from core.spreadsheet import sheet

WENT_WRONG = {
    "rejected": "The answer was marked as wrong",
    "reread": "A part of its reading was changed",
    "abstained": "Nothing was found to answer it",
    "clarified": "It had to be asked back",
    "uncovered": "A part of it was left out",
}
_HEIGHT = 340  # px: what is open stands below
_ORDERS: dict[str, Callable[[UncoveredPhrase], Any]] = {
    "phrase": lambda each: each.phrase.casefold(),
    "count": lambda each: each.count,
    "last": lambda each: each.last_at,
}


def ordered(found: Sequence[UncoveredPhrase], by: str, descending: bool) -> list[UncoveredPhrase]:
    """The phrases in an order; equal ones stay as they came, the most frequent first."""
    return sorted(found, key=_ORDERS.get(by, _ORDERS["count"]), reverse=descending)


def matching(found: Sequence[UncoveredPhrase], text: str) -> list[UncoveredPhrase]:
    """Those that have the text in their words or in a question."""
    text = text.strip().casefold()
    return [each for each in found if text in " ".join((each.phrase, *each.questions)).casefold()]


def draw_export(found: Sequence[UncoveredPhrase]) -> None:
    """The shown phrases as files."""
    heads = ["phrase", "times", "last_asked", "questions"]
    lines = [
        [each.phrase, each.count, each.last_at.isoformat(timespec="seconds"), "\n".join(each.questions)]
        for each in found
    ]
    draw_exports(
        "export", "uncovered-phrases", lambda kind: sheet(kind, heads, lines), "Download the rows shown"
    )


def draw_phrases(
    found: Sequence[UncoveredPhrase],
    opened: str,
    order: tuple[str, bool],
    pick: Callable[[str], None],
    sort: Callable[[str, bool], None],
) -> None:
    """The phrases as a table; a click on a row opens it."""
    rows = [
        row(
            each.phrase,
            {
                "phrase": each.phrase,
                "count": f"{each.count:,}",
                "last": moment(each.last_at),
                "question": each.questions[0] if each.questions else "",
            },
            hover={"last": each.last_at.isoformat(timespec="seconds")},
        )
        for each in found
    ]
    columns = [
        column("phrase", "Words", 220, "phrase"),
        column("count", "Questions", 110, "count", right=True, falling=True),
        column("last", "Last asked", 130, "last", falling=True),
        column("question", "Last question", 420, kind="words"),
    ]
    draw_table(
        "phrases-table",
        "words",
        "Words that were not understood",
        columns,
        rows,
        order=order,
        opened=opened,
        most=_HEIGHT,
        open=lambda sent: pick(str(sent["id"])),
        sort=lambda sent: sort(str(sent["key"]), bool(sent["descending"])),
    )


def draw_phrase(
    phrase: UncoveredPhrase,
    schemas: Sequence[Schema],
    add: Callable[[str, str, str], None],
    ignore: Callable[[str], None],
) -> None:
    """The questions that had the words, and what to make of them."""
    st.subheader(f"“{plain(phrase.phrase)}”", anchor=False)
    asked = counted(phrase.count, "question")
    st.markdown(f":small[Left out of {asked}, last {moment(phrase.last_at)}.]")
    for question in phrase.questions:
        st.markdown(f"- [{plain(question)}]({links.inspector(question=question)})")
    named = {each.name: each for each in schemas}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        schema = named[
            st.selectbox(
                "Add as synonym of a field of",
                list(named),
                key="synonym-schema",
                persist_state="session",
                format_func=lambda name: named[name].title,
                width=260,
            )
        ]
        titles = {each.name: each.title for each in schema.fields}
        field = st.selectbox(
            "Field",
            list(titles),
            index=None,
            key=f"synonym-field-{schema.name}",
            format_func=lambda name: titles.get(name, name),
            placeholder="Choose a field",
            width=300,
        )
        draw_button(
            "Add as synonym",
            add,
            phrase.phrase,
            schema.name,
            field,
            key="add-synonym",
            type="primary",
            disabled=field is None,
        )
        draw_button(
            "Ignore",
            ignore,
            phrase.phrase,
            key="ignore-phrase",
            help="Leave these words out of this list, however often they are asked.",
        )
    if field is not None:
        known = ", ".join(f"“{plain(each)}”" for each in schema.field(field).synonyms) or "none"  # type: ignore[union-attr]
        st.markdown(
            f":small[From the next question on, “{plain(phrase.phrase)}” means **{plain(titles[field])}** in "
            f"{plain(schema.title)}. No document is read again, and answers given before stay as they are. "
            f"Synonyms so far: {known}.]"
        )


def draw_ignored(phrases: Sequence[str], bring_back: Callable[[str], None]) -> None:
    """The words that are ignored."""
    if not phrases:
        return
    with st.expander(f"Ignored words ({len(phrases):,})"):
        for at, phrase in enumerate(phrases):
            with st.container(horizontal=True, vertical_alignment="center"):
                st.markdown(f"“{plain(phrase)}”", width="content")
                draw_button("Bring back", bring_back, phrase, key=f"bring-back-{at}", type="tertiary")


def draw_lessons(found: Sequence[Lesson], opened: str, pick: Callable[[str], None]) -> None:
    """The corrections as a table, the newest first."""
    rows = [
        row(
            each.id,
            {
                "question": each.question,
                "wrong": WENT_WRONG[each.outcome],
                "instead": _instead(each),
                "by": each.corrected_by,
                "when": moment(each.corrected_at or each.asked_at),
            },
            hover={"when": (each.corrected_at or each.asked_at).isoformat(timespec="seconds")},
        )
        for each in found
    ]
    columns = [
        column("question", "Question", 280, kind="words"),
        column("wrong", "What went wrong", 210, kind="words"),
        column("instead", "Corrected to", 270, kind="words"),
        column("by", "By", 90),
        column("when", "When", 104),
    ]
    draw_table(
        "lessons-table",
        "corrections",
        "Corrections that are kept",
        columns,
        rows,
        opened=opened,
        file="corrections",
        most=_HEIGHT,
        open=lambda sent: pick(str(sent["id"])),
    )


def draw_lesson(lesson: Lesson, forget: Callable[[str], None]) -> None:
    """One correction, with a link to how its question is planned now."""
    st.subheader(plain(lesson.question), anchor=False)
    words = ", ".join(f"“{plain(each)}”" for each in lesson.uncovered)
    left_out = f"Not understood: {words}. " if words else ""
    st.markdown(
        f"{WENT_WRONG[lesson.outcome]}. {left_out}Asked by {plain(lesson.user)}, "
        f"{moment(lesson.asked_at)}. Now it is planned as: **{plain(_instead(lesson))}**"
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        st.link_button("Open its plan", links.inspector(question=lesson.question), type="secondary")
        draw_button("Forget this correction", forget, lesson.id, key="forget")
        st.markdown(
            ":small[Forgetting deletes it: questions like it are planned by the rules again.]",
            width="content",
        )


def _instead(lesson: Lesson) -> str:
    """The words or the steps of the plan that a question was corrected to."""
    if lesson.corrected_question and lesson.corrected_question != lesson.question:
        return lesson.corrected_question
    nodes = (lesson.corrected or {}).get("nodes", ())
    return " · ".join(str(each.get("purpose") or each.get("type")) for each in nodes)
