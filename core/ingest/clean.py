"""Text as it is stored: one kind of line end, and nothing that is invisible or cannot be stored."""

from __future__ import annotations

import re
import unicodedata

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
