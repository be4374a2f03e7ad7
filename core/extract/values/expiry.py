"""The end of a contract: a date that it states, one computed from its start, or never; and how it renews
itself, and how long before its end notice must be given to stop that.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from typing import NamedTuple

from core.domain.fields import FieldType, Finding, Special, TypedValue
from core.extract.base import DocumentText
from core.extract.decision import (
    PRESENT_FROM,
    Reading,
    TextReading,
    decide,
    sentence_at,
    sentences_with,
    value_rule,
)
from core.extract.values.agreement import agreement_date, effective_date
from core.text.patterns import any_case
from core.values.dates import Order, add_months, date_order, date_value, find_dates
from core.values.durations import duration, find_durations, months_and_days
from core.values.numbers import ORDINAL_DIGITS, ORDINAL_WORDS, parse_ordinal

_TRIGGER = any_case(
    r"\bexpir(?:e|es|ation|y)\b|\bin[ \n](?:full[ \n]force|force|effect)\b|\b(?:initial|base"
    r"|primary)[ \n]term\b|\bterm[ \n](?:of|shall|is|will)\b|\bcontinue[sd]?\b|\banniversary\b"
    r"|\bperpetual(?:ly)?\b|\bindefinite(?:ly)?\b|\bterminates?[ \n]on\b|\bend(?:s|ing)?[ \n]on\b"
    r"|\bterm\b[ \n\"\u201d:).]{1,4}|\bcontract[ \n]end\b|\btermination[ \n]date\b|\bperiod[ \n]of\b"
)
_SUBJECT = any_case(
    r"\bthis[ \n](?:[A-Za-z&-]{2,20}[ \n]){0,4}?(?:agreement|contract|lease|license|amendment)\b"
    r"|\bthe[ \n](?:[A-Za-z&-]{2,20}[ \n]){0,2}?agreement\b"
    r"|\b(?:initial|base|primary)[ \n]term\b|\bterm[ \n]of[ \n](?:this|the)\b"
    r"|\bthe[ \n][\"\u201c]?term[\"\u201d]?\b|\bcontract[ \n](?:term|period)\b"
)
_ENDS = any_case(
    r"(?:\b(?:expir(?:e|es|ing|ation)|terminat(?:e|es|ing|ion)|end(?:s|ing)?|conclud(?:e|es"
    r"|ing))\b(?:[ \n]date)?[ \n,:\"\u201d)]{1,4}(?:automatically[ \n]|(?:is|shall[ \n]be|means)[ \n]"
    r"|without[ \n]notice[ \n])?(?:on|at|upon|as[ \n]of|of)?|\b(?:until|through|thru"
    r"|to)\b(?:[ \n]and[ \n]including)?)[ \n,:]{0,3}(?:the[ \n]close[ \n]of[ \n]business[ \n]on[ \n])?"
    r"(?:midnight[ \n](?:on[ \n])?)?(?:the[ \n])?(?:date[ \n]of[ \n])?$"
)
_MAY = r"(?<!\d[ \n])(?<!(?:st|nd|rd|th)[ \n])\bmay\b(?![ \n,]{1,3}\d)"
"""The verb, and not the month: "May 1", "1 May"."""
_OPTIONAL = any_case(rf"{_MAY}|\b(?:option|right)\b")
_CONDITION = any_case(
    rf"\boption\b|\bif\b|\bin[ \n]the[ \n]event\b|{_MAY}|\bpayment|\broyalt|\bexclusiv|\bwarrant[yi]"
    r"|\bsurviv|\bfollowing[ \n]termination|\bafter[ \n](?:the[ \n])?(?:termination|expiration)"
    r"|\bupon[ \n](?:the[ \n])?(?:termination|expiration)|\bconfidential|\bnon-?compet|\binsurance\b"
    r"|\bpatent|\bwhereas\b|\bprior[ \n]agreement|\bsupersed|\brenewal[ \n](?:term|period)"
    r"|\blast[ \n]to[ \n]expire|\brecords\b|\baudit|\bsell-?off|\bextended[ \n](?:term|until|through)"
    r"|\bnotice\b[^.]{0,60}\bdays\b[^.]{0,20}\bafter\b"
)
_UNLESS = re.compile(
    r"\b(?:unless|except|subject[ \n]to|until[ \n](?:earlier[ \n])?terminated|or[ \n]until|provided|however"
    r"|and[ \n](?:shall|will)[ \n](?:thereafter|automatically)|thereafter|which[ \n]term)\b.*",
    re.IGNORECASE | re.DOTALL,
)
_START = any_case(
    r"(?P<effective>\beffective[ \n]date\b)|(?P<hereof>\bdate[ \n](?:hereof|of[ \n](?:this"
    r"|the)[ \n](?:[A-Za-z]{2,20}[ \n]){0,2}?(?:agreement|contract|amendment)"
    r"|of[ \n](?:its[ \n])?(?:execution|signing|signature)|(?:first[ \n])?(?:above[ \n])?(?:written"
    r"|set[ \n]forth)|first[ \n])|\bexecution[ \n](?:of[ \n]this|hereof|date)\b|\bsigning[ \n]of\b)"
    r"|(?P<event>\b(?:commencement|launch|closing|completion|delivery|first|commercial|opening|approval"
    r"|availability|acceptance|distribution|go-live|rent|service)[ \n](?:[A-Za-z]{2,14}[ \n]){0,2}?(?:date"
    r"|sale|launch|day)|\bcompletion\b|\bopening\b|\bfirst[ \n]commercial)"
)
_FROM = any_case(
    r"\b(?:from|after|following|commenc(?:e|es|ing)|beginn?(?:s|ing)?|start(?:s|ing)?|of|as[ \n]of|on)\b"
)
_TERM_OF = any_case(
    r"(?:\bterm\b[^.;]{0,140}|\bin[ \n](?:full[ \n]force|force|effect)\b[^.;]{0,80}"
    r"|\bcontinue[sd]?\b[^.;]{0,60}|\bremain\b[^.;]{0,80}|\beffective\b[^.;]{0,60}|\bduration\b[^.;]{0,60})$"
)
_ANNIVERSARY = any_case(
    rf"(?P<ordinal>{ORDINAL_WORDS}|{ORDINAL_DIGITS})(?:[ \n]{{0,2}}\([ ]?\d{{1,2}}(?:st|nd|rd"
    rf"|th)?[ ]?\))?[ \n]{{1,3}}(?:year(?:ly)?[ \n])?anniversary"
    r"(?:[ \n]date)?[ \n]{1,3}(?:of|from|after)[ \n]"
)
_COMPUTED = 0.85
"""Below what counts as a fact: computed ends were right in 22 of 25 contracts that the rules were developed
on and in 9 of 17 others, so they are offered with their computation for a person to confirm."""

_UNLESS_CLAUSE = any_case(r"\b(?:unless|except|subject[ \n]to)\b[^,;:]{0,220}[,;:]")
_TERM_WORD = any_case(
    r"\bterm\b|\beffect\b|\bforce\b|\bcontinu|\bremain|\bexpir|\bvalid|\bterminat|\bcontract[ \n]end"
)
_OTHER_PERIOD = any_case(
    r"\b(?:calendar|fiscal|contract|license)[ \n](?:year|quarter)|\bquarter\b|\bduring[ \n]the[ \n]period"
    r"|\bamended\b"
)
_LENGTH_OF_TERM = any_case(
    r"(?:\bfor|\bis|\bbe|\bof|:)[ \n]{1,3}(?:an?[ \n]{1,3})?(?:(?:initial|fixed|primary|base|minimum"
    r"|total)[ \n]{1,3})?(?:(?:period|term)[ \n]{1,3}of[ \n]{1,3}|(?:of|for)[ \n]{1,3}(?:a[ \n](?:period"
    r"|term)[ \n]of[ \n])?)?$"
)
_TERM_OF_THIS = any_case(
    r"\bterm[ \n](?:of[ \n](?:this|the)\b|shall|will|is)"
    r"|\bthis[ \n](?:[A-Za-z&-]{2,20}[ \n]){0,4}?(?:agreement|contract)\b[^.;]{0,120}"
    r"\b(?:continue|remain|be[ \n](?:in[ \n]effect|effective|for|valid)|commence|has[ \n]a[ \n]term"
    r"|become[ \n]effective)|\binitial[ \n]term\b"
)
_NOTICE_LENGTH = any_case(
    r"['\u2019]?s?[ \n]{0,3}(?:prior|written|advance|notice|thereafter"
    r"|from[ \n]the[ \n]date[ \n]of[ \n](?:termination|expiration)|after[ \n]t|following[ \n]t|before"
    r"|in[ \n]advance)"
)
_PERPETUAL = any_case(
    r"\b(?:in[ \n](?:full[ \n]force(?:[ \n]and[ \n]effect)?|force|effect)|continue|remain|valid"
    r"|effective)\b[^.;]{0,90}?(?:\bindefinitely\b|\bin[ \n]perpetuity\b|\bperpetual"
    r"|\buntil[ \n](?:it[ \n]is[ \n]|such[ \n]time[ \n]as[ \n]it[ \n]is[ \n])?(?:otherwise[ \n])?"
    r"(?:terminated|cancell?ed)\b)|\bterm\b[^.;]{0,60}?\b(?:is|shall[ \n]be)[ \n](?:perpetual|indefinite)"
    r"|\bindefinite[ \n](?:term|period)"
)


class Start(NamedTuple):
    """From when a term is counted: the date, what it was read from, and how it is called."""

    value: TypedValue
    span: tuple[int, int]
    name: str


def expiry_readings(document: DocumentText) -> list[Reading]:
    """Dates on which the contract may end by itself, in reading order.

    Renewal and early termination are left aside.
    """
    readings = list(_readings(document))
    readings = _without_day_after(readings)
    sure = {reading.value.text for reading in readings if reading.confidence >= 0.9}
    if len(sure) > 1:
        readings = [reading._replace(confidence=min(reading.confidence, 0.8)) for reading in readings]
    return readings


def _first_terms(document: DocumentText) -> Iterator[Reading]:
    """Lengths from which an end is computed; that it is one says more than from which day it is counted."""
    for reading in expiry_readings(document):
        start, end = reading.spans[0]
        for _, _, value in find_durations(document.text[start:end]) if reading.note else ():
            is_long = not value.text.endswith("D")  # of days: a trial, a delay, a time to mend
            sure = 0.93 if reading.confidence >= _COMPUTED and is_long else min(0.6, reading.confidence)
            yield TextReading(value, ((start, end),), sure)


def _without_day_after(readings: list[Reading]) -> list[Reading]:
    """Of "for five years from 1 February, ending on 31 January" the stated day, not the computed next."""
    stated = {reading.value.amount for reading in readings if not reading.note and reading.confidence >= 0.9}
    return [
        reading
        for reading in readings
        if not (reading.note and reading.value.amount is not None and reading.value.amount - 1 in stated)
    ]


def _readings(document: DocumentText) -> Iterator[Reading]:
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


def _of_sentence(sentence: str, first: int, order: Order, starts: dict[str, Start]) -> Iterator[Reading]:
    found = [*_stated(sentence, first, order), *_computed(sentence, first, order, starts)]
    yield from found
    never = None if found else _PERPETUAL.search(sentence)
    if never and not find_durations(sentence[: never.start()]):
        value = TypedValue(FieldType.DATE, "perpetual", original=never[0], special=Special.PERPETUAL)
        yield TextReading(value, ((first + never.start(), first + never.end()),), 0.8, "No end is stated.")


def _stated(sentence: str, first: int, order: Order) -> Iterator[Reading]:
    for start, end, value in find_dates(sentence, order):
        if value.special is Special.AMBIGUOUS:
            continue
        if _ENDS.search(sentence[max(0, start - 90) : start]):
            about = _UNLESS.sub("", sentence[:start])[-260:]
            confidence = 0.93 if _TERM_WORD.search(about) and not _OTHER_PERIOD.search(about) else 0.6
            confidence = min(confidence, 0.6) if value.special else confidence
            yield TextReading(value, ((first + start, first + end),), confidence)


def _computed(sentence: str, first: int, order: Order, starts: dict[str, Start]) -> Iterator[Reading]:
    for match in _ANNIVERSARY.finditer(sentence):
        years = parse_ordinal(match["ordinal"])
        start = _start(sentence[match.end() : match.end() + 80], first + match.end(), order, starts)
        until = _ENDS.search(sentence[max(0, match.start() - 90) : match.start()])
        if years and start and until and _TERM_WORD.search(sentence[: match.start()]):
            span = (first + match.start(), first + match.end())
            yield from _ending(start, 12 * years, 0, span, match[0], _COMPUTED)
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
            span = (first + begin, first + end)
            yield from _ending(start, *length, span, value.original, _COMPUTED if strong else 0.7)


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
) -> Iterator[Reading]:
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


_RENEW = any_case(
    r"\brenew(?:ed|s|al|als|able|ing)?\b|\bextend(?:ed|s)?\b|\bextension\b|\bsuccessive\b"
    r"|\byear[ -]to[ -]year\b|\bmonth[ -]to[ -]month\b|\brollover\b|\broll[ ]over\b"
)
_GOES_ON = any_case(
    r"\brenew|\bexten[ds]|\bsuccessive|\bevergreen|\broll(?:[ -])?over|\byear[ -]to[ -]year"
    r"|\bmonth[ -]to[ -]month|\bprolong|\bcontinu"
)
_NEVER_GOES_ON = 0.985
"""How sure it is that no notice stops a renewal where no word of going on stands: of CUAD's 19 of 19."""
_AUTOMATIC = any_case(
    r"\bautomatic(?:ally)?\b|\bsuccessive\b|\bshall[ \n](?:be[ \n])?(?:renew|extend|continue)"
    r"|\bwill[ \n](?:be[ \n])?renew|\bevergreen\b|\bthereafter\b|\bunless\b[^.]{0,200}\bnotice\b"
    r"|\bdeemed[ \n](?:to[ \n]be[ \n])?(?:renew|extend)|\brenews\b"
)
_RENEWAL_SUBJECT = any_case(
    r"\b(?:agreement|contract|term|terms|lease|license|licence|appointment|engagement|renewal)\b"
)
_FOR = any_case(
    r"\b(?:renew(?:ed|s|al|als|able)?|extend(?:ed|s)?|extension|successive|additional|rollover|further"
    r"|subsequent|year[ -]to[ -]year)\b[^.;]{0,110}$"
)
_DIRECTLY = any_case(
    r"\b(?:additional|another|further|(?:renew|extend)(?:ed|s)?[ \n](?:automatically[ \n])?for)[ \n]{1,3}"
    r"(?:an?[ \n]|period[ \n]of[ \n])?$"
)
_PERIODS = any_case(
    r"^[ \n]{0,3}(?:\([^()]{0,20}\)[ \n]{0,2})?[ \n]{0,2}(?:each|additional|successive|consecutive|further"
    r"|renewal|subsequent)?[ \n]{0,2}(?:extension[ \n]|renewal[ \n])?(?:terms?|periods?|each|intervals?"
    r"|increments?|unless|basis|extensions?|renewals?)\b"
)
_NOT_RENEWAL = any_case(
    r"\b(?:notice|prior[ \n]to|before|within|at[ \n]least|not[ \n]less[ \n]than|no[ \n]less[ \n]than|days?"
    r"|after)\b[^.;]{0,40}$"
)
_NEGATED = any_case(
    r"\bnot[ \n](?:be[ \n])?(?:automatically[ \n])?(?:renew|extend)|\bforce[ \n]majeure\b|\bdelay|\bcure\b"
    r"|\bdeadline\b|\bpayment[ \n]date\b|\bwarranty\b|\bcredit\b|\bpatent\b|\btime[ \n](?:for|to)[ \n]perform"
)
_INITIAL = any_case(
    r"\b(?:initial|first|original|primary|base)[ \n](?:[a-z]{1,12}[ \n]){0,2}?(?:term|period)\b[^.;]{0,90}$"
)
_YEARLY = any_case(
    r"(?:renew|extend|continue)[a-z]{0,3}\b[^.;]{0,80}?\b(?P<unit>year[ -]to[ -]year|month[ -]to[ -]month"
    r"|annual(?:ly)?|each[ \n]year|every[ \n]year|yearly|monthly)\b"
)
_BEFORE_END = any_case(
    r"\b(?:prior[ \n]to|before|preceding|in[ \n]advance[ \n]of|of[ \n]the[ \n](?:expiration"
    r"|end))\b[^.;]{0,120}?(?:expir|\bend\b|\bending\b|terminat|renew|anniversary|then[- \n]current"
    r"|\bterm\b|\bperiod\b|conclusion|\byear\b|completion|lapse)"
)
_NOTICE = any_case(
    r"\bnotice\b|\bnotif(?:y|ies|ied|ication)\b|\badvis(?:e|es)\b|\bin[ \n]writing\b|\bwritten\b"
)
_ADVANCE = any_case(
    r"['\u2019)]{0,2}[ \n,]{0,3}(?!unless)(?:(?:advance|written|notice|in|prior|or|more|of|calendar|such"
    r"|intention|its|to|the|at|least)[ \n,]{1,3}){0,6}(?:prior|before|preceding|notice|advance|of[ \n]the)\b"
)
_SUCH_NOTICE = any_case(r"[ \n]{0,3}((?:such|said|this|the|any)[ \n](?:written[ \n])?notice)")
_APPROVED = any_case(rf"\bapproved?\b|\bapproval\b|{_MAY}|\boption\b|\bmutual")
_TO_RENEW = any_case(
    r"\b(?:elects?|desires?|wish(?:es|ing)?|intent(?:ion)?|intends|request(?:s|ed|ing)?|option"
    r"|exercise)[ \n](?:of[ \n]your[ \n]desire[ \n])?"
    r"(?!not\b)[^.;]{0,40}?\b(?:to[ \n](?:seek[ \n]to[ \n])?(?:renew|extend)|renewal|extension)"
)
_NOT_TO_RENEW = any_case(
    r"\bnot[ \n](?:to[ \n])?(?:be[ \n])?(?:renew|extend)|non-?renew|\bterminat|\bcancel|\bunless\b"
)
_OTHER_NOTICE = any_case(r"\binsur|\bpolic(?:y|ies)\b|\bprice|\bfees?\b[^.]{0,40}\bincrease|\bincrease")


