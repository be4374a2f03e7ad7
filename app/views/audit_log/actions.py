"""Actions of the page Audit log: entries opened, traces followed, the chain checked, answers replayed."""

from __future__ import annotations

from app import services, state
from app.components.shell import guarded

_FILTERS = ("who", "deed", "on", "trace", "outcome", "since", "until", "before")


def open_entry(sequence: str) -> None:
    """Show an entry."""
    state.to_address(entry=sequence)


def follow(trace: str) -> None:
    """Show everything of one question, and nothing else."""
    state.to_address(**dict.fromkeys(_FILTERS), entry=None)
    state.to_address(trace=trace)


def about(subject: str) -> None:
    """Show everything that was done on one thing."""
    state.to_address(**dict.fromkeys(_FILTERS), entry=None)
    state.to_address(on=subject)


@guarded
def verify() -> None:
    """Compute every link of the chain anew."""
    report = services.session().audit_log.verify()
    state.set_chain_report([report.text, report.is_whole, report.sequence or 0, report.head, report.hash])


def show_around(sequence: int) -> None:
    """Show the entries before a broken link, and the one itself."""
    state.to_address(**dict.fromkeys(_FILTERS), entry=sequence)
    state.to_address(before=sequence + 6)
