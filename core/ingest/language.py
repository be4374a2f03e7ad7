"""The language a text is written in."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from core.domain.document import Page

SAMPLE_CHARS = 2_000
_LEAST_LETTERS = 40
_LEAST_PROBABILITY = 0.6


def language_of(pages: Iterable[Page]) -> str:
    """The language of the first pages that hold enough text to tell."""
    held = ""
    for page in pages:
        held += page.text[: 4 * SAMPLE_CHARS].strip() + "\n"
        if len(held) >= SAMPLE_CHARS:
            break
    return detect_language(held)


def detect_language(text: str) -> str:
    """ISO 639-1 of the text's beginning; "" where there is too little text or no clear winner.

    The first call in a process loads the model.
    """
    sample = text[: 4 * SAMPLE_CHARS].strip()[:SAMPLE_CHARS].lower()
    if sum(map(str.isalpha, sample)) < _LEAST_LETTERS:
        return ""
    language, probability = _identifier().classify(sample)
    return str(language) if probability >= _LEAST_PROBABILITY else ""


@lru_cache(maxsize=1)
def _identifier() -> Any:
    # Imported late: the model takes most of a second to load and only a parser process needs it.
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
