"""The date of a contract, the date of its effect, and the agreement that it amends, with their words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import date
from functools import lru_cache

from core.domain.fields import FieldType, Finding, Special, TypedValue
from core.extract.base import DocumentText
from core.extract.decision import PRESENT_FROM, Reading, TextReading, decide, value_rule
from core.text.patterns import any_case
from core.values.canonical import family_key
from core.values.dates import MONTH, Order, date_order, find_dates, month_number

_TOP = 7_000
_AGREEMENT = (
    r"(?:agreement|contract|amendment|addendum|lease|license|licence|deed|memorandum|undertaking|supplement"
    r"|statement[ \n]of[ \n]work|guarant(?:y|ee)|plan|letter)"
)
_MADE = any_case(
    r"(?:\bdated|\bdated[ \n]for[ \n]reference|\b(?:made|entered|executed|signed|concluded|given|delivered)\b"
    r"(?:[ \n,]{1,3}(?:and|into|made|entered|executed|delivered|effective|is|by|between|in|to|be"
    r"|signed)){0,6})"
    r"(?:[ \n,]{1,3}(?:effective|as|of|on|this|the|day|date|at|dated|from|and)){0,7}[ \n,:(\"\u201c]{0,6}$"
)
_IS_MADE = any_case(
    r"\b(?:is|are)[ \n]{1,3}(?:hereby[ \n]{1,3})?(?:made|entered|executed|signed|dated)"
    r"(?:[ \n,]{1,3}(?:and|into|made|entered|effective|as|of|on|this|the|day|dated)){0,9}[ \n,]{0,3}$"
)
_AS_OF = any_case(r"\bas[ \n]{1,2}of(?:[ \n]{1,2}(?:this|the|date))?[ \n,:]{0,4}$")
_THIS_DAY = any_case(r"\b(?:on|this|the)[ \n]{1,3}(?:the[ \n])?$")
_LABEL_BEFORE = any_case(
    rf"(?:\b(?:agreement|contract|execution|signing)[ \n]date|\bdate[ \n]of[ \n](?:this[ \n])?{_AGREEMENT}"
    r"|(?:^|\n)[ \t]*dated?)[ \n]{0,3}(?:is|:)?[ \n:\"\u201d)]{0,5}$"
)
_OTHER = any_case(
    r"\bwhereas\b|\bamend(?:ed|s|ing|ment[ \n]to)\b|\bthat[ \n]certain\b|\bpursuant[ \n]to\b"
    r"|\boriginal(?:ly)?\b|\bprevious(?:ly)?\b|\bprior\b|\bsupersed|\bheretofore\b|\bregistration\b"
    r"|\bfiled\b|\bprospectus\b|\bletter[ \n]of[ \n]intent\b|\bexpir|\buntil\b|\bterminat"
    r"|\bmaster[ \n][a-z ]{0,40}agreement[ \n,]{1,3}dated|\bby[ \n]and[ \n]among[^.]{0,200}\bdated\b"
    r"|\bnote,?[ \n]dated\b|\bpatent\b|\bissued\b|\bborn\b|\bwhich[ \n]was\b"
)
_AS_AMENDED = any_case(
    r"\([^()]{0,20}\bas[ \n](?:the[ \n]same[ \n])?(?:may[ \n]be[ \n])?amended[^()]{0,160}\)"
)
_THIS_AGREEMENT = any_case(rf"\bthis[ \n]{{1,3}}(?:[^\s.;]{{1,30}}[ \n]{{1,3}}){{0,9}}?{_AGREEMENT}")
_OTHER_AGREEMENT = any_case(
    rf"\b(?:to|under|in|with|by|means)[ \n]{{1,3}}(?:the|that|a|their"
    rf"|its)[ \n]{{1,3}}(?:[^\s.;]{{1,30}}[ \n]{{1,3}}){{0,7}}?(?:{_AGREEMENT}|plan|note)"
)
_WITNESS = any_case(
    r"(?:in[ \n]witness[ \n]whereof|\bsigned\b|\bexecuted\b)[^;]{0,220}?(?:\bas[ \n]of|\bon|\bthis|\bthe)"
    r"[ \n]{1,3}(?:the[ \n]{1,2})?(?=\d|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|_"
    r"|[a-z]{3,12}[ -](?:day|of))"
)
_SIGNATURE_DATE = re.compile(r"(?<![A-Za-z])(?:Date|DATE|Dated)(?:[ \n]signed)?[ \t]{0,4}[:\t ][ \t_]{0,12}")
_SIGNATURE = any_case(r"/s/|\bBy:|\bName:|\bTitle:|\bSignature\b|\bAuthori[sz]ed\b|\bIts:")
_SIGNED_BY = any_case(r"/s/|\bBy:|\bSignature\b|\bTitle:")
_SOURCE = re.compile(r"Source:[^\n]{0,120}$|\b(?:S-1|F-1|8-K|10-[KQ]|10-12G|S-4|SB-2)[^\n]{0,20}$")
_EFFECTIVE_AFTER = any_case(
    r"^[ \n]{0,3}(?:[,.]?[ \n]{0,3}[(\[][^()\n.\d]{0,60}?|[,.]?[ \n]{0,3}(?:\([^()\d]{0,60}\)[ \n,]{0,3})?"
    r"(?:as[ \n])?(?:the|this)[ \n]{0,3})[ \n]{0,3}[\"\u201c\u201d'*_]{0,3}effective[ \n]{1,3}date"
)
_EFFECTIVE_BEFORE = any_case(
    r"effective[ \n]{1,3}date[\"\u201d')*]{0,3}[^.;]{0,60}?(?:means|shall[ \n]mean|is|shall[ \n]be|:|of"
    r"|as[ \n]of)?[ \n:]{0,3}(?:the[ \n])?$"
)
_EFFECTIVE_AS_OF = any_case(
    r"\b(?:effective|effect|effectiveness)(?:[ \n,]{1,3}(?:date|as|of|on|from|this|the|and|is|dated"
    r"|beginning|upon)){0,5}[ \n,:(\"]{0,4}$"
)
_COMMENCE = any_case(
    r"\b(?:commenc(?:e|es|ing)|begin(?:s|ning)?|come[ \n]into[ \n](?:force|effect)|take[ \n]effect"
    r"|start(?:s|ing)?)(?:[ \n,]{1,3}(?:effective|as|of|on|from|the|and)){0,4}[ \n,:]{0,3}$"
)
_OWN_DATE = any_case(
    rf"\b(?-i:This|THIS)[ \n]{{1,3}}(?P<title>(?:[^\s.;]{{1,30}}[ \n]{{1,3}}){{0,9}}?{_AGREEMENT})"
    r"(?:[ \n]{0,3}\([^()]{0,120}\))?[ \n]{0,3},?[ \n]{1,3}"
    r"(?P<verb>(?:(?:is|was|are|shall|be|being|hereby|made|entered|into|executed|signed|dated|effective|and|as|of"
    r"|from|on|this|the|day|date|by)[ \n,]{1,3}){1,12})[:(_ ]{0,4}$"
)
"""This agreement, its own title before anything else, and the verb that its date follows."""

_SENTENCE_END = re.compile(r"(?<=[a-z)])(?<!\b[Rr]ef)(?<!\b[Nn]o)\.[ \n]{1,3}(?=[A-Z])|\n[ ]*\n")
_OF_OTHER = any_case(r"\b(?:to|under|of|in|with)[ \n](?:the|that|an?|its|their)\b")
_SPACES = re.compile(r"[ \t]{2,}")
_MAKING = any_case(r"\b(?:made|entered|executed|signed|dated)\b")
_OF_EFFECT = 0.87
"""How sure a date is from which the agreement says that it counts; a fact where it bears no other date."""

_GAPS = any_case(
    r"(?:\b(?:this|the|as[ \n]of|dated|on|effective)[ \n]{1,6}"
    rf"|\n[ \t]*)(?P<gap>(?:day[ \n]{{1,6}}of[ \n,]{{0,9}}(?:(?P<m1>{MONTH})[ \n]{{0,3}},?[ \n]{{0,9}})?"
    r"(?P<y1>(?:19|20)\d\d(?!\d)|(?:19|20)(?!\d))?|\d{1,2}(?:st|nd|rd"
    rf"|th)?[ \n]{{1,3}}day[ \n]{{1,3}}of[ \n]{{1,3}}{MONTH},?[ \n]{{1,3}}(?:19|20)\d_{{1,9}}"
    rf"|(?P<m2>{MONTH})[ \t]{{1,6}},[ \t]{{0,3}}(?P<y2>(?:19|20)\d\d)(?!\d)"
    r"|(?:\[\u00b7\][ \n]{0,3})?,[ \t]{0,6}(?P<y3>(?:19|20)\d\d)(?!\d)"
    r"|\[[ \t\u2022\u25cf\u00b7_]{1,9}\](?![/ ]*[\d\[])))"
)
"""What is left of a date whose blanks the text has lost: "this day of , 2012", "June , 2010"."""

_SPLIT = any_case(
    rf"(?<!\d)(?:(?P<d1>\d{{1,2}})(?:st|nd|rd|th)?[ \n]{{1,3}}day[ \n]{{1,3}}of|(?P<d2>\d{{1,2}}))"
    rf"[ \n-]{{1,160}}(?P<month>{MONTH})(?:,|[ \n]{{1,3}}day[ \n]{{1,3}}of)?[ \n-]{{1,160}}"
    rf"(?P<year>(?:19|20)\d\d)(?!\d)"
    rf"|(?<!\d)(?P<d3>\d{{1,2}})(?:st|nd|rd|th)?[ \n]{{1,3}}day[ \n]{{1,3}}of[ \n-]{{1,160}}(?P<m3>{MONTH})"
    rf",?[ \n-]{{1,160}}(?P<y3>(?:19|20)\d\d)(?!\d)"
)
"""A date that a rule below it or a word out of its order parts."""

_HEAD_LINES, _NEAR_SIGNATURE = 1_500, 300
_LINE_BEFORE = any_case(
    r"(?:^|\n|[ \t]{3}|(?-i:\b[A-Z]{2,20}[ ](?:AGREEMENT|CONTRACT|LEASE|DEED))[ ])[ \t]{0,90}"
    r"(?:(?:(?:contract|agreement|effective|execution)[ ])?(?:date|dated|last[ ]updated)"
    r"[ \t]{0,3}[:.]?[ \t]{0,90}(?:(?-i:[A-Z])[a-z]{2,15},?[ ](?:(?-i:[A-Z])\.?[A-Z]?\.?[ ])?)?)?$"
)
_LINE_AFTER = re.compile(r"[ \t]{0,2}[.,]?(?:[ \t]*(?:\n|$)|[ \t]{3})")
_TITLE_AFTER = re.compile(r"[ ]{1,3}[A-Z][A-Z -]{2,60}\b(?:AGREEMENT|CONTRACT|LEASE|DEED)\b")
_TITLE_BEFORE = re.compile(r"\b[A-Z]{2,20} (?:AGREEMENT|CONTRACT|LEASE|DEED) $")
_NO_OTHER = "No other date is said to be the one of signing."
_MOST_APART = 90
"""Days between the signatures of one contract; beyond that one of the dates is of something else."""

_STATED_AT_TOP, _FIRST_LINES = 0.6, 600
"""From which confidence a date of the first lines casts doubt on another one beside the signatures."""

_DEFINED = any_case(
    r"[\"\u201c'(]effective[ \n]date[\"\u201d')]|effective[ \n]date[\"\u201d']?[ \n](?:means"
    r"|shall[ \n]mean|is\b)"
)
_FIRST_WRITTEN = any_case(
    r"(?:date|day)(?:[ \n]and[ \n]year)?[ \n]{1,3}(?:first|last)?[ \n]{0,3}(?:above[ \n]|hereinabove[ \n])?"
    r"(?:first[ \n])?(?:written|set[ \n]forth|mentioned|stated|appearing)[ \n]?(?:above|herein)?"
)


def _noted(
    made: Callable[[str, str], Sequence[Reading]],
) -> Callable[[DocumentText], Iterator[Reading]]:
    return lambda document: (
        with_note(document, reading) for reading in made(document.text, document.language)
    )


def _settled(readings: Sequence[Reading]) -> tuple[Reading, ...]:
    """Readings where several dates are sure: the first of them decides, and is less so."""
    sure = [reading for reading in readings if reading.confidence >= PRESENT_FROM]
    if len({reading.value.text for reading in sure}) < 2:
        return tuple(readings)
    rest = [
        reading._replace(confidence=min(0.85, reading.confidence))
        for reading in readings
        if reading is not sure[0]
    ]
    return (sure[0]._replace(confidence=0.91), *rest)


def with_note(document: DocumentText, reading: Reading) -> Reading:
    """A reading with what is to be said of its value: it is blank, ambiguous, told apart by other dates."""
    special = reading.value.special
    if special is Special.AMBIGUOUS:
        note = (
            "The day and the month of this date can be read both ways, and nothing in the document decides."
        )
        return reading._replace(note=note, confidence=min(reading.confidence, 0.5))
    if special in (Special.BLANK, Special.REDACTED):
        left = "was left to be filled in" if special is Special.BLANK else "was made illegible"
        return reading._replace(note=reading.note or f"The date {left}.")
    evidence = date_order(document.text, document.language).evidence
    if evidence and re.fullmatch(r"[\d./ -]+", reading.value.original) and not reading.note:
        return reading._replace(note=f"Day and month are told apart because {evidence}.")
    return reading


def _dates_at_top(text: str, language: str, reach: int) -> list[tuple[int, int, TypedValue]]:
    order: Order = date_order(text, language).order
    return [
        (start, end, value)
        for start, end, value in find_dates(text[:reach], order, partial=True)
        if not _SOURCE.search(text[max(0, start - 140) : start])
    ]


def dates_made(text: str, language: str) -> list[tuple[int, int, TypedValue]]:
    """The dates at the top, with those that lost their blanks or are parted."""
    found = _dates_at_top(text, language, _TOP)
    for start, end, value in [*_parted(text[:_TOP]), *_gaps(text[:_TOP])]:
        if not any(start < other_end and other_start < end for other_start, other_end, _ in found):
            found.append((start, end, value))
    return sorted(found, key=lambda span: span[0])


def _parted(top: str) -> Iterator[tuple[int, int, TypedValue]]:
    for match in _SPLIT.finditer(top):
        day = match["d1"] or match["d2"] or match["d3"]
        plain = f"{day} {match['month'] or match['m3']} {match['year'] or match['y3']}"
        for _, _, value in find_dates(plain)[:1]:
            yield match.start(), match.end(), replace(value, original=match[0])


def _gaps(top: str) -> Iterator[tuple[int, int, TypedValue]]:
    for match in _GAPS.finditer(top):
        year, month = match["y1"] or match["y2"] or match["y3"] or "", match["m1"] or match["m2"]
        known = f"{year}-{month_number(month):02d}" if month and len(year) == 4 else year
        start, end = match.span("gap")
        original = top[start:end]
        if original.startswith("[") and not year and match[0].startswith("\n"):
            continue
        yield start, end, TypedValue(FieldType.DATE, known, original=original, special=Special.BLANK)


@lru_cache(maxsize=4)
def _made(text: str, language: str) -> tuple[Reading, ...]:
    dates = dates_made(text, language)
    top = [*_made_at_top(text, dates), *_on_lines(text, dates)]
    signed = list(_signed(text, language))
    stated = {
        each.value.text
        for each in top
        if each.confidence >= _STATED_AT_TOP and each.start < _FIRST_LINES and not each.value.special
    }
    if stated:
        signed = [
            each if each.value.text in stated else each._replace(confidence=min(each.confidence, 0.85))
            for each in signed
        ]
    return _settled(_lone(top, signed))


def _lone(
    top: Sequence[Reading],
    signed: Sequence[Reading],
) -> list[Reading]:
    """All readings; where none is a fact, the first date of effect is one, else the last signature's date."""
    both = [*top, *signed]
    if any(each.confidence >= PRESENT_FROM for each in both):
        return both
    stated = [each for each in top if each.confidence >= _OF_EFFECT - 0.04]
    if stated:
        first = max(stated, key=lambda each: (each.confidence, -each.start))
        return [each._replace(confidence=0.9, note=_NO_OTHER) if each is first else each for each in both]
    dates = sorted({each.value.text for each in signed if _is_day(each.value)})
    if len(signed) < 2 or not dates or any(each.confidence > _STATED_AT_TOP for each in top):
        return both
    if (date.fromisoformat(dates[-1]) - date.fromisoformat(dates[0])).days > _MOST_APART:
        return both
    return [
        each._replace(confidence=0.9) if each in signed and each.value.text == dates[-1] else each
        for each in both
    ]


