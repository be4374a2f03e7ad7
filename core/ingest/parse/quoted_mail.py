"""Quotations in mails: what an older message said, told from what the message itself says."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from core.text.marks import quoted
from core.text.words import word_set

_DIVIDER = re.compile(r"\s*[-_=*]{2,}\s*[^\W\d_][^\n]{2,60}?\s*[-_=*]{2,}\s*$")
_LINE = re.compile(r"\s*[-_=]{8,}\s*$")
_FIELD = re.compile(r"\s*\*?(?P<name>[^\W\d_][^\W\d_ -]{0,20})\s?\*?:\*?\s*(?P<value>.*)$")
_FROM = word_set("from von de da van od fra från от mittente afsender lähettäjä nadawca 发件人 差出人")
_OTHER = word_set(
    "sent date to subject cc gesendet datum an betreff envoyé à objet enviado para asunto fecha inviato"
    " data a oggetto verzonden aan onderwerp wysłano wysłane do temat odesláno komu předmět sendt til emne"
    " skickat till ämne assunto enviada дата кому тема 发送时间 收件人 主题 送信日時 宛先 件名"
)
_LEAST_FIELDS = 2  # beside the sender
_WROTE = re.compile(
    r"\s*\b.{4,200}\b(?:(?:wrote|writes)\s?|(?:schrieb|écrit|escribió|scritto|schreef|escreveu|napsala?"
    r"|napísala?|skrev|pisze|napisał\w*|kirjoitti|пишет|написал\w*)\b.{0,80}):\s*$",
    re.IGNORECASE,
)
_HTML = ".//blockquote | .//*[contains(concat(' ', @class, ' '), ' gmail_quote ') or @id='divRplyFwdMsg'" + (
    " or contains(@class, 'yahoo_quoted') or contains(@class, 'protonmail_quote')"
    " or contains(@class, 'moz-cite-prefix')]"
)


def quoted_elements(body: Any) -> frozenset[Any]:
    """The elements of a mail in HTML that quote an older one."""
    return frozenset(body.xpath(_HTML))


def with_quotations(text: str) -> str:
    """The text of a mail with every line of an older one behind `> `, and so the heads above them."""
    lines = text.splitlines()
    begin = next((at for at in range(len(lines)) if _opens(lines, at)), len(lines))
    above = list(_attributed(lines[:begin]))
    return "\n".join(
        [*above, *(each if each.startswith(">") else quoted(each or " ") for each in lines[begin:])]
    )


def _opens(lines: list[str], at: int) -> bool:
    """True where an older message begins at a line and goes on to the end: a divider or a head."""
    line = lines[at]
    if line.startswith(">"):
        return False
    if _DIVIDER.match(line) or _LINE.match(line):
        return any(_is_head(lines, below) for below in range(at + 1, min(at + 4, len(lines))))
    if attribution := _attribution(lines, at):
        is_marked = any(each.startswith(">") for each in lines[at + 1 : at + 5])
        return not is_marked and any(each.isdigit() for each in attribution)
    return _is_head(lines, at)


def _attribution(lines: list[str], at: int) -> str:
    """The line that says who wrote what stands below it, which may be wrapped; "" for any other."""
    told = lines[at]
    if not told.rstrip().endswith(":"):
        told = " ".join((told, *lines[at + 1 : at + 2]))
    return told if _WROTE.match(told) else ""


def _is_head(lines: list[str], at: int) -> bool:
    """True where a line names a sender, and those below it at least two of day, recipient and subject."""
    first = _FIELD.match(lines[at])
    if first is None or first["name"].casefold() not in _FROM or not first["value"].strip():
        return False
    names = {found["name"].casefold() for each in lines[at + 1 : at + 8] if (found := _FIELD.match(each))}
    return len(names & _OTHER) >= _LEAST_FIELDS


def _attributed(lines: list[str]) -> Iterator[str]:
    """The lines, those that say who wrote what is quoted below them as part of the quotation."""
    until = 0
    for at, line in enumerate(lines):
        below = next((each for each in lines[at + 1 : at + 4] if each.startswith(">")), "")
        if at >= until and below and not line.startswith(">") and _attribution(lines, at):
            until = at + 1 if line.rstrip().endswith(":") else at + 2
        yield quoted(line) if at < until else line
