"""Check of claims that cite several documents: a figure belongs to a name of the same document."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.answer.prose.checks.dates import dates
from core.answer.prose.checks.names import names
from core.answer.prose.checks.numbers import check_amounts, check_numbers
from core.answer.prose.checks.quantities import quantities
from core.domain.answer import Check
from core.text.analyse import text_terms

_SEGMENT = re.compile(r"[;,]\s|\b(?:and|while|whereas|but|than|versus|compared)\b", re.I)
_RESPECTIVELY = re.compile(r"\b(?:respectively|in that order)\b", re.I)


def check_documents(text: str, documents: Sequence[Sequence[str]]) -> Check:
    """Every figure and date of a claim against the name that stands before it, by documents.

    documents: what is cited of each, with its title. A name and a figure are of one document where one has
    both. Names that all documents have, or none, say nothing.
    """
    if len(documents) < 2:
        return Check(name="documents", ok=True)
    joined = ["\n".join(each) for each in documents]
    terms = [set(text_terms(each)) for each in joined]
    named = _named(text, terms)
    valued = [(at, written, _holding_value(written, joined)) for at, written in _values(text)]
    faults = []
    in_order = _RESPECTIVELY.search(text) and len(named) == len(valued)
    for number, (at, written, holding) in enumerate(valued):
        subject = named[number] if in_order else _subject(text, at, named)
        if subject is not None and holding and not holding & subject[2]:
            faults.append(f"{written!r} and {subject[1]!r} are of different documents")
    return Check(name="documents", ok=not faults, detail="; ".join(dict.fromkeys(faults)))


_Found = tuple[int, str, frozenset[int]]


def _named(text: str, terms: Sequence[set[str]]) -> list[_Found]:
    """Names that some documents have and others have not, in order."""
    found: list[_Found] = []
    single = (each for name in names(text) for each in re.split(r" (?:and|&) (?:the )?", name))
    for name in dict.fromkeys((*single, *_first(text))):
        wanted = set(text_terms(name))
        holding = frozenset(n for n, each in enumerate(terms) if wanted and wanted <= each)
        if 0 < len(holding) < len(terms):
            found += [
                (m.start(), name, holding) for m in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", text)
            ]
    return sorted(found)


def _first(text: str) -> list[str]:
    """The capitalised word at the start, which may be a name though it need not."""
    match = re.match(r"(?:The |Under the |In the |In )?([A-Z][\w&-]+)", text)
    return [match[1]] if match else []


def _values(text: str) -> list[tuple[int, str]]:
    found = [(each.start, text[each.start : each.end]) for each in quantities(text)]
    return sorted(found + [(text.find(written), written) for written, _ in dates(text)])


def _holding_value(written: str, joined: Sequence[str]) -> frozenset[int]:
    value = dates(written)
    found = []
    for number, source in enumerate(joined):
        if value:
            has = bool({reading for _, reading in dates(source)} & {reading for _, reading in value})
        else:
            has = check_numbers(written, [source]).ok and check_amounts(written, [source]).ok
        if has:
            found.append(number)
    return frozenset(found)


def _subject(text: str, at: int, named: Sequence[_Found]) -> _Found | None:
    """The name before a figure in its part of the sentence, else behind it there, else an earlier one."""
    cuts = [0, *(m.end() for m in _SEGMENT.finditer(text)), len(text)]
    start = max(cut for cut in cuts if cut <= at)
    end = min(cut for cut in cuts if cut > at)
    inside = [each for each in named if start <= each[0] < end]
    before = [each for each in inside if each[0] < at]
    earlier = [each for each in named if each[0] < start]
    for group in (before, inside[:1], earlier):
        if group:
            return group[-1]
    return None
