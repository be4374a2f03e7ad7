"""How well fields are found: what the header of a column says of its method, with measured figures."""

from __future__ import annotations

from collections.abc import Iterable

from core.config.fields import FieldDefinition


def figures_of(definitions: Iterable[FieldDefinition]) -> dict[str, list[str]]:
    """A few sentences of each field, by its name; fields of which nothing is to be said are left out."""
    found = {definition.name: list(_of(definition)) for definition in definitions}
    return {name: lines for name, lines in found.items() if lines}


def _of(definition: FieldDefinition) -> Iterable[str]:
    if definition.candidates_only:
        yield "Too few examples of this were there to learn from: it shows places, and people decide."
