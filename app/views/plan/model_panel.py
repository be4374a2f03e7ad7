"""Work of a language model on the answer that a plan is of: what it read, and the tools that it called."""

from __future__ import annotations

import json
from collections.abc import Sequence

import streamlit as st

from app.components import result_blocks
from app.components.shell import plain
from app.presenting.wording import counted
from core.domain.event import Event, QuestionRead, ToolUsed
from core.domain.llm.use import ModelStatement

USED, UNUSED = "● used", "○ not used"


def has_work(events: Sequence[Event]) -> bool:
    """True where a model read the question, or called a tool for its answer."""
    return any(isinstance(each, QuestionRead | ToolUsed) for each in events)


def draw_model(events: Sequence[Event]) -> None:
    """Draw what it said of the question with what was used, then every tool call, each to be opened."""
    said = [part for each in events if isinstance(each, QuestionRead) for part in each.parts]
    tools = [each for each in events if isinstance(each, ToolUsed)]
    if said:
        _draw_statements(said)
    if not tools:
        return
    tokens = sum(each.tokens for each in tools)
    spent = sum(each.latency_ms for each in tools)
    st.markdown("**Tools that the model called**")
    st.caption(
        f"{counted(len(tools), 'call')}, {spent:,.0f} ms"
        + (f", {tokens:,} tokens of the replies that asked for them" if tokens else "")
    )
    for number, each in enumerate(tools, start=1):
        with st.expander(tool_line(number, each), key=f"tool-{number}"):
            st.caption("Arguments")
            told = json.dumps(each.arguments, indent=1, ensure_ascii=False)
            st.code(told, language=None, wrap_lines=True)  # colours of JSON are too pale to read
            st.caption("Result, as the model was shown it, cut short")
            st.code(each.result, language=None, wrap_lines=True)


def tool_line(number: int, call: ToolUsed) -> str:
    """`1 · search_text · 3 hits · 12 ms · 950 tokens`."""
    found = counted(call.hits, "hit") if call.hits else "nothing found"
    parts = [f"{number}", plain(call.tool), found, f"{call.latency_ms:,.0f} ms"]
    return " · ".join([*parts, f"{call.tokens:,} tokens"] if call.tokens else parts)


def _draw_statements(said: Sequence[ModelStatement]) -> None:
    rows = [{"cells": [each.part, each.said, USED if each.is_used else UNUSED, each.why]} for each in said]
    table = result_blocks.table(
        "What the model said of the question", ["Part", "Said", "Used", "Why"], rows, wide=("Said", "Why")
    )
    result_blocks.draw_sheet("model-read", [table])
