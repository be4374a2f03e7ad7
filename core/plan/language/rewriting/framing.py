"""Frame of a question: which day is today, what a year of ours is, whom and what it is asked for.

Taken out of the question before its words are read; what decides something is noted with what it means. What
is said before a question is set aside where it is small change, or about ourselves with nothing of the
collection in it; what narrows the question stays.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import islice, pairwise

from core.domain.fields import TypedValue
from core.plan.language.lexicon.lexicon import Lexicon
from core.plan.language.pieces import (
    Ask,
    ClauseNoun,
    Comparator,
    Connective,
    DocumentSet,
    FieldSenses,
    Filler,
    HavingWord,
    Negator,
    Noun,
    Piece,
    Statistic,
    Top,
    UnknownWord,
    tokens_of,
)
from core.plan.language.reading.dates import find_periods
from core.plan.language.reading.read import read
from core.text.analyse import STOP_WORDS
from core.text.words import word_list
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
    """Text without the words that restrict it to what can be read, and whether there were any."""
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


_BREAK = re.compile(r"\s*:\s+|\s+[–—-]\s+|[.!?]\s+(?=[A-Z])|(?P<weak>,)\s+")
_MOST = 60  # words of a preamble
_BY_US = frozenset(["i", "we", "me", "my", "myself", "us", "you", "your"])
_POLITE = word_list("politeness", "common", "opening")
_WANTS = re.compile(
    r"\b(?:want|need|interested\s+in|look(?:ing)?\s+(?:for|at)|care\s+(?:about|for)|mean|focus|consider|concerns?"
    r"|about)(?:s|ed|ing)?\s+(?!(?:this|that|it|them|to|you|your|an?\s+answer|some\s+help|help|help\s+with)\b)",
    re.IGNORECASE,
)
_NARROWING = frozenset(["only", "except", "those", "these", "ones", "solely", "exclusively"])
_THINGS_PREAMBLE = frozenset(["stuff", "things", "ones", "items", "only", "just", "matters", "cases"])
_SIZES = frozenset(["small", "smaller", "big", "bigger", "large", "larger", "little", "cheap", "expensive"])
_IDLE = (Filler, HavingWord, Ask, Connective, ClauseNoun, Negator, Statistic, Top)
_BREAKS = 8  # that are looked at: what is behind each is read anew


def without_preamble(frame: Framed, lexicon: Lexicon) -> Framed:
    """The frame without what is said before its question; the same where that may narrow it."""
    text, notes = frame.text, list(frame.notes)
    for match in islice(_BREAK.finditer(frame.text), _BREAKS):
        before, rest = frame.text[: match.start()], frame.text[match.end() :]
        if len(before.split()) > _MOST:
            break
        if match["weak"] and not (_is_polite(before) and _opens(rest, lexicon, frame.today)):
            continue
        if (
            before.strip()
            and _asks(rest, lexicon, frame.today)
            and _says_nothing(before, rest, lexicon, frame.today)
        ):
            text = rest
            notes = [*frame.notes, (before.strip(" ,.;:–—-"), "says nothing that could be looked for")]
    return replace(frame, text=text, notes=tuple(notes))


def _asks(rest: str, lexicon: Lexicon, today: date) -> bool:
    """True where words are a question, or name what is wanted."""
    pieces = [p for p in read(rest, lexicon, today).pieces if not isinstance(p.meaning, Filler)]
    if len(pieces) < 2:
        return False
    return isinstance(pieces[0].meaning, (Ask, Statistic, Top)) or any(
        isinstance(piece.meaning, (Noun, FieldSenses)) for piece in pieces
    )


def _opens(rest: str, lexicon: Lexicon, today: date) -> bool:
    """True where words begin as a question does."""
    first = next((p for p in read(rest, lexicon, today).pieces if not isinstance(p.meaning, Filler)), None)
    return first is not None and isinstance(first.meaning, Ask)


def _says_nothing(before: str, rest: str, lexicon: Lexicon, today: date) -> bool:
    """True where words before a question have nothing of the collection, and narrow nothing."""
    reading = read(before, lexicon, today)
    words = [token.word for token in tokens_of(before)]
    if _is_polite(before) or _is_announced(words, rest, lexicon, today):
        return True
    if not _BY_US & set(words) or _NARROWING & set(words) or _WANTS.search(before):
        return False
    return all(_is_said_by_us(piece, reading.tokens[piece.first].text) for piece in reading.pieces)


def _is_polite(before: str) -> bool:
    """True where words are only the small change of asking."""
    words = {token.word for token in tokens_of(before) if token.is_word}
    return words <= _POLITE | STOP_WORDS and bool(words & _POLITE) and not words & _NARROWING


def _is_said_by_us(piece: Piece, first: str) -> bool:
    """True where a piece of a sentence about ourselves has nothing of the collection in it."""
    meaning = piece.meaning
    if isinstance(meaning, UnknownWord):
        return first.isalpha() and (first.islower() or first.casefold() in _POLITE)
    if isinstance(meaning, DocumentSet):
        return not meaning.is_exact and piece.text.islower()  # one word of a title, said in passing
    return isinstance(meaning, _IDLE)


def _is_announced(words: Sequence[str], rest: str, lexicon: Lexicon, today: date) -> bool:
    """ "Small stuff only": a size in words, where the question itself says how large."""
    plain = set(words) <= _THINGS_PREAMBLE | _SIZES | {"the", "a"}
    compared = any(isinstance(p.meaning, Comparator) for p in read(rest, lexicon, today).pieces)
    return plain and compared
