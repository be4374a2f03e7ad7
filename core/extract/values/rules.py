"""The product's named rules: what a schema's `method = "rule"` can ask for."""

from __future__ import annotations

from collections.abc import Mapping

from core.extract.base import Rule
from core.extract.values import agreement, amounts, expiry, receipts, web_pages
from core.extract.values.law import governing_law
from core.extract.values.parties import parties

RULES: Mapping[str, Rule] = {
    "parties": parties,
    "governing_law": governing_law,
    **agreement.RULES,
    **expiry.RULES,
    **amounts.RULES,
    **receipts.RULES,
    **web_pages.RULES,
}
"""By the name that a schema uses. Every rule is a pure function of the document."""
