"""Audit log: who did what, when and from where; whether that record is whole; answers proved and replayed."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from app import services, state
from app.components.controls import draw_button
from app.components.shell import guarded, plain
from app.views.audit_log import entries
from app.views.audit_log.answer import draw_answer
from core.domain.trust.deed import AuditEntry


def page() -> None:
    """Draw the page."""
    log = services.session().audit_log
    st.title("Audit log", anchor=False)
    if log.sees_all:
        _draw_chain()
    else:
        st.info("You see your own deeds. All of them are shown to the roles admin and compliance_officer.")
    entries.draw_filters()
    asked = entries.wanted()
    total = log.count(replace(asked, before=None))
    found = log.entries(asked)
    if asked.trace:
        draw_answer(asked.trace)
        st.divider()
    entries.draw_export(total, asked)
    if not found:
        st.info("No entry fits. Take a filter away.")
        return
    opened = state.from_address("entry")
    entries.draw_entries(found, opened, lambda entry: state.to_address(entry=entry))
    entries.draw_parts(found, total)
    if entry := _opened(found, opened):
        entries.draw_entry(
            entry, follow=lambda trace: _only(trace=trace), about=lambda subject: _only(on=subject)
        )


def _draw_chain() -> None:
    with st.container(horizontal=True, vertical_alignment="center", key="audit-chain"):
        draw_button(
            "Verify",
            _verify,
            key="audit-verify",
            icon="verified_user",
            help="Compute every link of the chain anew",
        )
        report = state.chain_report()
        if report is None:
            head = services.session().audit_log.head()
            st.markdown(
                f":small[Last entry {head.sequence:,}, hash `{head.hash[:16] or 'none'}`.]", width="content"
            )
            return
        text, is_whole, sequence, head_no, digest = report
        if is_whole:
            st.markdown(
                f":material/check: {plain(text)} :small[Last entry {head_no:,}, hash `{digest[:16]}`.]",
                width="content",
            )
            return
    with st.container(key="audit-broken"):
        st.error(plain(text), icon=":material/link_off:")
        st.markdown(
            "Somebody changed the database by hand. Keep a copy of it as it is, and compare it with a "
            "backup. Entries before this one are whole."
        )
        draw_button(
            f"Show entry {sequence:,} and those before it", _show_around, sequence, key="audit-around"
        )


def _opened(found: list[AuditEntry], opened: str) -> AuditEntry | None:
    return next((each for each in found if str(each.sequence) == opened), None)


_FILTERS = ("who", "deed", "on", "trace", "outcome", "since", "until", "before")


@guarded
def _verify() -> None:
    """Compute every link of the chain anew."""
    report = services.session().audit_log.verify()
    state.chain_report.set([report.text, report.is_whole, report.sequence or 0, report.head, report.hash])


def _show_around(sequence: int) -> None:
    """Show the entries before a broken link, and the one itself."""
    _only(entry=sequence, before=sequence + 6)


def _only(**filters: str | int) -> None:
    """Show everything that fits these, and nothing else."""
    state.to_address(**{**dict.fromkeys((*_FILTERS, "entry")), **filters})
