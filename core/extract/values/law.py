"""Governing law: the place whose law a contract chooses. Where it names no place, nothing is said."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from core.domain.fields import FieldType, Finding, Special, TypedValue
from core.extract.base import DocumentText
from core.extract.decision import Reading, TextReading, decide, sentence_at
from core.text.patterns import any_case
from core.values.places import ADJECTIVE, PLACE, STATES, Place, canonical_place, find_places

METHOD = "rule governing_law"

_LAW = re.compile(r"\b[Ll][Aa][Ww][Ss]?\b")
_NAMED = any_case(
    rf"(?<![A-Za-z])(?P<place>{PLACE}|{ADJECTIVE})(?:[ \n]{{1,3}}State)?(?:['\u2019]s)?[ \n]{{1,3}}"
    rf"(?:(?:substantive|internal|state|contract|civil)[ \n]{{1,3}}){{0,2}}$"
)
_GOVERN = any_case(
    r"\bgovern(?:ed|ing|s)?\b|\bcontrolled[ \n](?:by|and)|\blaws?[ \n](?:shall|will)[ \n](?:govern|control)"
)
_CONSTRUE = any_case(
    r"\bconstrued?\b|\binterpret(?:ed|ation)?\b|\benforced\b|\bvalidity\b|\bconstruction\b|\bsubject[ \n]to\b"
    r"|\b(?:determined|resolved|applied|performed)[ \n](?:in[ \n]accordance|according|under|by)\b"
    r"|\bshall[ \n]apply\b"
)
_AGREEMENT = any_case(
    r"\b(?:this|the|these|any)[ \n](?:[A-Za-z-]{2,20}[ \n]){0,3}?(?:agreement|contract|amendment|license"
    r"|lease|deed|terms|guarant(?:y|ee)|undertaking|memorandum|document|arrangement|addendum|controversy"
    r"|dispute)s?\b"
)
_HEADING = any_case(
    r"govern(?:ing|ed)[ \n]{1,3}(?:by[ \n])?laws?|choice[ \n]{1,3}of[ \n]{1,3}laws?|applicable[ \n]{1,3}laws?"
    r"|laws?[ \n]{1,3}governing|controlling[ \n]laws?|law[ \n]application"
)
_OTHER_MATTER = any_case(
    r"\borgani[sz]ed\b|\bincorporated\b|\bexisting\b|\bduly\b|good[ \n]standing|\bcorporation\b|\bformed\b"
    r"|\bestablished\b|\bregistered\b|\blicensed\b|\bwithhold|\bbankruptcy\b|\btax(?:es|ation)?\b"
    r"|\bsecurities\b|\bcompliance[ \n]with\b|\bcomply\b|\bpermitted\b|\brequired\b|\bviolat|\barbitration\b"
)
_CUT = any_case(
    r"\bwithout\b|\bexclu|\bconflicts?\b|\bchoice\b|\bprinciples\b|\bvenue\b|\bcourts?\b|\bjurisdiction\b"
    r"|\bexcept\b|\bregardless\b|\bnotwithstanding\b|\bapplicable[ \n]to[ \n](?:agreements|contracts)"
    r"|\bas[ \n](?:they|such|applied)|\bother[ \n]than\b|\brespecting\b|\bbut\b|\barbitrat|\blocated\b"
    r"|;|\.[ \n]{1,3}[A-Z]|\n[ ]*\n"
)
_REACH = 160  # characters after "laws" within which the place must be named
_LATE = any_case(
    r"[^.;]{0,110}?\bconflicts?\b[^.;]{0,30}?,?[ \n]{1,3}(?:of|in)[ \n]{1,3}(?:the[ \n]{1,3})?(?:(?:State"
    r"|Commonwealth|Province)[ \n]{1,3}of[ \n]{1,3})(?:the[ \n]{1,3})?"
)
"""As in "the internal laws, and not the law of conflicts, of the State of Nevada"."""

_LEFT_OPEN = any_case(
    r"[ \n]{1,3}(?:of|in)[ \n]{1,3}(?:the[ \n]{1,3})?(?:(?:State|Commonwealth"
    r"|Province)[ \n]{1,3}of[ \n]{1,3})?"
    r"(_{3,60}|\[[^\]A-Za-z0-9]{0,20}\]|[\[(](?:insert|enter)[^\])\n]{0,30}[\])])"
)
_UNDER_HEADING = 0.99
_MAX_MATCHES = 2_000
_NEAR = 70  # characters before it that say what the law is about


def governing_law(document: DocumentText) -> Finding:
    """The place whose law governs; uncertain or absent rather than guessed."""
    readings = list(_readings(document.text))
    places = {reading.value.text for reading in readings if reading.confidence >= 0.9}
    readings = [reading for reading in readings if not _is_federal(reading.value.text, places)]
    places = {reading.value.text for reading in readings if reading.confidence >= 0.9}
    if len(places) > 1:
        # In all eight documents seen with two places the first one governs; the other is an exception.
        note = f"The document chooses the law of several places: {', '.join(sorted(places))}."
        first = next(reading for reading in readings if reading.confidence >= 0.9)
        others = [reading._replace(confidence=min(0.8, reading.confidence)) for reading in readings]
        return decide(document, [first._replace(confidence=0.92), *others], METHOD, note=note)
    return decide(document, readings, METHOD, absent=0.85)


def _is_federal(place: str, places: set[str]) -> bool:
    """True where a country stands beside one of its states: "of Ontario and the federal laws of Canada"."""
    if place == "Canada":
        return any(other.endswith(", Canada") for other in places)
    return place == "United States" and any(other in STATES for other in places)


def _readings(text: str) -> Iterator[Reading]:
    for match in islice(_LAW.finditer(text), _MAX_MATCHES):
        place = _place(text, match)
        if place is None:
            yield from _blank(text, match)
            continue
        confidence = _confidence(text, match, min(place.start, match.start()))
        if confidence:
            original = text[place.start : place.end]
            value = TypedValue(FieldType.TEXT, place.name, original=original, normal=place.name.casefold())
            yield TextReading(value, ((place.start, place.end),), confidence)


def _blank(text: str, law: re.Match[str]) -> Iterator[Reading]:
    left = _LEFT_OPEN.match(text, law.end())
    if left and _confidence(text, law, law.start()) >= 0.9:
        special = Special.REDACTED if "*" in left[1] else Special.BLANK
        value = TypedValue(FieldType.TEXT, "", original=left[1], special=special)
        yield TextReading(value, (left.span(1),), 0.92, "The place was left open.")


def _place(text: str, law: re.Match[str]) -> Place | None:
    back = max(0, law.start() - 70)
    named = _NAMED.search(text[back : law.start()])
    if named:
        start, end = named.span("place")
        return Place(back + start, back + end, canonical_place(named["place"]))
    after = text[law.end() : law.end() + _REACH]
    cut = _CUT.search(after)
    places = find_places(text, law.end(), law.end() + (cut.start() if cut else len(after)))
    if places:
        return places[0]
    late = _LATE.match(after)
    later = find_places(text, law.end() + late.end(), law.end() + _REACH) if late else []
    return later[0] if later and later[0].start - law.end() - (late.end() if late else 0) < 3 else None


def _confidence(text: str, law: re.Match[str], start: int) -> float:
    first, last = sentence_at(text, start, law.end())
    before, after = text[first : law.start()], text[law.end() : min(last, law.end() + 250)]
    around = text[max(0, first - 90) : first] + " " + before[:70]
    agreement = bool(_AGREEMENT.search(before) or _AGREEMENT.search(after))
    heading = bool(_HEADING.search(around))
    govern = bool(_GOVERN.search(_HEADING.sub(" ", before)) or _GOVERN.search(after))
    construe = bool(_CONSTRUE.search(before))
    if _OTHER_MATTER.search(before[-_NEAR:]) and not (govern and _GOVERN.search(before[-_NEAR:])):
        return 0.4 if govern and agreement else 0.0
    if govern and heading:
        return _UNDER_HEADING
    if govern and (agreement or construe):
        return 0.98
    if construe and (agreement or heading):
        return 0.96
    if heading or govern:
        return 0.92
    return 0.4 if construe else 0.0
