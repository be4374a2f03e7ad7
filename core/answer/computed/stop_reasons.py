"""Reasons why a plan stopped, as a person reads them."""

from __future__ import annotations

import re

from core.answer.computed.wording import in_titles, written
from core.domain.fields import FieldType
from core.domain.results import Stopped
from core.plan.catalogue import Catalogue
from core.plan.ir.nodes import Plan

_AMOUNT = re.compile(r"\b-?\d+(?:\.\d+)? [A-Z]{3}\b")


def in_words(why: Stopped, plan: Plan, catalogue: Catalogue) -> Stopped:
    """The same with titles in place of the names of fields and nodes, and amounts with their separators."""
    purposes = {node.id: node.purpose for node in plan.nodes}

    def said(text: str) -> str:
        return _AMOUNT.sub(
            lambda match: written(match.group(), FieldType.MONEY), in_titles(text, catalogue, purposes)
        )

    return why.model_copy(
        update={
            "reason": said(why.reason),
            "next_step": said(why.next_step),
            "options": tuple(said(option) for option in why.options),
        }
    )
