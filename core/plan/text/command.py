"""Orders to the conversation, which no document answers: to clear, export or delete what is in hand."""

from __future__ import annotations

import re
from functools import cache

from core.text.words import word_list

CLEAR, EXPORT, DELETE = "clear", "export", "delete"
_ENDS = " \t?.!,;:…–—-"


def command_of(question: str) -> str:
    """CLEAR, EXPORT or DELETE where a text is such an order and nothing else; "" for any other."""
    said = _plain(question)
    if said and said in _phrases("clearing"):
        return CLEAR
    for list_name, command in (("exporting", EXPORT), ("deleting", DELETE)):
        if _order(list_name).fullmatch(said):
            return command
    return ""


def _plain(question: str) -> str:
    """The words of an order without what stands around it."""
    said = " ".join(question.casefold().replace("’", "'").strip(_ENDS).split())
    while True:
        left = _around("start").sub("", said).strip(_ENDS)
        left = _around("end").sub("", left).strip(_ENDS)
        if left == said or not left:
            return said
        said = left


@cache
def _phrases(name: str) -> frozenset[str]:
    return frozenset(each.replace("_", " ") for each in word_list("commands", name))


def _either(name: str) -> str:
    longest_first = sorted(_phrases(name), key=lambda each: (-len(each), each))
    return "|".join(map(re.escape, longest_first))


@cache
def _around(side: str) -> re.Pattern[str]:
    words = _either("around")
    return re.compile(
        rf"^(?:{words})(?=[\s,.;:!]|$)" if side == "start" else rf"(?:^|(?<=[\s,]))(?:{words})$"
    )


@cache
def _order(name: str) -> re.Pattern[str]:
    """ "Export them", "send me those as a spreadsheet", "delete the first one from here"."""
    what = rf"(?:me\s+|us\s+)?(?:{_either('objects')})"
    behind = r"(?:\s+(?:to|as|into|in|for|by|via|over|from|off)\s+[^?]{1,60})?"
    return re.compile(rf"(?:{_either(name)})\s+{what}{behind}")
