"""Rules about a document as a whole: what it calls itself, of what kind it is, what it is about."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping

from core.config.fields import FieldDefinition
from core.domain.fields import CellStatus, FieldType, Finding, TypedValue
from core.extract import sides
from core.extract.base import DocumentText, Rule, uncertain
from core.extract.decision import MAX_VALUES, MaybeReading, TextReading, agree, candidates_of
from core.fields.typed import text_value
from core.text.patterns import any_case
from core.text.words import table
from core.values.dates import date_order, find_dates
from core.values.money import find_money

_METHOD = "rule"
_TEXT = FieldDefinition(name="asked", title="Asked", type=FieldType.TEXT)
_TEXTS = _TEXT.model_copy(update={"many": True})
_TOP = 4_000
_MAX_CHARS = 1_000_000
_PIECE = 20_000
_OVERLAP = 80  # what stands on the border of two pieces is read whole, in the piece that it begins in
_CONFIDENCE = 0.9
_KIND_NOUN = (
    r"(?:AGREEMENT|CONTRACT|LEASE|LICEN[SC]E|AMENDMENT|ADDENDUM|SUPPLEMENT|DEED|MEMORANDUM OF UNDERSTANDING"
    r"|TERM SHEET|TERMS AND CONDITIONS|STATEMENT OF WORK|ORDER FORM|POLICY|CHARTER|GUARANTY|GUARANTEE|PLAN)"
)
_NAME_LINE = re.compile(
    rf"(?im)^[ \t#*]*(?P<name>[^\n]{{0,110}}?\b{_KIND_NOUN}S?\b(?:[^\S\n][^\n.;]{{0,60}})?)[ \t*]*$"
)
_THIS_NAME = re.compile(
    r"\b[Tt](?:his|HIS)\s+(?P<name>(?:[A-Z][\w&/'\u2019-]*[ \n]|(?:of|and|for|to|the|on|\d+)[ \n]){0,10}?"
    r"(?:Agreement|Contract|Lease|License|Licence|Amendment|Addendum|Deed|AGREEMENT|CONTRACT|LEASE|AMENDMENT"
    r"|ADDENDUM)(?:[ \n](?:Agreement|AGREEMENT|Contract))?)\b"
)
_CAPITALS_NAME = re.compile(
    rf"(?<![\w.])(?P<name>(?:(?:[A-Z][A-Z0-9&/'\u2019-]*|NO\. ?\d+),?[ \n]){{1,10}}{_KIND_NOUN})S?(?!\w)"
)
_SAYS_KIND = any_case(
    r"\bthis\s+(?:[\w&,'\u2019-]+\s+){0,8}?(?P<noun>amendment|addendum|agreement|contract|lease)\b"
    r"[^.]{0,200}?\b(?:is|are|made|entered|dated|between)\b"
)
_EDGES = re.compile(r"(?i)^(?:exhibit|ex\.?)\s+[\w.()-]+\s+|^execution copy\s+|[\s_*-]+$|\s+page \d+.*$")
_NO_NAME = any_case(
    r"^\d|\b(?:dated|between|hereby|shall|whereas|pursuant|table of contents|this)\b|\bnumber\s*:"
)
_DESIGNATION = re.compile(
    r"\b(?=[A-Z])(?:[A-Z]{1,5}|[A-Z][a-z]{1,10})[- ]?\d{1,5}[A-Z]{0,3}(?:-\d{1,4})?\b(?![:.]\d)"
)
_NOT_DESIGNATIONS = re.compile(r"^(?:ISO|IEC|EN|UL|DIN|Rev|Version|No|Page|Part|Chapter|Section|Volume|Q)\b")

_PRODUCT_NOUN = any_case(
    r"\b(?:modules?|systems?|cabinets?|inverters?|cameras?|devices?|models?|panels?|types?)(?=[ \n])"
)
_DESIGNATION_NEXT = re.compile(
    r"(?:[ \n,/]|and[ \n]|or[ \n]|&[ ]){1,4}(?:[A-Z][A-Za-z]{2,20}[ \n])?"
    r"(?P<name>(?=[A-Z])(?:[A-Z]{1,5}|[A-Z][a-z]{1,10})-\d{1,5}[A-Z]{0,3}(?:-\d{1,4})?)\b(?![:.]\d)"
)

_KINDS: dict[str, dict[str, str]] = table(__file__, "document_kinds")


def document_name(document: DocumentText) -> Finding:
    """Name that the document gives itself: its title line, or "this ... Agreement"."""
    found = _name_span(document)
    if found is None:
        return _absent("The document names itself nowhere.")
    readings = [TextReading.at(*found, text_value(document.text[slice(*found)]), _CONFIDENCE)]
    return agree(document, _TEXT, readings, _METHOD) or _absent("The document names itself nowhere.")


def contract_kind(document: DocumentText) -> Finding:
    """Agreement, amendment, policy or other, by what the document calls itself."""
    span = _name_span(document)
    if span is None:
        return _kind_by_what_it_says(document)
    name = re.sub(r"(?i)amended and restated", "", document.text[span[0] : span[1]])
    kind = next(
        (kind for kind, pattern in _KINDS["contracts"].items() if re.search(pattern, name, re.IGNORECASE)),
        "other",
    )
    return _kind(document, kind, span, _CONFIDENCE)


def _kind_by_what_it_says(document: DocumentText) -> Finding:
    """The kind of a document whose name stands in no line of its own: "THIS AGREEMENT is made on"."""
    said = _SAYS_KIND.search(document.text, 0, _TOP)
    if said is None:
        return _kind(document, "other", (0, min(80, len(document.text))), 0.6)
    noun = said["noun"].lower()
    kind = "amendment" if noun in ("amendment", "addendum") else "agreement"
    return _kind(document, kind, said.span("noun"), 0.8)


def invoice_kind(document: DocumentText) -> Finding:
    """Invoice, receipt, credit note, order, or a register of many."""
    rows = [row for row in document.rows if row.table >= 0]
    is_sheet = "csv" in document.media_type or "sheet" in document.media_type
    if is_sheet and len(rows) >= 2:
        return _kind(
            document, "register", (0, document.text.find("\n") % (len(document.text) + 1)), _CONFIDENCE
        )
    return _first_kind(document, "invoices")


def product_model(document: DocumentText) -> Finding:
    """The designation in the document's title: AS-330, IQ-60; those in its text are candidates."""
    head = document.text[:300]
    title = document.title.upper() if document.title.isupper() else document.title
    seen: list[MaybeReading] = []
    for match in _DESIGNATION.finditer(title):
        at = re.search(re.escape(match[0]), head, re.IGNORECASE)
        if at is not None and not _NOT_DESIGNATIONS.match(match[0]):
            seen.append(TextReading.at(at.start(), at.end(), text_value(at[0]), _CONFIDENCE))
    found = agree(document, _TEXT, seen, _METHOD)
    return found or _models_named(document) or _absent("The title names no model.")


