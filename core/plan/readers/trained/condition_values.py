"""Values and organisations in the words of a question, read exactly; the field is the network's."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from itertools import pairwise, takewhile

from core.domain.fields import AMOUNTS, TEXTS, FieldType
from core.domain.predicate import INEQUALITIES, Operator
from core.plan.catalogue import Catalogue, ColumnEntry, FieldEntry, affirmed, once_for_each
from core.plan.kinds import kind_names
from core.plan.readers.trained.reading import OF_SEVERAL, FieldLink, QuestionReading, ReadSpan, SpanRole
from core.text.analyse import STOP_WORDS, analyse, content_terms
from core.text.words import word_list
from core.values.calendar_periods import Period
from core.values.comparisons import amounts_in, comparison_in
from core.values.dates import month_number
from core.values.periods import FoundPeriod, find_periods
from core.values.places import POSTAL, canonical_place

_WORD = re.compile(r"\w+(?:[-.'’/&,]\w+)*")
_OR = re.compile(r"[\s,]{0,4}(?:,|or|and|/|nor)[\s,]{0,4}(?:in|of|under|by|from)?\s{0,4}", re.IGNORECASE)
_QUOTED = re.compile(r"[\"“”„«]([^\"“”„«»]{1,200})[\"“”»]")
_EDGES = (
    STOP_WORDS
    | word_list("reading", "verbs", "having")
    | word_list("checks", "negative")
    | word_list("reader", "leading", "trailing")
    | {"one", "ones"}
)
_OVER, RUNNING = word_list("reader", "over"), word_list("reader", "running")
_MOST_PLACE_WORDS = 4
_MOST_TEXTS = 200
_COMPARED = {
    each.value: each for each in (*INEQUALITIES, Operator.EQUAL, Operator.BETWEEN, Operator.CONTAINS)
}
_ABOVE = (Operator.GREATER, Operator.GREATER_EQUAL)
_NAME_WORD = re.compile(r"\w+(?:[-.’'&]\w+)*")
_ROLE_WORDS = 2  # words without content between an organisation and what it is ("as the customer")
_SURE = 0.95  # probability of what the catalogue calls so
_NAMED = (SpanRole.PARTY, SpanRole.DOCUMENT)


@dataclass(frozen=True, slots=True)
class ConditionValue:
    """A comparison with its canonical values, () where presence itself is what is compared."""

    op: Operator
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ConditionTarget:
    """A field or column that a value is compared with. words: terms by which it is called; texts: its own.

    is_field: it is a field of documents, and no column.
    """

    type: FieldType
    unit: str
    texts: tuple[str, ...]
    words: frozenset[str]
    is_field: bool = True

    @property
    def is_of_places(self) -> bool:
        """True where its values are places, as far as any is known."""
        return self.type is FieldType.TEXT and any(map(canonical_place, self.texts))


def target_of(entry: FieldEntry | ColumnEntry, catalogue: Catalogue) -> ConditionTarget:
    """What a field or column is for values that are compared with it."""
    unit = entry.unit or (entry.units[0] if entry.units else "")
    name = entry.name.replace("_", " ")
    if isinstance(entry, ColumnEntry):
        return ConditionTarget(entry.type, unit, entry.texts[:_MOST_TEXTS], _terms((name,)), is_field=False)
    own = (v.text for v in catalogue.values if v.field == entry.name and v.schema == entry.schema)
    texts = tuple(dict.fromkeys((*entry.options, *own)))[:_MOST_TEXTS]
    plain = (each for each in entry.synonyms if " " not in each)  # "cash or card" are values
    called = (name, entry.title, *plain, *entry.verbs, *entry.loose_verbs)
    return ConditionTarget(entry.type, unit, texts, _terms(called))


def values_of(
    text: str, comparison: str, target: ConditionTarget, catalogue: Catalogue, today: date
) -> tuple[ConditionValue, ...]:
    """The comparisons in the words of a span, of which one has to hold; () where no value is read.

    comparison: what the network says of it, "" where it says nothing; then its words say it.
    """
    op = _COMPARED.get(comparison)
    if target.type is FieldType.DATE:
        return _dated(text, op, today, catalogue.accounting.fiscal_month)
    if target.type in AMOUNTS:
        said = comparison_in(text)
        is_turned = op in INEQUALITIES and said in INEQUALITIES and (op in _ABOVE) is not (said in _ABOVE)
        return _amounts(text, said if op is None or is_turned else op, target)
    if target.type is FieldType.BOOLEAN:
        return (ConditionValue(Operator.IS, ()),)
    return _texts(text, op, target, catalogue)


def content_words(text: str) -> tuple[tuple[int, int], ...]:
    """The words of a text, as places in it."""
    return tuple(match.span() for match in _WORD.finditer(text))


def _dated(text: str, op: Operator | None, today: date, fiscal_month: int) -> tuple[ConditionValue, ...]:
    found = find_periods(text, today, is_dated=True, fiscal_month=fiscal_month)
    if not found:
        return _of_today(text, op, today)
    dated = next((each.base.first for each in reversed(found) if not each.period.is_relative), None)
    if dated is not None and any(each.period.is_relative for each in found):
        found = find_periods(text, dated, is_dated=True)  # "November or December 2024"
    if "within" in text.casefold().split():
        op = None  # both ends are said: "within 90 days after 1 October"
    if len(found) == 2 and _overlaps(found[1].base, found[0].base):
        found = found[1:]  # "FY2024 (July 1, 2023 through June 30, 2024)"
    if len(found) > 1 and op is Operator.BETWEEN and not _is_either(text, found):
        ends = Period(found[0].base.first, found[-1].base.last)
        return (_of_period(FoundPeriod(0, 0, ends, ends), op),)
    if op in INEQUALITIES or not _is_either(text, found):
        found = found[:1]
    return tuple(_of_period(each, op) for each in found)


def _overlaps(one: Period, other: Period) -> bool:
    """True where two bounded periods have days in common."""
    if not (one.first and one.last and other.first and other.last):
        return False
    return one.first <= other.last and other.first <= one.last


def _is_either(text: str, found: Sequence[FoundPeriod]) -> bool:
    """True where dates are listed, and are no two ends: "2019, 2020 or 2021"."""
    gaps = [text[one.end : other.start] for one, other in pairwise(found)]
    return bool(gaps) and all(map(_OR.fullmatch, gaps)) and (len(gaps) > 1 or "and" not in gaps[0].lower())


def _of_today(text: str, op: Operator | None, today: date) -> tuple[ConditionValue, ...]:
    """ "Overdue", "still valid": before today, or from today on."""
    said = {word.casefold() for word in text.split()}
    if not said & (_OVER | RUNNING):
        return ()
    if op not in INEQUALITIES:
        op = Operator.LESS if said & _OVER and "not" not in said else Operator.GREATER_EQUAL
    return (ConditionValue(op, (today.isoformat(),)),)


def _of_period(found: FoundPeriod, op: Operator | None) -> ConditionValue:
    """A period as a comparison: its own words bound it, unless the network says the other side."""
    period, base = found.period, found.base
    if op in INEQUALITIES:
        is_open = period.first is None or period.last is None
        is_behind = op in _ABOVE
        if not is_open or (period.last is None) is not is_behind:
            edge = base.last if op in (Operator.GREATER, Operator.LESS_EQUAL) else base.first
            edge = edge or base.first or base.last
            return ConditionValue(op, (edge.isoformat() if edge else "",))
    if period.first is None:
        last = period.last or base.last
        if op is Operator.LESS or (base.first is not None and last is not None and last < base.first):
            return ConditionValue(Operator.LESS, (_after(last),))
        return ConditionValue(Operator.LESS_EQUAL, (last.isoformat() if last else "",))
    if period.last is None:
        if base.last is not None and period.first > base.last:
            return ConditionValue(Operator.GREATER, (base.last.isoformat(),))
        return ConditionValue(Operator.GREATER_EQUAL, (period.first.isoformat(),))
    if period.first == period.last:
        return ConditionValue(Operator.EQUAL, (period.first.isoformat(),))
    return ConditionValue(Operator.BETWEEN, (period.first.isoformat(), period.last.isoformat()))


def _after(day: date | None) -> str:
    return (day + timedelta(days=1)).isoformat() if day is not None else ""


def _amounts(text: str, op: Operator | None, target: ConditionTarget) -> tuple[ConditionValue, ...]:
    found = amounts_in(text, target.type, target.unit)
    if not found:
        return ()
    if op is Operator.BETWEEN or (op is None and len(found) == 2 and " or " not in f" {text.casefold()} "):
        if len(found) >= 2:
            return (ConditionValue(Operator.BETWEEN, tuple(found[:2])),)
        op = comparison_in(text)
    if op in (None, Operator.EQUAL, Operator.CONTAINS, Operator.BETWEEN):
        unique = tuple(dict.fromkeys(found))
        return (ConditionValue(Operator.IN if len(unique) > 1 else Operator.EQUAL, unique),)
    return (ConditionValue(op, (found[0],)),)


def _texts(
    text: str, op: Operator | None, target: ConditionTarget, catalogue: Catalogue
) -> tuple[ConditionValue, ...]:
    quoted = [match[1].strip() for match in _QUOTED.finditer(text)]
    found = quoted or _known(text, target.texts)
    if target.type is FieldType.PARTY and not quoted:
        found = _known(text, [each.name for each in catalogue.parties]) or _known(
            text, [each.normal for each in catalogue.parties]
        )
    if target.is_of_places and not quoted:
        found = _places(text) or found
    if not found:
        rest = _rest(text, target)
        found = [affirmed(target.texts)] if not rest and target.texts else [rest]
    values = tuple(dict.fromkeys(filter(None, found)))
    if not values:
        return ()
    if op in (*INEQUALITIES, Operator.CONTAINS):
        return (ConditionValue(op, values[:1]),)
    return (ConditionValue(Operator.IN if len(values) > 1 else Operator.EQUAL, values),)


def _known(text: str, texts: Iterable[str]) -> list[str]:
    """The known texts that stand in a text, whatever the endings of their words, the longest first."""
    words = [_term(text[start:end]) for start, end in content_words(text)]
    keys = {each: tuple(_term(w) for w in _WORD.findall(each.replace("_", " "))) for each in texts}
    found: list[tuple[int, str]] = []
    taken: set[int] = set()
    for known, key in sorted(keys.items(), key=lambda item: -len(item[1])):
        if not key or all(word in STOP_WORDS for word in key):
            continue
        for at in range(len(words) - len(key) + 1):
            places = set(range(at, at + len(key)))
            if tuple(words[at : at + len(key)]) == key and not places & taken:
                taken |= places
                found.append((at, known))
                break
    return [known for _, known in sorted(found)]


def _places(text: str) -> list[str]:
    """The places in a text, canonical."""
    words = content_words(text)
    found: list[str] = []
    at = 0
    while at < len(words):
        for size in range(min(_MOST_PLACE_WORDS, len(words) - at), 0, -1):
            said = text[words[at][0] : words[at + size - 1][1]]
            place = canonical_place(said) or POSTAL.get(said, "")
            if place:
                found.append(place)
                at += size
                break
        else:
            at += 1
    return found


def _rest(text: str, target: ConditionTarget) -> str:
    """The words of a span that name a value: without those of the field, and those that say nothing.

    Where all of them are the field's, as "gloves" of protective equipment, they are the value. Words in small
    letters before a name or a code are not: "rated IP54".
    """
    words = content_words(text)
    said = [text[start:end] for start, end in words]
    says_nothing = [each.casefold() in _EDGES for each in said]
    is_of_field = [idle or _term(each) in target.words for idle, each in zip(says_nothing, said, strict=True)]
    first, last = _trimmed(is_of_field)
    if first == last and target.type is not FieldType.BOOLEAN:
        first, last = _trimmed(says_nothing) if target.is_field else (0, 0)
    if first == last:
        return ""
    telling = [at for at in range(first, last) if said[at][:1].isupper() or any(map(str.isdigit, said[at]))]
    first = telling[0] if telling else first
    return text[words[first][0] : words[last - 1][1]].removesuffix("'s").removesuffix("’s")


def _trimmed(idle: Sequence[bool]) -> tuple[int, int]:
    """The first word that is not idle, and the one behind the last; two equal numbers where all are."""
    first, last = 0, len(idle)
    while first < last and idle[first]:
        first += 1
    while first < last and idle[last - 1]:
        last -= 1
    return first, last


def _terms(texts: Iterable[str]) -> frozenset[str]:
    return frozenset(_term(word) for text in texts for word in _WORD.findall(text)) - STOP_WORDS


def _term(word: str) -> str:
    """The analysed form of a word, by which others with the same stem are equal to it."""
    return (analyse(word) or [word.casefold()])[0]


@dataclass(frozen=True, slots=True)
class KnownName:
    """An organisation question[start:end]. is_whole: all words of its name are there."""

    start: int
    end: int
    is_whole: bool


def with_known_names(reading: QuestionReading, catalogue: Catalogue) -> QuestionReading:
    """The reading with the organisations that words of it name, each as a span of its own."""
    spans = list(reading.spans)
    for name in known_names(reading.question, catalogue):
        spans = _with_name(name, spans, reading, catalogue)
    spans.sort(key=lambda each: (each.start, each.end))
    for at, (name_span, other) in enumerate(pairwise(tuple(spans))):
        between = reading.question[name_span.end : other.start].casefold().split()
        is_of_parties = other.role is SpanRole.VALUE and _is_of_parties(other, catalogue)
        if name_span.role is SpanRole.PARTY and is_of_parties and between in (["or"], ["and"]):
            spans[at] = replace(name_span, role=SpanRole.VALUE, links=other.links, comparison="=")
            spans[at + 1] = replace(other, either=other.either or between == ["or"])
    if tuple(spans) == tuple(reading.spans):
        return reading
    return replace(
        reading, spans=tuple(spans), probability=max(reading.probability, least_sure(spans, reading))
    )


def least_sure(spans: Iterable[ReadSpan], reading: QuestionReading) -> float:
    """How sure the operation and the least sure of some spans are, where the catalogue has settled these."""
    spans = list(spans)
    sure = (each.sureness if each.links else each.probability for each in spans)
    return reading.operations[0][1] * min(sure, default=1.0)


class _NameKeys:
    """Names of organisations by their first word; those that are written like no other word. Immutable."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.by_first: dict[str, set[tuple[str, ...]]] = defaultdict(set)
        self.coined: set[str] = set()
        self.parties: dict[str, set[str]] = defaultdict(set)
        for party in catalogue.parties:
            for text in (party.name, party.normal):
                key = tuple(map(_folded, _NAME_WORD.findall(text)))
                if key:
                    self.by_first[key[0]].add(key)
                    self.parties[key[0]].add(party.normal)
            first = (_NAME_WORD.findall(party.name) or [""])[0]
            if first != first.capitalize():
                self.coined.add(_folded(first))


