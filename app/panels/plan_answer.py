"""The answer of a plan beside its graph: what it says, its ledger, and what the last change made of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import streamlit as st

from app import links
from app.components import result_blocks
from app.components.result_blocks import Block
from app.components.shell import plain
from app.panels.plan_results import documents_table, fields_of
from app.presenting.plan_diff import Difference, how
from app.presenting.plan_words import FULFILS, PART
from core.domain.answer import LEDGER_PARTS, Answer, EvidenceItem, Status
from core.plan.ir.nodes import Plan
from core.search.evidence.listing import MOST
from core.workbench.services.plans import PlanRan

_CITATION = re.compile(r"\[(\d{1,4})\]")
_STATUS = {
    Status.PARTIAL: "Not everything that was asked is covered.",
    Status.ABSTAINED: "The documents do not say it.",
    Status.CLARIFY: "It needs a word from you.",
    Status.FAILED: "It could not be answered.",
}
_MOST_LINES = 14


def draw_answer(run: PlanRan, on_part: Callable[[str], None]) -> None:
    """Answer of the plan as it is now: text with its citations, the ledger, gaps, and the time it took."""
    answer = run.answer
    if answer is None:
        st.info("The plan ends in passages: they are what it found. Open the node that answers to read them.")
        return
    if answer.status in _STATUS:
        st.warning(_STATUS[answer.status], icon=":material/warning:")
    lines = linked(answer).split("\n")
    st.markdown("\n".join(lines[:_MOST_LINES]))
    if len(lines) > _MOST_LINES:
        with st.expander(f"All of the answer, {len(lines) - _MOST_LINES:,} lines more"):
            st.markdown("\n".join(lines[_MOST_LINES:]))
    blocks: list[Block | None] = []
    if answer.ledger is not None:
        counts = {part: getattr(answer.ledger, part) for part in LEDGER_PARTS}
        blocks.append(
            result_blocks.ledger(
                f"Documents by {answer.ledger.field}",
                counts,
                opens=True,
                words=FULFILS if answer.ledger.fulfils else PART,
            )
        )
    blocks += [
        result_blocks.line(gap if " " in gap else f"Nothing was found of “{gap}”.", "faint")
        for gap in answer.gaps
    ]
    spent = answer.timings_ms.get("total")
    ran = how(run)
    said = [
        f"{len(ran['ran'])} ran" if ran["ran"] else "",
        f"{len(ran['kept'])} from memory" if ran["kept"] else "",
        f"{len(ran['stopped'])} stopped" if ran["stopped"] else "",
    ]
    took = f"{spent:,.0f} ms in all" if spent else ""
    blocks.append(result_blocks.line(" · ".join(each for each in (*said, took) if each), "faint"))
    result_blocks.draw_sheet("answer", blocks, on_part)


def draw_difference(found: Difference, run: PlanRan) -> None:
    """Effect of the change: values, documents that came and went, and which nodes ran for it."""
    nodes = [
        *((id, "ran") for id in found.ran),
        *((id, "kept") for id in found.kept),
        *((id, "stopped") for id in found.stopped),
    ]
    words = {"ran": "ran again", "kept": "from memory", "stopped": "stopped"}
    blocks: list[Block | None] = [
        result_blocks.chips("Nodes", [(f"{id}: {words[tone]}", tone) for id, tone in nodes])
    ]
    if found.is_empty:
        blocks.append(result_blocks.line("The answer is the same as before."))
    if len(found.values) == 1 and not found.values[0].group:
        blocks.append(result_blocks.value(found.values[0].after, before=found.values[0].before))
    elif found.values:
        rows = [
            {"cells": [each.group, each.before, each.after], "tone": _tone(each.before, each.after)}
            for each in found.values
        ]
        blocks.append(result_blocks.table("Values that changed", ["Group", "Before", "Now"], rows))
    if any(one != other for _, one, other in found.counts):
        now = {part: after for part, _, after in found.counts}
        old = {part: one for part, one, _ in found.counts}
        blocks.append(result_blocks.ledger("Documents before and now", now, before=old))
    if found.new or found.left:
        tones = {**dict.fromkeys(found.new, "new"), **dict.fromkeys(found.left, "left")}
        why = {
            **dict.fromkeys(found.new, "new in the answer: belongs now, did not before"),
            **{id: f"left the answer: {_now(run, id)}" for id in found.left},
        }
        node = run.plan.node(run.plan.answer_node or "")
        fields = fields_of(node, run.plan)
        ids = sorted(tones)
        blocks.append(documents_table(ids, fields, why, "changed", tones))
    if found.moved:
        why = {each.document: f"{_part(each.before)} before, {_part(each.after)} now" for each in found.moved}
        blocks += [
            result_blocks.heading("Known otherwise"),
            documents_table(sorted(why), (), why, "changed", dict.fromkeys(why, "changed")),
        ]
    result_blocks.draw_sheet("difference", blocks)


def draw_notes(plan: Plan) -> None:
    """Decisions of the planner with their reasons, and words of the question that no node answers."""
    blocks: list[Block | None] = []
    if plan.uncovered:
        blocks += [
            result_blocks.line(f"Not covered: “{phrase}”. No node answers it.", "wrong")
            for phrase in plan.uncovered
        ]
    rows = [
        {"cells": [f"“{each.phrase}”" if each.phrase else "The question", each.reading, each.node]}
        for each in plan.notes
    ]
    if rows:
        blocks.append(
            result_blocks.table(
                "The planner's decisions", ["Words", "Read as", "Node"], rows, wide=("Read as",)
            )
        )
    why = [{"cells": [node.id, node.reason]} for node in plan.nodes if node.reason]
    if why:
        blocks.append(
            result_blocks.table("Why each node is there", ["Node", "Because"], why, wide=("Because",))
        )
    if plan.today:
        blocks.append(result_blocks.line(f"“Today” is {plan.today}.", "faint"))
    if not blocks:
        st.info("The plan says nothing of how it came about.")
    result_blocks.draw_sheet("notes", blocks)


def draw_evidence(items: Sequence[EvidenceItem], on_place: Callable[[int], None] | None = None) -> None:
    """Every place that was found, by document, with its score and what became of it.

    on_place: opens one by its number; without it each is a link to its place.
    """
    if not items:
        st.info("No text was searched, and the answer cites no place: it rests on its ledger.")
        return
    note = (
        "" if len(items) < MOST else f"At most {MOST}, those that are used or contradicted before all others."
    )
    found = result_blocks.evidence("Evidence by document", items, note, opens_here=on_place is not None)
    result_blocks.draw_sheet("evidence", [found], on_place=on_place)


def linked(answer: Answer) -> str:
    """The text with its citations as links to their places."""
    places = {each.n: each for each in answer.citations}

    def link(found: re.Match[str]) -> str:
        each = places.get(int(found[1]))
        if each is None:
            return found[0]
        to = links.cited(each)
        said = plain(f"{each.title}, page {each.page}").replace('"', "'")
        return f'[\\[{found[1]}\\]]({to} "{said}")'

    return _CITATION.sub(link, answer.text)


def _now(run: PlanRan, id: str) -> str:
    ledger = run.answer.ledger if run.answer is not None else None
    if ledger is None:
        return "not found now"
    part = next((each for each in PART if id in getattr(ledger.documents, each)), None)
    return "not in scope any more" if part is None else f"{PART[part].lower()} now"


def _part(part: str | None) -> str:
    return "not in scope" if part is None else PART[part].lower()


def _tone(before: str | None, after: str | None) -> str:
    return "new" if before is None else "left" if after is None else "changed"
