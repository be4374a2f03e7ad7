"""Check of a claim's letters: look-alikes of another script make a word that reads like one and is none."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from core.domain.answer import Check

_WORD = re.compile(r"[^\W\d_]+")
_LOOK_ALIKE = frozenset({"LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "COPTIC", "LISU"})


def check_letters(text: str, sources: Sequence[str]) -> Check:
    """Words of a claim with letters that are not of its script, where no source has the word so.

    Scripts that look like one another are held apart: a Cyrillic "o" in a Latin word, or a word of Greek
    letters in a Latin sentence. A word that a source has letter for letter stands ("k\u03a9").

    >>> check_letters("The tenant shall n\u043et pay.", ["The tenant shall not pay."]).ok
    False
    """
    words = [] if text.isascii() else _WORD.findall(text)
    main = _main_script(words)
    faults = [
        f"{word!r} has letters that only look like those of its word"
        for word in dict.fromkeys(words)
        if not word.isascii()
        and _scripts(word) - {main}
        and not any(re.search(rf"(?<!\w){re.escape(word)}(?!\w)", source) for source in sources)
    ]
    return Check(name="letters", ok=not faults, detail="; ".join(faults))


def _main_script(words: Sequence[str]) -> str:
    counts = Counter(script for word in words for script in _scripts(word))
    return counts.most_common(1)[0][0] if counts else ""


@lru_cache(maxsize=4_096)
def _scripts(word: str) -> frozenset[str]:
    """Scripts of a word's letters, of those that look alike; compatible forms count as their letter."""
    names = (unicodedata.name(letter, "").split(" ")[0] for letter in unicodedata.normalize("NFKC", word))
    return frozenset(name for name in names if name in _LOOK_ALIKE)