_name_keys = once_for_each(_NameKeys)


def known_names(question: str, catalogue: Catalogue) -> Iterator[KnownName]:
    """The organisations that words of a question name by all of their name, or by how it begins."""
    if not catalogue.parties:
        return
    keys = _name_keys(catalogue)
    words = list(_NAME_WORD.finditer(question))
    folded = [_folded(each[0]) for each in words]
    of_kinds = {
        at
        for kind in kind_names(catalogue).find(question)
        for at, each in enumerate(words)
        if kind.start <= each.start() < kind.end
    }
    at = 0
    while at < len(words):
        size, is_whole = _longest(keys, folded[at:])
        text = question[words[at].start() : words[at + size - 1].end()] if size else ""
        is_capital = text[:1].isupper() or text[:1].isdigit() or (size > 1 and is_whole)
        is_coined = size > 0 and folded[at] in keys.coined
        is_plain = not is_whole and (
            bool(canonical_place(text) or POSTAL.get(text) or month_number(text))
            or (size == 1 and (len(keys.parties[folded[at]]) > 1 or (at == 0 and not is_coined)))
        )
        if (
            not size
            or at in of_kinds
            or folded[at] in STOP_WORDS
            or is_plain
            or not (is_capital or is_coined)
        ):
            at += 1
            continue
        end = words[at + size - 1]
        own = end[0].removesuffix("'s").removesuffix("’s")
        yield KnownName(words[at].start(), end.start() + len(own), is_whole)
        at += size


