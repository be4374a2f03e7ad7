"""Renewal of a contract, and the notice before its end that stops it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.domain.fields import Finding, TypedValue
from core.extract.base import DocumentText
from core.extract.decision import PRESENT_FROM, TextReading, decide, sentence_at, sentences_with
from core.values.durations import duration, find_durations

_RENEW = re.compile(
    r"\brenew(?:ed|s|al|als|able|ing)?\b|\bextend(?:ed|s)?\b|\bextension\b|\bsuccessive\b"
    r"|\byear[ -]to[ -]year\b"
    r"|\bmonth[ -]to[ -]month\b|\brollover\b|\broll[ ]over\b",
    re.IGNORECASE,
)
_GOES_ON = re.compile(
    r"\brenew|\bexten[ds]|\bsuccessive|\bevergreen|\broll(?:[ -])?over|\byear[ -]to[ -]year"
    r"|\bmonth[ -]to[ -]month|\bprolong|\bcontinu",
    re.IGNORECASE,
)
_NEVER_GOES_ON = 0.985
"""How sure it is that no notice stops a renewal where no word of going on stands: of CUAD's 19 of 19."""
_AUTOMATIC = re.compile(
    r"\bautomatic(?:ally)?\b|\bsuccessive\b|\bshall[ \n](?:be[ \n])?(?:renew|extend|continue)"
    r"|\bwill[ \n](?:be[ \n])?renew"
    r"|\bevergreen\b|\bthereafter\b|\bunless\b[^.]{0,200}\bnotice\b"
    r"|\bdeemed[ \n](?:to[ \n]be[ \n])?(?:renew|extend)|\brenews\b",
    re.IGNORECASE,
)
_SUBJECT = re.compile(
    r"\b(?:agreement|contract|term|terms|lease|license|licence|appointment|engagement|renewal)\b",
    re.IGNORECASE,
)
_FOR = re.compile(
    r"\b(?:renew(?:ed|s|al|als|able)?|extend(?:ed|s)?|extension|successive|additional|rollover|further"
    r"|subsequent"
    r"|year[ -]to[ -]year)\b[^.;]{0,110}$",
    re.IGNORECASE,
)
_DIRECTLY = re.compile(
    r"\b(?:additional|another|further|(?:renew|extend)(?:ed|s)?[ \n](?:automatically[ \n])?for)[ \n]{1,3}"
    r"(?:an?[ \n]|period[ \n]of[ \n])?$",
    re.IGNORECASE,
)
_PERIODS = re.compile(
    r"^[ \n]{0,3}(?:\([^()]{0,20}\)[ \n]{0,2})?[ \n]{0,2}(?:each|additional|successive|consecutive|further"
    r"|renewal|subsequent)?"
    r"[ \n]{0,2}(?:extension[ \n]|renewal[ \n])?(?:terms?|periods?|each|intervals?|increments?|unless"
    r"|basis|extensions?|renewals?)\b",
    re.IGNORECASE,
)
_NOT_RENEWAL = re.compile(
    r"\b(?:notice|prior[ \n]to|before|within|at[ \n]least|not[ \n]less[ \n]than|no[ \n]less[ \n]than|days?"
    r"|after)\b[^.;]{0,40}$",
    re.IGNORECASE,
)
_NEGATED = re.compile(
    r"\bnot[ \n](?:be[ \n])?(?:automatically[ \n])?(?:renew|extend)|\bforce[ \n]majeure\b|\bdelay|\bcure\b"
    r"|\bdeadline\b"
    r"|\bpayment[ \n]date\b|\bwarranty\b|\bcredit\b|\bpatent\b|\btime[ \n](?:for|to)[ \n]perform",
    re.IGNORECASE,
)
_INITIAL = re.compile(
    r"\b(?:initial|first|original|primary|base)[ \n](?:[a-z]{1,12}[ \n]){0,2}?(?:term|period)\b[^.;]{0,90}$",
    re.IGNORECASE,
)
_YEARLY = re.compile(
    r"(?:renew|extend|continue)[a-z]{0,3}\b[^.;]{0,80}?\b(?P<unit>year[ -]to[ -]year|month[ -]to[ -]month"
    r"|annual(?:ly)?"
    r"|each[ \n]year|every[ \n]year|yearly|monthly)\b",
    re.IGNORECASE,
)
_BEFORE_END = re.compile(
    r"\b(?:prior[ \n]to|before|preceding|in[ \n]advance[ \n]of|of[ \n]the[ \n](?:expiration"
    r"|end))\b[^.;]{0,120}?"
    r"(?:expir|\bend\b|\bending\b|terminat|renew|anniversary|then[- \n]current|\bterm\b|\bperiod\b"
    r"|conclusion|\byear\b|completion|lapse)",
    re.IGNORECASE,
)
_NOTICE = re.compile(
    r"\bnotice\b|\bnotif(?:y|ies|ied|ication)\b|\badvis(?:e|es)\b|\bin[ \n]writing\b|\bwritten\b",
    re.IGNORECASE,
)
_ADVANCE = re.compile(
    r"['\u2019)]{0,2}[ \n,]{0,3}(?!unless)(?:(?:advance|written|notice|in|prior|or|more|of|calendar|such"
    r"|intention|its|to|the|at|least)[ \n,]{1,3}){0,6}"
    r"(?:prior|before|preceding|notice|advance|of[ \n]the)\b",
    re.IGNORECASE,
)
_SUCH_NOTICE = re.compile(
    r"[ \n]{0,3}((?:such|said|this|the|any)[ \n](?:written[ \n])?notice)", re.IGNORECASE
)
_APPROVED = re.compile(r"\bapproved?\b|\bapproval\b|\bmay\b|\boption\b|\bmutual", re.IGNORECASE)
_TO_RENEW = re.compile(
    r"\b(?:elects?|desires?|wish(?:es|ing)?|intent(?:ion)?|intends|request(?:s|ed|ing)?|option"
    r"|exercise)[ \n](?:of[ \n]your[ \n]desire[ \n])?"
    r"(?!not\b)[^.;]{0,40}?\b(?:to[ \n](?:seek[ \n]to[ \n])?(?:renew|extend)|renewal|extension)",
    re.IGNORECASE,
)
_NOT_TO_RENEW = re.compile(
    r"\bnot[ \n](?:to[ \n])?(?:be[ \n])?(?:renew|extend)|non-?renew|\bterminat|\bcancel|\bunless\b",
    re.IGNORECASE,
)
_OTHER_NOTICE = re.compile(
    r"\binsur|\bpolic(?:y|ies)\b|\bprice|\bfees?\b[^.]{0,40}\bincrease|\bincrease", re.IGNORECASE
)