def _is_day(value: TypedValue) -> bool:
    return not value.special and len(value.text) == 10


def _on_lines(text: str, dates: Sequence[tuple[int, int, TypedValue]]) -> Iterator[Reading]:
    """Dates that stand on a line by themselves among the first lines, or right behind the title."""
    for start, end, value in dates:
        if start > _HEAD_LINES:
            break
        before = text[max(0, start - 90) : start]
        after = text[end : end + 90]
        if _SIGNED_BY.search(text, max(0, start - _NEAR_SIGNATURE), end + 90):
            continue
        if _TITLE_BEFORE.search(before) or (
            _LINE_BEFORE.search(before) and (_LINE_AFTER.match(after) or _TITLE_AFTER.match(after))
        ):
            yield TextReading(value, ((start, end),), 0.88)


@lru_cache(maxsize=4)
def _effective(text: str, language: str) -> tuple[Reading, ...]:
    readings = list(_effective_near(text, language))
    made = max(_made(text, language), key=lambda reading: reading.confidence, default=None)
    if made and made.confidence >= PRESENT_FROM and made.value.special is not Special.AMBIGUOUS:
        readings += _same_day(text, made)
    return _settled(readings)


def _made_at_top(text: str, dates: Sequence[tuple[int, int, TypedValue]]) -> Iterator[Reading]:
    for start, end, value in dates:
        confidence = _made_confidence(text[max(0, start - 260) : start], text[end : end + 120], start)
        if confidence:
            if value.special:
                confidence -= 0.02
            yield TextReading(value, ((start, end),), round(confidence, 3))


