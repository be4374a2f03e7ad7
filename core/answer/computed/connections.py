"""Answers on how two names are connected: each way step by step, each step on its words."""

from __future__ import annotations

from collections.abc import Iterator

from core.answer.computed.draft import ComputedDraft, DraftLine
from core.answer.computed.lists import ledger_of
from core.answer.computed.wording import counted, listed
from core.domain.results import ConnectedStep, ConnectedWay, Connections
from core.search.evidence.base import Span

NOTHING = 0.3
"""Confidence that two names are not connected: always LOW, since documents write names in many ways."""


def compose_connections(found: Connections) -> ComputedDraft:
    """The shortest way in one sentence, and the steps of all; or that there is none, and over how many."""
    others = (f"The names could mean others, too: {listed(found.others)}.",) if found.others else ()
    left = (f"{count:,} {why} are left out." for why, count in found.left_out.items())
    draft = ComputedDraft(
        lead=DraftLine(_none(found)),
        ledger=ledger_of(found.documents, "connection"),
        gaps=(*others, *left),
        confidence=NOTHING,
    )
    if not found.ways:
        return draft
    best = found.ways[0]
    spans = tuple(dict.fromkeys(span for step in best.steps for span in _spans(step)))
    lead = DraftLine(_lead(found, best), spans, chain=1)
    lines = tuple(line for number, way in enumerate(found.ways, 1) for line in _lines(way, number))
    sure = min(step.probability for step in best.steps)
    return ComputedDraft(lead=lead, lines=lines, ledger=draft.ledger, gaps=draft.gaps, confidence=sure)


def _none(found: Connections) -> str:
    over = f"{counted(len(found.documents.scope), 'documents')} and {found.searched:,} connections of these"
    return (
        f"Nothing connects {found.one} with {found.other}: there is no way of {found.longest} steps or fewer "
        f"over {over}."
    )


def _lead(found: Connections, best: ConnectedWay) -> str:
    over = [name for name in best.names[1:-1] if name]
    by = f" by {listed(over)}" if over else ""
    more = f" {counted(len(found.ways) - 1, 'further ways')} below." if len(found.ways) > 1 else ""
    return f"{found.one} is connected with {found.other}{by}.{more}"


def _lines(way: ConnectedWay, number: int) -> Iterator[DraftLine]:
    for at, step in enumerate(way.steps):
        yield DraftLine(step.text, _spans(step), label=f"Way {number}" if at == 0 else "", chain=number)


def _spans(step: ConnectedStep) -> tuple[Span, ...]:
    return tuple(map(Span.of, step.citations))