def notice_to_terminate_renewal(document: DocumentText) -> Finding:
    """Notice before a term's end that keeps the contract from renewing."""
    absent = 0.9 if _GOES_ON.search(document.text) else _NEVER_GOES_ON
    return decide(document, _notices(document.text), "rule notice_to_terminate_renewal", absent=absent)


def _settled(readings: Iterator[Reading]) -> list[Reading]:
    """Two lengths that are both sure make neither of them a fact."""
    kept = list(readings)
    sure = {reading.value.text for reading in kept if reading.confidence >= PRESENT_FROM}
    if len(sure) > 1:
        kept = [reading._replace(confidence=min(0.85, reading.confidence)) for reading in kept]
    return kept


def _renewals(text: str) -> Iterator[Reading]:
    for first, last in sentences_with(_RENEW, text, 1_200):
        sentence = text[first:last]
        if not _RENEWAL_SUBJECT.search(sentence):
            continue
        automatic = bool(_AUTOMATIC.search(sentence))
        negated = bool(_NEGATED.search(sentence))
        found = False
        for start, end, value in find_durations(sentence):
            confidence = _renewal_confidence(sentence, start, end, automatic)
            if not confidence:
                continue
            found = True
            yield TextReading(value, ((first + start, first + end),), confidence - (0.4 if negated else 0.0))
        yearly = None if found else _YEARLY.search(sentence)
        if yearly:
            unit = yearly["unit"].lower()
            value = duration(months=1 if unit.startswith("month") else 12, original=yearly["unit"])
            span = (first + yearly.start("unit"), first + yearly.end("unit"))
            yield TextReading(
                value, (span,), 0.93 if automatic and not negated and not _APPROVED.search(sentence) else 0.4
            )


