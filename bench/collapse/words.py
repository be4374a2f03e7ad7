"""Words compared whatever their case and marks."""

from __future__ import annotations

import re

_APART = re.compile(r"[\W_]+")


def holds(words: str, answer: str) -> bool:
    """True where the words hold the answer, whatever case and marks; of "" always."""
    return f" {plain(answer)} " in f" {plain(words)} " if plain(answer) else True


def plain(text: str) -> str:
    """Words alone, in small letters, with a space between."""
    return " ".join(_APART.sub(" ", text.casefold()).split())
