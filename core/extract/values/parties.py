"""Signing parties: names before aliases in a contract's first lines, with role, legal form and home."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from core.domain.fields import FieldType, Finding, PartyRow, TypedValue
from core.extract.base import DocumentText
from core.extract.decision import Reading, TextReading, decide, decide_many
from core.text.patterns import any_case
from core.values.identifiers import find_identifiers
from core.values.names import LEGAL_FORM, PartyName, read_name, role_of, same_party
from core.values.places import PLACE, canonical_place

METHOD = "rule parties"

_TOP = 8_000
_REGION = 2_600
_ANCHOR = any_case(
    r"\bby[ \n]{1,3}and[ \n]{1,3}(?:between|among)(?:st)?\b|\bbetween\b|\bamong(?:st)?\b"
    r"|\bB[ ]?E[ ]?T[ ]?W[ ]?E[ ]?E[ ]?N\b|(?-i:\bPARTIES\b(?!['\u2019])|\bParties:)"
    r"|\bentered[ \n]into[ \n]by\b|\bmade[ \n]by\b"
)
_END = any_case(
    r"\bwhereas\b|\brecitals?\b|\bwitnesseth\b|\bnow,?[ \n]therefore\b|\bbackground\b"
    r"|\bin[ \n]consideration\b|\bpreamble\b|\barticle[ \n](?:1|I|one)\b"
    r"|\bagree[ \n]as[ \n]follows|\n[ \t]*1[ \t]?\.[ \t]"
)
_ALIAS = any_case(
    r"[(\[][ \n]{0,3}(?P<lead>(?:[^()\"\u201c\u201d\u2018\u2019'\[\]]{0,90}?))"
    r"[\"\u201c\u201d\u2018''`]{1,2}[ ]?(?P<alias>[A-Za-z0-9][^()\"\u201c\u201d]{0,60}?)"
    r"[ ]?[\"\u201d\u201c\u2019'`]{1,2}[^()]{0,140}[)\]]|,?[ \n](?:hereinafter|hereafter"
    r"|herein)[ \n](?:[a-z]{2,12}[ \n]){0,5}?(?:as[ \n])?(?:the[ \n])?"
    r"[\"\u201c](?P<alias2>[^\"\u201d\n]{1,60})[\"\u201d]"
)
_COLLECTIVE = any_case(
    r"^(?:the[ \n])?(?:part(?:y|ies)|agreement|contract|effective[ \n]date|amendment|affiliates?|territory"
    r"|products?|services?|act|term|closing[ \n]date|commencement[ \n]date|lease|license|plan|sec"
    r"|commission|execution[ \n]date)s?,?$|agreement$|date$"
)
_TOGETHER = any_case(r"\bcollectively\b|\bindividually\b|\btogether[ \n]with\b|\bjointly\b|\beach,?[ \n]a\b")
_LEAD = any_case(
    r"(?:[\s,;:.\-\u2013*_)\]]|\(\d\)|\d[.)]|(?:and|between|by|among|amongst|with|the[ \n]parties|parties"
    r"|of[ \n]the[ \n](?:first|second|one|other)[ \n]part"
    r"|part(?:y|ies)[ \n][AB12]|on[ \n]the[ \n](?:one|other)[ \n](?:hand|part|side)|is|are|made|entered"
    r"|into|as[ \n]of|on|this|day|date|either|both|namely|a[ \n]company|each|in|its)\b:?)+"
)
_STOP = re.compile(
    r"[-_]{5,}|,?[ \n]{1,3}(?:an?|having|with|whose|which|located|organi[sz]ed|incorporated|existing"
    r"|established|formed|acting|on[ \n]behalf|through|a[ \n]division|doing[ \n]business|d/b/a|f/k/a"
    r"|formerly|its|both|being|for[ \n]itself|by[ \n]and|residing|maintaining|at[ \n]\d|of[ \n]\d"
    r"|hereinafter|hereafter|herein|registered|as[ \n](?:the[ \n])?[a-z]|,?[ \n]?(?:one|two|the)[ \n](?:of"
    r"|other)|under[ \n]the|duly|together|and[ \n](?:its|their|certain|any)|solely|not[ \n]in|successor)\b"
    r"|\((?!(?:UK|U\.K\.|Pty|PTY|Bermuda|Hong[ ]Kong|US|USA|HK|China|Canada|Ireland|Israel|Asia|Europe"
    r"|Far[ ]East|Holdings|Cayman|BVI|\d{4})\))|;|,[ \n](?=\d|[A-Z][a-z]+[ \n]\d)",
)
_FORM_END = re.compile(rf"(?<![A-Za-z]){LEGAL_FORM}(?![A-Za-z-])")
_FORM_END_ANY = any_case(rf"(?<![A-Za-z]){LEGAL_FORM}(?![A-Za-z-])")
_ENTITY = any_case(
    rf"\ban?[ \n]{{1,3}}(?:(?P<place>{PLACE})[ \n]{{1,3}})?(?P<kind>(?:[a-z-]{{3,15}}[ \n]{{1,3}}){{0,3}}?"
    rf"(?:corporation|company|partnership|trust|bank|association|institution|university|individual"
    rf"|cooperative|entity))\b"
    rf"(?:[^;()]{{0,90}}?\b(?:laws?[ \n]of|in|of)[ \n](?:the[ \n])?(?:(?:State|Commonwealth|Province"
    rf"|Republic|Kingdom)[ \n]of[ \n])?(?P<home>{PLACE}))?"
)
_NEXT = re.compile(
    r"(?:[,;)\n][ \n]{0,8}|[ \n])(?:and|AND|&)[ \n]{1,80}(?=[A-Z0-9])|[;.][ \n]{1,8}(?=[A-Z0-9])"
    r"|\(\d\)[ \n]{1,8}|\n[ \n]{1,8}(?=[A-Z0-9])"
)
_DATED = any_case(r"[^,;()]{0,40}?\d[\w./-]{0,4},?[ \n]{1,3}by[ \n]{1,3}(?=\S)")
_NAME = re.compile(r"[A-Z0-9]")
_BAD_NAME = any_case(
    r"\b(?:shall|hereby|agreement|whereas|pursuant|this|herein|means|dated|effective|entered|following"
    r"|undersigned|amendment|exhibit|party|parties)\b"
)

_NO_NAME = any_case(r":|^(?:address|conditions?|schedules?|attn|attention|tel(?:ephone)?|fax)\b")


class Party(NamedTuple):
    """A party as it was read: its name with its span, its alias, and what stands between them."""

    start: int
    end: int
    name: PartyName
    alias: str
    about: str

    @property
    def is_company(self) -> bool:
        """True where its name ends in a legal form."""
        return bool(self.name.form)


def parties(document: DocumentText) -> Finding:
    """The parties by their full names; a fact only where every one has an alias and a legal form."""
    found = find_parties(document)
    readings = [_reading(document, party) for party in found]
    return decide_many(document, readings, METHOD, confidence=_confidence(found), absent=0.6)


def party_in_role(document: DocumentText, roles: frozenset[str], method: str) -> Finding | None:
    """The party whose alias is one of `roles` ("the Licensor"); None where the document is no contract."""
    found = find_parties(document)
    if not found:
        return None
    readings = []
    for party in found:
        if role_of(party.alias).split(" ")[-1] in roles:
            sure = 0.93 if party.is_company else 0.85
            readings.append(_reading(document, party)._replace(confidence=sure))
    return decide(
        document,
        readings if len(readings) == 1 else [each._replace(confidence=0.7) for each in readings],
        method,
        absent=0.6,
    )


def party_rows(document: DocumentText) -> tuple[PartyRow, ...]:
    """The parties with role, entity type, jurisdiction and identifiers."""
    rows = []
    for party in find_parties(document):
        entity = _ENTITY.search(party.about[:300])
        place = (entity["place"] or entity["home"] or "") if entity else ""
        kind = " ".join(entity["kind"].lower().split()) if entity else party.name.form
        identifiers = tuple((each.kind, each.number) for each in find_identifiers(party.about))
        quote = document.quote(party.start, party.end)
        role = role_of(party.alias)
        rows.append(
            PartyRow(
                party.name.name, party.name.normal, quote, role, kind, canonical_place(place), identifiers
            )
        )
    return tuple(rows)


def find_parties(document: DocumentText) -> list[Party]:
    """The parties in the order in which the contract names them, each once."""
    text = document.text
    best: list[Party] = []
    for anchor in list(_ANCHOR.finditer(text, 0, _TOP))[:8]:
        end = _END.search(text, anchor.end() + 40, anchor.end() + _REGION)
        stop = end.start() if end else min(len(text), anchor.end() + _REGION)
        found = _unique(list(_in_region(text, anchor.end(), stop)))
        if len(found) > 1 and (_confidence(found), len(found)) > (_confidence(best), len(best)):
            best = found
        if _confidence(best) >= 0.9:
            break
    return best


def regions_of(document: DocumentText) -> Iterator[Party]:
    """Every party of every region that may name them, however unlikely."""
    text = document.text
    for anchor in list(_ANCHOR.finditer(text, 0, _TOP))[:8]:
        end = _END.search(text, anchor.end() + 40, anchor.end() + _REGION)
        yield from _in_region(
            text, anchor.end(), end.start() if end else min(len(text), anchor.end() + _REGION)
        )


def parties_sure(document: DocumentText) -> float:
    """How sure the rules are of the parties that they find."""
    return _confidence(find_parties(document))


def _in_region(text: str, start: int, stop: int) -> Iterator[Party]:
    at = start
    for match in _ALIAS.finditer(text, start, stop):
        alias = " ".join((match["alias"] or match["alias2"] or "").split()).strip(" ,.")
        lead = match["lead"] or ""
        if _COLLECTIVE.search(alias) or _TOGETHER.search(lead):
            at = match.end() if match.start() - at < 30 or _TOGETHER.search(lead) else at
            continue
        party = _name_in(text, at, match.start(), alias)
        if party:
            yield party
        at = match.end()
    if at == start:
        yield from _without_aliases(text, start, min(stop, start + 700))


def _without_aliases(text: str, start: int, stop: int) -> Iterator[Party]:
    sentence = text[start:stop]
    for part in re.finditer(r"[^;]{3,400}?(?:[ \n,](?:and|AND)[ \n]|;|\.[ \n]|$)", sentence):
        party = _name_in(text, start + part.start(), start + part.end(), "")
        if party and party.is_company:
            yield party


def _name_in(text: str, start: int, stop: int, alias: str) -> Party | None:
    """The name in [start, stop): where it begins, or after what is said of the last party and an "and"."""
    if stop - start > 1_500:
        start = stop - 1_500
    lead = _LEAD.match(text, start, stop)
    begins = [lead.end() if lead else start]
    begins += [match.end() for match in _NEXT.finditer(text, start, stop)][-12:]
    best = None
    for begin in begins:
        party = _name_at(text, begin, stop, alias)
        if party and (party.is_company or best is None):
            best = party
            if party.is_company:
                break
    return best


def behind_date(text: str, begin: int, stop: int) -> int:
    """Where a name begins that a date and "by" stand before: "12 May 2023 by Acme Ltd"; else where it was."""
    dated = _DATED.match(text, begin, stop)
    return dated.end() if dated else begin


def _name_at(text: str, begin: int, stop: int, alias: str) -> Party | None:
    begin = behind_date(text, begin, stop)
    segment = text[begin:stop]
    cut = _STOP.search(segment, 2)
    end = cut.start() if cut else len(segment)
    end = _last_form(segment[: min(len(segment), end + 45)], end) or end
    name = segment[:end].rstrip(" ,;:\n-")
    if len(name) > 120 or not _NAME.match(name) or _BAD_NAME.search(name):
        return None
    read = read_name(name)
    if read is None or len(read.name) < 2:
        return None
    return Party(begin, begin + len(name), read, alias, segment[len(name) :])


def _last_form(segment: str, end: int) -> int:
    """End of the legal form that stands at the end of the name; 0 without one."""
    pattern = _FORM_END_ANY if segment[:12].isupper() else _FORM_END
    last = 0
    for match in pattern.finditer(segment):
        if match.start() > end:
            break
        gap = segment[last : match.start()] if last else ""
        if last and not re.fullmatch(r"[ ,.\n&]{0,4}(?:and[ ])?(?:[A-Z][\w.]{0,20}[ ,]{1,2}){0,2}", gap):
            break
        last = match.end()
    return last


def _unique(found: list[Party]) -> list[Party]:
    kept: list[Party] = []
    for party in found:
        if not any(same_party(party.name.name, other.name.name) for other in kept):
            kept.append(party)
    return kept[:12]


def _confidence(found: list[Party]) -> float:
    if len(found) < 2:
        return 0.3 if found else 0.0
    aliased = all(party.alias for party in found)
    companies = sum(party.is_company for party in found)
    short = all(len(party.name.name) <= 80 and "," not in party.name.name[:-14] for party in found)
    if aliased and companies == len(found) and len(found) <= 4 and short:
        return 0.95
    if (
        aliased
        and companies >= 1
        and len(found) == 2
        and short
        and all(_is_proper(p.name.name) for p in found)
    ):
        return 0.91 if all(p.is_company or len(p.about.strip()) <= 1 for p in found) else 0.88
    if aliased and companies >= 1 and len(found) <= 3 and short:
        return 0.85
    if companies == len(found) == 2 and short:
        return 0.8
    return 0.6


def is_whole_name(party: Party) -> bool:
    """True where the name can be relied on: no line of an address or list, and not cut short at a bracket."""
    if _NO_NAME.search(party.name.name):
        return False
    return party.is_company or not party.about.lstrip().startswith(("(", "["))


def _is_proper(name: str) -> bool:
    """True where every word but the small ones begins with a capital, and there are at most seven."""
    words = name.split()
    small = {"of", "the", "and", "for", "de", "in", "&"}
    proper = all(word[0].isupper() or word[0].isdigit() or word in small for word in words)
    return proper and 2 <= len(words) <= 9 and ". " not in name[4:-5]


def _reading(document: DocumentText, party: Party) -> Reading:
    original = document.text[party.start : party.end]
    value = TypedValue(FieldType.PARTY, party.name.name, original=original, normal=party.name.normal)
    return TextReading(value, ((party.start, party.end),), 0.95 if party.is_company else 0.8)