Sentence = tuple[int, int]


def renewal_term(document: DocumentText) -> Finding:
    """For how long the contract renews, each time."""
    return decide(document, _settled(_renewals(document.text)), "rule renewal_term", absent=0.85)


def notice_to_terminate_renewal(document: DocumentText) -> Finding:
    """Notice before a term's end that keeps the contract from renewing."""
    absent = 0.9 if _GOES_ON.search(document.text) else _NEVER_GOES_ON
    return decide(document, _notices(document.text), "rule notice_to_terminate_renewal", absent=absent)


def _settled(readings: Iterator[TextReading[TypedValue]]) -> list[TextReading[TypedValue]]:
    """Two lengths that are both sure make neither of them a fact."""
    kept = list(readings)
    sure = {reading.value.text for reading in kept if reading.confidence >= PRESENT_FROM}
    if len(sure) > 1:
        kept = [reading._replace(confidence=min(0.85, reading.confidence)) for reading in kept]
    return kept


def _sentences(text: str) -> Iterator[Sentence]:
    """Sentences that speak of renewing, each once, cut to 1,200 characters."""
    yield from sentences_with(_RENEW, text, 1_200)


def _renewals(text: str) -> Iterator[TextReading[TypedValue]]:
    for first, last in _sentences(text):
        sentence = text[first:last]
        if not _SUBJECT.search(sentence):
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
        return 0.92 if direct and not re.search(r"\b(?:may|option|right)\b", before, re.IGNORECASE) else 0.7
    return 0.85 if periods else 0.5


def _notices(text: str) -> Iterator[TextReading[TypedValue]]:
    for first, last in _sentences(text):
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
