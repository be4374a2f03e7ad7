"""Absence of a field: only where none of its words stands in a text that was read whole.

Measured on CUAD by `python -m bench.fields_values` (docs/performance.md): what rules and patterns do not
find is often there all the same, parties always; where no word of the field stands, it is not.

A clause that is undecided may be called absent, too, where its words stand nowhere in a text that was read
whole (`without_words`). The heads weigh sentences and are never sure of a short contract: one of two pages
without a word on ending it was .83 sure to have no termination clause. But a clause of these types cannot
be written without certain words, and where none of them stands there is none. Of 137 cells of 44 documents
that somebody had checked by hand (docs/models/clauses_checked.tsv) and where no such word stands 136 lack
the clause and one is unclear; no contract of CUAD without them has a clause that implies one (0 of 58). For
CUAD's own types it is not so: of the undecided cells without a synonym or pattern of theirs 74 of 80 were
right, too few.

Ending without a reason is absent where every sentence that lets a party end the contract names a reason. On
CUAD, of the contracts whose head is below .35, that was so 19 times, and right each time.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from math import log

from core.config.fields import (
    FieldDefinition,
    HeadingExtractor,
    KeyValueExtractor,
    PatternExtractor,
    RuleExtractor,
    TableExtractor,
)
from core.domain.facts import head_probability
from core.domain.fields import ORDERED, Candidate, CellStatus, FieldType, Finding
from core.extract.base import DocumentText, head_of, uncertain
from core.extract.clauses.segments import segment
from core.extract.key_value import stems
from core.extract.patterns import sentence_around
from core.fields.promise import ALWAYS_WITH_REASON, NO_WORDS, WORDS
from core.fields.typed import boolean_value, order_for, values_in
from core.text.patterns import any_case
from core.text.words import table, word_list
from core.values.dates import Order
from core.values.durations import find_durations
from core.values.numbers import parse_number

RATE = 0.994
"""The share of cells without any word of their field that are right to say absent: 358 of 360 of CUAD."""

RIGHT = 0.985
"""What share of a rule's own absences must be right, as measured, for them to stand without this check."""

_STATED_BY_ALL = frozenset(
    {"parties", "document_name", "contract_kind", "contract_vendor", "contract_customer"}
    | {"receipt_vendor", "receipt_customer", "receipt_date", "receipt_number", "receipt_total"}
    | {"product_model"}
)
"""Rules for what every document of a kind states: finding none is never absence."""

_NAMED = frozenset({"page_products"})
"""Rules for what a text calls by name, without a word of the field: that none stands there tells nothing.

Of 23 pages without "product" or the like 16 named products (`bench/fields_pages.py`)."""

_BY_SENTENCES = {"renewal_term": 1.0, "notice_to_terminate_renewal": 1.0}
"""Rules that are right to say absent where no sentence holds a word of the field and a value, and how often:
of CUAD's contracts 51 of 51 and 22 of 22. For dates it is not so (29 of 52), for amounts it is not known."""

_TABLE = table(__file__, "absence")
_RULE_WORDS: dict[str, list[str]] = _TABLE["rules"]
_NOT_MEASURED = (
    f"Without a word of the field {RATE:.1%} of labelled cells were right; for this field alone it was not"
    " measured."
)
_KIND = {FieldType.DURATION: "length of time", FieldType.NUMBER: "number in its unit"}
_STOP = word_list("stop", "absence")
_PART = re.compile(r"\\[A-Za-z]|\[[^\]]*\]|\(\?[A-Za-z]*[:)]|\{[\d,]*\}")
_LITERAL = re.compile(r"(?P<word>[A-Za-z]{4,})(?P<open>\x00)?")
_OPEN = re.compile(r"(?<=[A-Za-z])\\w[+*]")
_WORD = re.compile(r"[^\W_]+")
_MAX_CHARS = 2_000_000
_MAX_PLACES = 200
_WINDOW = 12
_LOOKED_AT = 8
_SHOWN = 3
_MAX_SENTENCE = 900
_LETTERS = 12
_MAX_VALUE_CHARS = 200_000
_LENGTH = any_case(
    r"\b(?:days?|weeks?|months?|years?|net|tagen?|wochen?|monaten?|jahren?|jours?|semaines?|mois|ans"
    r"|dag(?:en)?|weken|maanden|d\u00edas?|semanas?|meses)\b"
)
_UNIT = re.compile(
    r"\d[ \u00a0]?([A-Za-z\u00b0\u2103\u00b5\u03bc\u03a9\u2126][\w\u00b0/^*\u00b2\u00b3]{0,12})"
    r"|(?:[(\[|]|\bin|_)[ ]?([A-Za-z\u00b0\u2103\u00b5\u03a9\u2126][\w\u00b0/^*\u00b2\u00b3]{0,8})(?![\w-])"
)


