"""Fields that the words of a span may mean, by the texts by which these are known, and how surely."""

from __future__ import annotations

import re
import threading
import zlib
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from core.domain.fields import FieldType
from core.domain.passage import Matrix, Vector
from core.encode.minilm import MiniLm
from core.encode.tokens import unit
from core.plan.catalogue import Catalogue, ColumnEntry, FieldEntry
from core.plan.readers.trained.network import ROLES, TYPES, ReaderNetwork, WordSpan, logistic
from core.plan.readers.trained.reading import ReadSpan, SpanRole

_JOIN = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_MOST_TEXTS = 14
_MOST_VALUES = 60
FEATURES = ("frozen", "context", "own", "phrases", "letters", "value", "type")
"""Similarity of the span alone to frozen texts; of the span in its question to frozen texts, to texts in the
trained space, and to phrases of training; of its letters; a value of the field in it; its type of value."""
TextPair = tuple[Vector, Vector]
"""A text's vectors in the frozen and the trained space."""
_MOST_TEXTS_KEPT = 60_000
_ENCODED_AT_ONCE = 512
_LETTERS = 384
_WORD = re.compile(r"\w+")
SIGNS = (
    "operation",
    "operation margin",
    "weakest span",
    "all spans",
    "weakest polarity",
    "weakest link",
    "all links",
    "weakest tag",
    "least known",
    "spans",
    "length",
    "bare",
)
EXISTING = (SpanRole.CONDITION, SpanRole.ASKED)
"""Parts of which the words name a field; those of others hold values, of which other readers know."""
_LEAST = 1e-4
_FAR = 20.0
_SCALE = 10.0  # of log odds, so that they are as large as the cosines beside them


@dataclass(frozen=True, slots=True)
class LinkTarget:
    """A field or column that words may mean. schema: "" for a column; texts: those by which it is known.

    type: None where it is not known; values: texts that it has in the collection.
    """

    schema: str
    field: str
    texts: tuple[str, ...]
    type: FieldType | None = None
    values: tuple[str, ...] = ()

    @property
    def key(self) -> tuple[str, str]:
        """By what it is known."""
        return self.schema, self.field


def plain_words(header: str) -> str:
    """A header in plain words: "unit_price" and "UnitPrice" are "unit price"."""
    text = header.replace("_", " ")
    if not text.isupper():
        text = _JOIN.sub(" ", text)
    return " ".join(text.split()).lower()


def field_texts(title: str, description: str, synonyms: Sequence[str]) -> tuple[str, ...]:
    """The texts by which a field is known, its title first."""
    texts = [title, *synonyms[:_MOST_TEXTS]]
    if description:
        texts += [description, f"{title}: {description}"]
    return tuple(dict.fromkeys(text.strip() for text in texts if text.strip()))


def column_texts(name: str, unit: str = "") -> tuple[str, ...]:
    """The texts by which a column is known: its header in plain words, with its unit."""
    plain = plain_words(name)
    bare = re.sub(r"\s*[(\[].*?[)\]]", "", plain).strip()
    with_unit = f"{bare} in {unit}" if unit and unit.lower() not in plain else ""
    return tuple(dict.fromkeys(text for text in (plain, bare, with_unit) if text)) or (name,)


def of_field(entry: FieldEntry, values: Sequence[str] = ()) -> LinkTarget:
    """The candidate that a field is."""
    texts = (*field_texts(entry.title, entry.description, entry.synonyms), *entry.phrases)
    known = tuple(dict.fromkeys((*entry.options, *values)))[:_MOST_VALUES]
    return LinkTarget(entry.schema, entry.name, tuple(dict.fromkeys(texts)), entry.type, known)


def of_column(entry: ColumnEntry) -> LinkTarget:
    """The candidate that a column is."""
    return LinkTarget(
        "", entry.name, column_texts(entry.name, entry.unit), entry.type, entry.texts[:_MOST_VALUES]
    )


