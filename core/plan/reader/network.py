"""Forward pass of the trained reader, without torch: from questions to states and scores of their words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.domain.fields import FieldType
from core.domain.passage import Matrix, Vector
from core.encode.minilm import MiniLm, TransformerLayer, TransformerStack
from core.encode.tokens import Integers, unit
from core.plan.reader.reading import COMPARISONS, FUNCTIONS, PARTS, RELATIONS, Operation, SpanRole

ROLES = tuple(SpanRole)
OPERATIONS = tuple(Operation)
TYPES = tuple(FieldType)
TAGS = ("O", *(f"{begin}-{role.value}" for role in ROLES for begin in "BI"))
"""Of words: outside of all spans, first of a span, inside of one."""

HEADS: dict[str, tuple[str, ...]] = {
    "tag": TAGS,
    "polarity": ("negated",),
    "operation": tuple(each.value for each in OPERATIONS),
    "type": tuple(each.value for each in TYPES),
    "function": FUNCTIONS,
    "relation": RELATIONS,
    "descending": ("descending",),
    "comparison": COMPARISONS,
    "either": ("either",),
    "part": PARTS,
}
"""Heads with a bias by name, with what their outputs mean."""


_WORD = re.compile(
    r"w/o\b"
    r"|\d[\d.,]*\d(?!\w)"
    r"|\w+(?:(?:[.\-&]|['’](?!s\b))\w+)*"
    r"|['’]s\b"
    r"|\S",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class ReaderHeads:
    """Linear maps from states to scores, each (outputs, inputs) with its bias; projections have none.

    operation, function and relation go on from the state of the whole, others from those of words or spans.
    """

    tag: tuple[Matrix, Vector]
    polarity: tuple[Matrix, Vector]
    operation: tuple[Matrix, Vector]
    type: tuple[Matrix, Vector]
    function: tuple[Matrix, Vector]
    relation: tuple[Matrix, Vector]
    descending: tuple[Matrix, Vector]
    comparison: tuple[Matrix, Vector]
    either: tuple[Matrix, Vector]
    part: tuple[Matrix, Vector]
    span: Matrix
    anchor: Matrix


@dataclass(frozen=True, slots=True)
class WordStates:
    """One text's words with their states, (words, d), and the state of the whole, (2 d,)."""

    words: tuple[tuple[int, int], ...]
    states: Matrix
    whole: Vector


class ReaderNetwork:
    """The shipped encoder's lower layers, the tuned layers and the heads. Thread-safe."""

    def __init__(self, encoder: MiniLm, tuned: Sequence[TransformerLayer], heads: ReaderHeads) -> None:
        shipped = encoder.stack(slice(None))
        kept = shipped.layers[: len(shipped.layers) - len(tuned)]
        self._encoder = encoder
        self._stack = TransformerStack((*kept, *tuned), shipped.heads, shipped.epsilon)
        self.heads = heads

    def read(self, texts: Sequence[str]) -> list[WordStates]:
        """States of each text's words; words beyond the encoder's window are left out."""
        results = []
        for text, found in zip(texts, self._encoder.token_states(texts, self._stack), strict=True):
            words = question_words(text)
            owner = word_of_tokens(found.tokens.starts, found.tokens.ends, words)
            count = int(owner.max(initial=-1)) + 1
            states = np.zeros((count, found.states.shape[1]), dtype=np.float32)
            sizes = np.zeros(count, dtype=np.float32)
            inside = found.states[1:-1][owner >= 0]
            np.add.at(states, owner[owner >= 0], inside)
            np.add.at(sizes, owner[owner >= 0], 1)
            states /= np.maximum(sizes, 1)[:, None]
            whole = np.concatenate([found.states[0], found.states.mean(axis=0)])
            results.append(WordStates(tuple(words[:count]), states, whole))
        return results

    def anchor_vectors(self, texts: Sequence[str]) -> Matrix:
        """(len(texts), d): unit vectors of the texts by which fields are known, in the trained space."""
        if not texts:
            return np.zeros((0, self.heads.anchor.shape[0]), dtype=np.float32)
        means = [
            each.states.mean(axis=0) if len(each.states) else np.zeros(self.heads.anchor.shape[1], np.float32)
            for each in self.read(texts)
        ]
        return unit(np.stack(means) @ self.heads.anchor.T)

    def span_vector(self, states: Matrix) -> Vector:
        """Unit vector of a span, from the states of its words."""
        row: Vector = unit(states.mean(axis=0, keepdims=True) @ self.heads.span.T)[0]
        return row


def question_words(text: str) -> list[tuple[int, int]]:
    """The words of a text as character spans, in order; a possessive "'s" and each sign are words, too."""
    return [match.span() for match in _WORD.finditer(text)]


def word_of_tokens(starts: Integers, ends: Integers, words: list[tuple[int, int]]) -> Integers:
    """For each token the number of the word in which it begins; -1 for a token outside of all words."""
    edges = np.asarray(words, dtype=np.int64).reshape(-1, 2)
    found = np.searchsorted(edges[:, 1], starts, side="right")
    inside = found < len(edges)
    safe = np.minimum(found, max(0, len(edges) - 1))
    inside &= (edges[safe, 0] < np.maximum(ends, starts + 1)) if len(edges) else False
    return np.where(inside, found, -1).astype(np.int64)
