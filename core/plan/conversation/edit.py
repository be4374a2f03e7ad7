"""Kinds of follow-ups, and the plan that one comes to."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from core.plan.conversation_state import base_of
from core.plan.ir.nodes import Plan


class Edit(StrEnum):
    """Kind of a follow-up."""

    WITHIN = "within"  # asks something of the documents in hand
    ADD = "add"  # a further condition
    REPLACE = "replace"
    WIDEN = "widen"
    RELEASE = "release"
    RETURN = "return"  # to what was in hand before
    COMPLEMENT = "complement"
    FOCUS = "focus"  # asks something of one document
    EXPLAIN = "explain"  # why a document is, or is not, among those found
    AFRESH = "afresh"


_NOTES = {
    Edit.FOCUS: "Read as a question about a document that was spoken of",
    Edit.EXPLAIN: "Read as a question about a document that was spoken of",
    Edit.REPLACE: "A condition of the question before was put in the place of another",
    Edit.WIDEN: "The question before was widened by an alternative",
    Edit.RELEASE: "A condition of the question before was taken out",
    Edit.RETURN: "Back to documents that were in hand before",
    Edit.COMPLEMENT: "What the question before asks is turned round",
}


@dataclass(frozen=True, slots=True)
class FollowUpPlan:
    """A plan made of a turn; its question is the turn behind what it goes on from.

    forms: whole questions that the turn may stand for, with the noun of what is in hand ("how many contracts
    end this year"); one: that noun in the singular, many: in the plural.
    """

    plan: Plan
    edit: Edit
    forms: tuple[str, ...] = ()
    one: str = ""
    many: str = ""

    @property
    def keeps_set(self) -> bool:
        """True where what was in hand stays in hand: only one document of it was spoken of."""
        base = base_of(self.plan)
        is_end = self.edit is Edit.WITHIN and base is not None and base.limit == 1
        return is_end or self.edit in (Edit.FOCUS, Edit.EXPLAIN)


def note_of(edit: Edit, count: int, label: str) -> str:
    """The way in which a turn was read, in words. count, label: of what was in hand."""
    if edit in (Edit.WITHIN, Edit.ADD) and label:
        return f"Of the {count:,} {label}"[:490]
    return _NOTES.get(edit, "Read as going on from the question before")
