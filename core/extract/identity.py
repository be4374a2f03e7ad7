"""The identity of a document: what it is, between whom, and when, from its opening and its file's name.

Best guesses: a name has to be recognised, and claims nothing. Cells of the same fields keep their promise.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from core.domain.document import OpeningNames
from core.domain.fields import (
    CellStatus,
    FamilyMarks,
    FieldType,
    Finding,
    Identity,
    IdentityPart,
    NamedParent,
    Quote,
    TypedValue,
)
from core.extract.base import DocumentText
from core.extract.recognise import TABULAR
from core.extract.values.parties import find_parties
from core.text.analyse import STOP_WORDS
from core.text.words import word_list
from core.values.canonical import family_key
from core.values.names import COMPANY_FORM, legal_form, normal_name, same_party
from core.values.naming.display import one_line, readable, short_party, spelled_out, tells, without_marks
from core.values.naming.file_name import parse_file_name
from core.values.naming.opening import WORDS_CHARS, opening_names
from core.values.naming.party import called, form_of, is_blank, is_party_by_itself, is_term, party_name
from core.values.naming.references import find_references
from core.values.naming.words import INNER, folded, key_of

_HEADS = word_list("naming", "titles")
_CHANGES = word_list("naming", "amendments")
_BARE = frozenset(["agreement", "contract", "amendment", "addendum", "supplement", "certificate", "exhibit"])
_NO_INVOICES, _MESSAGE = ("", "other", "register"), "message/rfc822"
_SURE, _LIKELY, _GUESS = 0.9, 0.7, 0.5
_LEAST_DAY = 0.4  # a date less likely than that may be of anything that the text mentions
_TO = re.compile(
    r"\s{1,6}(?:to|of)\s{1,6}(?:the\s{1,4})?(?P<base>[^.;:\n(\"“]{4,120}(?:\n[^.;:\n(\"“]{4,60})?)"
)
_MOST_PARTIES, _MOST_GUESSED, _MOST_WORDS = 8, 2, 10
_JOINED = re.compile(r"\s(?:and|&)\s(?=[A-Z0-9])")
_BEFORE_NAME = re.compile(
    r"(?i)\b(?:agreement|contract|amendment|exhibit|copy|confidential|version|appendix|schedule)\b[\s:,.-]*"
    r"|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?\s+\d{1,2}(?:st|nd|rd|th)?,?(?:\s+\d{4})?\s*"
    r"|\b(?:19|20)\d\d\b[\s,]*"
)
_TWICE = re.compile(r"^(\w+)\s+(?=\1\b)")
_ADDRESS = re.compile(r"\s+(?:of|at)\s+\d.*$|,\s+(?=[A-Z][a-z]+,\s+[A-Z]).*$")
_NO_NAMES = word_list("naming", "roles", "boilerplate", "titles") | STOP_WORDS
_DATES = ("agreement_date", "invoice_date", "effective_date", "date", "issue_date")


def identity_of(document: DocumentText, findings: Mapping[str, Finding]) -> Identity:
    """What a document is, between whom and when. findings: of the same text; those of names and dates serve.

    A document that is no agreement or invoice keeps the title that it has, made readable, where that tells.
    """
    opening = opening_names(document.text)
    if document.media_type in TABULAR:
        kind = _title(document, opening)
        return Identity(kind.text or document.title, kind)
    if _is_invoice(document, findings) and "parties" not in findings:
        kind, parties = _kind_of_invoice(findings), _sides(document, findings)
    else:
        kind, parties = IdentityPart(), ()
        if "parties" in findings:
            kind, parties = _kind_of_agreement(document, findings, opening), _parties(document, opening)
        is_between = sum(each.confidence > _GUESS for each in parties) > 1
        if not (is_between or _HEADS & set(_plain(kind.text))):  # a sheet, a letter: it is no agreement
            kind = _title(document, opening)
            return Identity(kind.text or document.title, kind)
    day = _day(findings, opening)
    shown = [each.text for each in parties if each.confidence > _GUESS or form_of(each.whole)]
    name = one_line(kind.text, shown, day.text if day.confidence > _GUESS else "")
    return Identity(name or document.title, kind, parties, day)


def _kind_of_agreement(
    document: DocumentText, findings: Mapping[str, Finding], opening: OpeningNames
) -> IdentityPart:
    heading = _without_parties(opening.heading, opening)
    named, quote = _first(findings.get("document_name"))
    if not heading or _is_bare(heading):
        named = _without_parties(named, opening)
        if named and not _is_bare(named) and set(_plain(heading)) <= set(_plain(named)):
            heading = named
    if not heading or _is_bare(heading):
        filed = _of_file(document)
        if filed and set(_plain(heading)) <= {*_plain(filed), "agreement", "contract"}:
            return IdentityPart(readable(filed, document.text), _LIKELY, quote)
    if not heading:
        return _title(document, opening)
    whole = _with_base(document, readable(_once(heading), document.text), findings)
    return IdentityPart(whole, _SURE if named else _LIKELY, quote or _place(document, heading))


def _without_parties(heading: str, opening: OpeningNames) -> str:
    """A heading without the company before it: the name says who it is with anyway."""
    words = heading.split()
    is_letter = len(words[:1]) == 1 and len(words[0]) == 1 and words[0] != "A"  # of an exhibit
    if len(words) > 2 and (is_letter or words[0].islower()):
        begin = next((at for at, word in enumerate(words) if at and word[0].isupper()), 0)
        words = words[begin:]
        heading = " ".join(words)
    for name in opening.names:
        own = _plain(name[0])
        if len(own) < len(words) and [*map(folded, words[: len(own)])] == own:
            return " ".join(words[len(own) :]).lstrip(" ,-–")
    return _COMPANY_BEFORE.sub("", heading)


_COMPANY_BEFORE = re.compile(rf"^[A-Z0-9][\w&.,' -]{{1,60}}?[ ,]{COMPANY_FORM}[,.]?\s+(?=[A-Z]\w+\s)")


def _once(heading: str) -> str:
    """A heading that stands twice in a row, once: of its page and of its text."""
    words = heading.split()
    half = len(words) // 2
    if len(words) % 2 == 0 and [*map(folded, words[:half])] == [*map(folded, words[half:])]:
        return " ".join(words[:half])
    return heading


def _is_bare(heading: str) -> bool:
    """True of a heading that any document of its kind has."""
    return set(_plain(heading)) <= _BARE


def _plain(words: str) -> list[str]:
    return [folded(word) for word in words.split()]


def _with_base(document: DocumentText, heading: str, findings: Mapping[str, Finding]) -> str:
    """An amendment with the agreement that it amends, where its text goes on with it."""
    words = _plain(heading)
    if not words or not any(word in _CHANGES for word in words[-3:]) or " to " in heading.casefold():
        return heading
    place = _span(document, heading)
    found = _TO.match(document.text, place[1]) if place else None
    for base in (found["base"] if found else "", _first(findings.get("amendment_of"))[0], _of_file(document)):
        kept: list[str] = []
        for word in base.split()[:_MOST_WORDS]:
            kept.append(word)
            if folded(word.strip(",")) in _HEADS:
                break
        if kept and folded(kept[-1].strip(",")) in _HEADS - _CHANGES:
            return f"{heading} to {readable(' '.join(kept).strip(','), document.text)}"
    return heading


def _of_file(document: DocumentText) -> str:
    """The kind that the file's name says: "Supply Agreement" of `ACME_2019_EX-10_Supply_Agreement.pdf`."""
    said = frozenset(key_of(word) for word in document.text[:WORDS_CHARS].split()[:1_500])
    words = parse_file_name(document.source, said).kind
    ends = [at for at, word in enumerate(words) if folded(word) in _HEADS]
    if not ends:
        return ""
    last = ends[-1]
    return " ".join(
        word.capitalize() if word.islower() else word for word in words[max(0, last - 6) : last + 1]
    )


