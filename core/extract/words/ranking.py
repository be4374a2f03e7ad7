"""Sentences of a document in order of how likely they state a field that is described in words.

Signs are measured of each sentence and put on one scale within the document: the telling words of the
description (BM25 over the document's own sentences, and how much of the description they cover), those of the
headings above, likeness of the stored vectors to the description, the name and the examples, and of the
neighbours. A sentence that is near to whatever documents speak of is near to every description, and is held
back for it (source: Conneau et al. 2018, cross-domain similarity local scaling): the right sentence was among
the first three in .590 after .561 on 21 categories of CUAD that bench.custom_fields does not ask for. Bare
headings come last: .561 after .543. Added, with small weights that know nothing of any one field. Source of
the weighting of words: Robertson and Zaragoza 2009, BM25; k1 = 1.2, b = 0.75.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import log

import numpy as np

from core.config.fields import WordsExtractor
from core.domain.passage import Matrix
from core.extract.words.units import Floats, Units
from core.text.analyse import STOP_WORDS, analyse_query
from core.text.patterns import any_case
from core.text.words import table

Encode = Callable[[Sequence[str]], Matrix]

_SIGNS = (
    "words coverage heading named meant called like_example neighbours length says_duty holds_value "
    "raw_likeness raw_coverage raw_example general"
)
SIGNS = tuple(_SIGNS.split())
"""What is measured of a sentence. Those before `length`, and `general`, are deviations within the document.

