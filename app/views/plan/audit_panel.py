"""A saved audit: its parameters to run it with, its runs, and what is different between two of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import streamlit as st

from app import links
from app.components import result_blocks
from app.components.result_blocks import Block
from app.components.shell import draw_error, moment, plain
from app.presenting.plan_words import PART, SIGN, amount
from app.presenting.wording import counted
from core.domain.answer import LEDGER_PARTS
from core.domain.audit import (
    CHANGE_WORDS,
    Audit,
    AuditRun,
    ChangeKind,
    DocumentChange,
    Parameter,
    RunComparison,
)
from core.domain.value_text import day_of
from core.errors import GroundworkError

_LEGEND = ", ".join(f"{SIGN[each]} {PART[each].lower()}" for each in LEDGER_PARTS)
IN_ANSWER: tuple[ChangeKind, ...] = ("new", "changed", "left", "gone")
MOST_OUTSIDE = 50
Values = Mapping[str, tuple[str, ...]]


def draw_save(save: Callable[..., None], *, can: bool) -> None:
    """The form that keeps a plan under a name."""
    st.markdown("Keep this plan under a name: run it again later, over other buckets, and see what changed.")
    with st.form("save-audit", border=False, enter_to_submit=True):
        name = st.text_input(
            "Name", key="audit-name", placeholder="Contracts to renew this quarter", max_chars=120
        )
        everybody = st.toggle("Everybody may see it", True, key="audit-everybody")
        if st.form_submit_button(
            "Save as audit", icon=":material/bookmark_add:", type="primary", disabled=not can
        ):
            save(name, everybody=everybody)
            st.rerun()


def draw_parameters(audit: Audit, buckets: Sequence[str], run: Callable[[Values], None]) -> None:
    """Form of the parameters that a run may change; untouched ones stay the audit's own."""
    st.caption(
        f"Version {audit.version} by {plain(audit.updated_by)}, {moment(audit.updated_at)} · "
        f"{'everybody may see it' if audit.acl == () else 'only some may see it'}"
    )
    with st.form(f"run-{audit.id}-{audit.version}", border=True):
        given: dict[str, tuple[str, ...]] = {}
        columns = st.columns(2, gap="small")
        for number, each in enumerate(audit.parameters):
            with columns[number % 2]:
                value = _parameter(each, buckets, f"parameter-{audit.id}-{audit.version}-{each.name}")
            if value != each.default:
                given[each.name] = value
        if not audit.parameters:
            st.caption("It has no parameters: it asks for the same every time.")
        if st.form_submit_button("Run the audit", icon=":material/play_arrow:", type="primary"):
            run(given)
            st.rerun()


def _parameter(each: Parameter, buckets: Sequence[str], key: str) -> tuple[str, ...]:
    if each.type == "bucket":
        options = list(dict.fromkeys((*buckets, *each.default)))
        return tuple(
            st.multiselect(each.title, options, default=list(each.default), key=key, placeholder="All")
        )
    if each.many:
        options = list(dict.fromkeys((*each.default, *each.options)))
        return tuple(
            st.multiselect(each.title, options, default=list(each.default), key=key, accept_new_options=True)
        )
    first = next(iter(each.default), "")
    if each.type in ("date", "today") and (not first or day_of(first)):
        low, high = day_of("1900-01-01"), day_of("2200-12-31")
        picked = st.date_input(
            each.title, day_of(first), key=key, format="YYYY-MM-DD", min_value=low, max_value=high
        )
        return (picked.isoformat(),) if picked else ()
    if each.type == "boolean":
        chosen = st.selectbox(each.title, ["Yes", "No"], index=int(first == "false"), key=key)
        return ("false" if chosen == "No" else "true",)
    if each.options:
        options = list(dict.fromkeys((*each.default, *each.options)))
        return (st.selectbox(each.title, options, index=0, key=key),)
    text = st.text_input(each.title, first, key=key).strip()
    return (text,) if text else ()


