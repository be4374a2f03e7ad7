"""The message of a pasted e-mail: without headers, greeting, pleasantries, signature, quotations."""

from __future__ import annotations

import re
from functools import cache

from core.text.words import word_list

_NAME = r"[A-Z][\w.'’-]*"
_MOST_NAMES = 4
_QUOTED = re.compile(r"^\s*(?:>|-{2,}\s*original message|_{5,}\s*$|on\b.{5,90}\bwrote:\s*$)", re.IGNORECASE)
_SIGNATURE = re.compile(r"^\s*(?:--\s*$|sent from my\b)", re.IGNORECASE)
_THANKS = re.compile(r"\bth(?:an)?[kx]", re.IGNORECASE)
_LEAST_HEADERS = 2


def message_of(text: str) -> str:
    """What a pasted e-mail asks; the text itself where it is no e-mail, and where nothing else is in it.

    A signature alone ("Thanks! Tom") is the thanks that it says.
    """
    lines = _without_headers(text.splitlines())
    lines = _without_end(lines)
    kept = "\n".join(lines).strip()
    if len(lines) > 1 or kept != text.strip():
        kept = _greeting().sub("", kept, count=1).strip()
        while (left := _pleasantries().sub("", kept).strip()) != kept:
            kept = left
    kept = _signed().sub(lambda match: match["end"], kept).strip()
    if kept:
        return kept
    return "thanks" if _THANKS.search(text) else text


def _without_headers(lines: list[str]) -> list[str]:
    """The lines below those of the head, where there are several of them or one above a blank line."""
    at = 0
    while at < len(lines) and (_header().match(lines[at]) or not lines[at].strip()):
        at += 1
    heads = [line for line in lines[:at] if line.strip()]
    is_head = len(heads) >= _LEAST_HEADERS or (len(heads) == 1 and at > 1 and not lines[at - 1].strip())
    return lines[at:] if is_head else lines


def _without_end(lines: list[str]) -> list[str]:
    """The lines before what is quoted, and before a signature: a closing line with what stands below it."""
    quoted = next((at for at, line in enumerate(lines) if at and _QUOTED.match(line)), len(lines))
    lines = lines[:quoted]
    for at, line in enumerate(lines):
        is_closing = _closing().fullmatch(line.strip())
        if _SIGNATURE.match(line) or (is_closing and (at or _says_name(line)) and _is_end(lines[at + 1 :])):
            return lines[:at]
    return lines


def _is_end(lines: list[str]) -> bool:
    """True where lines hold a name, an address, a role, and no question."""
    return not any("?" in line for line in lines)


def _says_name(line: str) -> bool:
    return len(re.findall(r"\w+", line)) > 1 and bool(re.search(rf"[,.!]\s*{_NAME}\s*$", line))


def _either(name: str) -> str:
    longest_first = sorted(word_list("mail", name), key=lambda each: (-len(each), each))
    return "|".join(re.escape(each).replace("_", r"\s+").replace("'", "['’]") for each in longest_first)


@cache
def _header() -> re.Pattern[str]:
    return re.compile(rf"^\s*(?:{_either('headers')})\s*:\s*\S.*$", re.IGNORECASE)


@cache
def _greeting() -> re.Pattern[str]:
    """ "Hi team,", "Dear Ms Doe:"; up to its comma or the end of its line."""
    return re.compile(
        rf"^\s*(?:{_either('greetings')})\b(?:[ \t]+[\w.'’-]+){{0,4}}[ \t]*(?:[,!:.–—-]+|$)\s*", re.I | re.M
    )


@cache
def _pleasantries() -> re.Pattern[str]:
    """Sentences, and words before a colon, that ask for nothing."""
    return re.compile(
        rf"(?:^|(?<=[.!?\n]))\s*(?:and\s+|i\s+|we\s+|just\s+)*(?:{_either('pleasantries')})"
        r"(?:\s+(?:for\s+you|today|again|and\s+safe))?\s*(?:[.!:,;–—-]+|$)\s*",
        re.IGNORECASE | re.MULTILINE,
    )


@cache
def _closing() -> re.Pattern[str]:
    """A line that ends a message: "Best,", "Thanks! Tom"."""
    names = rf"(?:\s*(?-i:{_NAME})){{0,{_MOST_NAMES}}}"
    return re.compile(rf"(?:{_either('closings')})(?:\s*[,.!–—-]+{names}|\s*)\s*[.!]?", re.IGNORECASE)


@cache
def _signed() -> re.Pattern[str]:
    """A closing with a name behind the end of a sentence of the same line: "...expire? Best, Jane"."""
    names = rf"(?:\s*(?-i:{_NAME})){{0,{_MOST_NAMES}}}"
    return re.compile(
        rf"(?P<end>^|[?.!])\s+(?:{_either('closings')})\s*(?:[,.!–—-]+{names})?\s*[.!]?\s*$", re.IGNORECASE
    )