def _longest(keys: _NameKeys, folded: Sequence[str]) -> tuple[int, bool]:
    """How many words begin a name, without idle ones at the end, and whether they are all of one."""
    best, is_whole = 0, False
    for key in keys.by_first.get(folded[0], ()):
        same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(key, folded, strict=False)))
        whole = same == len(key)
        while same and folded[same - 1] in STOP_WORDS:
            same -= 1
        best, is_whole = max((best, is_whole), (same, whole))
    return best, is_whole


def _folded(word: str) -> str:
    return word.casefold().removesuffix("'s").removesuffix("’s")


def _with_name(
    name: KnownName, spans: list[ReadSpan], reading: QuestionReading, catalogue: Catalogue
) -> list[ReadSpan]:
    touched = [each for each in spans if each.start < name.end and each.end > name.start]
    documents = [each for each in touched if each.role is SpanRole.DOCUMENT]
    role_end, links = _role(name, spans, reading, catalogue) if not documents else (name.end, ())
    if any(_is_of_parties(each, catalogue) or _is_known_value(each, reading, catalogue) for each in touched):
        return spans
    if documents and not _means_all_of(documents[0], name, reading, catalogue):
        return spans
    others = [each for each in spans if each not in touched]
    is_negated = any(each.is_negated and each.role in _NAMED for each in touched)
    probability = max((each.probability for each in touched if each.role in _NAMED), default=_SURE)
    own = ReadSpan(name.start, name.end, SpanRole.PARTY, is_negated, (), probability)
    if links:
        own = replace(own, end=role_end, role=SpanRole.VALUE, links=links, comparison="=")
        inside = [each for each in spans if each.start < role_end and each.end > name.start]
        said = reading.question[: name.start].casefold().split()[-1:]
        own = replace(own, either=said == ["or"] or any(each.either for each in inside))
        others = [each for each in others if each not in inside]
        touched = [*touched, *(each for each in inside if each not in touched)]
    rest = [part for each in touched for part in _beside_name(each, own, reading, catalogue)]
    return [*others, own, *rest]