def _is_invoice(document: DocumentText, findings: Mapping[str, Finding]) -> bool:
    """True of an invoice, receipt or order on paper: no list of many, and no message with its subject."""
    kind, _ = _first(findings.get("document_kind"))
    return "invoice_number" in findings and kind not in _NO_INVOICES and document.media_type != _MESSAGE


def _kind_of_invoice(findings: Mapping[str, Finding]) -> IdentityPart:
    kind, quote = _first(findings.get("document_kind"))
    number, _ = _first(findings.get("invoice_number"))
    words = kind.replace("_", " ").capitalize()
    return IdentityPart(f"{words} {number}".strip(), _LIKELY, quote)


def _title(document: DocumentText, opening: OpeningNames) -> IdentityPart:
    title = spelled_out(without_marks(document.title))
    if "://" in document.source and tells(title):  # a site writes its titles as it means them: pg_dump
        return IdentityPart(without_marks(document.title), _SURE, _place(document, document.title))
    if tells(title):
        return IdentityPart(readable(title, document.text), _SURE, _place(document, document.title))
    if heading := opening.heading:
        return IdentityPart(readable(heading, document.text), _LIKELY, _place(document, heading))
    return IdentityPart(readable(_of_file(document) or title, document.text), _GUESS)


def _parties(document: DocumentText, opening: OpeningNames) -> tuple[IdentityPart, ...]:
    found: list[IdentityPart] = []
    read = find_parties(document)
    for party in read:
        name = party_name(party.name.name)
        if not name or not _is_name(name):
            continue
        at = document.text.find(name, party.start, party.end)
        span = (at, at + len(name)) if at >= 0 else (party.start, party.end)
        shown, sure = called(name, party.alias, document.text), _SURE if party.is_company else _LIKELY
        found.append(IdentityPart(shown, sure, (document.quote(*span),), name))
    if len(found) > 1 or (found and any(is_blank(party.name.name) for party in read)):
        return tuple(found[:_MOST_PARTIES])
    filed = frozenset(map(key_of, parse_file_name(document.source, frozenset()).owner))
    for whole in _organisations(document, opening, filed):
        if any(_is_within(whole, each.whole) for each in found):
            continue
        found.append(IdentityPart(called(whole, "", document.text), _GUESS, _place(document, whole), whole))
        if len(found) >= _MOST_GUESSED:
            break
    return tuple(found)


