"""What documents do and are called in English, beside the words of their schemas: verbs, nouns, meanings."""

from __future__ import annotations

from core.plan.text.document_nouns import PAPERS
from core.text.words import word_list

IDLE_VERBS = word_list("idle", "done")
"""What is done with every document: by themselves these ask for nothing."""

SEVERAL_MEANINGS: dict[str, tuple[str, ...]] = {
    "liability": ("liability cap", "limitation of liability", "indemnity"),
    "date": ("agreement date", "effective date", "expiration date", "invoice date", "due date"),
    "dates": ("agreement date", "effective date", "expiration date", "invoice date", "due date"),
    "fee": ("annual fee", "late fee"),
    "fees": ("annual fee", "late fee"),
    "deadline": ("due date", "payment period", "expiration date"),
    "notice period": ("notice to stop renewal", "termination notice"),
}
"""Words that people use for several things; asked about where the wording does not decide."""

DOCUMENT_NOUNS = frozenset([*PAPERS, "register", "credit note", "statement", "quote"])
"""Kinds of document that are called so: "maintenance" says what a manual is for, and is none."""