def candidates(catalogue: Catalogue) -> tuple[LinkTarget, ...]:
    """All that the words of a question may mean: fields by schema, then columns, those of one name once.

    Schemas without documents count only where no schema has any.
    """
    schemas = [each for each in catalogue.schemas if each.documents] or list(catalogue.schemas)
    values: dict[tuple[str, str], list[str]] = {}
    for value in catalogue.values:
        values.setdefault((value.schema, value.field), []).append(value.text)
    found = [
        of_field(field, values.get((field.schema, field.name), ()))
        for schema in schemas
        for field in schema.fields
    ]
    columns: dict[str, ColumnEntry] = {}
    for table in catalogue.rows_by_sql:
        for column in table.columns:
            columns.setdefault(column.key, column)
    found += [of_column(column) for column in columns.values()]
    return tuple(found)


def distinct_texts(known: Iterable[LinkTarget]) -> list[str]:
    """All texts of some candidates, each once, in order."""
    return list(dict.fromkeys(text for each in known for text in each.texts))


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


@dataclass(frozen=True, slots=True)
class LogisticRegression:
    """Weights, one for each of the signs of its class, and a bias."""

    SIGNS: ClassVar[tuple[str, ...]] = ()

    weights: tuple[float, ...]
    bias: float

    def of_signs(self, row: Vector) -> float:
        """The calibrated probability of what it was fitted on, given its signs."""
        return logistic(float(np.dot(row, np.array(self.weights, dtype=np.float32))) + self.bias)

    def as_facts(self) -> dict[str, Any]:
        """Its numbers, as JSON."""
        return {"weights": dict(zip(self.SIGNS, self.weights, strict=True)), "bias": self.bias}

    @classmethod
    def from_facts(cls, facts: Mapping[str, Any]) -> Self:
        """The regression that `as_facts` wrote. Raises KeyError where a sign is missing."""
        return cls(tuple(float(facts["weights"][name]) for name in cls.SIGNS), float(facts["bias"]))


class Confidence(LogisticRegression):
    """Logistic regression of "the whole reading is right" over its signs."""

    __slots__ = ()
    SIGNS = SIGNS


class Existence(LogisticRegression):
    """Logistic regression of "a field is meant" over the linker's features of the best field."""

    __slots__ = ()
    SIGNS = (*FEATURES, "score", "margin")


def signs(
    operations: Sequence[float], spans: Sequence[ReadSpan], tagged: Iterable[WordSpan], words: int
) -> Vector:
    """The signs by which a whole reading is judged.

    operations: probabilities, best first; tagged: the spans as they were before they were linked; words: how
    many the question has.
    """

    def log(value: float) -> float:
        return float(np.log(max(value, _LEAST)))

    tagged = tuple(tagged)
    best, second = operations[0], operations[1] if len(operations) > 1 else 0.0
    said = [log(each.probability) for each in spans]
    links = [log(each.links[0].probability) for each in spans if each.links]
    return np.array(
        [
            log(best),
            best - second,
            min(said, default=0.0),
            sum(said),
            min((log(max(each.negated, 1 - each.negated)) for each in tagged), default=0.0),
            min(links, default=0.0),
            sum(links),
            min((log(each.probability) for each in tagged), default=0.0),
            min((log(each.known) for each in spans), default=0.0),
            len(spans) / 4,
            min(words, 60) / 20,
            float(all(each.role is SpanRole.DOCUMENT for each in spans)),
        ],
        dtype=np.float32,
    )


def existence_signs(features: Matrix, scores: Vector) -> Vector:
    """(len(Existence.SIGNS),) of the best of some candidates.

    features: (candidates, len(FEATURES)); scores: their log odds.
    """
    order = np.argsort(-scores, kind="stable")
    best = int(order[0])
    margin = float(scores[best] - scores[order[1]]) if len(order) > 1 else _FAR
    return np.array([*features[best], scores[best] / _SCALE, min(margin, _FAR) / _SCALE], dtype=np.float32)