def _made_confidence(before: str, after: str, start: int) -> float:
    own = _OWN_DATE.search(_SPACES.sub(" ", before))
    if own and not _OF_OTHER.search(own["title"]):
        return 0.95 if _MAKING.search(own["verb"]) else _OF_EFFECT
    sentence = _SENTENCE_END.split(before)[-1]
    plain = _AS_AMENDED.sub(" ", sentence)
    other = _OTHER.search(plain)
    made, as_of = _MADE.search(before), _AS_OF.search(before)
    subject = _THIS_AGREEMENT.search(sentence)
    is_first = subject is not None and sentence[: subject.start()].rstrip(" \t")[-1:] in ("", "\n")
    if made and is_first and _IS_MADE.search(before):
        return 0.93  # "This Amendment to the Agreement dated May 1 ... is made as of June 1": its verb tells
    this = _THIS_AGREEMENT.search(plain)
    if this and _OTHER_AGREEMENT.search(plain, this.end()):
        this = None
    if other and this and other.start() > this.end():
        other = other if _OTHER_AGREEMENT.search(plain, this.end()) else None
    if _LABEL_BEFORE.search(before):
        return 0.9 if start < 3_000 and not other and not _SIGNATURE.search(before) else 0.3
    if other or not (made or as_of or _THIS_DAY.search(before)):
        return 0.35 if made or as_of else 0.0
    if made:
        if this:
            return 0.96
        alone = start < 1_500 or re.search(
            r"\bbetween\b|\bby[ \n]and\b|\bthis\b", sentence + after, re.IGNORECASE
        )
        return 0.92 if alone and start < 5_000 and not _OTHER_AGREEMENT.search(plain) else 0.5
    if as_of:
        if re.search(r"\beffective[ \n,]{1,3}as[ \n]{1,3}of", before[-40:], re.IGNORECASE):
            return 0.6 if _EFFECTIVE_AFTER.search(after) else 0.85
        return 0.93 if this and start < 4_000 else 0.6
    return 0.93 if this and re.search(r"\bmade\b|\bentered\b", sentence, re.IGNORECASE) else 0.6


