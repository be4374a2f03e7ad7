"""Fields that the words of a span may mean, by similarity to the texts by which fields are known."""

from __future__ import annotations

import re
import threading
import zlib
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from core.domain.passage import Matrix, Vector
from core.encode.minilm import MiniLm
from core.encode.tokens import unit
from core.plan.reader.anchors import LinkTarget, distinct_texts
from core.plan.reader.network import ROLES, TYPES, ReaderNetwork
from core.plan.reader.reading import SpanRole

FEATURES = ("frozen", "context", "own", "phrases", "letters", "value", "type")
"""Similarity of the span alone to frozen texts; of the span in its question to frozen texts, to texts in the
trained space, and to phrases of training; of its letters; a value of the field in it; its type of value."""

TextPair = tuple[Vector, Vector]
"""A text's vectors in the frozen and the trained space."""

_MOST_TEXTS_KEPT = 60_000
_ENCODED_AT_ONCE = 512
_LETTERS = 384
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class LinkWeights:
    """Weights of the features.

    shared: (2, features), of fields without and with phrases of training;
    of_role: (roles, features), added; types: (roles, types + 1) a bonus of each type, the last unknown.
    """

    shared: Matrix
    of_role: Matrix
    types: Matrix


@dataclass(frozen=True, slots=True)
class PhraseBank:
    """Vectors of phrases of training, (phrases, d), each of a field."""

    fields: tuple[tuple[str, str], ...]
    vectors: Matrix
    owner: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class LinkSpace:
    """The candidates of one catalogue with the vectors of their texts; `owner` says of which each text is."""

    candidates: tuple[LinkTarget, ...]
    owner: NDArray[np.int64]
    frozen: Matrix
    own: Matrix
    letters: Matrix
    phrase_owner: NDArray[np.int64]
    phrases: Matrix
    has_phrases: NDArray[np.int64]
    type_place: NDArray[np.int64]
    values: Mapping[str, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class SpanQuery:
    """A span to be linked: its words, its part, and its vectors. types: log probabilities of types."""

    text: str
    role: SpanRole
    frozen: Vector
    context: Vector
    types: Vector


class TextVectors:
    """Vectors of texts in the frozen and the trained space, those used last kept. Thread-safe.

    known: vectors that need not be made.
    """

    def __init__(
        self, encoder: MiniLm, network: ReaderNetwork, known: Mapping[str, TextPair] = MappingProxyType({})
    ) -> None:
        self._encoder = encoder
        self._network = network
        self._known: OrderedDict[str, TextPair] = OrderedDict(known)
        self._lock = threading.Lock()  # guards _known

    def of(self, texts: Sequence[str]) -> tuple[Matrix, Matrix]:
        """(frozen, own), each (len(texts), d)."""
        with self._lock:
            missing = [text for text in texts if text not in self._known]
        for start in range(0, len(missing), _ENCODED_AT_ONCE):
            part = missing[start : start + _ENCODED_AT_ONCE]
            frozen, own = self._encoder.encode_queries(part), self._network.anchor_vectors(part)
            with self._lock:
                self._known.update(zip(part, zip(frozen, own, strict=True), strict=True))
        with self._lock:
            pairs = [self._known[text] for text in texts]
            while len(self._known) > max(_MOST_TEXTS_KEPT, len(texts)):
                self._known.popitem(last=False)
        empty = np.zeros((0, self._encoder.signature.dimension), dtype=np.float32)
        if not pairs:
            return empty, empty
        return np.stack([pair[0] for pair in pairs]), np.stack([pair[1] for pair in pairs])


def make_space(candidates: tuple[LinkTarget, ...], vectors: TextVectors, bank: PhraseBank) -> LinkSpace:
    """The vectors of candidates."""
    texts = distinct_texts(candidates)
    place = {text: number for number, text in enumerate(texts)}
    frozen, own = vectors.of(texts)
    letters = letter_vectors(texts)
    rows = [(number, place[text]) for number, each in enumerate(candidates) for text in each.texts]
    owner = np.array([number for number, _ in rows], dtype=np.int64)
    chosen = np.array([row for _, row in rows], dtype=np.int64)
    number_of = {each.key: number for number, each in enumerate(candidates)}
    bank_place = np.array([number_of.get(key, -1) for key in bank.fields], dtype=np.int64)
    phrase_owner = bank_place[bank.owner] if len(bank.owner) else np.zeros(0, dtype=np.int64)
    kept = phrase_owner >= 0
    has_phrases = np.zeros(len(candidates), dtype=np.int64)
    has_phrases[phrase_owner[kept]] = 1
    values: dict[str, list[int]] = {}
    for number, each in enumerate(candidates):
        for value in each.values:
            values.setdefault(value.casefold(), []).append(number)
    types = [TYPES.index(each.type) if each.type is not None else len(TYPES) for each in candidates]
    return LinkSpace(
        candidates,
        owner,
        frozen[chosen],
        own[chosen],
        letters[chosen],
        phrase_owner[kept],
        bank.vectors[kept],
        has_phrases,
        np.array(types, dtype=np.int64),
        {value: tuple(numbers) for value, numbers in values.items()},
    )


def features(query: SpanQuery, space: LinkSpace) -> Matrix:
    """(candidates, features) of a span."""
    count = len(space.candidates)
    found = np.zeros((count, len(FEATURES)), dtype=np.float32)
    found[:, 0] = _largest(space.frozen @ query.frozen, space.owner, count)
    found[:, 1] = _largest(space.frozen @ query.context, space.owner, count)
    found[:, 2] = _largest(space.own @ query.context, space.owner, count)
    found[:, 3] = _largest(space.phrases @ query.context, space.phrase_owner, count)
    found[:, 4] = _largest(space.letters @ letter_vectors([query.text])[0], space.owner, count)
    for number, share in _values(query.text, space.values).items():
        found[number, 5] = share
    known = np.append(np.maximum(query.types, -5), np.float32(-1.5))
    found[:, 6] = known[space.type_place] / 5
    return found


def weighted(found: Matrix, role: SpanRole, space: LinkSpace, weights: LinkWeights) -> Vector:
    """Log odds of the candidates from their features, up to a constant."""
    place = ROLES.index(role)
    own = weights.shared[space.has_phrases] + weights.of_role[place]
    scores: Vector = (found * own).sum(axis=1) + weights.types[place][space.type_place]
    return scores


def _largest(scores: Vector, owner: NDArray[np.int64], count: int) -> Vector:
    result = np.full(count, -1.0, dtype=np.float32)
    np.maximum.at(result, owner, scores)
    return np.maximum(result, 0)


def _values(text: str, values: Mapping[str, tuple[int, ...]]) -> dict[int, float]:
    """Candidates one of whose values stands in the text, with the share of the text that it takes."""
    if not values:
        return {}
    words = text.casefold().split()
    found: dict[int, float] = {}
    for size in range(min(len(words), 6), 0, -1):
        for start in range(len(words) - size + 1):
            part = " ".join(words[start : start + size]).strip(".,;:?!'\"")
            for number in values.get(part, ()):
                found[number] = max(found.get(number, 0.0), 0.5 + 0.5 * size / len(words))
    return found


def probabilities(scores: Vector) -> Vector:
    """The scores of all candidates as probabilities."""
    if not len(scores):
        return scores
    shares = np.exp(scores - scores.max())
    result: Vector = shares / shares.sum()
    return result


def letter_vectors(texts: Sequence[str]) -> Matrix:
    """(len(texts), _LETTERS), unit norm: runs of three letters of each word, hashed; equal for equal words.

    So mistyped and cut words still resemble the right ones.
    """
    rows = np.zeros((len(texts), _LETTERS), dtype=np.float32)
    for number, text in enumerate(texts):
        for word in _WORD.findall(text.casefold()):
            for place, weight in _runs(word):
                rows[number, place] += weight
    return unit(rows)


@lru_cache(maxsize=20_000)
def _runs(word: str) -> tuple[tuple[int, float], ...]:
    padded = f"^{word}$"
    weight = 1.0 if len(word) > 3 else 0.35
    runs = [padded[at : at + 3] for at in range(max(1, len(padded) - 2))]
    return tuple((zlib.crc32(run.encode()) % _LETTERS, weight) for run in runs)