def _is_of_parties(span: ReadSpan, catalogue: Catalogue) -> bool:
    """True of a condition on who documents are with, which reads the name itself."""
    if span.role not in (SpanRole.VALUE, SpanRole.CONDITION, SpanRole.GROUP) or not span.links:
        return False
    entry = catalogue.field(span.links[0].field, span.links[0].schema)
    return entry is not None and entry.type is FieldType.PARTY


def _is_known_value(span: ReadSpan, reading: QuestionReading, catalogue: Catalogue) -> bool:
    """True where the words are a value of the field that the span means, or quoted, or of no text."""
    if span.role in (SpanRole.PARTY, SpanRole.KIND, SpanRole.DOCUMENT):
        return False
    if span.role is not SpanRole.VALUE or not span.links:
        return True
    link, said = span.links[0], reading.text(span).casefold()
    entry = catalogue.field(link.field, link.schema)
    if entry is None or entry.type not in TEXTS or target_of(entry, catalogue).is_of_places:
        return entry is None or entry.type in TEXTS
    own = (each.text for each in catalogue.values if each.field == link.field and each.schema == link.schema)
    return any(said in each.casefold() for each in own)


def _means_all_of(span: ReadSpan, name: KnownName, reading: QuestionReading, catalogue: Catalogue) -> bool:
    """True where an organisation alone, or with a noun for several, names documents that are all meant."""
    if reading.operation not in OF_SEVERAL or span.start < name.start - 4:
        return False
    rest = reading.question[name.end : span.end] if span.end > name.end else ""
    terms = [each for each in _NAME_WORD.findall(rest) if each.casefold() not in ("s", *STOP_WORDS)]
    kinds = kind_names(catalogue).find(rest)
    return not terms or (
        len(kinds) == 1 and kinds[0].end >= len(rest.rstrip()) and rest.rstrip().endswith("s")
    )


