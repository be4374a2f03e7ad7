"""Learning of a field's head from the verdicts that stand in its cells, and the verdicts that contradict."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from core.config.fields import FieldDefinition, WordsExtractor
from core.domain.ids import DocumentId
from core.extract.words.candidates import RankedSentences
from core.extract.words.head import JudgedDocument, WordHead, fit_head
from core.fields.word_field import Contradiction, FieldVerdict, Likelihood

MOST_JUDGED = 400
"""Verdicts that are learnt from, the newest: each costs one more head in the cross-validation."""

_LEAST_KEY = 20  # letters of a sentence; shorter ones ("Not applicable.") are equal by chance


def words_extractor(definition: FieldDefinition) -> WordsExtractor | None:
    """How a field in words is described; None for a field that is found otherwise."""
    return next((each for each in definition.extractors if isinstance(each, WordsExtractor)), None)


def judge(ranked: RankedSentences, verdict: FieldVerdict) -> JudgedDocument:
    """A verdict as its head learns from it: which of the ranked sentences state the field."""
    rows = (ranked.row_of(quote.span) for quote in verdict.quotes)
    stated = sorted({row for row in rows if row is not None}) if verdict.is_stated else []
    return JudgedDocument(ranked.candidates, verdict.is_stated, tuple(stated))


def contradictions(judged: Iterable[tuple[RankedSentences, FieldVerdict]]) -> list[Contradiction]:
    """Sentences of equal words that were judged both ways; by sentence, one pair each."""
    stated: dict[str, tuple[str, DocumentId]] = {}
    refused: dict[str, DocumentId] = {}
    for ranked, verdict in judged:
        rows: Sequence[int] = range(len(ranked))
        if verdict.is_stated:
            rows = judge(ranked, verdict).stated
        for row in rows:
            key = ranked.keys[row]
            if len(key) < _LEAST_KEY:
                continue
            if verdict.is_stated:
                stated.setdefault(key, (ranked.quote(row).quote, verdict.document))
            else:
                refused.setdefault(key, verdict.document)
    both = sorted(stated.keys() & refused.keys())
    return [Contradiction(stated[key][0], stated[key][1], refused[key]) for key in both]


def learn(judged: Sequence[tuple[RankedSentences, FieldVerdict]]) -> WordHead:
    """The head of a field from verdicts, newest first; sentences that were judged both ways teach nothing."""
    kept = judged[:MOST_JUDGED]
    found = contradictions(kept)
    disputed = {each.stated_in for each in found} | {each.not_in for each in found}
    head = fit_head([judge(*each) for each in kept if each[1].document not in disputed])
    keys = _disputed_keys(kept, found)
    figures: dict[str, Any] = {**head.figures, "contradictions": [_plain(each) for each in found]}
    return replace(head, disputed=keys, figures=figures)


def contradictions_of(head: WordHead) -> list[Contradiction]:
    """Those that were found when a head was learnt."""
    return [
        Contradiction(each["sentence"], DocumentId(each["stated_in"]), DocumentId(each["not_in"]))
        for each in head.figures.get("contradictions", ())
    ]


def _disputed_keys(
    judged: Iterable[tuple[RankedSentences, FieldVerdict]], found: Iterable[Contradiction]
) -> tuple[str, ...]:
    pairs = {each.stated_in for each in found}
    keys = {
        ranked.keys[row]
        for ranked, verdict in judged
        if verdict.document in pairs
        for row in judge(ranked, verdict).stated
    }
    return tuple(sorted(keys))


def _plain(found: Contradiction) -> dict[str, str]:
    return {"sentence": found.sentence, "stated_in": str(found.stated_in), "not_in": str(found.not_in)}


FIRST_ASKED, NEXT_ASKED = 12, 5
"""Documents of the first list that is asked about, and of each later one."""

_LIKELY_FROM, _UNLIKELY_BELOW = 0.7, 0.3


def choose(chances: Sequence[float], wanted: int, *, is_first: bool) -> list[int]:
    """Positions of the documents to ask about, best first; all of them where there are no more than wanted.

    chances: the probability of each that it states the field. is_first: before any verdict, when
    probabilities are rough: evenly over their order. Later half of them are the most undecided, the others
    evenly from the likely to the unlikely.
    """
    order = sorted(range(len(chances)), key=lambda at: -chances[at])
    if len(order) <= wanted:
        return order
    if is_first:
        return _evenly(order, wanted)
    undecided = sorted(order, key=lambda at: abs(chances[at] - 0.5))[: (wanted + 1) // 2]
    others = [at for at in order if at not in undecided]
    return undecided + _evenly(others, wanted - len(undecided))


def likelihood(chance: float) -> Likelihood:
    """Likely, unlikely or undecided, by its probability."""
    if chance >= _LIKELY_FROM:
        return Likelihood.LIKELY
    return Likelihood.UNLIKELY if chance < _UNLIKELY_BELOW else Likelihood.UNDECIDED


def _evenly(order: Sequence[int], wanted: int) -> list[int]:
    places = np.linspace(0, len(order) - 1, wanted).round().astype(int)
    return [order[at] for at in dict.fromkeys(int(place) for place in places)]
