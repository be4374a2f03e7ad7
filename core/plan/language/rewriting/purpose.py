"""What a question is asked for ("for the audit"), and the day that it comes back to ("on that day")."""

from __future__ import annotations

import re

from core.domain.fields import TypedValue
from core.values.dates import find_dates

_PURPOSE = re.compile(
    r"^(?P<said>(?:this\s+is\s+)?for\s+(?:the|our|my|an?|this|next|tomorrow[’']s|today[’']s)\s+(?:[\w’'-]+\s+){0,3}?"
    r"(?:audits?|auditors?|meetings?|reports?|reporting|reviews?|board|presentations?|budgets?|budgeting"
    r"|files|records|bookkeeping|boss|manager|lawyers?|tax\s+return|planning|calls?|memo|slides?|deck|newsletter"
    r"|handover|inspections?|steering\s+committee|management))(?P<rest>,?\s+(?:I|we)\b.+|\s*[,:]\s+.+|\s+[–—-]\s+.+)$",
    re.IGNORECASE,
)
_NEED = re.compile(
    r"^,?\s+(?:I|we)\s+(?:(?:just|also|urgently|still|now)\s+)?(?:need|want|have|would\s+like|[’']d\s+like|must)\s+"
    r"(?:to\s+(?:know|see|find\s+out|learn|have|get|list|report|show)\s+)?"
    r"(?=(?:which|what|how|who|when|a\s+list|the|all|every)\b)",
    re.IGNORECASE,
)
_AT_ONCE = re.compile(r"^(?:\s*[,:]|\s+[–—-])\s+(?!(?:I|we)\b)")
_ASKER = re.compile(
    r"^(?P<said>(?:my|our|the)\s+(?:\w+\s+)?(?:boss|manager|lawyers?|counsel|auditors?|board|team|colleagues?"
    r"|accountants?|controller|director|CFO|CEO|COO|assistant|supervisor)\s+(?:(?:just|also|now)\s+)?"
    r"(?:asks?|asked|wants?|wanted|needs?|needed|would\s+like)(?:\s+(?:me|us))?"
    r"(?:\s+to\s+(?:know|see|hear|find\s+out|learn))?)\s*[,:]?\s+"
    r"(?=(?:which|what|how|who|when|for\s+a\s+list|a\s+list)\b)",
    re.IGNORECASE,
)
_ANCHOR = re.compile(
    r"(?<![\s,(])[\s,(]*\b(?:as\s+(?:of|at|on)|with\s+effect\s+from|(?:take|consider|looking\s+at|look\s+at|think\s+of)|on|at)"
    r"\s+(?:the\s+)?(?:date\s+of\s+|day\s+of\s+)?$",
    re.IGNORECASE,
)
_THAT_DAY = re.compile(
    r"\b(?P<joint>on|at|by|of|as\s+(?:of|at)|since|after|before|until)\s+(?:that|the\s+same|the\s+said|said|this)\s+"
    r"(?:very\s+|exact\s+)?(?:day|date)\b|\b(?P<then>(?:back\s+)?then)\b(?=\s*[?.!]|$)",
    re.IGNORECASE,
)
_ENDED = re.compile(r"\b(?:expired|overdue|lapsed|past\s+due|outstanding)\b", re.IGNORECASE)
_UNTIL = frozenset(["by", "before", "until", "since", "after"])
_CLOSE = re.compile(r"\s*[),.;:–—-]*\s*")


def without_purpose(text: str) -> tuple[str, str]:
    """The question without what it is needed for ("for the audit I need to know"), and that."""
    asker = _ASKER.match(text)
    if asker is not None:
        return text[asker.end() :], asker["said"]
    match = _PURPOSE.match(text)
    need = (_NEED.match(match["rest"]) or _AT_ONCE.match(match["rest"])) if match is not None else None
    if match is None or need is None:
        return text, ""
    return match["rest"][need.end() :], match["said"]


def days_in(text: str) -> list[tuple[int, int, TypedValue]]:
    """The single days that a text names: where each begins and ends, and the day."""
    return [found for found in find_dates(text) if found[2].amount is not None and not found[2].special]


def with_day(text: str) -> str:
    """The question with the one day that it names where it says "on that day"."""
    days = days_in(text)
    if len(days) != 1:
        return text
    start, end, _ = days[0]
    anchor = _ANCHOR.search(text[:start])
    again = _THAT_DAY.search(text, end)
    if anchor is None or again is None:
        return text
    if _ENDED.search(text, end, again.start()) and (again["joint"] or "").casefold() not in _UNTIL:
        return f"{text[: again.start()].rstrip()}{text[again.end() :]}"  # seen from that day, as it says
    closed = _CLOSE.match(text, end)
    behind = closed.end() if closed is not None else end
    rest = f"{text[behind : again.start()]}{again['joint'] or 'on'} {text[start:end]}{text[again.end() :]}"
    return f"{text[: anchor.start()]} {rest}".strip()