Heads are kept by this order: a new one is added at the end, where older heads have no weight for it.
"""

_WEIGHTS = {
    "words": 0.5, "coverage": 0.5, "heading": 0.5, "named": 1.0, "meant": 0.5, "called": 0.5,
    "like_example": 1.0, "neighbours": 0.3, "length": 0.5, "says_duty": 0.4, "holds_value": 1.5,
    "general": -1.2,
}  # fmt: skip
_WEIGHT = np.array([_WEIGHTS.get(name, 0.0) for name in SIGNS])
_K1, _B = 1.2, 0.75
_TITLE_WEIGHT, _WORD_WEIGHT, _EXAMPLE_WEIGHT = 1.5, 1.5, 0.5
_LEAST_TERMS = 4
_DUTY = any_case(r"\b(?:shall|may|must|will|agrees?|cannot|hereby|grants?|entitled|right|not)\b")


@dataclass(frozen=True, slots=True)
class FieldWords:
    """A field in words, ready to be compared. terms: telling words, heaviest of each.

    asked: (3, d) vectors of the name with what it is, of what it is, and of the name. examples: (n, d).
    topics: (t, d) of subjects that any document speaks of.
    """

    terms: tuple[tuple[str, float], ...]
    asked: Matrix
    examples: Matrix
    topics: Matrix


@lru_cache(maxsize=500)
def words_of(title: str, extractor: WordsExtractor, encode: Encode | None) -> FieldWords:
    """What to compare sentences with; without an encoder their words alone tell them apart."""
    weights: dict[str, float] = {}
    given = [(extractor.meaning, 1.0), (title, _TITLE_WEIGHT)]
    given += [(each, _WORD_WEIGHT) for each in extractor.words]
    given += [(each, _EXAMPLE_WEIGHT) for each in extractor.examples]
    for text, weight in given:
        for term, own in analyse_query(text).terms if text.strip() else ():
            weights[term] = max(weights.get(term, 0.0), own * weight)
    none = np.zeros((0, 0), np.float32)
    if encode is None:
        return FieldWords(tuple(weights.items()), none, none, none)
    asked = [f"{title}. {extractor.meaning}", extractor.meaning, title, *extractor.examples]
    vectors = encode(asked)
    return FieldWords(tuple(weights.items()), vectors[:3], vectors[3:], _topics(encode))


def measure(units: Units, words: FieldWords) -> Floats:
    """(units, SIGNS); `holds_value` is left at 0, for who asks for a value to set."""
    count = len(units)
    found = np.zeros((count, len(SIGNS)))
    if not count:
        return found
    weighed = [
        (term, weight * _rarity(count, len(units.holding.get(term, ())))) for term, weight in words.terms
    ]
    coverage = _coverage(units, weighed)
    asked = units.likeness(words.asked) if len(words.asked) else np.zeros((count, 3))
    examples = units.likeness(words.examples).max(axis=1) if len(words.examples) else np.zeros(count)
    named = asked[:, 0]
    found[:, 0] = _deviations(_bm25(units, weighed))
    found[:, 1] = _deviations(coverage)
    found[:, 2] = _deviations(_of_headings(units, words.terms))
    found[:, 3:6] = np.stack([_deviations(column) for column in asked.T], axis=1)
    found[:, 6] = _deviations(examples)
    found[:, 7] = _deviations(np.maximum(np.append(named[1:], 0), np.insert(named[:-1], 0, 0)))
    found[:, 8] = np.minimum(np.log1p(units.lengths), 4.5)
    found[:, 9] = [_DUTY.search(each.text) is not None for each in units.segments]
    found[:, 11], found[:, 12], found[:, 13] = named, coverage, examples
    found[:, 14] = _deviations(_generality(units, words.topics))
    return found


def scores(units: Units, signs: Floats) -> Floats:
    """(units,) by how likely each states the field, before anybody said anything. Headings come last."""
    found = signs @ _WEIGHT
    is_last = (units.lengths < _LEAST_TERMS) | units.is_heading
    return np.asarray(np.where(is_last, found.min(initial=0.0) - 10, found))


def telling(terms: Iterable[str]) -> set[str]:
    """Those of some words that are no stop words."""
    return {term for term in terms if term not in STOP_WORDS}


@lru_cache(maxsize=2)
def _topics(encode: Encode) -> Matrix:
    return encode(TOPICS)


def _generality(units: Units, topics: Matrix) -> Floats:
    """Mean likeness to the nearest of the topics; of a unit without a vector that of the others."""
    if not len(topics):
        return np.zeros(len(units))
    near = np.sort(units.likeness(topics), axis=1)[:, -NEAREST:].mean(axis=1)
    has_vector = units.last > units.first
    return np.asarray(np.where(has_vector, near, near[has_vector].mean() if has_vector.any() else 0.0))


def _rarity(count: int, holding: int) -> float:
    return log(1 + (count - holding + 0.5) / (holding + 0.5))


def _deviations(values: Floats) -> Floats:
    spread = float(values.std())
    return (values - values.mean()) / spread if spread > 1e-9 else np.zeros(len(values))


def _bm25(units: Units, weighed: Iterable[tuple[str, float]]) -> Floats:
    found = np.zeros(len(units))
    mean = max(1.0, float(units.lengths.mean()))
    for term, weight in weighed:
        held = np.array(units.holding.get(term, ()), np.int64)
        times = np.array([units.terms[at][term] for at in held], float)
        base = _K1 * (1 - _B + _B * units.lengths[held] / mean)
        found[held] += weight * times * (_K1 + 1) / (times + base)
    return found


def _coverage(units: Units, weighed: Sequence[tuple[str, float]]) -> Floats:
    """Share of the description's words, by weight, that each sentence holds."""
    found = np.zeros(len(units))
    for term, weight in weighed:
        found[list(units.holding.get(term, ()))] += weight
    return found / max(1e-9, sum(weight for _, weight in weighed))


def _of_headings(units: Units, terms: Iterable[tuple[str, float]]) -> Floats:
    by_heading: dict[frozenset[str], list[int]] = {}
    for at, each in enumerate(units.headings):
        by_heading.setdefault(each, []).append(at)
    found = np.zeros(len(units))
    for term, weight in terms:
        rows = [at for heading, held in by_heading.items() if term in heading for at in held]
        found[rows] += weight * _rarity(len(units), len(rows))
    return found


TOPICS: tuple[str, ...] = tuple(table(__file__, "topics")["topics"])
"""Subjects of which documents speak whatever they are about; a sentence near to many states little."""

NEAREST = 20
"""So many of them, the nearest of each sentence, say how general it is: one that is the subject of the field
itself then counts little. Three and ten measured alike."""