@dataclass(frozen=True)
class _Words:
    """The words of a text by their stems, with where each stands."""

    spans: tuple[tuple[int, int], ...]
    order: tuple[tuple[str, ...], ...]
    places: Mapping[str, list[int]]


def settle(document: DocumentText, definition: FieldDefinition, finding: Finding) -> Finding:
    """Finding of an absence: it stands where it is measured or no word of the field stands in the text.

    Else the cell is uncertain, with the sentences that hold the field's words, or none and a note.
    """
    rules = [each.rule for each in definition.extractors if isinstance(each, RuleExtractor)]
    known = finding.confidence if finding.confidence >= RIGHT else 0.0
    measured = next((_BY_SENTENCES[rule] for rule in rules if rule in _BY_SENTENCES), 0.0)
    unread = [page.page_no for page in document.pages if not page.text.strip()]
    terms = terms_of(definition)
    words = _words_of(document.text[: document.content_end])
    looked = f"Looked for {_list(definition)}"
    standing = any(stem in words.places for term in terms for stem in term)
    is_unlabelled = definition.type is FieldType.PARTY or bool((_STATED_BY_ALL | _NAMED).intersection(rules))
    if not unread and not is_unlabelled and (known or not standing):
        rate = known or RATE
        note = finding.note or (
            f"{looked}: none of these words stands in the text, every page of which was read. {_NOT_MEASURED}"
        )
        return Finding(CellStatus.ABSENT, confidence=rate, method=finding.method, note=note)
    if not unread and _has_no_value(document, definition):
        note = f"{looked}: no {_KIND[definition.type]} stands in the text. {_NOT_MEASURED}"
        return Finding(CellStatus.ABSENT, confidence=RATE, method=finding.method, note=note)
    candidates = tuple(_candidates(document, definition, terms, words, finding.method))
    if measured and not unread and not candidates:
        note = f"{looked}: no sentence holds such a word and a {_KIND[definition.type]}."
        return Finding(CellStatus.ABSENT, confidence=min(measured, RATE), method=finding.method, note=note)
    note = _why(finding.note, looked, unread, stands=standing, has_candidates=bool(candidates))
    best = candidates[0].confidence if candidates else 0.0
    return uncertain(best, finding.method, candidates, note)


@lru_cache(maxsize=2_000)
def terms_of(definition: FieldDefinition) -> frozenset[tuple[str, ...]]:
    """Terms to find a field by, as stems: title, synonyms, keys, headings, columns and literals."""
    said = [definition.title, *definition.synonyms]
    for each in definition.extractors:
        if isinstance(each, KeyValueExtractor):
            said += each.keys
        elif isinstance(each, HeadingExtractor):
            said += each.headings
        elif isinstance(each, TableExtractor):
            said += each.columns
        elif isinstance(each, PatternExtractor) and definition.type is not FieldType.BOOLEAN:
            said += [word for pattern in each.patterns for word in _literals(pattern)]
        elif isinstance(each, RuleExtractor):
            said += _RULE_WORDS.get(each.rule, ())
    return frozenset({_stems(each) for each in said} - {()})


def stems_of(text: str) -> frozenset[str]:
    """Stems of the telling words of a text, as terms of fields have them."""
    return frozenset(_stems(text))


def is_named(definition: FieldDefinition, held: frozenset[str]) -> bool:
    """True where a sentence with these stems holds all words of a term of the field."""
    return any(held.issuperset(term) for term in terms_of(definition))


def _stems(words: str) -> tuple[str, ...]:
    kept = [word for word in _WORD.findall(words.casefold()) if word not in _STOP]
    return tuple(stem for word in kept for stem in _stem(word))


@lru_cache(maxsize=50_000)
def _stem(word: str) -> tuple[str, ...]:
    return stems(word)


def _literals(pattern: str) -> Iterator[str]:
    """The words that a regular expression spells out; one that goes on ("operat\\w+") with usual ends."""
    bare = _PART.sub(" ", _OPEN.sub("\x00", pattern))
    for match in _LITERAL.finditer(bare):
        ends = ("", "e", "ing", "ion") if match["open"] else ("",)
        yield from (match["word"] + end for end in ends)


