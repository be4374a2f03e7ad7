"""What a question says about itself: which day is today, what a year of ours is, whom it is asked for.

Taken out of the question before its words are read; what decides something is noted with what it means.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from itertools import pairwise

from core.plan.language.reading.dates import find_periods
from core.plan.language.rewriting.purpose import days_in, with_day, without_purpose

_THIS_DAY = r"(?:today|today[’']s date|the date(?: today)?|the (?:current|present) (?:date|day)|it|we)"
_ASSUMED = re.compile(
    rf"(?:\b(?:assum(?:e|ing)|suppos(?:e|ing)|imagin(?:e|ing)|pretend(?:ing)?|consider(?:ing)?|given|say"
    rf"|let[’']?s say"
    rf"|take it|if|with|taking|using|treating)\s+(?:that\s+)?{_THIS_DAY}(?:[’']s|\s+(?:is|was|were|be"
    rf"|being|as|to be|are at))?"
    rf"|(?:^|(?<=[.;,:(–—-])\s*)(?:today|today[’']s date|the date today|it)(?:[’']s|\s+is|\s*[:=(])"
    r")\s*(?:now\s+|today\s+)?$",
    re.IGNORECASE,
)
_AS_OF = re.compile(r"\b(?:as of|as at|as on|counting from|counted from|reckoned from|seen from)\s+$", re.I)
_WITHIN_OF = re.compile(
    r"(?P<within>\b(?:within|in)\s+\S+\s+(?:calendar\s+|business\s+)?(?:days?|weeks?|months?|years?))"
    r"\s+(?:of|from|after|following|counted\s+from)\s+$",
    re.I,
)
_BEHIND_DAY = re.compile(r"\s*(?:\(?as (?:of )?(?:today|now)\)?)?\s*[).,;:–—-]*\s*(?:and\s+|then\s+)?")
_STATE = re.compile(r"\b(?:expired|overdue|lapsed|in force|active|valid|in effect|past due|still)\b", re.I)

_YEAR_NAME = (
    r"(?:(?:our|the|their|my|a|company[’']s)\s+)?(?:(?:fiscal|financial|business|accounting)\s+year"
    r"(?:\s+(?:of\s+)?[’']?(?:20)?\d\d)?|FY\s?[’']?(?:20)?\d\d(?:/\d\d)?)"
)
_RUNS = (
    r"(?:,?\s*(?:which|that)?\s*(?:runs?|ran|running|goes|went|going|lasts?|lasted|spans?|spanned"
    r"|spanning|covers?"
    r"|covered|covering|is|was|being|means?|meaning|starts?|started|begins?|began)\b)?\s*[(:,=–—-]*\s*"
    r"(?:(?:i\.e\.|that is|meaning)[,:]?\s*)?(?:from\s+|between\s+|on\s+)?"
)
_YEAR_BEFORE = re.compile(
    rf"(?P<into>\b(?:in|within|during|over|for|of|throughout)\s+)?(?P<name>{_YEAR_NAME}){_RUNS}$", re.I
)
_TO = re.compile(
    r"\s*(?:,?\s*(?:and\s+)?(?:it\s+)?(?:ends?|ended|ending)\s+(?:on\s+)?"
    r"|to|through|thru|until|till|and|up to|-|–|—)\s*",
    re.I,
)
_CLOSED = re.compile(r"\s*[).,;:–—-]*\s*")
_IN_IT = re.compile(
    r"\b(?:in|within|during|over|throughout|inside|for)\s+(?:it\b(?=\s*[?.!,]|\s*$)|(?:that|this"
    r"|the same|the said|said)\s+"
    r"(?:(?:fiscal|financial|business)\s+)?(?:year|period|time|span|window|range)\b"
    rf"|{_YEAR_NAME}\b)",
    re.IGNORECASE,
)

_VERBS = (
    r"(?:was|were|am|are|is|[’']m|[’']re|have been|[’']ve been|has been|had been)\s+(?:just\s+"
    r"|recently\s+|currently\s+|now\s+)?"
    r"(?:asked|told|requested|required|instructed|trying|planning|preparing|working|reviewing"
    r"|looking into|wondering|hoping"
    r"|supposed|interested|curious|checking|going|doing|writing|auditing|putting|about|tasked|expected"
    r"|struggling)"
)
_INTRODUCTION = re.compile(
    rf"^(?:(?:hi|hello|hey|dear|good (?:morning|afternoon"
    rf"|evening))\b[^,.!:]{{0,40}}[,.!:]\s*)?(?:so[,\s]+|well[,\s]+)?"
    rf"(?P<said>(?:I|we|my (?:boss|manager|team|colleague)|our (?:team|auditors?|legal team"
    rf"|legal department)|legal|the auditors?)"
    rf"\s*{_VERBS}\b.{{0,160}}?)"
    r"[\s:,;.–—-]+(?:and\s+|so\s+)?(?=(?:which|what|how (?:many|much)|could you|can you|would you"
    r"|will you|please"
    r"|tell me|list|show me|show|give me|who|when|find|count|do we|are there|is there)\b)",
    re.IGNORECASE,
)
_THEM = r"(?:them|these|those|it|they|the list|the result|the answer)"
_REQUEST = re.compile(
    rf"(?<![\s,;.?!–—-])[\s,;.?!–—-]+(?:please\s+)?(?:(?:could|can|would|will) you (?:please\s+|kindly\s+)?)?"
    rf"(?:list|show|name|give|tell|send|provide)"
    rf"(?:\s+me)?\s+{_THEM}(?:\s+(?:all|for (?:me|us)|to (?:me|us)|in full))*(?:,?\s*please)?\s*[?.!]*$"
    r"|[.?!;,–—-]+\s*(?:and\s+)?which ones(?:\s+(?:are they|exactly))?\s*[?.!]*$",
    re.IGNORECASE,
)
_ASKED_BEHIND = re.compile(
    r"^(?P<first>.{12,}?)[.?!]\s+(?:please\s+)?(?:list|name|show|give)(?:\s+me)?\s+(?:all\s+)?(?:the"
    r"|these|those)\s+(?P<noun>\w+)"
    r"(?:,?\s*please)?\s*[.?!]*$",
    re.IGNORECASE,
)
_ASKING_FIRST = re.compile(
    r"^(?P<before>.*?[,;:]\s*|)(?:who|which(?:\s+ones?)?|what)\s+(?=\w)", re.IGNORECASE
)

_LEAVING = (
    r"(?:leave|leaving|left|set|setting|put|putting|keep|keeping)\s+(?:out|aside|apart)|exclud(?:e|ing)"
    r"|ignor(?:e|ing)"
    r"|disregard(?:ing)?|skip(?:ping)?|omit(?:ting)?|without (?:counting|considering|regard to)"
    r"|not (?:counting|considering|including)"
    r"|(?:do not|don[’']t) (?:count|include|consider|list|show)|drop(?:ping)?|disregard"
)
_UNREAD = (
    r"(?:unreadable|illegible|not readable|not legible|unread|(?:that|which)?\s*(?:can(?:not|[’']t| not)"
    r"|could(?: not|n[’']t)) be read"
    r"|(?:that|which)?\s*(?:we|you|one|nobody) (?:can(?:not|[’']t| not)|could(?: not|n[’']t)|can) read)"
)
_THINGS = (
    r"(?:whatever|what|anything|everything|any|all|those|the ones|the|contracts|agreements|documents|files"
    r"|papers|scans)"
)
_BUT_UNREAD = re.compile(
    r"(?<![\s,;(–—-])[\s,;(–—-]*"
    rf"(?:\b(?:{_LEAVING}|except(?:ing)?(?: for)?|apart from|other than|besides|without|bar))\s+"
    rf"(?:{_THINGS}\s+)*(?:(?:that|which)?\s*(?:is|are|was|were)\s+)?{_UNREAD}(?:\s+(?:ones|documents"
    rf"|files|contracts|agreements|scans|papers))?[),.;–—-]*\s*",
    re.IGNORECASE,
)
_READABLE = re.compile(
    r"\b(?:(?:fully\s+)?(?:readable|legible|machine-readable)\s+(?=\w)"
    r"|(?:(?:that|which)\s+)?(?:can|could)\s+(?:actually\s+)?be\s+read\b|(?:that|which)\s+(?:(?:we|you"
    r"|one)\s+(?:can|could|are able to)\s+(?:actually\s+)?read"
    r"|(?:are|is)\s+(?:actually\s+)?(?:readable|legible))\b|(?:that|which)\s+(?:were|was"
    r"|have been)\s+(?:actually\s+)?read\b)",
    re.IGNORECASE,
)
_EXCLUDED_FIRST = re.compile(
    rf"^(?:please\s+)?(?P<leave>{_LEAVING})\s+(?P<what>.{{3,160}}?)(?:\s*[;:.–—]\s*|,\s*(?:and\s+"
    rf"|then\s+)?|\s+-\s+|\s+and\s+(?:then\s+)?)"
    r"(?P<rest>(?:which|what|who|how|list|show|give|find|name|tell|count|please|could|can|add|sum|rank"
    r"|sort|order)\b.+)$",
    re.IGNORECASE,
)
_EXCLUDED_LAST = re.compile(
    rf"^(?P<rest>.{{12,}}?)[.;?!]\s*(?:but\s+"
    rf"|and\s+)?(?:please\s+)?(?P<leave>{_LEAVING})\s+(?P<what>.{{3,160}}?)\s*[.?!]*$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Framed:
    """A question without what it says about itself. notes: what was taken out, and what it means.

    readable: only what can be read is asked about.
    """

    text: str
    today: date
    readable: bool = False
    notes: tuple[tuple[str, str], ...] = ()


def framed(question: str, today: date) -> Framed:
    """Take the frame off a cleaned question; what is left asks the same of the same day."""
    notes: list[tuple[str, str]] = []
    text = _without_introduction(question, notes)
    text, purpose = without_purpose(with_day(text))
    notes += [(purpose, "says what it is asked for")] if purpose else []
    text, today = _of_day(text, today, notes)
    text = _with_year(text, notes)
    text, readable = _of_readable(text, notes)
    text = _asked_at_once(text)
    return Framed(text if any(char.isalnum() for char in text) else question, today, readable, tuple(notes))


def _without_introduction(text: str, notes: list[tuple[str, str]]) -> str:
    match = _INTRODUCTION.match(text)
    if match is not None:
        notes.append((match["said"].strip(" ,.:;-–—"), "says why it is asked"))
        text = text[match.end() :]
    rest = _REQUEST.sub("", text)
    return rest.strip() if len(rest.split()) > 2 else text


def _of_day(text: str, today: date, notes: list[tuple[str, str]]) -> tuple[str, date]:
    """Today as the question has it: "assume that today is ...", "as of ..., within 90 days"."""
    for start, end, value in days_in(text):
        day = date.fromordinal(value.amount or 1)
        ahead = _WITHIN_OF.search(text[:start])
        if ahead is not None:  # reckoned from that day, whatever day it is today
            notes.append((text[ahead.start() : end], f"reckoned from {day.isoformat()}"))
            return f"{text[: ahead.end('within')]} {text[end:].lstrip()}".strip(), day
        opened = _ASSUMED.search(text[:start])
        if opened is None:
            opened = _AS_OF.search(text[:start])
            if opened is None:
                continue
            rest = f"{text[: opened.start()]} {text[end:]}"
            is_relative = any(period.is_relative for _, _, period in find_periods(rest, today))
            if not is_relative and not (
                _STATE.search(rest) and not re.search(r"\bin (?:force|effect)\b", rest)
            ):
                continue
        behind = _BEHIND_DAY.match(text, end)
        cut = behind.end() if behind is not None else end
        notes.append(
            (text[opened.start() : end].strip(" ,.;:(-–—"), f"today is taken to be {day.isoformat()}")
        )
        before = text[: opened.start()].rstrip(" ,;(-–—")
        return f"{before} {text[cut:]}".strip(), day
    return text, today


def _with_year(text: str, notes: list[tuple[str, str]]) -> str:
    """A year of ours with its first and last day, put where the question speaks of it."""
    days = days_in(text)
    for (start, end, first), (next_start, next_end, last) in pairwise(days):
        named = _YEAR_BEFORE.search(text[:start])
        if named is None or not _TO.fullmatch(text[end:next_start]):
            continue
        one, other = date.fromordinal(first.amount or 1), date.fromordinal(last.amount or 1)
        between = f"between {one.isoformat()} and {other.isoformat()}"
        closed = _CLOSED.match(text, next_end)
        cut = closed.end() if closed is not None else next_end
        notes.append((text[named.start() : next_end].strip(" ,.;:(-–—"), between))
        before, behind = text[: named.start()], text[cut:]
        said = _IN_IT.search(behind)
        if said is not None:
            return f"{before}{behind[: said.start()]}{between}{behind[said.end() :]}".strip()
        return f"{before.rstrip()} {between} {behind}".strip()
    return text


def _of_readable(text: str, notes: list[tuple[str, str]]) -> tuple[str, bool]:
    """Whether only what can be read is asked about."""
    for pattern in (_BUT_UNREAD, _READABLE):
        match = pattern.search(text)
        if match is not None:
            said = match[0].strip(" ,.;:()-–—")
            notes.append((said, "what could not be read is left out"))
            rest = f"{text[: match.start()].rstrip()} {text[match.end() :]}".strip()
            return re.sub(r"\s+([,.;:?!])", r"\1", rest).lstrip(" ,;"), True
    return text, False


def _asked_at_once(text: str) -> str:
    """Two sentences as one: what is left out behind the rest, what is listed in front."""
    behind = _ASKED_BEHIND.match(text)
    if behind is not None:
        asking = _ASKING_FIRST.match(behind["first"])
        if asking is not None:
            text = f"{asking['before']}list the {behind['noun']} that {behind['first'][asking.end() :]}"
    for pattern in (_EXCLUDED_FIRST, _EXCLUDED_LAST):
        match = pattern.match(text)
        if match is not None:
            rest = match["rest"].strip().rstrip("?.!, ")
            return f"{rest}, excluding {match['what'].strip()}"
    return text
