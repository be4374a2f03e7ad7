"""Candidates for the end of a contract: stated dates, ends computed from lengths of time, and none at all."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date
from math import log1p
from typing import NamedTuple

from core.domain.fields import FieldType, Special, TypedValue
from core.extract.base import DocumentText
from core.extract.chooser.model import ChoosableValue, context_columns
from core.extract.decision import Reading
from core.extract.values.agreement import agreement_date, effective_date
from core.extract.values.expiry import expiry_readings
from core.text.patterns import any_case
from core.text.words import table
from core.values.dates import add_months, date_order, date_value, find_dates
from core.values.durations import find_durations, months_and_days
from core.values.numbers import ORDINAL_DIGITS, ORDINAL_WORDS, parse_ordinal

_MAX_CHARS = 600_000
_MOST = 140
_LEAST_DAYS = 25
_MOST_MONTHS = 1_300
_ENDING = any_case(
    r"\b(?:expir\w*|terminat\w*|end(?:s|ing|ed)?|conclud\w*|until|through|thru|to|till|continu\w*|complet\w*"
    r"|extend\w*|renew\w*|matur\w*)\b[^.;]{0,90}$"
)
_ABOUT = any_case(
    r"\bterms?\b|\beffect(?:ive)?\b|\bforce\b|\bcontinu|\bperiod\b|\bexpir|\bcommenc|\bduration\b|\bvalid|\bremain"
    r"|\bengage|\bterminat|\bbegin"
)
_ANNIVERSARY = any_case(
    rf"(?P<ordinal>{ORDINAL_WORDS}|{ORDINAL_DIGITS}"
    rf"|\d{{1,2}}[ ]?t[ ]h)(?:[ \n]{{0,2}}\([ ]?\d{{1,2}}(?:[ ]?(?:s[ ]?t|n[ ]?d|r[ ]?d"
    rf"|t[ ]?h))?[ ]?\))?[ \n]{{1,3}}(?:year(?:ly)?[ \n])?anniversary"
)
_NEVER = any_case(
    r"\bindefinite(?:ly)?\b|\bin[ \n]perpetuity\b|\bperpetual(?:ly)?\b"
    r"|\b(?:until|till)\b[^.;,]{0,60}?\b(?:terminat(?:ed|ion)|cancell?ed)\b"
    r"|\bend[ \n]when[ \n]terminated\b|\bno[ \n](?:fixed|specified|definite)[ \n](?:term|period)\b"
)
_PATTERNS = {name: any_case(pattern) for name, pattern in table(__file__, "term")["marks"].items()}
_EVENT = any_case(
    r"\b(?:from|after|following|of|upon|on)[ \n](?:the[ \n])?(?:date[ \n]of[ \n](?:the[ \n])?)?(?:first"
    r"|initial|launch|opening|completion|closing|delivery|commercial|approval|acceptance|promotion|rfs|rfcs"
    r"|service|rent|go-live|installation|receipt|expiration|termination)\b"
)
_OTHER_START = re.compile(
    r"\b(?:from|after|following|of|on|upon)[ \n](?:the[ \n])?(?!Effective|Commencement|Execution|This"
    r"|Agreement|Signing)(?:[A-Z][\w-]*[ \n]){1,4}(?:Date|Sale|Launch|Day|Closing|Period|Term)\b"
)
_FROM_EFFECTIVE = any_case(r"\b(?:effective|commencement|start)[ \n]date\b")
_FROM_SIGNING = any_case(
    r"\bdate[ \n](?:hereof|of[ \n](?:this|the)\b|of[ \n](?:its[ \n])?(?:execution|signing))|\bexecution\b"
    r"|\bsigning\b|\bwritten[ \n]above\b|\babove[ \n]written\b|\bfirst[ \n](?:set[ \n]forth|written|above)\b"
)
_KINDS = ("stated", "length", "anniversary", "never")
_STARTS = ("here", "effective", "signed")


class _Start(NamedTuple):
    value: TypedValue
    span: tuple[int, int]
    kind: str
    sure: float
    name: str


class _Length(NamedTuple):
    start: int
    end: int
    months: int
    days: int
    kind: str
    said: str


def term_options(document: DocumentText) -> list[ChoosableValue]:
    """The ends that a contract may have, in reading order."""
    text = document.text[:_MAX_CHARS]
    rules: dict[str, float] = {}
    readings = expiry_readings(document)
    for reading in readings:
        key = key_of(reading.value)
        rules[key] = max(rules.get(key, 0.0), reading.confidence)
    dates, starts = document.once(all_dates), _starts(document)
    found = [
        *_stated(text, dates, rules),
        *_computed(text, dates, starts, rules),
        *_never(text, rules),
    ]
    known = {option.group for option in found}
    found += [_of_rules(text, each, rules) for each in readings if key_of(each.value) not in known]
    found.sort(key=lambda option: option.spans[0][0])
    return found[:_MOST]


def _of_rules(text: str, reading: Reading, rules: dict[str, float]) -> ChoosableValue:
    """A reading of the rules that no other way finds."""
    kind = "never" if reading.value.special is Special.PERPETUAL else "length" if reading.note else "stated"
    option = _option(text, reading.start, reading.end, reading.value, kind, None, rules, 0)
    return option._replace(spans=reading.spans, note=reading.note)


def _stated(
    text: str, dates: Sequence[tuple[int, int, TypedValue]], rules: dict[str, float]
) -> Iterator[ChoosableValue]:
    for start, end, value in dates:
        before = text[max(0, start - 110) : start]
        if value.special is Special.AMBIGUOUS or not _ENDING.search(before):
            continue
        yield _option(text, start, end, value, "stated", None, rules, 0)


def _computed(
    text: str,
    dates: Sequence[tuple[int, int, TypedValue]],
    starts: Sequence[_Start],
    rules: dict[str, float],
) -> Iterator[ChoosableValue]:
    for length in _lengths(text):
        near = text[max(0, length.start - 260) : length.end + 160]
        if not _ABOUT.search(near):
            continue
        here = [
            _Start(value, (start, end), "here", 1.0, value.original)
            for start, end, value in dates
            if length.start - 200 <= start <= length.end + 110 and not value.special
        ]
        seen: set[str] = set()
        for start in [*sorted(here, key=lambda each: abs(each.span[0] - length.start))[:2], *starts]:
            end = _end_of(start, length)
            if end is None or (key_of(end) in seen):
                continue
            seen.add(key_of(end))
            said = " ".join(length.said.split())
            note = f"Computed: {said} counted from {start.name} ({start.value.text})."
            size = 12 * length.months + length.days
            option = _option(text, length.start, length.end, end, length.kind, start, rules, size)
            yield option._replace(spans=(*option.spans, start.span), note=note)


def _lengths(text: str) -> Iterator[_Length]:
    for match in _ANNIVERSARY.finditer(text):
        years = parse_ordinal(re.sub(r"[ \n]", "", match["ordinal"])) or parse_ordinal(match["ordinal"])
        if years and years <= 99:
            yield _Length(match.start(), match.end(), 12 * years, 0, "anniversary", match[0])
    for start, end, value in find_durations(text):
        length = months_and_days(value)
        if length is None or not 30 * length[0] + length[1] >= _LEAST_DAYS or length[0] > _MOST_MONTHS:
            continue
        yield _Length(start, end, *length, "length", value.original)


def _never(text: str, rules: dict[str, float]) -> Iterator[ChoosableValue]:
    value = TypedValue(FieldType.DATE, "perpetual", special=Special.PERPETUAL)
    for match in _NEVER.finditer(text):
        said = TypedValue(value.type, value.text, original=match[0], special=value.special)
        if _ABOUT.search(text[max(0, match.start() - 160) : match.end()]):
            option = _option(text, match.start(), match.end(), said, "never", None, rules, 0)
            yield option._replace(note="No end is stated.")


def _option(
    text: str,
    start: int,
    end: int,
    value: TypedValue,
    kind: str,
    counted: _Start | None,
    rules: dict[str, float],
    length: int,
) -> ChoosableValue:
    before, after = text[max(0, start - 240) : start], text[end : end + 160]
    cut = max(before.rfind(". "), before.rfind(".\n"))
    before = before[cut + 1 :]
    stop = re.search(r"\.[ \n]", after)
    after = after[: stop.start()] if stop else after
    marks = [bool(pattern.search(before)) for pattern in _PATTERNS.values()]
    marks += [bool(pattern.search(after)) for pattern in _PATTERNS.values()]
    event = bool(_EVENT.search(after[:70]) or _EVENT.search(before[-120:]))
    other = bool(_OTHER_START.search(after[:80]))
    effective = bool(_FROM_EFFECTIVE.search(before) or _FROM_EFFECTIVE.search(after))
    signing = bool(_FROM_SIGNING.search(before) or _FROM_SIGNING.search(after))
    kind_of_start = counted.kind if counted else ""
    own = [
        f"kind {kind}",
        f"event {event} {kind_of_start}",
        f"other {other} {kind_of_start}",
        f"from {kind_of_start} {effective} {signing}",
        f"length {kind} {min(12, length // 12)}",
        f"at {10 * start // max(1, len(text))}",
        *(f"b {name}" for name, is_there in zip(_PATTERNS, marks, strict=False) if is_there),
        *(f"a {name}" for name, is_there in zip(_PATTERNS, marks[len(_PATTERNS) :], strict=True) if is_there),
    ]
    facts = (
        *(float(kind == each) for each in _KINDS),
        *(float(kind_of_start == each) for each in _STARTS),
        counted.sure if counted else 0.0,
        float(event),
        float(other),
        float(effective),
        float(signing),
        log1p(length),
        start / max(1, len(text)),
        log1p(start),
        float(bool(value.special)),
        *(float(each) for each in marks),
    )
    columns = context_columns(text, start, end, own)
    key = key_of(value)
    return ChoosableValue(value, ((start, end),), columns, facts, key, rules.get(key, 0.0))


def all_dates(document: DocumentText) -> list[tuple[int, int, TypedValue]]:
    """The whole dates of the text, for all that choose among them."""
    order = date_order(document.text, document.language).order
    return find_dates(document.text[:_MAX_CHARS], order)


def _starts(document: DocumentText) -> list[_Start]:
    """The days from which a term may be counted: of effect, of signing; best guesses too."""
    found = []
    for kind, finding, name in (
        ("effective", effective_date(document), "the effective date"),
        ("signed", agreement_date(document), "the agreement date"),
    ):
        facts = zip(finding.values, finding.spans, strict=False)
        read = [(value, quote, finding.confidence) for value, quote in facts]
        read += [
            (each.value, each.spans[0], each.confidence)
            for each in finding.candidates
            if each.value and each.spans
        ]
        found += [_Start(value, document.span(quote), kind, sure, name) for value, quote, sure in read[:1]]
    return found


def _end_of(start: _Start, length: _Length) -> TypedValue | None:
    said = " ".join(length.said.split())
    if start.value.special in (Special.BLANK, Special.REDACTED):
        year = re.match(r"(?:19|20)\d\d", start.value.text)
        if year is None or length.months % 12:
            return None
        later = str(int(year[0]) + length.months // 12)
        return TypedValue(FieldType.DATE, later, original=said, special=start.value.special)
    if start.value.special:
        return None
    try:
        end = add_months(date.fromisoformat(start.value.text), length.months, length.days)
    except (ValueError, OverflowError):
        return None
    return date_value(end.year, end.month, end.day, said)


def key_of(value: TypedValue) -> str:
    """Equal for equal dates."""
    return f"{value.text} {value.special.value}"
