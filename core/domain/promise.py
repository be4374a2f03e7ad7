"""Promise levels: how sure is sure enough for a cell to count as present or as absent."""

from __future__ import annotations

from enum import StrEnum


class PromiseLevel(StrEnum):
    """Level of a promise. A stricter one leaves more cells uncertain, and is right more often.

    What each is worth is measured: see the model card of the clause heads.
    """

    STRICT = "strict"
    BALANCED = "balanced"
    BROAD = "broad"


DEFAULT_LEVEL = PromiseLevel.BALANCED

PROMISED = {
    PromiseLevel.STRICT: (0.96, 0.99),
    PromiseLevel.BALANCED: (0.95, 0.97),
    PromiseLevel.BROAD: (0.90, 0.95),
}
"""Shares of the cells called present, and of those called absent, that are promised to be right."""