@lru_cache(maxsize=1)  # all fields of a document ask for the same text
def _words_of(text: str) -> _Words:
    spans: list[tuple[int, int]] = []
    order: list[tuple[str, ...]] = []
    places: dict[str, list[int]] = {}
    for number, match in enumerate(_WORD.finditer(text, 0, _MAX_CHARS)):
        own = _stem(match[0].casefold())
        spans.append(match.span())
        order.append(own)
        for stem in own:
            places.setdefault(stem, []).append(number)
    return _Words(tuple(spans), tuple(order), places)


def _candidates(
    document: DocumentText,
    definition: FieldDefinition,
    terms: Iterable[tuple[str, ...]],
    words: _Words,
    method: str,
) -> list[Candidate]:
    """The best sentences with the field's words: those that hold a whole term, or a word and a value."""
    weights = {
        stem: 1 / (1 + log(len(words.places[stem])))
        for term in terms
        for stem in term
        if stem in words.places
    }
    scored: list[tuple[float, int]] = []
    for stem in sorted(weights, key=lambda each: -weights[each]):
        for place in words.places[stem][:_MAX_PLACES]:
            near = {each for own in words.order[place : place + _WINDOW] for each in own} & weights.keys()
            scored.append((sum(weights[each] for each in near), place))
    scored.sort(key=lambda pair: (-pair[0], pair[1]))
    found: dict[tuple[int, int], Candidate] = {}
    seen: list[tuple[int, int]] = []
    order = order_for(definition, document.text, document.language)
    for score, place in scored:
        start, end = words.spans[place]
        if any(first <= start < last for first, last in seen):
            continue
        span = shown_sentence(document, start, end)
        seen.append(span or (start, end))
        if span is None or span in found:
            continue
        candidate = _candidate(document, definition, span, (score, terms, order, method))
        if candidate is not None:
            found[span] = candidate
        if len(found) >= _LOOKED_AT:
            break
    return sorted(found.values(), key=lambda each: -each.confidence)[:_SHOWN]


def _candidate(
    document: DocumentText,
    definition: FieldDefinition,
    span: tuple[int, int],
    by: tuple[float, Iterable[tuple[str, ...]], Order, str],
) -> Candidate | None:
    score, terms, order, method = by
    start, end = span
    text = document.text[start:end]
    held = set(_stems(text))
    whole = sum(1 for term in terms if len(term) > 1 and held.issuperset(term))
    single = sum(1 for term in terms if len(term) == 1 and term[0] in held)
    found = values_in(text, definition, order) if definition.type in ORDERED else []
    is_length = definition.type is FieldType.DATE and bool(find_durations(text))  # "for two years"
    if definition.type in ORDERED and not found and not is_length:
        return None
    if definition.type not in ORDERED and not whole and not single:
        return None
    points = score + whole + 0.5 * single + (0.5 if len(found) == 1 else 0.0)
    confidence = round(0.45 * points / (points + 4), 3)
    quote = document.quote(start, end)
    if definition.type is FieldType.BOOLEAN:
        return Candidate(boolean_value(True, quote.quote[:200]), (quote,), confidence, method)
    if not found:
        return Candidate(None, (quote,), confidence, method)
    first = found[0]
    return Candidate(
        first.value, (document.quote(start + first.start, start + first.end), quote), confidence, method
    )


def shown_sentence(document: DocumentText, start: int, end: int) -> tuple[int, int] | None:
    """The sentence around a place, without a heading and its marks before it; None where it is one."""
    first, last = sentence_around(document.text, start, end)
    page = document.page_at(start)
    begin = document.starts[document.pages.index(page)]
    first, last = max(first, begin), min(last, begin + len(page.text), first + _MAX_SENTENCE)
    for heading in page.headings:
        if begin + heading.start < last and first < begin + heading.end <= max(end, first):
            return None
        if begin + heading.start <= first < begin + heading.end:
            first = begin + heading.end
    while first < last and document.text[first] in " \t\n#*>|-":
        first += 1
    said = document.text[first:last]
    return (first, last) if sum(map(str.isalpha, said)) >= _LETTERS else None


def _list(definition: FieldDefinition) -> str:
    names = dict.fromkeys([definition.title.casefold(), *definition.synonyms])
    return ", ".join(f"\u201c{each}\u201d" for each in list(names)[:6])


def _why(said: str, looked: str, unread: list[int], *, stands: bool, has_candidates: bool) -> str:
    if unread:
        pages = ", ".join(str(each) for each in unread[:5])
        return f"Not all pages have readable text (without: {pages}). {looked}."
    if has_candidates:
        rest = "These sentences hold such words, but none states the value in a way that is known."
    elif not stands:
        rest = "None of these words stands in the text, which may name one without them."
    else:
        rest = "Such words stand in the text, but in no sentence that seems to state it."
    return f"{said} {looked}. {rest}".strip()


