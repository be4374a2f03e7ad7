"""Checks of a written claim by code against the spans that it cites and the values that were computed."""

from core.answer.prose.checks.claim import UNSURE, ClaimReport, check_claim
from core.answer.prose.checks.numbers import check_cells

__all__ = ["UNSURE", "ClaimReport", "check_cells", "check_claim"]
