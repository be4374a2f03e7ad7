"""Hebrew and Arabic in the order of reading, where PDFium leaves them in that of the page.

It turns the letters of each word, but not the words of a phrase within a line that runs from left to right,
and it turns the letters of a glyph that stands for several, which are in order already.
"""

from __future__ import annotations

import re
from itertools import groupby

from core.ingest.pdf.glyphs import Glyphs

_LETTER = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc"
_ANY = re.compile(f"[{_LETTER}]")
_LETTERS = re.compile(f"[{_LETTER}]{{2,}}")
_PHRASE = re.compile(f"[{_LETTER}]+(?:[ ]+[{_LETTER}]+)+")
_WORD = re.compile(r"[^ ]+")
_LAM, _ALEFS = "\u0644", "\u0622\u0623\u0625\u0627"


def turn_right_to_left(glyphs: Glyphs) -> None:
    """Put letters of glyphs and words of phrases in order."""
    raw = glyphs.raw
    if raw.isascii() or not _ANY.search(raw):
        return
    for run in _LETTERS.finditer(raw):
        for box, group in groupby(range(*run.span()), glyphs.at):
            letters = list(group)
            text = "".join(raw[at] for at in letters)
            is_in_order = len(text) == 2 and text[0] == _LAM and text[1] in _ALEFS  # U+FEFB, taken apart
            if box is not None and len(letters) > 1 and not is_in_order:
                glyphs.sources.update(zip(letters, reversed(letters), strict=True))
    for phrase in _PHRASE.finditer(raw):
        words = [word.span() for word in _WORD.finditer(raw, *phrase.span())]
        first, last = glyphs.around(*words[0]), glyphs.around(*words[-1])
        if first is not None and last is not None and first.x1 <= last.x0:
            blanks = iter([at for at in range(*phrase.span()) if raw[at] == " "])
            turned: list[int] = []
            for start, end in reversed(words):
                turned += [*range(start, end), *([next(blanks)] if end != words[0][1] else ())]
            turned += blanks
            turned = [glyphs.sources.get(at, at) for at in turned]
            glyphs.sources.update(zip(range(*phrase.span()), turned, strict=True))
