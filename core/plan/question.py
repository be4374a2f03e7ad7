"""Cleaning a question before anything reads it."""

from __future__ import annotations

import unicodedata

from core.errors import QuestionError

EMPTY_STEP = "Ask about something in your documents, for example what a contract says about termination."


def clean_question(text: str) -> str:
    """The question in one line of NFC text, without control, bidi, zero-width or unpaired characters.

    "" where nothing is left; applying it twice changes nothing.
    """
    kept = []
    for char in text:
        category = unicodedata.category(char)
        if category in ("Cc", "Zl", "Zp"):
            kept.append(" ")
        elif category not in ("Cf", "Cs", "Cn", "Co"):
            kept.append(char)
    return " ".join(unicodedata.normalize("NFC", "".join(kept)).split())


def guard_question(text: str, max_chars: int) -> str:
    """The cleaned question. Raises QuestionError (E001) where it is empty or over `max_chars`."""
    if len(text) > max_chars:
        raise QuestionError(
            f"The question has {len(text):,} characters; at most {max_chars:,} are read.",
            next_step="Ask in a sentence or two, and add long texts to the collection as documents instead.",
        )
    question = clean_question(text)
    if not any(char.isalnum() for char in question):
        raise QuestionError("The question is empty.", next_step=EMPTY_STEP)
    return question
