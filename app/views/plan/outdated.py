"""Saved audits whose evidence has changed: listed, run again one or all, with what is different."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from app import services
from app.components import result_blocks
from app.components.controls import draw_button
from app.components.shell import guarded, moment, plain
from app.presenting.wording import counted, duration
from app.running.audit_runs import AuditBatch, AuditState, BatchItem
from app.views.plan import open_plan
from app.views.plan.audit_panel import comparison_blocks
from core.domain.audit import OutdatedAudit, Why

POLL_S = 0.5
WATCH_S = 5.0  # two look-ups each time: crawls end, and audits are run elsewhere, while the list stands open
MOST_NAMED = 20
_WORDS: dict[Why, tuple[str, str]] = {
    "document_updated": ("document with a newer version", "documents with a newer version"),
    "document_withdrawn": ("document gone from its site", "documents gone from their site"),
    "document_removed": ("document removed", "documents removed"),
    "document_added": ("new document in its scope", "new documents in its scope"),
}
_STATE = {
    AuditState.WAITING: "○ Waiting",
    AuditState.RUNNING: "● Running",
    AuditState.DONE: "● Done",
    AuditState.FAILED: "■ Failed",
    AuditState.CANCELLED: "○ Cancelled",
}


def draw_outdated() -> None:
    """The audits to run again, and what came of those that were; nothing where there are none."""
    batch = services.audit_runs().last(services.current_principal())
    if batch is not None and not batch.ended.is_set():
        _draw_running(batch.id)
        return
    _watch(_fingerprint())
    found = services.session().audits.outdated()
    if batch is None and not found:
        return
    with st.container(key="outdated-audits", border=True):
        if found:
            _draw_list(found)
        if batch is not None:
            _draw_ended(batch)


def _fingerprint() -> tuple[object, ...]:
    """State of the collection and of all runs: another one may mean another list."""
    runs = ((each.id, each.version, each.runs) for each in services.session().audits.list())
    return (services.bench().data_version(), *runs)


@st.fragment(run_every=WATCH_S)
def _watch(drawn: tuple[object, ...]) -> None:
    """Draw the page anew once the list may be another than the one that was drawn."""
    if _fingerprint() != drawn:
        st.rerun()


def _draw_list(found: Sequence[OutdatedAudit]) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        what = "saved audit rests" if len(found) == 1 else "saved audits rest"
        said = f"{len(found):,} {what} on documents that changed or came since the last run"
        st.markdown(f"**Run again** · {said}", width="content")
        st.space("stretch")
        if len(found) > 1:
            draw_button(
                f"Run all {len(found):,} again",
                _start,
                [each.audit.id for each in found],
                key="rerun-all",
                type="primary",
                icon="replay",
            )
    for each in found:
        _draw_audit(each)


def _draw_audit(each: OutdatedAudit) -> None:
    audit = each.audit
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        draw_button(
            plain(audit.name), open_plan.open_audit, audit.id, key=f"outdated-{audit.id}", icon="bookmark"
        )
        st.caption(f"{told(each)} · last run {moment(each.run.at)}", width="content")
        st.space("stretch")
        draw_button("Run again", _start, [audit.id], key=f"rerun-{audit.id}", icon="replay")
    with st.expander(f"What has changed under “{plain(audit.name)}”"):
        for change in each.changes[:MOST_NAMED]:
            reasons = " ".join(reason.text for reason in change.reasons)
            st.markdown(f"- {plain(change.title)}: {plain(reasons)}")
        if len(each.changes) > MOST_NAMED:
            st.caption(f"And {counted(len(each.changes) - MOST_NAMED, 'further document')}.")


def told(each: OutdatedAudit) -> str:
    """`2 documents with a newer version · 1 new document in its scope`."""
    counts = [(each.count(why), words) for why, words in _WORDS.items()]
    return " · ".join(counted(count, *words) for count, words in counts if count)


@guarded
def _start(ids: list[str]) -> None:
    audits = services.session().audits
    services.audit_runs().start([audits.get(id) for id in ids], services.current_principal())


@st.fragment(run_every=POLL_S)
def _draw_running(id: str) -> None:
    batch = services.audit_runs().last(services.current_principal())
    if batch is None or batch.id != id or batch.ended.is_set():
        st.rerun()
        return
    current, total = batch.current, len(batch.items)
    name = f" · {plain(current.audit.name)}" if current is not None else ""
    left = f" · about {duration(batch.left_s)} left" if batch.left_s is not None else ""
    with st.container(key="audits-running", border=True):
        st.progress(batch.done / total, f"{batch.done:,} of {counted(total, 'audit')} run again{name}{left}")
        is_ending = batch.cancelled.is_set()
        draw_button(
            "Cancelling: the one that runs is finished first" if is_ending else "Cancel",
            batch.cancelled.set,
            key="cancel-audits",
            icon="stop_circle",
            disabled=is_ending,
        )


def _draw_ended(batch: AuditBatch) -> None:
    done = sum(each.state is AuditState.DONE for each in batch.items)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"**{done:,} of {counted(len(batch.items), 'audit')} run again**", width="content")
        st.space("stretch")
        draw_button("Put away", _forget, key="forget-audits", type="tertiary", icon="close")
    for number, each in enumerate(batch.items):
        _draw_item(each, number, is_open=len(batch.items) == 1)


def _draw_item(each: BatchItem, number: int, *, is_open: bool) -> None:
    name = plain(each.audit.name)
    if each.said is not None:
        st.error(f"{name}: {plain(' '.join(each.said))}", icon=":material/error:")
        return
    if each.compared is None:
        st.caption(f"{name}: {_STATE[each.state]}")
        return
    with st.expander(f"{name} · {each.compared.summary}", expanded=is_open):
        result_blocks.draw_sheet(f"rerun-difference-{number}", comparison_blocks(each.compared))


def _forget() -> None:
    services.audit_runs().forget(services.current_principal())