def _has_no_value(document: DocumentText, definition: FieldDefinition) -> bool:
    """True where nothing in a text can be a value of the field: no length of time, no number in its unit."""
    text = document.text[:_MAX_VALUE_CHARS]
    if len(document.text) > len(text):
        return False
    if definition.type is FieldType.DURATION:
        return not values_in(text, definition) and not _LENGTH.search(text)
    if definition.type is not FieldType.NUMBER or not definition.unit:
        return False
    if definition.unit in ("percent", "%"):
        return "%" not in text and "per cent" not in text and "percent" not in text
    if parse_number(f"1 {definition.unit}", definition.unit) is None or "degree" in text.lower():
        return False  # a unit that is written in ways which this does not know
    units = {match[1] or match[2] for match in _UNIT.finditer(text)}
    return not any(parse_number(f"1 {unit}", definition.unit) for unit in units)


METHOD = WORDS
_MOST_CHARS = 400_000
_UNLIKELY = 0.35
"""Below it, a head may be settled by what the sentences say; above it, it has seen something."""


_WORDS = {head: any_case(*words) for head, words in _TABLE["heads"].items()}
"""By head, the words without which its clause cannot be written."""

_END = (
    r"(?:terminat\w*|cancel\w*|rescind\w*|withdraw\w*|discontinu\w*|revo(?:ke|cation)\w*|\bend(?:s|ed)?\b"
    r"|ceas\w+)"
)
_LETS_END = any_case(
    r"(?:\bmay\b|\bcan\b|\bright\b|entitled|\boption\b|\belect|discretion|\bwill\b|\bshall\b|\bnotice\b"
    rf"|mutual|consent|agreement\s+of|either\s+party|any\s+time|\bpower\b|allowed|permit)[^.;]{{0,600}}{_END}",
    rf"{_END}[^.;]{{0,600}}(?:\bnotice\b|any\s+time|at\s+will|without\s+cause|convenience|discretion|mutual"
    r"|(?:any|no)\s+reason|without\s+reason|written\s+consent|either\s+party|by\s+(?:the\s+)?[A-Z])",
    "terminable", "cancell?able", "at[- ]will",
)  # fmt: skip
_OF_THE_END = r"(?:termination|cancellation)"
_REASON = any_case(
    r"\bif\b", r"in\s+the\s+event", r"in\s+case\s+of", r"for\s+cause", r"\bbreach", "default",
    "fail(?:s|ed|ure)", "insolven", "bankrupt", r"force\s+majeure",
    r"upon\s+(?:the\s+)?(?:occurrence|breach|default|material|bankruptcy|insolvency|failure)",
    r"\b(?:upon|on|after|following|prior\s+to|before|effect\s+of|survive|since|until|date\s+of|at\s+the"
    r"|during|event\s+of|such|any|the|by\s+reason\s+of|of)\s+(?:the\s+)?(?:early\s+|earlier\s+|such\s+|any\s+"
    rf"|its\s+|their\s+|said\s+)?(?:expiration\s+(?:or|and)\s+|expiry\s+or\s+)?{_OF_THE_END}\b",
    r"unless\s+(?:this\s+agreement\s+)?(?:is\s+)?(?:earlier|sooner)",
)  # fmt: skip
"""What gives a reason for ending, or speaks of an end that another sentence allows."""


def without_words(document: DocumentText, definition: FieldDefinition, doubt: Finding) -> Finding:
    """An undecided head's finding, or the absence that the text allows."""
    note = words_missing(document, definition, doubt)
    if not note:
        return doubt
    return replace(doubt, status=CellStatus.ABSENT, confidence=RATE, method=METHOD, note=note)


def words_missing(document: DocumentText, definition: FieldDefinition, doubt: Finding) -> str:
    """Reason why a clause is absent where its head is not sure; "" where the text gives none."""
    head = head_of(definition)
    if doubt.method != "head" or len(document.text) > _MOST_CHARS:
        return ""
    if any(not page.text.strip() for page in document.pages):
        return ""
    words = _WORDS.get(head)
    if words is not None and not words.search(document.text):
        return NO_WORDS
    if head == "termination_for_convenience" and _always_with_reason(document, doubt):
        return ALWAYS_WITH_REASON
    return ""


def _always_with_reason(document: DocumentText, doubt: Finding) -> bool:
    probability = head_probability(doubt)
    if probability is None or probability >= _UNLIKELY:
        return False
    said = (each.text for each in segment(document.text).segments)
    return not any(_LETS_END.search(each) and not _REASON.search(each) for each in said)
