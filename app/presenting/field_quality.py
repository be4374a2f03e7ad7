"""Quality of fields: the header of a column names its method, with measured figures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from core.config.fields import FieldDefinition
from core.domain.fields import DEFAULT_LEVEL
from core.workbench.model_card import model_card


def figures_of(definitions: Iterable[FieldDefinition]) -> dict[str, list[str]]:
    """A few sentences of each field, by its name; fields of which nothing is to be said are left out."""
    facts = model_card()
    found = {definition.name: list(_of(definition, facts)) for definition in definitions}
    return {name: lines for name, lines in found.items() if lines}


def training() -> str:
    """On what the shipped clause heads were trained and calibrated; "" where they cannot be read."""
    facts = model_card().get("facts", {})
    data, date = facts.get("data", ""), facts.get("date", "")
    data = data if isinstance(data, str) else "; ".join(data)
    return f"Trained and calibrated on {data}; {date}." if data else ""


def measured_promises() -> dict[str, dict[str, dict[str, float]]]:
    """By promise level what the shipped heads reached: in folds, on contracts set aside, and on all."""
    found: dict[str, dict[str, dict[str, float]]] = model_card().get("facts", {}).get("promises", {})
    return found


def reliability() -> list[tuple[float, float, int]]:
    """Reliability of the shipped heads: predicted, observed, number of cells; a row a step of probability."""
    return [(said, true, count) for said, true, count in model_card().get("facts", {}).get("calibration", [])]


def _of(definition: FieldDefinition, facts: Mapping[str, Any]) -> Iterable[str]:
    heads = [each.head for each in definition.extractors if each.method == "head"]
    lines = {str(name): rest for name, *rest in facts.get("levels", {}).get(DEFAULT_LEVEL.value, [])}
    known = lines.get(heads[0]) if heads else None
    if known:
        absent_below, present_from, why = known[:3]
        if why:
            yield why
        elif present_from <= 1:
            yield (
                f"As shipped, present from a probability of {present_from:.0%} on, absent below "
                f"{absent_below:.1%}, uncertain between."
            )
        seen = facts.get("facts", {}).get("contracts", {}).get(heads[0])
        if seen and not why:
            yield f"{seen} contracts with this clause were there to learn from."
        yield training()
    elif definition.candidates_only:
        yield "Too few examples of this were there to learn from: it shows places, and people decide."
    elif definition.extractors:
        yield "Found by rules whose confidence is set by hand, not calibrated."
