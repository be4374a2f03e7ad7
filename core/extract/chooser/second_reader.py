"""Values that two readers find: the rules, and trained choosers over all that a text may state.

What both give, or the chooser alone is sure enough of, is given; anything else stays a best guess with its
probability. Limits are measured on folds (docs/models/values.md).
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from core.domain.fields import MAX_CANDIDATES, CellStatus, Finding, Special, TypedValue
from core.errors import UsageError
from core.extract import sides
from core.extract.base import DocumentText, Rule, uncertain
from core.extract.chooser.days import effective_options
from core.extract.chooser.model import ChoosableValue, Choosers, Judged, read_choosers
from core.extract.chooser.parties import party_options, party_set
from core.extract.chooser.term import term_options
from core.extract.chooser.totals import total_options
from core.extract.decision import Reading, TextReading, candidate, decide_many
from core.extract.values import receipts
from core.extract.values.agreement import effective_date, with_note
from core.extract.values.expiry import expiration_date
from core.extract.values.parties import parties

_log = logging.getLogger(__name__)

METHOD = "two readers"
_SHOWN_FROM = 0.01
_WORTH_FROM = 0.05
"""Where the rules find nothing and no value is likelier, the text states none for all that is known."""

_DIFFER = "Two ways of reading the text come to different values."


class SecondReader:
    """The choosers beside the rules. Thread-safe."""

    def __init__(self, choosers: Choosers) -> None:
        self._choosers = choosers

    def effective_date(self, document: DocumentText) -> Finding:
        """The day from which a contract counts, stated, or the agreement date where the text says so."""
        return self._choose(document, "effective_date", effective_options(document), effective_date(document))

    def expiration_date(self, document: DocumentText) -> Finding:
        """The date on which a contract ends by itself, stated or computed; or never."""
        return self._choose(document, "expiration_date", term_options(document), expiration_date(document))

    def total(self, document: DocumentText) -> Finding:
        """Total to be paid."""
        return self._choose(document, "total", total_options(document), receipts.total(document))

    def parties(self, document: DocumentText) -> Finding:
        """The parties by their full names: all of them a fact, or all of them best guesses."""
        options, ruled = party_options(document), parties(document)
        judged = self._choosers.fields["parties"].judge(options)
        if not judged:
            return ruled
        chosen = party_set(judged, frozenset(each.group for each in options if each.rule > 0))
        probability = float(self._choosers.parties.probabilities(chosen.measures[None])[0])
        agrees = ruled.status is CellStatus.PRESENT and chosen.is_of_rules
        given = chosen.may_be_given and self._choosers.party_limits.give(probability, agrees)
        names = chosen.names if given else judged
        likely = names if given else [each for each in names if each.probability >= _SHOWN_FROM]
        return decide_many(
            document,
            [_reading(each) for each in likely],
            METHOD,
            confidence=probability,
            present_from=0.0 if given else 2.0,
        )

    def _choose(
        self, document: DocumentText, field: str, options: Sequence[ChoosableValue], ruled: Finding
    ) -> Finding:
        judged = self._choosers.fields[field].judge(options)
        if not judged or (ruled.status is CellStatus.ABSENT and judged[0].probability < _WORTH_FROM):
            return ruled
        readings = [
            with_note(document, _reading(each))
            for each in judged[:MAX_CANDIDATES]
            if each.probability >= _SHOWN_FROM
        ] or [_reading(judged[0])]
        best = readings[0]
        value = ruled.values[0] if ruled.values else None
        agrees = value is not None and _same(value, best.value)
        candidates = tuple(candidate(document, each, METHOD) for each in readings)
        is_clear = best.value.special is not Special.AMBIGUOUS
        if is_clear and self._choosers.fields[field].limits.give(best.confidence, agrees):
            spans = tuple(document.quote(*span) for span in best.spans)
            return Finding(
                CellStatus.PRESENT, (best.value,), spans, best.confidence, METHOD, candidates, best.note
            )
        note = best.note or (_DIFFER if value is not None and not agrees else "")
        return uncertain(best.confidence, METHOD, candidates, note)


def _same(one: TypedValue, other: TypedValue) -> bool:
    return (one.text, one.unit, one.special) == (other.text, other.unit, other.special)


def _reading(each: Judged) -> Reading:
    first = each.options[0]
    return TextReading(first.value, first.spans, round(each.probability, 4), first.note)


@lru_cache(maxsize=1)
def shipped() -> SecondReader | None:
    """The reader with the shipped choosers; None where they cannot be read, and the rules read alone."""
    try:
        return SecondReader(read_choosers())
    except UsageError as error:
        _log.warning("%s", error)
        return None


def _both(read: Callable[[SecondReader, DocumentText], Finding], rule: Rule) -> Rule:
    """What both readers come to; what the rule does where there is no second one."""

    def asked(document: DocumentText) -> Finding:
        reader = shipped()
        return rule(document) if reader is None else read(reader, document)

    return asked


_TOTAL = _both(SecondReader.total, receipts.total)

RULES: Mapping[str, Rule] = {
    "effective_date": _both(SecondReader.effective_date, effective_date),
    "expiration_date": _both(SecondReader.expiration_date, expiration_date),
    "parties": _both(SecondReader.parties, parties),
    "total": _TOTAL,
    "receipt_total": sides.of_one(_TOTAL),
}
"""By the name that a schema uses; each stands for the rule of that name."""
