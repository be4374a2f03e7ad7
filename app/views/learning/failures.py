"""Failures by the shape of their questions: at which stage, what was tried, what changed since."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from app import links
from app.components.controls import draw_button
from app.components.shell import moment, plain
from app.components.table import column, draw_table, row
from app.presenting.wording import counted
from core.domain.trust.failures import FAILURE_STAGES, FailedQuestion, FailedShape, FailureCount, FailureStage

_HEIGHT = 340  # px
_ROUTES = {"fields": "the fields", "text": "the text", "none": "nothing: it was asked back"}
_READERS = {"reader": "the trained reader", "model": "the model", "person": "a person"}
_CHANGES = {"lesson": "A correction was learnt", "cells": "Cells were decided", "phrase": "Words were added"}
_STATUSES = {
    "": "nothing found",
    "abstained": "no answer",
    "clarify": "asked back",
    "answered": "answered",
    "partial": "answered in part",
    "refused": "refused",
    "failed": "could not be searched",
    "wrong": "found wrong",
}


def shown(found: Sequence[FailedShape], stage: str) -> list[FailedShape]:
    """Those that failed at a stage; "" for all."""
    return [each for each in found if not stage or stage in each.stages]


def draw_shapes(found: Sequence[FailedShape], opened: str, pick: Callable[[str], None]) -> None:
    """The shapes as a table, those with the most open questions first; a click on a row opens it."""
    rows = [
        row(
            each.shape,
            {
                "question": each.questions[0].question,
                "stage": _stages(each),
                "failed": f"{each.failed:,} of {each.count:,}",
                "open": f"{each.open:,}",
                "last": moment(each.last_at),
            },
            hover={"question": each.shape, "last": each.last_at.isoformat(timespec="seconds")},
        )
        for each in found
    ]
    columns = [
        column("question", "Questions like", 360, kind="words"),
        column("stage", "What went wrong", 290, kind="words"),
        column("failed", "Failed", 84, right=True),
        column("open", "Still open", 96, right=True),
        column("last", "Last failed", 110),
    ]
    draw_table(
        "failures-table",
        "failures",
        "Questions that failed, by what they ask",
        columns,
        rows,
        opened=opened,
        most=_HEIGHT,
        file="failures",
        open=lambda sent: pick(str(sent["id"])),
    )


def draw_shape(shape: FailedShape, ask_again: Callable[[str], None]) -> None:
    """One of them: its questions before and now, what was tried, and what changed since."""
    st.subheader(f"Questions like “{plain(shape.questions[0].question)}”", anchor=False)
    st.markdown(f"**{plain(shape.first)}.**" if shape.first else ":small[These are asked in the usual way.]")
    for each in shape.questions:
        st.markdown(f"- {_told(each)}")
    left, right = st.columns(2)
    with left:
        st.markdown("**What was tried**")
        for way in shape.tried:
            by = f", as {_READERS[way.reader]} read it" if way.reader in _READERS else ""
            st.markdown(f"- {_ROUTES[way.route].capitalize()}{by}: {way.failed:,} of {way.count:,} failed")
    with right:
        st.markdown("**What changed since**")
        for change in shape.changes:
            who = f" by {plain(change.by)}" if change.by else ""
            st.markdown(
                f"- {_CHANGES[change.kind]}{who}, {moment(change.at)}: {plain(change.words)}  \n"
                f":small[{results_words(change.before, change.after)}]"
            )
        if not shape.changes:
            st.markdown(
                ":small[No correction was learnt, no words were added, and no cell of these fields decided.]"
            )
    draw_button(
        f"Ask {'it' if len(shape.questions) == 1 else 'these'} again",
        ask_again,
        shape.shape,
        key="ask-again",
        icon="replay",
        help="As a job, with what you may see. Answers are only noted here: before and now.",
    )


def results_words(before: FailureCount, after: FailureCount) -> str:
    """`Before: 3 of 3 failed. Since: 0 of 2 failed.`"""
    since = f"{after.failed:,} of {after.count:,} failed" if after.count else "not asked again"
    return f"Before: {before.failed:,} of {before.count:,} failed. Since: {since}."


def stage_words(stage: FailureStage | str) -> str:
    """`Nothing was found in the text`."""
    return next((words for name, words in FAILURE_STAGES.items() if name == stage), "Any stage")


def _stages(shape: FailedShape) -> str:
    if len(shape.stages) == 1:
        return stage_words(next(iter(shape.stages)))
    return "; ".join(f"{stage_words(stage)} ({count:,})" for stage, count in shape.stages.items())


def _told(each: FailedQuestion) -> str:
    link = f"[{plain(each.question)}]({links.inspector(question=each.question, buckets=each.buckets)})"
    sign = ":green[:material/check:]" if each.is_answered else ":orange[:material/close:]"
    before, now = (_STATUSES.get(word, word) for word in (each.before, each.now))
    since = f"; {now} since, {moment(each.last_at)}" if each.last_at > each.failed_at else ""
    return f"{sign} {link} :small[{before}, {moment(each.failed_at)}{since}]"


def found_words(found: Sequence[FailedShape], chosen: Sequence[FailedShape]) -> str:
    """`3 of 5 kinds of questions`."""
    count = sum(each.open for each in found)
    kinds = counted(len(found), "kind of questions", "kinds of questions")
    return f"**{len(chosen):,}** of **{kinds}**, {counted(count, 'question')} still open"