def _role(
    name: KnownName, spans: Iterable[ReadSpan], reading: QuestionReading, catalogue: Catalogue
) -> tuple[int, tuple[FieldLink, ...]]:
    """The end of the words that say what an organisation is ("X as customer"), and the fields for it."""
    own = {(each.start, each.end) for each in spans if each.links and each.probability >= _SURE}
    between = 0
    for match in _NAME_WORD.finditer(reading.question, name.end):
        gap = reading.question[name.end : match.start()]
        if any(sign in gap for sign in ",;:.()/") or any(start <= match.start() < end for start, end in own):
            break
        if match[0].casefold() in STOP_WORDS or match[0] in ("s",):
            between += 1
            if between > _ROLE_WORDS:
                break
            continue
        found = tuple(_fields_called(match[0], catalogue, is_verb=not between))
        return match.end(), found
    return name.end, ()


def _fields_called(word: str, catalogue: Catalogue, *, is_verb: bool) -> Iterator[FieldLink]:
    """The fields of organisations that are called by a word: by what they do, else by what they are."""
    term = analyse(word)
    for schema in catalogue.schemas:
        for entry in schema.fields:
            if entry.type is not FieldType.PARTY or entry.many:
                continue
            nouns = (entry.title, entry.name, *entry.synonyms)
            names = (*entry.verbs, *entry.loose_verbs) if is_verb else nouns
            said = [each for each in names if " " not in each and not (is_verb and each == word.casefold())]
            if term and any(analyse(each) == term for each in said):
                yield FieldLink(schema.name, entry.name, _SURE)


def _beside_name(
    span: ReadSpan, own: ReadSpan, reading: QuestionReading, catalogue: Catalogue
) -> Iterator[ReadSpan]:
    """What is left of a span beside a name: a kind of document; a value in front of it, or behind."""
    for start, end in ((span.start, own.start), (own.end, span.end)):
        text = reading.question[start:end] if start < end else ""
        words = list(_NAME_WORD.finditer(text.removeprefix("'s").removeprefix("’s")))
        shift = len(text) - len(text.removeprefix("'s").removeprefix("’s"))
        if not any(content_terms(each[0]) for each in words):
            continue
        first, last = start + shift + words[0].start(), start + shift + words[-1].end()
        if span.role in (SpanRole.KIND, SpanRole.DOCUMENT):
            yield replace(span, start=first, end=last, role=SpanRole.KIND)
        elif span.role is not SpanRole.PARTY and not kind_names(catalogue).find(text):
            yield replace(span, start=first, end=last)