def _organisations(document: DocumentText, opening: OpeningNames, filed: frozenset[str]) -> Iterator[str]:
    """Names of the opening that are companies or people, those that two things speak for first."""
    ranked: list[tuple[int, str]] = []
    for names in opening.names:
        for whole in _apart(names[0]):
            name = party_name(_trimmed(whole))
            if name not in document.text:  # a heading that ends with the word that the name begins with
                name = _TWICE.sub("", name)
            words = _plain(name)
            if is_term(name, document.text):
                continue
            if not words or all(word in _NO_NAMES or not word[0].isalpha() for word in words):
                continue
            if any(word in _HEADS for word in words) or not _is_name(name):
                continue
            speaks = 2 * bool(form_of(name)) + bool(len(names) > 1 and whole == names[0])
            speaks += bool(filed & set(map(key_of, name.split())))
            is_one = 1 < len(words) < 5 and not set(words) & _NO_NAMES
            if speaks or (is_one and is_party_by_itself(name, document.text)):
                ranked.append((min(speaks, 2), name))
    yield from (name for _, name in sorted(ranked, key=lambda each: -each[0]))


def _apart(name: str) -> tuple[str, ...]:
    """Two names that an "and" joins: "Diabetes Association and Freeze Tag Inc." are two."""
    match = _JOINED.search(name)
    if match and (legal_form(name[: match.start()]) or legal_form(name[match.end() :])):
        left = name[: match.start()]
        is_and = "&" not in match[0] and len(left.split()) > 2 and len(name[match.end() :].split()) > 2
        if legal_form(left) or is_and:
            return left, name[match.end() :]
    return (name,)


def _trimmed(name: str) -> str:
    """A name without the heading, date or number that the text before it ends with, and the place behind."""
    start = 0
    for match in _BEFORE_NAME.finditer(name):
        start = match.end()
    return _ADDRESS.sub("", name[start:]).strip(" ,.;:-–")


def _is_name(name: str) -> bool:
    """True of words that are written as a name is: capitals throughout, no sentence, not too many."""
    words = name.split()
    small = [word for word in words if word[0].islower() and word.strip(",.").casefold() not in INNER]
    is_plain = len(words) > 1 and all(folded(word) in _NO_NAMES for word in words)
    return (
        len(words) <= _MOST_WORDS and not small and not is_plain and not re.search(r"[:;]|\w{4,}\.\s", name)
    )


def _is_within(one: str, other: str) -> bool:
    """True where two names are of one company, or one is a part of the other."""
    first, second = set(normal_name(one).split()), set(normal_name(other).split())
    return same_party(one, other) or first <= second or second <= first


def _sides(document: DocumentText, findings: Mapping[str, Finding]) -> tuple[IdentityPart, ...]:
    parts: list[IdentityPart] = []
    for side in ("vendor", "customer"):
        text, quote = _first(findings.get(side))
        if text and _is_name(text) and not any(same_party(text, each.whole) for each in parts):
            parts.append(IdentityPart(short_party(text, document.text), _LIKELY, quote, text))
    return tuple(parts)


def _day(findings: Mapping[str, Finding], opening: OpeningNames) -> IdentityPart:
    for name in _DATES:
        finding = findings.get(name)
        if finding is None:
            continue
        for value, quotes, sure in _guesses(finding):
            if sure >= _LEAST_DAY and value.type is FieldType.DATE and re.match(r"(?:19|20)\d\d", value.text):
                return IdentityPart(value.text, sure, quotes)
    return IdentityPart(opening.days[0], _GUESS) if opening.days else IdentityPart()


def _first(finding: Finding | None) -> tuple[str, tuple[Quote, ...]]:
    """The value of a finding, or its best candidate, with its words; "" for none."""
    for value, quotes, _ in _guesses(finding) if finding is not None else ():
        if value.text:
            return value.text, quotes
    return "", ()


def _guesses(finding: Finding) -> Sequence[tuple[TypedValue, tuple[Quote, ...], float]]:
    if finding.status is CellStatus.PRESENT:
        return [(value, finding.spans[:1], finding.confidence) for value in finding.values[:1]]
    return [
        (each.value, each.spans, each.confidence) for each in finding.candidates if each.value is not None
    ]


def _span(document: DocumentText, words: str) -> tuple[int, int] | None:
    pattern = r"\s{1,40}".join(re.escape(word) for word in words.split())
    found = re.search(pattern, document.text[:WORDS_CHARS], re.IGNORECASE) if pattern else None
    return found.span() if found else None


def _place(document: DocumentText, words: str) -> tuple[Quote, ...]:
    span = _span(document, words)
    return (document.quote(*span),) if span else ()


def family_marks(document: DocumentText, identity: Identity) -> FamilyMarks:
    """The marks of a document by its text and what it is; only amendments and orders have references."""
    kind = identity.kind.text
    references = tuple(
        NamedParent(each.kinship, each.title, each.day, document.quote(each.start, each.end))
        for each in find_references(document.text, kind)
    )
    return FamilyMarks(family_key(kind), identity.day.text, references)
