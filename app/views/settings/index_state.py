"""The search index as a person looks after it: where it is, whether it is whole, what can be done."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from app.components.controls import draw_button
from app.components.shell import moment
from app.presenting.wording import counted, duration
from app.views.settings.facts import Fact, draw_facts
from core.domain.upkeep import EngineState, IndexFacts, IndexOverview, Repair

_NAMES = {"embedded": "Local files", "weaviate": "Weaviate"}
_KEPT = {
    "none": "whole",
    "rq8": "8 bits a number (rq8)",
    "rq1": "1 bit a number, rotated (rq1)",
    "bq": "1 bit a number (bq)",
}


@dataclass(frozen=True, slots=True)
class IndexActions:
    """Actions of a page on an engine, by its name; both begin a job."""

    repair: Callable[[str], None]
    rebuild: Callable[[str], None]


def draw_engine(state: EngineState, overview: IndexOverview, actions: IndexActions) -> None:
    """One engine: its facts, or why it cannot be asked; buttons that wait while a job runs."""
    name = _NAMES.get(state.name, state.name)
    verb = "answer" if state.name == "embedded" else "answers"
    role = f"{verb} while the server is away" if state.is_standby else f"{verb} searches"
    if state.facts is None:
        role = f"{verb} no searches now"
    facts = _problem(state) if state.facts is None else _facts(state.facts, overview)
    draw_facts(f"{name}: {role}", "Search index", [*facts, _repaired(state.repair)])
    with st.container(horizontal=True, vertical_alignment="center"):
        draw_button(
            "Check and repair",
            actions.repair,
            state.name,
            icon="build",
            disabled=overview.is_busy or state.facts is None,
            key=f"repair-{state.name}",
            help="Compares it with the records and writes again what is missing. Searches go on.",
        )
        draw_button(
            "Rebuild beside and switch",
            actions.rebuild,
            state.name,
            icon="swap_horiz",
            disabled=overview.is_busy,
            key=f"rebuild-{state.name}",
            help="Builds a new one from the records; the one that serves goes on until it is complete.",
        )


def _problem(state: EngineState) -> list[Fact]:
    return [Fact("Reachable", f"no. {state.problem}", False), Fact("What to do", state.next_step or "Wait.")]


def _facts(facts: IndexFacts, overview: IndexOverview) -> list[Fact]:
    behind = overview.data_version - facts.sequence
    collection = facts.version if facts.place.startswith("/") else f"{facts.collection}, now {facts.version}"
    found = [
        Fact("Reachable", f"yes, {facts.place}", True),
        Fact("Collection", collection),
        Fact(
            "Passages",
            f"{facts.passages:,} of {overview.passages:,} in the records",
            facts.passages == overview.passages,
        ),
        Fact("Up to date", "yes" if behind <= 0 else f"{counted(behind, 'change')} behind", behind <= 0),
    ]
    if facts.waiting is not None:
        waiting = (
            "none" if not facts.waiting else f"{counted(facts.waiting, 'vector')}; found by words already"
        )
        found.append(Fact("Waiting to be found by meaning", waiting, not facts.waiting))
    found.append(Fact("Vectors kept", _KEPT.get(facts.quantiser, facts.quantiser)))
    if facts.unlike_settings:
        found.append(Fact("Settings not applied", f"{facts.unlike_settings} Rebuild to apply.", False))
    return found


def _repaired(repair: Repair | None) -> Fact:
    if repair is None:
        return Fact("Last check", "never")
    return Fact("Last check", describe(repair), not repair.report.unrepaired)


def describe(repair: Repair) -> str:
    """Time, cause and findings of a repair: one or two sentences."""
    report = repair.report
    told = [f"{moment(repair.at)}, in {duration(max(repair.seconds, 0.1))}. {repair.reason}"]
    checked = f"{counted(report.checked, 'passage')} checked"
    if report.is_clean:
        return f"{told[0]} {checked}; nothing was missing."
    parts = [
        (report.missing, "missing"),
        (report.lost, "not found by meaning"),
        (report.surplus, "too many"),
    ]
    found = ", ".join(f"{number:,} {what}" for number, what in parts if number)
    mended = "all put right" if report.repaired == report.found else f"{report.repaired:,} put right"
    told.append(f"{checked}: {found}; {mended}{' by building it anew' if report.is_rebuilt else ''}.")
    if report.unrepaired:
        told.append(f"{counted(len(report.unrepaired), 'document')} still differ: rebuild it.")
    return " ".join(told)
