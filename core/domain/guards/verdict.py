"""Verdicts of the guards that a question and its answer pass, as traces, pages and the API have them."""

from __future__ import annotations

from enum import StrEnum

from core.domain.frozen import Frozen


class GuardAction(StrEnum):
    """Consequence of a verdict: nothing, words replaced, a note, or no answer."""

    PASS = "pass"
    MASK = "mask"
    FLAG = "flag"
    REFUSE = "refuse"


class GuardSpan(Frozen):
    """A stretch of the guarded text and its kind, never its words: [start:end], in characters."""

    start: int
    end: int
    kind: str


class GuardVerdict(Frozen):
    """Outcome of one guard. detail: a sentence for people, without the words that it is about.

    flag: the flag of an answer that it stands for, "" for none. spans: in the guarded text, as given.
    """

    name: str
    action: GuardAction
    detail: str = ""
    flag: str = ""
    spans: tuple[GuardSpan, ...] = ()


PII_MASKED = "pii_masked"
"""Flag: personal data or secrets of the question were masked."""

INJECTION_SUSPECTED = "injection_suspected"
"""Flag: the question or a passage that was found speaks to a language model."""

LINKS_REMOVED = "links_removed"
"""Flag: addresses outside of the cited documents were taken out of written text."""

CITATIONS_REMOVED = "citations_removed"
"""Flag: numbers that cite nothing were taken out of written text."""

PII_HIDDEN = "pii_hidden"
"""Flag: personal data that the asker's role may not see is hidden."""

NOT_PERMITTED = "not_permitted"
"""Flag: the policies do not allow the question to who asked it."""

HARMFUL = "harmful"
"""Flag: the question asked for help in doing harm, or written text gives it."""
