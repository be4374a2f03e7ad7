"""Language of a short text: its script, or the small words of one language that stand in it."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from functools import cache

from core.text.words import word_lines, word_list

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_ENGLISH = "english"
_NAMES = {"scandinavian": "a Scandinavian language"}
_LEAST = 2  # small words of a language: one may be a name
_SHARE = 0.3  # of all words
_SCRIPTS = {
    "CYRILLIC": "a Cyrillic script",
    "GREEK": "Greek",
    "ARABIC": "Arabic script",
    "HEBREW": "Hebrew",
    "DEVANAGARI": "Devanagari",
    "HIRAGANA": "Japanese",
    "KATAKANA": "Japanese",
    "HANGUL": "Korean",
    "THAI": "Thai",
    "CJK": "Chinese or Japanese",
}


def foreign_language(text: str) -> str:
    """Name of the language that a text is plainly in, other than English; "" where it may be English.

    Told by the script of most letters, or by small words: at least _LEAST of one language, more than of
    English and of any other.
    """
    script = _script(text)
    if script:
        return script
    words = [word.casefold().replace("’", "'") for word in _WORD.findall(text)]
    known = _small_words()
    different = {word for word in words if len(word) > 1}  # "w/o this, w/o that" is no Spanish
    hits = {name: len(different & known[name]) for name in known}
    telling = {name: len(different & known[name] - known[_ENGLISH]) for name in known}
    name, most = max(hits.items(), key=lambda each: (each[1], telling.get(each[0], 0)))
    if name == _ENGLISH or most < _LEAST or most < _SHARE * len(words):
        return ""
    if telling[name] <= hits[_ENGLISH]:
        return ""
    return _NAMES.get(name, name.capitalize())


@cache
def _small_words() -> dict[str, frozenset[str]]:
    found = {name: frozenset(words) for name, *words in word_lines("languages", "small")}
    return {_ENGLISH: word_list("stop", "common")} | found


def _script(text: str) -> str:
    """The script of most letters, where it is none of the Latin ones."""
    letters = [char for char in text if char.isalpha()]
    scripts = Counter(_SCRIPTS.get(unicodedata.name(char, "").split(" ")[0], "") for char in letters)
    if not letters:
        return ""
    name, most = scripts.most_common(1)[0]
    if "Japanese" in scripts and name == "Chinese or Japanese":
        return "Japanese"
    return name if most > len(letters) / 2 else ""
