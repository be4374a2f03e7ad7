"""The clause types that the shipped heads know, by the names that schemas use."""

from __future__ import annotations

from core.text.words import table

_TABLE = table(__file__, "head_names")
CUAD_YES_NO: dict[str, str] = _TABLE["cuad_yes_no"]
"""Head name to category of CUAD: the 33 that are answered by yes or no."""

BY_HEADINGS: dict[str, str] = _TABLE["by_headings"]
"""Clause types outside CUAD, learned from sections whose own heading names the type."""

HEADS = {**CUAD_YES_NO, **BY_HEADINGS}
"""Every head that decides whether a clause is there, with its title."""
