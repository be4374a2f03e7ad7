"""A chart as a Plotly figure in variables of the theme, with the table that says the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Chart:
    """name: read aloud for the picture. figure: `data` and `layout`. rows: the same numbers as a table.

    note: what of the table it leaves out; "" where it has all.
    """

    name: str
    figure: dict[str, Any]
    rows: Sequence[dict[str, Any]] = ()
    note: str = ""
