"""End of a contract: a date that it states, one computed from its start, or never."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from typing import NamedTuple

from core.domain.fields import FieldType, Finding, Special, TypedValue
from core.extract.base import DocumentText
from core.extract.decision import TextReading, decide, sentences_with
from core.extract.values.agreement import agreement_date, effective_date
from core.values.dates import Order, add_months, date_order, date_value, find_dates
from core.values.durations import find_durations, months_and_days
from core.values.number_words import ORDINAL_DIGITS, ORDINAL_WORDS, parse_ordinal

_TRIGGER = re.compile(
    r"\bexpir(?:e|es|ation|y)\b|\bin[ \n](?:full[ \n]force|force|effect)\b|\b(?:initial|base"
    r"|primary)[ \n]term\b|\bterm[ \n](?:of|shall|is|will)\b"
    r"|\bcontinue[sd]?\b|\banniversary\b|\bperpetual(?:ly)?\b|\bindefinite(?:ly)?\b|\bterminates?[ \n]on\b"
    r"|\bend(?:s|ing)?[ \n]on\b"
    r"|\bterm\b[ \n\"\u201d:).]{1,4}|\bcontract[ \n]end\b|\btermination[ \n]date\b|\bperiod[ \n]of\b",
    re.IGNORECASE,
)
_SUBJECT = re.compile(
    r"\bthis[ \n](?:[A-Za-z&-]{2,20}[ \n]){0,4}?(?:agreement|contract|lease|license|amendment)\b"
    r"|\bthe[ \n](?:[A-Za-z&-]{2,20}[ \n]){0,2}?agreement\b"
    r"|\b(?:initial|base|primary)[ \n]term\b|\bterm[ \n]of[ \n](?:this|the)\b"
    r"|\bthe[ \n][\"\u201c]?term[\"\u201d]?\b|\bcontract[ \n](?:term|period)\b",
    re.IGNORECASE,
)
_ENDS = re.compile(
    r"(?:\b(?:expir(?:e|es|ing|ation)|terminat(?:e|es|ing|ion)|end(?:s|ing)?|conclud(?:e|es|ing))\b"
    r"(?:[ \n]date)?[ \n,:\"\u201d)]{1,4}(?:automatically[ \n]|(?:is|shall[ \n]be|means)[ \n]"
    r"|without[ \n]notice[ \n])?(?:on|at|upon|as[ \n]of|of)?"
    r"|\b(?:until|through|thru|to)\b(?:[ \n]and[ \n]including)?)"
    r"[ \n,:]{0,3}(?:the[ \n]close[ \n]of[ \n]business[ \n]on[ \n])?"
    r"(?:midnight[ \n](?:on[ \n])?)?(?:the[ \n])?(?:date[ \n]of[ \n])?$",
    re.IGNORECASE,
)
_CONDITION = re.compile(
    r"\boption\b|\bif\b|\bin[ \n]the[ \n]event\b|\bmay\b|\bpayment|\broyalt|\bexclusiv|\bwarrant[yi]"
    r"|\bsurviv|\bfollowing[ \n]termination"
    r"|\bafter[ \n](?:the[ \n])?(?:termination|expiration)|\bupon[ \n](?:the[ \n])?(?:termination"
    r"|expiration)|\bconfidential|\bnon-?compet"
    r"|\binsurance\b|\bpatent|\bwhereas\b|\bprior[ \n]agreement|\bsupersed|\brenewal[ \n](?:term|period)"
    r"|\blast[ \n]to[ \n]expire|\brecords\b"
    r"|\baudit|\bsell-?off|\bextended[ \n](?:term|until|through)"
    r"|\bnotice\b[^.]{0,60}\bdays\b[^.]{0,20}\bafter\b",
    re.IGNORECASE,
)
_UNLESS = re.compile(
    r"\b(?:unless|except|subject[ \n]to|until[ \n](?:earlier[ \n])?terminated|or[ \n]until|provided"
    r"|however|and[ \n](?:shall|will)[ \n](?:thereafter|automatically)"
    r"|thereafter|which[ \n]term)\b.*",
    re.IGNORECASE | re.DOTALL,
)
_START = re.compile(
    r"(?P<effective>\beffective[ \n]date\b)|(?P<hereof>\bdate[ \n](?:hereof|of[ \n](?:this"
    r"|the)[ \n](?:[A-Za-z]{2,20}[ \n]){0,2}?(?:agreement|contract|amendment)"
    r"|of[ \n](?:its[ \n])?(?:execution|signing|signature)|(?:first[ \n])?(?:above[ \n])?(?:written"
    r"|set[ \n]forth)|first[ \n])|\bexecution[ \n](?:of[ \n]this|hereof|date)\b|\bsigning[ \n]of\b)"
    r"|(?P<event>\b(?:commencement|launch|closing|completion|delivery|first|commercial|opening|approval"
    r"|availability|acceptance|distribution|go-live|rent|service)"
    r"[ \n](?:[A-Za-z]{2,14}[ \n]){0,2}?(?:date|sale|launch|day)|\bcompletion\b|\bopening\b"
    r"|\bfirst[ \n]commercial)",
    re.IGNORECASE,
)
_FROM = re.compile(
    r"\b(?:from|after|following|commenc(?:e|es|ing)|beginn?(?:s|ing)?|start(?:s|ing)?|of|as[ \n]of|on)\b",
    re.IGNORECASE,
)
_TERM_OF = re.compile(
    r"(?:\bterm\b[^.;]{0,140}|\bin[ \n](?:full[ \n]force|force|effect)\b[^.;]{0,80}"
    r"|\bcontinue[sd]?\b[^.;]{0,60}|\bremain\b[^.;]{0,80}|\beffective\b[^.;]{0,60}|\bduration\b[^.;]{0,60})$",
    re.IGNORECASE,
)
_ANNIVERSARY = re.compile(
    rf"(?P<ordinal>{ORDINAL_WORDS}|{ORDINAL_DIGITS})(?:[ \n]{{0,2}}\([ ]?\d{{1,2}}(?:st|nd|rd"
    rf"|th)?[ ]?\))?[ \n]{{1,3}}(?:year(?:ly)?[ \n])?anniversary"
    r"(?:[ \n]date)?[ \n]{1,3}(?:of|from|after)[ \n]",
    re.IGNORECASE,
)
_COMPUTED = 0.85
"""Below what counts as a fact: computed ends were right in 22 of 25 contracts that the rules were developed
on and in 9 of 17 others, so they are offered with their computation for a person to confirm."""

_UNLESS_CLAUSE = re.compile(r"\b(?:unless|except|subject[ \n]to)\b[^,;:]{0,220}[,;:]", re.IGNORECASE)
_TERM_WORD = re.compile(
    r"\bterm\b|\beffect\b|\bforce\b|\bcontinu|\bremain|\bexpir|\bvalid|\bterminat|\bcontract[ \n]end",
    re.IGNORECASE,
)
_OTHER_PERIOD = re.compile(
    r"\b(?:calendar|fiscal|contract|license)[ \n](?:year|quarter)|\bquarter\b|\bduring[ \n]the[ \n]period"
    r"|\bamended\b",
    re.IGNORECASE,
)
_LENGTH_OF_TERM = re.compile(
    r"(?:\bfor|\bis|\bbe|\bof|:)[ \n]{1,3}(?:an?[ \n]{1,3})?(?:(?:initial|fixed|primary|base|minimum"
    r"|total)[ \n]{1,3})?(?:(?:period|term)[ \n]{1,3}of[ \n]{1,3}|(?:of|for)[ \n]{1,3}(?:a[ \n](?:period"
    r"|term)[ \n]of[ \n])?)?$",
    re.IGNORECASE,
)
_TERM_OF_THIS = re.compile(
    r"\bterm[ \n](?:of[ \n](?:this|the)\b|shall|will|is)"
    r"|\bthis[ \n](?:[A-Za-z&-]{2,20}[ \n]){0,4}?(?:agreement|contract)\b[^.;]{0,120}"
    r"\b(?:continue|remain|be[ \n](?:in[ \n]effect|effective|for|valid)|commence|has[ \n]a[ \n]term"
    r"|become[ \n]effective)|\binitial[ \n]term\b",
    re.IGNORECASE,
)
_NOTICE_LENGTH = re.compile(
    r"['\u2019]?s?[ \n]{0,3}(?:prior|written|advance|notice|thereafter"
    r"|from[ \n]the[ \n]date[ \n]of[ \n](?:termination|expiration)|after[ \n]t|following[ \n]t|before"
    r"|in[ \n]advance)",
    re.IGNORECASE,
)
_PERPETUAL = re.compile(
    r"\b(?:in[ \n](?:full[ \n]force(?:[ \n]and[ \n]effect)?|force|effect)|continue|remain|valid"
    r"|effective)\b[^.;]{0,90}?"
    r"(?:\bindefinitely\b|\bin[ \n]perpetuity\b|\bperpetual|\buntil[ \n](?:it[ \n]is[ \n]"
    r"|such[ \n]time[ \n]as[ \n]it[ \n]is[ \n])?(?:otherwise[ \n])?(?:terminated|cancell?ed)\b)"
    r"|\bterm\b[^.;]{0,60}?\b(?:is|shall[ \n]be)[ \n](?:perpetual|indefinite)|\bindefinite[ \n](?:term"
    r"|period)",
    re.IGNORECASE,
)


class Start(NamedTuple):
    """From when a term is counted: the date, what it was read from, and how it is called."""

    value: TypedValue
    span: tuple[int, int]
    name: str


def expiration_date(document: DocumentText) -> Finding:
    """Date on which the contract ends by itself; renewal and early termination are left aside."""
    readings = list(_readings(document))
    readings = _without_day_after(readings)
    sure = {reading.value.text for reading in readings if reading.confidence >= 0.9}
    if len(sure) > 1:
        readings = [reading._replace(confidence=min(reading.confidence, 0.8)) for reading in readings]
    return decide(document, readings, "rule expiration_date", absent=0.6)


def _without_day_after(readings: list[TextReading[TypedValue]]) -> list[TextReading[TypedValue]]:
    """Of "for five years from 1 February, ending on 31 January" the stated day, not the computed next."""
    stated = {reading.value.amount for reading in readings if not reading.note and reading.confidence >= 0.9}
    return [
        reading
        for reading in readings
        if not (reading.note and reading.value.amount is not None and reading.value.amount - 1 in stated)
    ]


def _readings(document: DocumentText) -> Iterator[TextReading[TypedValue]]:
    text = document.text
    order = date_order(text, document.language).order
    starts = _starts(document)
    for first, last in sentences_with(_TRIGGER, text, 1_500):
        sentence = text[first:last]
        heading = text[max(0, first - 60) : first]
        subject = bool(_SUBJECT.search(sentence)) or bool(
            re.search(r"\bterm\b", heading + sentence[:40], re.IGNORECASE)
        )
        if not subject:
            continue
        for reading in _of_sentence(sentence, first, order, starts):
            begin = reading.spans[0][0] - first
            before = _UNLESS_CLAUSE.sub(" ", sentence[max(0, begin - 260) : begin])
            penalty = 0.3 if _CONDITION.search(before) else 0.0
            yield reading._replace(confidence=round(reading.confidence - penalty, 3))


def _of_sentence(
    sentence: str, first: int, order: Order, starts: dict[str, Start]
) -> Iterator[TextReading[TypedValue]]:
    found = False
    for reading in [*_stated(sentence, first, order), *_computed(sentence, first, order, starts)]:
        found = True
        yield reading
    never = None if found else _PERPETUAL.search(sentence)
    if never and not find_durations(sentence[: never.start()]):
        value = TypedValue(FieldType.DATE, "perpetual", original=never[0], special=Special.PERPETUAL)
        yield TextReading(value, ((first + never.start(), first + never.end()),), 0.8, "No end is stated.")


def _stated(sentence: str, first: int, order: Order) -> Iterator[TextReading[TypedValue]]:
    for start, end, value in find_dates(sentence, order):
        if value.special is Special.AMBIGUOUS:
            continue
        if _ENDS.search(sentence[max(0, start - 90) : start]):
            about = _UNLESS.sub("", sentence[:start])[-260:]
            confidence = 0.93 if _TERM_WORD.search(about) and not _OTHER_PERIOD.search(about) else 0.6
            confidence = min(confidence, 0.6) if value.special else confidence
            yield TextReading(value, ((first + start, first + end),), confidence)


def _computed(
    sentence: str, first: int, order: Order, starts: dict[str, Start]
) -> Iterator[TextReading[TypedValue]]:
    for match in _ANNIVERSARY.finditer(sentence):
        years = parse_ordinal(match["ordinal"])
        start = _start(sentence[match.end() : match.end() + 80], first + match.end(), order, starts)
        until = _ENDS.search(sentence[max(0, match.start() - 90) : match.start()])
        if years and start and until and _TERM_WORD.search(sentence[: match.start()]):
            yield from _ending(
                start, 12 * years, 0, (first + match.start(), first + match.end()), match[0], _COMPUTED
            )
    for begin, end, value in find_durations(sentence):
        length = months_and_days(value)
        before = sentence[max(0, begin - 220) : begin]
        if (
            length is None
            or not _TERM_OF.search(before)
            or re.search(r"\bnotice|\bprior\b|\bdays?\b", before[-50:], re.IGNORECASE)
        ):
            continue
        if (
            re.search(r"\b(?:renew|additional|successive|extend)", before[-90:], re.IGNORECASE)
            or sum(length) <= 0
        ):
            continue
        if _NOTICE_LENGTH.match(sentence[end : end + 30]) or re.search(
            r"\b(?:upon|with|least|within)[ \n]$|\bthereafter\b[^.;]{0,30}$", before
        ):
            continue
        strong = bool(_LENGTH_OF_TERM.search(before) and _TERM_OF_THIS.search(before))
        after = _UNLESS.sub("", sentence[end : end + 160])
        named = _FROM.search(after)
        start = _start(after[named.start() :], first + end + named.start(), order, starts) if named else None
        if start is None and not (named and _START.search(after)):
            back = re.search(
                r"\b(?:commenc\w*|begin\w*|effective|start\w*|from)\b[^.;]{0,120}$", before, re.IGNORECASE
            )
            if back:
                at = first + max(0, begin - 220) + back.start()
                start = _start(before[back.start() :], at, order, starts)
        if start is None and not _START.search(after):
            start = starts.get("effective") or starts.get("hereof")
        if start:
            months, days = length
            yield from _ending(
                start,
                months,
                days,
                (first + begin, first + end),
                value.original,
                _COMPUTED if strong else 0.7,
            )


def _start(text: str, offset: int, order: Order, starts: dict[str, Start]) -> Start | None:
    named = _START.search(text[:110])
    dates = [found for found in find_dates(text[:110], order) if not found[2].special]
    if dates and (named is None or dates[0][0] < named.end() + 40):
        begin, end, value = dates[0]
        return Start(value, (offset + begin, offset + end), value.original)
    if named is None or named["event"]:
        return None
    return starts.get("effective" if named["effective"] else "hereof")


def _ending(
    start: Start, months: int, days: int, span: tuple[int, int], length: str, confidence: float
) -> Iterator[TextReading[TypedValue]]:
    try:
        end = add_months(date.fromisoformat(start.value.text), months, days)
    except (ValueError, OverflowError):
        return
    value = date_value(end.year, end.month, end.day, " ".join(length.split()))
    if value:
        said = " ".join(length.split())
        note = f"Computed: {said} counted from {start.name} ({start.value.text})."
        yield TextReading(value, (span, start.span), confidence, note)


def _starts(document: DocumentText) -> dict[str, Start]:
    starts: dict[str, Start] = {}
    made, effective = agreement_date(document), effective_date(document)
    for key, finding, name in (
        ("hereof", made, "the agreement date"),
        ("effective", effective, "the effective date"),
    ):
        if finding.values and finding.spans and not finding.values[0].special:
            starts[key] = Start(finding.values[0], document.span(finding.spans[0]), name)
    if "effective" not in starts and "hereof" in starts and not effective.values:
        best = effective.candidates[0] if effective.candidates else None
        if best and best.value and best.value.text == starts["hereof"].value.text:
            starts["effective"] = starts["hereof"]
    return starts