def _models_named(document: DocumentText) -> Finding | None:
    """The designations that a text names, the most frequent first."""
    named = [
        TextReading.at(*match.span(), value, _CONFIDENCE)
        for match in _DESIGNATION.finditer(document.text, 0, _PIECE)
        if "-" in match[0] and not _NOT_DESIGNATIONS.match(match[0]) and (value := text_value(match[0]))
    ]
    if not named:
        return None
    times = Counter(each.value.normal for each in named)
    first = {each.value.normal: each for each in reversed(named)}
    most = max(times.values())
    ranked = [
        first[name]._replace(confidence=round(0.5 * count / (most + 1), 3))
        for name, count in times.most_common()
    ]
    return uncertain(
        ranked[0].confidence,
        _METHOD,
        candidates_of(document, ranked, _METHOD),
        f"The title names no model, the text names {len(ranked)}.",
    )


def product_models(document: DocumentText) -> Finding:
    """Every designation after a word such as "modules": AS-330, AS-400 and AS-450."""
    readings: list[MaybeReading] = []
    for match in _PRODUCT_NOUN.finditer(document.text, 0, _PIECE):
        at = match.end()
        while following := _DESIGNATION_NEXT.match(document.text, at):
            start, at = following.span("name")
            if not _NOT_DESIGNATIONS.match(following["name"]):
                readings.append(TextReading.at(start, at, text_value(following["name"]), _CONFIDENCE))
    found = agree(document, _TEXTS, readings, _METHOD)
    return found or _absent("No product is named by its model.")


def purchase_category(document: DocumentText) -> Finding:
    """The kind of goods, by the words of the lines; uncertain where two kinds are as likely."""
    places = _goods(document) or [(0, min(20_000, len(document.text)))]
    hits: dict[str, list[tuple[int, int]]] = {}
    for category, words in _KINDS["goods"].items():
        pattern = any_case(rf"\b(?:{words})\b")
        found = [match.span() for place in places for match in pattern.finditer(document.text, *place)]
        if found:
            hits[category] = found
    ranked = sorted(hits, key=lambda name: -len(hits[name]))
    readings = [TextReading.at(*hits[name][0], _enum(name), 0.5) for name in ranked]
    if not ranked:
        return _absent("No word of its lines tells the kind of goods.")
    best, second = len(hits[ranked[0]]), len(hits[ranked[1]]) if len(ranked) > 1 else 0
    if best >= 2 * second and best > 0.6 * sum(map(len, hits.values())):
        return _kind(document, ranked[0], hits[ranked[0]][0], 0.8)
    return uncertain(
        0.5, _METHOD, candidates_of(document, readings, _METHOD), "Its words fit several kinds of goods."
    )


