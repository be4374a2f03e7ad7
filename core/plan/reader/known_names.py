"""Organisations of the catalogue that a question names: where no span took them, or one took more words."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, takewhile

from core.cache import Cache
from core.domain.fields import TEXTS, FieldType
from core.plan.catalogue import Catalogue
from core.plan.kinds import kind_names
from core.plan.reader.condition_values import target_of
from core.plan.reader.reading import OF_SEVERAL, FieldLink, QuestionReading, ReadSpan, SpanRole
from core.text.analyse import STOP_WORDS, analyse, content_terms
from core.values.dates import month_number
from core.values.places import POSTAL, canonical_place

_WORD = re.compile(r"\w+(?:[-.’'&]\w+)*")
_ROLE_WORDS = 2  # words without content between an organisation and what it is ("as the customer")
_SURE = 0.95  # probability of what the catalogue calls so
_NAMED = (SpanRole.PARTY, SpanRole.DOCUMENT)


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
                key = tuple(map(_folded, _WORD.findall(text)))
                if key:
                    self.by_first[key[0]].add(key)
                    self.parties[key[0]].add(party.normal)
            first = (_WORD.findall(party.name) or [""])[0]
            if first != first.capitalize():
                self.coined.add(_folded(first))


_kept: Cache[str, _NameKeys] = Cache(8)


def known_names(question: str, catalogue: Catalogue) -> Iterator[KnownName]:
    """The organisations that words of a question name by all of their name, or by how it begins."""
    if not catalogue.parties:
        return
    found = catalogue.fingerprint
    keys = _kept.get_or_make(found, lambda: _NameKeys(catalogue)) if found else _NameKeys(catalogue)
    words = list(_WORD.finditer(question))
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
    rest = [part for each in touched for part in _rest(each, own, reading, catalogue)]
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
    terms = [each for each in _WORD.findall(rest) if each.casefold() not in ("s", *STOP_WORDS)]
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
    for match in _WORD.finditer(reading.question, name.end):
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


def _rest(
    span: ReadSpan, own: ReadSpan, reading: QuestionReading, catalogue: Catalogue
) -> Iterator[ReadSpan]:
    """What is left of a span beside a name: a kind of document; a value in front of it, or behind."""
    for start, end in ((span.start, own.start), (own.end, span.end)):
        text = reading.question[start:end] if start < end else ""
        words = list(_WORD.finditer(text.removeprefix("'s").removeprefix("’s")))
        shift = len(text) - len(text.removeprefix("'s").removeprefix("’s"))
        if not any(content_terms(each[0]) for each in words):
            continue
        first, last = start + shift + words[0].start(), start + shift + words[-1].end()
        if span.role in (SpanRole.KIND, SpanRole.DOCUMENT):
            yield replace(span, start=first, end=last, role=SpanRole.KIND)
        elif span.role is not SpanRole.PARTY and not kind_names(catalogue).find(text):
            yield replace(span, start=first, end=last)
