"""A candidate for a field's value, with all that a chooser weighs."""

from __future__ import annotations

from typing import NamedTuple

from core.domain.fields import TypedValue


class ChoosableValue(NamedTuple):
    """A value that a text may state, and where.

    spans: first what decided. columns: hashed words around it. facts: measures of the field's own, of equal
    number for all options of a field. rule: how sure the rules are of this value, 0 where they say nothing.
    group: equal for options that state one value.
    """

    value: TypedValue
    spans: tuple[tuple[int, int], ...]
    columns: tuple[int, ...]
    facts: tuple[float, ...]
    group: str
    rule: float = 0.0
    note: str = ""
