"""Candidates for the day from which a contract counts: every date of it, and the words on its effect."""

from __future__ import annotations

import itertools
from collections import Counter
from math import log1p

from core.domain.fields import Special
from core.extract.base import DocumentText
from core.extract.chooser.model import ChoosableValue, context_columns, tokens
from core.extract.chooser.term import all_dates, key_of
from core.extract.values.agreement import dates_made, effective_readings
from core.text.patterns import any_case
from core.values.dates import find_dates

_TOP, _REACH = 7_000, 600_000
_FIRST, _LAST = 90, 50
_EFFECT = any_case(r"\beffective[ \n]{1,3}date\b|\bcommencement[ \n]date\b")
_SAID, _MOST_SAID = any_case(r"\beffective\b|\beffect\b|\bcommence|\bbinding\b"), 8
_WRITTEN = any_case(r"\babove\b|\bfirst\b|\bhereof\b|\bexecution\b|\bsign")
_SIGNED = any_case(r"/s/|\bBy:|\bName:|\bTitle:|\bwitness[ \n]whereof")


def effective_options(document: DocumentText) -> list[ChoosableValue]:
    """The dates of the text, at its top in part too, in reading order."""
    text = document.text[:_REACH]
    rules: dict[str, float] = {}
    notes: dict[str, str] = {}
    for reading in sorted(effective_readings(document), key=lambda each: each.confidence):
        key = key_of(reading.value)
        rules[key], notes[key] = reading.confidence, reading.note
    found = [
        *dates_made(text, document.language),
        *(each for each in document.once(all_dates) if each[0] >= _TOP),
    ]
    if len(found) > _FIRST + _LAST:
        found = [*found[:_FIRST], *found[-_LAST:]]
    times = Counter(key_of(value) for _, _, value in found)
    days = sorted({value.text for _, _, value in found if len(value.text) == 10})
    said = [text[max(0, each.start() - 100) : each.end() + 160] for each in _EFFECT.finditer(text)][:20]
    general = (
        float(bool(said)),
        log1p(len(said)),
        float(any(find_dates(each, partial=True) for each in said)),
        float(any(_WRITTEN.search(each) for each in said)),
    )
    words = _words_of_effect(text)
    options = []
    for index, (start, end, value) in enumerate(found):
        key = key_of(value)
        near = bool(_EFFECT.search(text, max(0, start - 160), end + 160))
        signed = bool(_SIGNED.search(text, max(0, start - 300), end + 200))
        rank = sum(each < value.text for each in days)
        facts = (
            log1p(start),
            start / max(1, len(text)),
            log1p(max(0, len(text) - end)),
            float(index),
            float(len(found)),
            float(times[key]),
            float(value.special is Special.BLANK),
            float(value.special is Special.REDACTED),
            float(len(value.text)),
            float(near),
            float(signed),
            rank / max(1, len(days)),
            float(len(days) - rank),
            *general,
        )
        own = [
            f"at {min(9, int(log1p(start)))} {signed}",
            f"near {near} {general[2]} {general[3]}",
            f"kind {value.special.value} {len(value.text)}",
            f"first {min(3, index)}",
            *(f"d {word}" for word in words if start < _TOP),
        ]
        columns = context_columns(text, start, end, own)
        rule, note = rules.get(key, 0.0), notes.get(key, "")
        options.append(ChoosableValue(value, ((start, end),), columns, facts, key, rule, note))
    return options


def _words_of_effect(text: str) -> set[str]:
    """Words, and pairs of them, around the first places that speak of effect: from which day, upon what."""
    found: set[str] = set()
    for said in itertools.islice(_SAID.finditer(text), _MOST_SAID):
        words = tokens(text[max(0, said.start() - 70) : said.end() + 90])
        found.update(words, (f"{one} {other}" for one, other in itertools.pairwise(words)))
    return found
