"""Where words stand in a text, however both are written: case, accents, widths, ligatures, divided words.

Both are compared in one form (NFKC without accents, case folded); of a hit the way back to the characters is
found by folding the beginnings of the text.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from functools import lru_cache

_ACCENTS = re.compile("[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\u200c\u200d\u2060\ufeff]+")
_DIVIDED = re.compile(r"[-\u2010\xad][^\S\n]*\n[^\S\n]*(?=[^\W\d_])")
_NOT_ASCII = re.compile(r"[^\x00-\x7f]+")
_JOINT = "\xad"  # where a word is divided: at a line end, or might be
_RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹"  # marks of notes as often as powers: no part of the word, yet found where asked for
_KEPT = str.maketrans(_RAISED, "".join(map(chr, range(0xE000, 0xE00A))))
_RAISABLE = {str(at): f"[{at}{chr(0xE000 + at)}]" for at in range(10)}
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u2e80-\ua4cf\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff"
)
_NO_BLANKS = re.compile(f"[{_UNSPACED}\U00020000-\U0003ffff]")  # scripts that write words without or into one


class StandingWords:
    """Some words to be found in texts as whole words that stand together, with anything but words between."""

    def __init__(self, words: str) -> None:
        parts = re.findall(r"[^\W_]+", folded(unicodedata.normalize("NFKC", words)).replace(_JOINT, ""))
        pairs = ("".join(map(_gap, part, part[1:])) + _letter(part[-1]) for part in parts)
        self._pattern = re.compile(r"[\W_]+".join(pairs) or "(?!)")
        plain = [each for part in parts for each in re.findall(r"[^\W\d_]+", part)]
        self._longest = max((each for each in plain if not _NO_BLANKS.search(each)), key=len, default="")

    def find(self, text: str) -> tuple[int, int] | None:
        """Where the words first stand in the text; None where they do so nowhere."""
        form = folded(text)
        if self._longest not in (form.replace(_JOINT, "") if _JOINT in form else form):
            return None
        for found in self._pattern.finditer(form):
            if not (_is_inside(form, found.start()) or _is_inside(form, found.end())):
                break
        else:
            return None
        if len(form) == len(text) and text.isascii():
            return found.span()
        ends = range(len(text) + 1)
        start = bisect_right(ends, found.start(), key=lambda end: len(folded(text[:end]))) - 1
        return max(0, start), bisect_left(ends, found.end(), key=lambda end: len(folded(text[:end])))


def folded(text: str) -> str:
    """The one form of a text. Words divided by a hyphen at a line end have a soft one there."""
    if "\n" in text:
        text = _DIVIDED.sub(_joined, text)
    return _NOT_ASCII.sub(_folded_run, text).lower()


def _folded_run(found: re.Match[str]) -> str:
    return _without_accents(found[0])


@lru_cache(maxsize=4096)
def _without_accents(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text.translate(_KEPT)).casefold()
    return unicodedata.normalize("NFC", _ACCENTS.sub("", plain))


def _joined(found: re.Match[str]) -> str:
    before, after = found.string[found.start() - 1 : found.start()], found.string[found.end()]
    return _JOINT if before.isalpha() and not (before.islower() and after.isupper()) else found[0]


def _letter(char: str) -> str:
    return _RAISABLE.get(char) or re.escape(char)


def _gap(char: str, after: str) -> str:
    """A letter of a word with what may stand before the next one."""
    return _letter(char) + (r"\s*" if _NO_BLANKS.match(char) or _NO_BLANKS.match(after) else f"{_JOINT}?")


def _is_inside(form: str, at: int) -> bool:
    """True where a word goes on: letters of one script, or digits, on both sides."""
    before, after = form[max(0, at - 9) : at].rstrip(_JOINT)[-1:], form[at : at + 9].lstrip(_JOINT)[:1]
    if (
        not (_is_of_word(before) and _is_of_word(after))
        or _NO_BLANKS.match(before)
        or _NO_BLANKS.match(after)
    ):
        return False
    return before.isdigit() or after.isdigit() or _script(before) == _script(after)


def _is_of_word(char: str) -> bool:
    return char != "" and unicodedata.category(char)[0] in "LMN"


def _script(char: str) -> str:
    return unicodedata.name(char, "").partition(" ")[0]
