"""Words for the flags that guards left on an answer, as the page and the command line say them."""

from __future__ import annotations

import re

from core.domain.answer import Answer
from core.domain.guards.verdict import (
    CITATIONS_REMOVED,
    INJECTION_SUSPECTED,
    LINKS_REMOVED,
    PII_HIDDEN,
    PII_MASKED,
)
from core.guard.personal_data import WORDS

_MASK = re.compile(rf"\[({'|'.join(map(re.escape, WORDS.values()))})(?: \d+)?\]")
NOTES = {
    INJECTION_SUSPECTED: "Some text here gives orders to a language model. Such orders are not followed.",
    LINKS_REMOVED: "Links or images that lead out of the cited documents were removed from the text.",
    CITATIONS_REMOVED: "A citation number that cites nothing was removed.",
    PII_HIDDEN: "Personal data that your role may not see is hidden.",
}
"""What is said of a flag that the guard on an answer set."""


def guard_notes(answer: Answer) -> tuple[str, ...]:
    """A sentence for each thing that a guard did, in the order in which a question meets them."""
    notes = [NOTES[flag] for flag in NOTES if flag in answer.flags]
    if PII_MASKED in answer.flags:
        kinds = ", ".join(dict.fromkeys(_MASK.findall(answer.question))) or "personal data"
        notes.insert(0, f"Masked in your question: {kinds}. It is kept and shown only so.")
    return tuple(notes)