def _signed(text: str, language: str) -> Iterator[Reading]:
    """The dates in the last lines, where signatures stand; only all the same they are a fact."""
    for match in _WITNESS.finditer(text):
        for start, end, value in find_dates(text[match.end() : match.end() + 60], partial=False)[:1]:
            if start <= 3:
                yield TextReading(
                    value, ((match.end() + start, match.end() + end),), 0.7 if value.special else 0.92
                )
    order = date_order(text, language).order
    signed = []
    for match in _SIGNATURE_DATE.finditer(text):
        if not _SIGNATURE.search(text, max(0, match.start() - 400), match.end() + 400):
            continue
        for start, end, value in find_dates(text[match.end() : match.end() + 40], order)[:1]:
            if start <= 3 and not value.special:
                signed.append((match.end() + start, match.end() + end, value))
    values = {value.text for _, _, value in signed}
    for start, end, value in sorted(signed, key=lambda span: span[2].text, reverse=True)[:3]:
        note = (
            "This is a date beside a signature."
            if len(values) == 1
            else "The signatures bear different dates."
        )
        sure = 0.91 if len(values) == 1 and len(signed) > 1 else 0.6
        yield TextReading(value, ((start, end),), sure, note)


def _effective_near(text: str, language: str) -> Iterator[Reading]:
    for start, end, value in _dates_at_top(text, language, 40_000):
        before, after = text[max(0, start - 160) : start], text[end : end + 110]
        confidence = 0.0
        if _EFFECTIVE_AFTER.search(after):
            confidence = 0.97
        elif _EFFECTIVE_BEFORE.search(before):
            confidence = 0.95
        elif _EFFECTIVE_AS_OF.search(before) and start < _TOP:
            confidence = 0.88
        elif _COMMENCE.search(before) and start < 20_000:
            confidence = 0.6
        if confidence and not (_OTHER.search(before) and confidence < 0.95):
            yield TextReading(value, ((start, end),), confidence - (0.02 if value.special else 0.0))