def _goods(document: DocumentText) -> list[tuple[int, int]]:
    """Spans of the bought things' words: the text cells of the tables' first columns."""
    cells = [
        document.span(row.cells[0].quote)
        for row in document.rows[:500]
        if row.table >= 0 and row.cells[0].value.type is FieldType.TEXT
    ]
    return cells if 0 < len(cells) == sum(row.table >= 0 for row in document.rows[:500]) else []


def all_dates(document: DocumentText) -> Finding:
    """Every date that the document states, as far as a list is of use."""
    order = date_order(document.text, document.language).order
    return _all(document, lambda text: find_dates(text, order))


RULES: Mapping[str, Rule] = {
    "document_name": document_name,
    "contract_kind": contract_kind,
    "invoice_kind": invoice_kind,
    "manual_kind": lambda document: _first_kind(document, "manuals"),
    "product_model": product_model,
    "product_models": product_models,
    "purchase_category": purchase_category,
    "all_dates": all_dates,
    "all_amounts": lambda document: _all(document, find_money),
    **sides.RULES,
}
"""By the name that a schema uses."""


def _all(document: DocumentText, find: Callable[[str], list[tuple[int, int, TypedValue]]]) -> Finding:
    """All values that `find` gives, as far as a list is of use; piece by piece."""
    readings: list[MaybeReading] = []
    seen: set[tuple[str, str]] = set()
    for start in range(0, min(len(document.text), _MAX_CHARS), _PIECE):
        begin = max(0, start - _OVERLAP)
        piece = document.text[begin : start + _PIECE + _OVERLAP]
        for first, last, value in find(piece):
            is_here = start <= begin + first < start + _PIECE
            if is_here and (value.text, value.unit) not in seen:
                seen.add((value.text, value.unit))
                readings.append(TextReading.at(begin + first, begin + last, value, _CONFIDENCE))
        if len(seen) > 2 * MAX_VALUES:
            break
    return agree(document, _TEXTS, readings, _METHOD) or _absent("The document states none.")


def _name_span(document: DocumentText) -> tuple[int, int] | None:
    top = document.text[:_TOP]
    found = []
    for pattern in (_NAME_LINE, _CAPITALS_NAME):
        for match in pattern.finditer(top):
            name = match["name"].strip()
            if len(name.split()) <= 14 and not _NO_NAME.search(name) and _is_headline(name):
                found.append(match.span("name"))
                break
    if found:
        return _without_edges(top, *min(found))
    said = _THIS_NAME.search(top)
    if said is not None and len(said["name"].split()) > 1:
        return said.span("name")
    wanted = " ".join(document.title.split())
    at = re.search(re.escape(wanted), top, re.IGNORECASE) if wanted else None
    return at.span() if at is not None else None


def _without_edges(text: str, start: int, end: int) -> tuple[int, int]:
    """A name without the number of its exhibit and page, and the rule that is drawn under it."""
    for _ in range(2):
        for match in _EDGES.finditer(text[start:end]):
            if match.start() == 0:
                start += match.end()
            else:
                end = start + match.start()
            break
    return start, end


def _is_headline(line: str) -> bool:
    words = [word for word in re.findall(r"[A-Za-z][\w'-]*", line) if len(word) > 3]
    return bool(words) and sum(word[0].isupper() for word in words) >= 0.8 * len(words)


def _first_kind(document: DocumentText, kinds: str) -> Finding:
    """The kind whose words come first: in the first lines, else further down; `other` where none do."""
    for limit, confidence in ((120, _CONFIDENCE), (3_000, 0.7)):
        found = [
            (match.start(), number, kind, match.span())
            for number, (kind, pattern) in enumerate(_KINDS[kinds].items())
            if (match := re.search(pattern, document.text[:limit], re.IGNORECASE))
        ]
        if found:
            _, _, kind, span = min(found)
            return _kind(document, kind, span, confidence)
    return _kind(document, "other", (0, min(80, len(document.text))), 0.5)


def _kind(document: DocumentText, kind: str, span: tuple[int, int], confidence: float) -> Finding:
    return Finding(CellStatus.PRESENT, (_enum(kind),), (document.quote(*span),), confidence, _METHOD)


def _enum(option: str) -> TypedValue:
    return TypedValue(FieldType.ENUM, option, normal=option)


def _absent(note: str) -> Finding:
    return Finding(CellStatus.ABSENT, confidence=0.7, method=_METHOD, note=note)
