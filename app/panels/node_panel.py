"""The node that is open: its parameters, what it gave, what came in and went out, and its SQL."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

import streamlit as st

from app.components import result_blocks
from app.components.controls import draw_button, draw_switch
from app.components.shell import plain
from app.panels.plan_results import blocks_of, counts_table
from app.presenting.plan_diff import four_parts
from app.presenting.plan_words import FULFILS, SIGN, SOURCE, gave
from core.domain.results import Result, Stopped
from core.plan.ir.nodes import Node, Plan, spec_of
from core.plan.ir.validate import Problem, gives
from core.store.database.sql_log import SqlStatement

SETTINGS, GIVES, FLOW, SQL = "Settings", "Gives", "In and out", "SQL"
TABS = (SETTINGS, GIVES, FLOW, SQL)
TAB_KEY, PART_KEY = "tab", "part"
NodeAction = Callable[[str], None]
_BREAKS = re.compile(r" (AND|OR|LEFT OUTER JOIN|JOIN|UNION ALL) ")


def draw_node_head(
    node: Node, plan: Plan, problems: Sequence[Problem], remove: NodeAction, answer: NodeAction
) -> str:
    """Purpose of the node and the reason for it; gives the tab that is chosen."""
    draw_node_title(node)
    for each in problems:
        st.error(f"{plain(each.message)} {plain(each.next_step)}", icon=":material/error:")
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        tab = draw_node_tabs(SETTINGS)
        with st.popover("", icon=":material/more_vert:", help=f"More for {node.id}", key="node-more"):
            draw_button(
                "Let it answer the question",
                answer,
                node.id,
                key="node-answers",
                icon="flag",
                type="tertiary",
                disabled=node.id == plan.answer_node,
            )
            draw_button(
                "Take it out",
                remove,
                node.id,
                key="node-out",
                icon="delete",
                type="tertiary",
                disabled=len(plan.nodes) < 2,
                help="What took it in takes in what it took in",
            )
    return tab


def draw_node_title(node: Node) -> None:
    """Purpose of the node, and the reason for it."""
    st.markdown(f"**{spec_of(node).word}** `{node.id}` {plain(node.purpose)}")
    if node.reason:
        st.caption(f"Why: {plain(node.reason)}")


def draw_node_tabs(first: str) -> str:
    """The tab that is chosen; `first` where none was."""
    tab = draw_switch("Part of the node", TABS, TAB_KEY, first)
    return tab or first


def draw_parameters(parameters: Sequence[tuple[str, str]]) -> None:
    """Parameters of the node by name, to be read."""
    if not parameters:
        st.info("It has no settings: it works on what it takes in.")
        return
    rows = [{"cells": list(each)} for each in parameters]
    result_blocks.draw_sheet(
        "parameters", [result_blocks.table("Settings", ["Setting", "Is"], rows, wide=("Is",))]
    )


def draw_gives(node: Node, plan: Plan, result: Result | None, stopped: Stopped | None) -> None:
    """Result of the node: documents by part, rows, passages, groups or a value, each with its places."""
    if stopped is not None:
        options = [result_blocks.chips("It could be", [(each, "") for each in stopped.options])]
        lines = [
            result_blocks.line(stopped.reason, "wrong"),
            result_blocks.line(stopped.next_step, "faint"),
        ]
        result_blocks.draw_sheet("gives", [*lines, *options])
        return
    if result is None:
        st.info("It has not run yet. Run the plan to see what it gives.")
        return
    parts = four_parts(result)
    part = "present"
    if parts and result.type in ("documents", "groups"):
        counts = {name: len(ids) for name, ids in parts.items()}
        part = (
            draw_switch(
                "Which documents",
                list(counts),
                PART_KEY,
                "present",
                says=lambda name: f"{SIGN[name]} {FULFILS[name]} {counts[name]:,}",
            )
            or "present"
        )
    ran = node.ran
    if ran is not None:
        st.caption(f"{gave(result)} · {ran.latency_ms:,.0f} ms · from {SOURCE.get(ran.source, ran.source)}")
    result_blocks.draw_sheet("gives", blocks_of(result, node, plan, part))


def draw_flow(node: Node, plan: Plan, results: Mapping[str, Result], stopped: Mapping[str, Stopped]) -> None:
    """Flow through the node: input by input and its output, in the four parts."""

    def said(id: str) -> str:
        if id in stopped:
            return "stopped"
        return gave(results[id]) if id in results else "not run"

    named = [(f"In: {id}", said(id), results.get(id)) for id in node.inputs]
    named.append((f"Out: {node.id}", said(node.id), results.get(node.id)))
    takers = [each.id for each in plan.nodes if node.id in each.inputs]
    goes = f"Goes into {', '.join(takers)}." if takers else "Nothing takes in what it gives."
    if node.id == plan.answer_node:
        goes = "It answers the question." + (f" {goes}" if takers else "")
    result_blocks.draw_sheet("flow", [counts_table(named), result_blocks.line(goes, "faint")])


def draw_statements(node: Node, read: Callable[[], tuple[SqlStatement, ...]]) -> None:
    """The statements that the node asks of the database, with their values beside."""
    found = read()
    if not found:
        where = "the index of texts" if gives(node) == "passages" else "what other nodes gave"
        st.info(f"It asks nothing of the database: it works on {where}.")
        return
    st.caption(
        f"{len(found):,} statements, as the database gets them; values stand in the order of their signs. "
        "They only read."
    )
    texts = []
    for number, each in enumerate(found, 1):
        values = ", ".join(f"{name + ' = ' if name else ''}{value!r}" for name, value in each.values)
        said = f"\n-- values: {values}" if values else ""
        texts.append(f"-- {number} of {len(found)}\n{_formatted(each.sql)};{said}")
    st.code("\n\n".join(texts), language=None, wrap_lines=True)  # its colours are too pale


def _formatted(sql: str) -> str:
    """With a line for each part of it."""
    return _BREAKS.sub(lambda found: f"\n  {found[1]} ", sql.replace(" \n", "\n"))