def _same_day(text: str, made: Reading) -> Iterator[Reading]:
    value, where = made.value, made.spans[0]
    for match in _DEFINED.finditer(text):
        first = _FIRST_WRITTEN.search(
            text, match.start() - 200 if match.start() > 200 else 0, match.end() + 160
        )
        if first:
            note = "The effective date is defined as the date first written, which is the agreement date."
            yield TextReading(value, (where, first.span()), 0.93, note)
            return
    yield TextReading(
        value, (where,), 0.6, "No other date is said to be the effective one: this is the agreement date."
    )


_AMENDMENT_TOP = 4_000
_KIND = r"(?:amendment|amended[ \n]and[ \n]restated|addendum|supplement|modification|amend\.?)"
_NUMBER = (
    r"(?:[ \n]{1,3}(?:no\.?|number|#)?[ \n]{0,3}(?:\d{1,3}|[IVX]{1,5}|one|two|three|four|five|six|seven"
    r"|eight|nine|ten))?"
)
_TITLE = (
    r"(?P<title>(?:[A-Z0-9][\w&'\u2019/.-]*|of|and|for|the|to|on)(?:[ \n,]{1,3}(?:[A-Z0-9][\w&'\u2019/.-]*"
    r"|of|and|for|the|on)){0,11}?[ \n]{1,3}"
)
_AMENDED = (
    r"(?:(?i:agreement|contract|lease|license|licence|plan|deed|order|memorandum of understanding"
    r"|statement of work))\b)"
)
_AMENDMENT = re.compile(
    rf"(?i:\b{_KIND}{_NUMBER})(?:[ \n]{{0,3}}\([^()]{{0,60}}\))?[ \n,]{{1,4}}(?i:dated[^.;]{{0,60}}?)?(?i:to"
    rf"|of)[ \n]{{1,4}}(?i:(?:the|that|certain)[ \n]{{1,3}}){{0,2}}{_TITLE}{_AMENDED}"
)


