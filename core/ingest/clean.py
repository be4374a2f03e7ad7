"""Text and names of files as they are stored: one kind of line end, nothing invisible; a text's language."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from pathlib import PurePosixPath
from typing import Any

from core.domain.document import Page

# Zero-width and bidirectional controls hide text from a reader but not from a search; soft hyphens,
# variation selectors of emoji and tag characters do the same. U+FFFE and U+FFFF are not characters.
_INVISIBLE = re.compile(
    "[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff"
    "\U000e0000-\U000e007f]"
)
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_NEWLINE = re.compile("\r\n?|[\u2028\u2029]")
_NEEDS_CARE = re.compile("[^\t\n\x20-\x7e]")


def normalise(text: str) -> str:
    """The same text in NFC with `\\n` line ends and without invisible characters; idempotent.

    Control characters become spaces and lone surrogates U+FFFD, so that for plain text every offset stays
    where it was: white space is never collapsed and nothing is trimmed.
    """
    if not _NEEDS_CARE.search(text):
        return text
    text = _NEWLINE.sub("\n", text)
    text = _SURROGATE.sub("\ufffd", text)
    text = _INVISIBLE.sub("", text)
    text = _CONTROL.sub(" ", text)
    return text if unicodedata.is_normalized("NFC", text) else unicodedata.normalize("NFC", text)


SAMPLE_CHARS = 2_000
_LONGEST_NAME = 150
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


def file_name(given: str) -> str:
    """A name for a file, without the folders and signs that one from elsewhere may have; it may be ""."""
    return PurePosixPath(normalise(given).replace("\\", "/")).name.strip(" .")[:_LONGEST_NAME]


def distinct_name(name: str, taken: set[str]) -> str:
    """The name, with a number before its extension where it is taken; it is taken then."""
    stem, dot, extension = name.rpartition(".")
    number, found = 2, name
    while found in taken:
        found = f"{stem or name} ({number}){dot}{extension}"
        number += 1
    taken.add(found)
    return found