def _renewal_confidence(sentence: str, start: int, end: int, automatic: bool) -> float:
    before, after = sentence[max(0, start - 130) : start], sentence[end : end + 60]
    if not _FOR.search(before) or _NOT_RENEWAL.search(before) or _INITIAL.search(before[-60:]):
        return 0.0
    if re.match(
        r"['\u2019s]{0,2}[ \n](?:prior|before|written|advance|notice|after|following|from)\b",
        after,
        re.IGNORECASE,
    ):
        return 0.0
    periods = bool(_PERIODS.search(after)) or bool(
        re.search(r"\b(?:period|term)s?[ \n](?:of|for)[^.;]{0,30}$", before, re.IGNORECASE)
    )
    if automatic and periods:
        return 0.95
    if automatic:
        direct = _DIRECTLY.search(before)
        return 0.92 if direct and not _OPTIONAL.search(before) else 0.7
    return 0.85 if periods else 0.5


def _notices(text: str) -> Iterator[Reading]:
    for first, last in sentences_with(_RENEW, text, 1_200):
        following = _SUCH_NOTICE.match(text, last)
        if following:
            last = sentence_at(text, following.start(1), following.end(1))[1]
        sentence = text[first:last]
        if not _NOTICE.search(sentence) and not re.search(r"\bterminated[ \n]by\b", sentence, re.IGNORECASE):
            continue
        for start, end, value in find_durations(sentence):
            confidence = _notice_confidence(sentence, start, end)
            if confidence:
                yield TextReading(value, ((first + start, first + end),), confidence)


