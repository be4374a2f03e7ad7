"""Candidates for the parties of a contract: every name of its opening, however it is written; high recall."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import log1p
from typing import NamedTuple

import numpy as np

from core.domain.fields import FieldType, TypedValue
from core.extract.base import DocumentText
from core.extract.chooser.model import ChoosableValue, Floats, Judged, context_columns
from core.extract.values.parties import behind_date, find_parties, parties_sure, regions_of
from core.text.patterns import any_case
from core.values.names import COMPANY_FORM, PartyName, legal_form, read_name, role_of, same_party

_TOP = 7_000
_END = 7_000
_MOST = 70
_LONGEST = 110
_FORM = re.compile(rf"(?<![A-Za-z]){COMPANY_FORM}(?![A-Za-z-])")
_FORM_ANY = any_case(rf"(?<![A-Za-z]){COMPANY_FORM}(?![A-Za-z-])")
_CAP = (
    r"(?:[a-z][\w-]*\.(?:com|net|org)\b|[A-Z0-9\u00c0-\u00de][\w.&'\u2019/\u00ae-]*"
    r"|[a-z]{1,4}[A-Z.][\w.-]*|\([A-Z][\w. &-]{1,25}\))"
)
_INNER = r"(?:of|and|the|for|de|du|van|der|in|on|&|y|e|la|und)"
_RUN = re.compile(
    rf"(?<![\w.]){_CAP}(?:(?:,?[ \n\t]{{1,4}}|[ \n]{{0,2}}[&/][ \n]{{0,2}}"
    rf"|[ \n]{{0,2}}-[ \n]{{0,2}})(?:{_CAP}|{_INNER}(?=[ \n]))){{0,14}}"
)
_ALIAS = re.compile(
    r"[ \n,]{0,4}[(\[][^()\[\]\"\u201c\u201d'\u2019]{0,100}?[\"\u201c\u201d'\u2018\u2019`]{1,2}"
    r"(?P<alias>[A-Za-z0-9][^()\"\u201c\u201d]{0,50}?)"
    r"[ ,.]?[\"\u201d\u201c'\u2019`]{1,2}[^()]{0,140}[)\]]"
    r"|[^\"\u201c\u201d()]{0,60}\b(?:hereinafter|hereafter|herein)\b[^\"\u201c\u201d()]{0,50}"
    r"[\"\u201c(](?P<other>[^\"\u201d\n)]{1,50})[\"\u201d)]"
)
_BEHIND = re.compile(
    r"\b(?:between|among(?:st)?|BETWEEN|AMONG|by|and|AND|with|to|Parties:?|PARTIES:?|Party[ ][AB]|agreement"
    r"|AGREEMENT)[:,;.]?[ \n]{1,40}(?:\(\d\)[ ]{0,3}|[a-d][.)][ ]{0,3}|\d[.)][ ]{0,3}|the[ \n])?$"
)
_SIGNED = any_case(r"\bBy[ ]?:|/s/|\bName[ ]?:|\bTitle[ ]?:|\bITS[ ]?:|\bBY[ ]?:|IN[ \n]WITNESS")
_STATED = re.compile(
    r"^[ \n,]{0,4}\(?(?:an?|the)[ \n]{1,3}(?:[A-Z]?[a-z.]{2,14}[ \n]{1,3}){0,4}?(?:corporation|company"
    r"|partnership|trust|association|bank|individual|corp\.|L\.?L\.?C|entity|business)",
)
_WHERE = re.compile(
    r"^[ \n,]{0,4}(?:having|with|whose|which|located|organi[sz]ed|incorporated|existing|of[ ]\d"
    r"|at[ ]\d|residing|a[ ]|\d)"
)
_NOT_NAME = any_case(
    r"\b(?:shall|hereby|agreement|whereas|pursuant|this|herein|means|dated|effective|exhibit|section|article|schedule"
    r"|amendment|party|parties|date|page|source|act|rule|january|february|march|april|june|july|august|september"
    r"|october|november|december|inc\.?,? s-1|confidential|contents|recitals|attachment|appendix)\b"
)
_EDGE = any_case(
    r"^(?:(?:and|between|by|the|of|for|in|to|among|with|on|both|a|an|gentlemen|dear|re|made|BETWEEN|AND|BY"
    r"|THE|AMONG|OF|WITH|TO)[ \n:,.-]{1,60}|\d{1,2}[.)]?[ \n]{1,3}|[^\w(]+)+"
)
_TAIL = re.compile(r"(?:[ \n,]{1,4}(?:and|of|the|for|in|on|AND|OF|a|by|de|&))+$")
_FACTS_END = 500


class _Name(NamedTuple):
    start: int
    end: int
    read: PartyName
    way: str


def party_options(document: DocumentText) -> list[ChoosableValue]:
    """The names that may be parties, in reading order; options of one name have one group."""
    text = document.text
    found = _names(document)
    if not found:
        return []
    sure = parties_sure(document)
    by_rules = {each.name.normal for each in find_parties(document)}
    starts = {each.start for each in found}
    groups: list[tuple[str, PartyName]] = []
    options = []
    ending = text[max(_TOP, len(text) - _END) :].casefold()
    whole = text[:120_000]
    for name in found[:_MOST]:
        group = next((key for key, other in groups if same_party(other.name, name.read.name)), "")
        if not group:
            group = name.read.normal
            groups.append((group, name.read))
        options.append(
            _option(text, name, group, ending, whole, starts, sure if name.read.normal in by_rules else 0.0)
        )
    return options


def _option(
    text: str, name: _Name, group: str, ending: str, whole: str, starts: set[int], rule: float
) -> ChoosableValue:
    start, end = name.start, name.end
    alias = alias_behind(text, end)
    before, after = text[max(0, start - 60) : start], text[end : end + 90]
    role = role_of(alias)
    written = name.read.name
    words = written.split()
    behind = bool(_BEHIND.search(before))
    stated = bool(_STATED.match(after))
    where = bool(_WHERE.match(after))
    signs = name.read.normal in ending if len(name.read.normal) > 3 else False
    form = legal_form(written)
    times = whole.count(written)
    holds = sum(start < other < end for other in starts)
    own = [
        f"way {name.way}",
        f"form {form}",
        f"role {role}",
        f"alias {bool(alias)} {bool(form)}",
        f"behind {behind} {bool(form)}",
        f"called {bool(role_of(words[0]))} {bool(role_of(words[-1]))}",
        f"stated {stated}",
        f"last {words[-1].casefold()}",
        f"first {words[0].casefold()}",
        f"words {min(9, len(words))}",
        f"case {'upper' if written.isupper() else 'mixed'}",
        f"at {min(start, _TOP) // 400}",
        *(f"n {word.casefold()}" for word in words),
    ]
    facts = (
        log1p(start),
        float(start < _FACTS_END),
        float(bool(alias)),
        float(bool(role)),
        float(bool(alias) and not role and alias.split()[0].casefold() in written.casefold()),
        float(behind),
        float(stated),
        float(where),
        float(bool(form)),
        float(len(words)),
        float(written.isupper()),
        log1p(times),
        float(signs or written.casefold() in ending),
        float(holds),
        float(name.way == "rules"),
        float(name.way == "end"),
        float(bool(role_of(words[0]))),
        float("," in written),
        float(" and " in written.casefold()),
    )
    value = TypedValue(FieldType.PARTY, written, original=text[start:end], normal=name.read.normal)
    return ChoosableValue(value, ((start, end),), context_columns(text, start, end, own), facts, group, rule)


def alias_behind(text: str, end: int) -> str:
    """What a name that ends there is called for short in brackets behind it, or behind what is said of it."""
    direct = _ALIAS.match(text, end, end + 330)
    if direct is None:
        said = text[end : end + 330]
        bracket = re.search(r"[ \n]\([^()\"\u201c\u201d]{0,60}[\"\u201c\u201d]", said)
        stop = re.search(r"\b(?:and|AND|between|WHEREAS)\b[ \n]{1,3}(?=[A-Z])|\.[ \n]{2,}", said)
        if bracket is None or (stop is not None and stop.start() < bracket.start()):
            return ""
        direct = _ALIAS.match(text, end + bracket.start(), end + 420)
        if direct is None:
            return ""
    return " ".join((direct["alias"] or direct["other"] or "").split()).strip(" ,.")


def _names(document: DocumentText) -> list[_Name]:
    text = document.text
    found: dict[tuple[int, int], _Name] = {}
    said = [(party.start, party.end, "rules") for party in regions_of(document)]
    for start, end, way in (
        *said,
        *_by_form(text, 0, min(len(text), _TOP)),
        *_by_place(text),
        *_at_end(text),
    ):
        edge = _EDGE.match(text, start, end)
        start = behind_date(text, edge.end() if edge and way == "rules" else start, end)
        read = read_name(text[start:end])
        if read is not None and len(read.name) > 2 and (start, end) not in found:
            found[start, end] = _Name(start, end, read, way)
    return sorted(found.values(), key=lambda each: each.start)


def _by_form(text: str, begin: int, stop: int) -> Iterator[tuple[int, int, str]]:
    """Runs of capitalised words that end in a legal form."""
    for run in _RUN.finditer(text, begin, stop):
        forms = [form for form in _FORM_ANY.finditer(run[0]) if form[0][0].isupper() or _FORM.match(form[0])]
        if not forms:
            continue
        at = 0
        for index, form in enumerate(forms):
            nxt = forms[index + 1] if index + 1 < len(forms) else None
            if nxt is not None and re.fullmatch(r"[ ,.\n&]{0,4}", run[0][form.end() : nxt.start()]):
                continue
            yield from _variants(text, run.start() + at, run.start() + form.end(), "form")
            at = form.end()


def _by_place(text: str) -> Iterator[tuple[int, int, str]]:
    """Runs that stand where parties stand: before an alias, or behind "between" and "and"."""
    for run in _RUN.finditer(text, 0, min(len(text), _TOP)):
        end = run.end()
        if _ALIAS.match(text, end, end + 330) or _STATED.match(text[end : end + 90]):
            yield from _variants(text, run.start(), end, "alias")
        elif _BEHIND.search(text[max(0, run.start() - 30) : run.start()]) and run.start() < 3_500:
            yield from _variants(text, run.start(), end, "place")


def _at_end(text: str) -> Iterator[tuple[int, int, str]]:
    """Names with a legal form beside signatures."""
    begin = max(_TOP, len(text) - _END)
    for start, end, _ in _by_form(text, begin, len(text)):
        if _SIGNED.search(text, max(0, start - 120), min(len(text), end + 120)):
            yield start, end, "end"


def _variants(text: str, start: int, end: int, way: str) -> Iterator[tuple[int, int, str]]:
    """A run from its beginning, and from behind each "and" and comma in it; at most four."""
    first = _EDGE.match(text, start, end)
    begins = [first.end() if first else start]
    inner = text[start:end]
    begins += [
        start + match.end()
        for match in re.finditer(
            r"[ \n](?:and|AND|between|BETWEEN|by|BY|&)[ \n]|,[ \n]{1,3}(?=[A-Z])|\n[ \n]*", inner
        )
    ]
    seen = 0
    for begin in dict.fromkeys(begins):
        edge = _EDGE.match(text, begin, end)
        begin = edge.end() if edge else begin
        piece = text[begin:end]
        tail = _TAIL.search(piece)
        stop = begin + tail.start() if tail else end
        piece = text[begin:stop]
        if not 2 < len(piece) <= _LONGEST or _NOT_NAME.search(piece) or not any(map(str.isalpha, piece)):
            continue
        if _FORM.fullmatch(piece.strip()) or _FORM_ANY.fullmatch(piece.strip(" .,")):
            continue
        seen += 1
        yield begin, stop, way
        if seen >= 4:
            return


NAMED_FROM = 0.5
"""The probability from which a name belongs to the set."""

SET_MEASURES = 17

_ROLE_FIRST = re.compile(r"[a-z]+, \w+[^,]*, ")  # "Reseller, Acme, Inc.", not "Reseller, Inc."


@dataclass(frozen=True, slots=True)
class PartySet:
    """Names of a document with the measures of their set, (SET_MEASURES,).

    is_of_rules: the rules find these parties and no others.
    """

    names: tuple[Judged, ...]
    measures: Floats
    is_of_rules: bool

    @property
    def may_be_given(self) -> bool:
        """True where there are several names, none holds another one, and none begins with a role."""
        names = [each.options[0].value.text.casefold() for each in self.names]
        held = any(one != other and one in other for one in names for other in names)
        led = any(_ROLE_FIRST.match(name) and role_of(name.split(",")[0]) for name in names)
        return len(names) > 1 and not held and not led


def party_set(judged: Sequence[Judged], rules: frozenset[str]) -> PartySet:
    """The likely names, none within another, in reading order.

    judged: every name, likeliest first. rules: the groups of the parties that the rules find.
    """
    chosen: list[Judged] = []
    for each in judged:
        if each.probability < NAMED_FROM:
            break
        if not any(_overlaps(each, other) for other in chosen):
            chosen.append(each)
    kept = {each.group for each in chosen}
    rest = [each for each in judged if each.group not in kept]
    rivals = [each.probability for each in rest if not any(_overlaps(each, other) for other in chosen)]
    within = [each.probability for each in rest if any(_overlaps(each, other) for other in chosen)]
    aliased = [
        each
        for each in rest
        if each.options[0].facts[2] and not any(_overlaps(each, other) for other in chosen)
    ]
    sure = [each.probability for each in chosen]
    logs = np.log(np.clip(sure, 1e-4, 1 - 1e-4)) if sure else np.zeros(0)
    against = np.log(np.clip(1 - np.array(rivals), 1e-4, 1)) if rivals else np.zeros(0)
    facts = [option.options[0].facts for option in chosen]
    measures = (
        float(logs.sum()),
        float(against.sum()),
        min(sure, default=0.0),
        max(rivals, default=0.0),
        max(within, default=0.0),
        float(len(chosen) == 2),
        float(len(chosen) == 1),
        float(not chosen),
        float(min(len(chosen), 8)),
        float(kept == rules and bool(rules)),
        max((each.rule for each in chosen), default=0.0) if kept == rules else 0.0,
        float(len(rules - kept)),
        float(bool(facts) and all(each[2] > 0 for each in facts)),
        float(bool(facts) and all(each[8] > 0 for each in facts)),
        max((each.probability for each in aliased), default=0.0),
        float(min(5, sum(each.probability > 0.15 for each in rest))),
        float(min(5, sum(each.probability > 0.05 for each in aliased))),
    )
    ordered = sorted(chosen, key=lambda each: min(option.spans[0][0] for option in each.options))
    return PartySet(tuple(ordered), np.array(measures), kept == rules and bool(rules))


def _overlaps(one: Judged, other: Judged) -> bool:
    """True where the likeliest place of one name lies within a place of the other."""
    start, end = one.options[0].spans[0]
    return any(start < option.spans[0][1] and option.spans[0][0] < end for option in other.options)