def draw_runs(
    audit: Audit, runs: Sequence[AuditRun], compare: Callable[[str, str], RunComparison | GroundworkError]
) -> None:
    """The runs that are kept, and the comparison of two of them: the last two, unless others are chosen."""
    if not runs:
        st.info("It has not been run yet. What a run gives is kept here, to compare later ones with.")
        return
    rows = [
        {
            "cells": [
                f"{moment(run.at)}, {run.user}",
                run_answer(run),
                " ".join(f"{SIGN[part]} {run.counts.get(part, 0):,}" for part in LEDGER_PARTS),
                _other_values(run, audit),
            ]
        }
        for run in runs
    ]
    columns = ["Run", "Answer", "Documents", "With"]
    if not any(each["cells"][-1] for each in rows):
        columns, rows = columns[:-1], [{"cells": each["cells"][:-1]} for each in rows]
    result_blocks.draw_sheet("audit-runs", [result_blocks.table("Runs", columns, rows, note=_LEGEND)])
    if len(runs) < 2:
        st.caption("Run it again to see what is different.")
        return
    named = {run.id: f"{moment(run.at)} ({len(runs) - at})" for at, run in enumerate(runs)}
    said = named.__getitem__
    left, right = st.columns(2, gap="small")
    newest = runs[0].id
    with left:
        before = st.selectbox("Compare", list(named), index=1, key=f"before-{newest}", format_func=said)
    with right:
        after = st.selectbox(
            "with the later run",
            list(named),
            index=0,
            key=f"after-{newest}",
            format_func=said,
        )
    found = compare(before, after)
    if isinstance(found, GroundworkError):
        draw_error(found)
        return
    result_blocks.draw_sheet("comparison", comparison_blocks(found))


def comparison_blocks(found: RunComparison) -> list[Block | None]:
    """Differences between two runs, as blocks of a sheet."""
    one, other = found.before, found.after
    blocks: list[Block | None] = [
        result_blocks.heading("What is different"),
        result_blocks.line("The plan was changed between the runs.", "wrong") if found.plan_changed else None,
        *(result_blocks.line(each.text, "faint") for each in found.parameters),
    ]
    if one.value is not None and other.value is not None and one.value != other.value:
        blocks.append(
            result_blocks.value(
                amount(other.value.value, other.value.unit or ""),
                before=amount(one.value.value, one.value.unit or ""),
            )
        )
    counts = [{part: run.counts.get(part, 0) for part in LEDGER_PARTS} for run in (one, other)]
    if any(counts[0].values()) or any(counts[1].values()):
        blocks.append(result_blocks.ledger("Documents of both runs", counts[1], before=counts[0]))
    in_answer = [each for kind in IN_ANSWER for each in found.by_kind[kind]]
    if in_answer:
        blocks.append(_changes("Documents that are told otherwise", in_answer))
    if found.outside:
        blocks.append(result_blocks.heading("Outside of the answer"))
        blocks.append(_changes("Documents outside of the answer", found.outside[:MOST_OUTSIDE]))
        more = len(found.outside) - MOST_OUTSIDE
        blocks.append(
            result_blocks.line(f"And {counted(more, 'further document')}.", "faint") if more > 0 else None
        )
    same = f"{found.unchanged:,} {'document is' if found.unchanged == 1 else 'documents are'} the same."
    is_same = found.summary == "nothing is different"
    blocks.append(result_blocks.line(f"Nothing is different: {same}" if is_same else same, "faint"))
    if not (one.is_whole and other.is_whole):
        blocks.append(
            result_blocks.line("Documents that you may not see took part, and are left out.", "faint")
        )
    return blocks


def _changes(title: str, changes: Sequence[DocumentChange]) -> Block:
    rows = [
        {
            "cells": [
                each.title,
                _outside(each) if each.kind == "outside" else CHANGE_WORDS[each.kind],
                " ".join(reason.text for reason in each.reasons),
            ],
            "href": links.place(each.document) if not _is_removed(each) else None,
            "tone": each.kind,
        }
        for each in changes
    ]
    return result_blocks.table(title, ["Document", "What", "Why"], rows, wide=("Why",))


def _outside(each: DocumentChange) -> str:
    """Place of a document that belongs to neither answer: its part before and now."""
    before, now = (PART[part] if part is not None else "Not in scope" for part in (each.before, each.after))
    return f"{before}, {now.lower()} now" if before != now else f"{now} as before"


def _is_removed(each: DocumentChange) -> bool:
    return any(reason.why == "document_removed" for reason in each.reasons)


def run_answer(run: AuditRun) -> str:
    """`$1,200`, `12 documents`, or of an answer that is found in texts `3 documents cited`."""
    if run.value is not None:
        return amount(run.value.value, run.value.unit or "")
    number, cited = run.counts.get("answers", 0), run.counts.get("cited", 0)
    return f"{counted(cited, 'document')} cited" if cited and not number else counted(number, "document")


def _other_values(run: AuditRun, audit: Audit) -> str:
    """The parameters that were other than those of the audit."""
    own = {each.name: each for each in audit.parameters}
    said = [
        f"{own[name].title if name in own else name}: {', '.join(each) or 'all'}"
        for name, each in run.values.items()
        if name not in own or each != own[name].default
    ]
    return "; ".join(said)