def _notice_confidence(sentence: str, start: int, end: int) -> float:
    before, after = sentence[max(0, start - 60) : start], sentence[end : end + 190]
    advance = _ADVANCE.match(after)
    if not advance or re.search(r"\b(?:and|more[ \n]than|between|within)[ \n]{1,3}$", before, re.IGNORECASE):
        return 0.0
    renews = re.search(r"\brenew|\bextend|\bsuccessive", sentence, re.IGNORECASE)
    if _OTHER_NOTICE.search(sentence) or not renews or not _NOT_TO_RENEW.search(sentence):
        return 0.4
    if _TO_RENEW.search(sentence) and not re.search(
        r"\bnot[ \n](?:to[ \n])?(?:be[ \n])?renew|non-?renew", sentence, re.IGNORECASE
    ):
        return 0.5
    automatic = bool(_AUTOMATIC.search(sentence))
    if _BEFORE_END.search(after):
        return 0.95 if automatic else 0.8
    to_stop = re.search(
        r"\bnot[ \n]to[ \n](?:be[ \n])?(?:renew|extend)|non-?renew|\bunless\b", sentence, re.IGNORECASE
    )
    return 0.91 if automatic and to_stop else 0.5


expiration_date = value_rule("expiration_date", expiry_readings, 0.6)
RULES = {
    "expiration_date": expiration_date,
    "initial_term": value_rule("initial_term", lambda document: _settled(_first_terms(document)), 0.6),
    "renewal_term": value_rule("renewal_term", lambda document: _settled(_renewals(document.text)), 0.85),
    "notice_to_terminate_renewal": notice_to_terminate_renewal,
}
"""By the name that a schema uses."""