_NONE_IN_ITS_HEAD = 0.99
"""Measured: of 188 contracts of CUAD without such a word in their first lines none is called an amendment."""


def amendment_of(document: DocumentText) -> Finding:
    """The title of the agreement that this one amends; `normal` is what a family is grouped by."""
    readings = []
    for match in _AMENDMENT.finditer(document.text, 0, _AMENDMENT_TOP):
        title = " ".join(match["title"].split())
        if len(title.split()) < 2:
            continue
        value = TypedValue(FieldType.TEXT, title, original=match["title"], normal=family_key(title))
        sure = 0.93 if match.start() < 1_500 else 0.7
        readings.append(TextReading(value, (match.span("title"), match.span()), sure))
    if not readings and not re.search(rf"\b{_KIND}\b", document.text[:600], re.IGNORECASE):
        return decide(document, [], "rule amendment_of", absent=_NONE_IN_ITS_HEAD)
    return decide(document, readings, "rule amendment_of", absent=0.7)


agreement_date = value_rule("agreement_date", _noted(_made), 0.5)
"""The date on which the contract says that it was made; blanks and ambiguous dates are values too."""

effective_readings = _noted(_effective)
effective_date = value_rule("effective_date", effective_readings, 0.5)
"""The date from which the contract says that it counts; the agreement date where it says so."""

RULES = {"agreement_date": agreement_date, "effective_date": effective_date, "amendment_of": amendment_of}
"""By the name that a schema uses."""
