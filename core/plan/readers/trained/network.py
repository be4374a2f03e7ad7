"""Forward pass of the trained reader, without torch, and the spans that the scores of words come to."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from core.domain.fields import FieldType
from core.domain.passage import Matrix, Vector
from core.encode.minilm import MiniLm, TransformerLayer, TransformerStack
from core.encode.tokens import Integers, unit
from core.plan.readers.trained.reading import (
    COMPARISONS,
    FUNCTIONS,
    NUMBERING,
    PARTS,
    RELATIONS,
    Operation,
    SpanRole,
)
from core.text.words import word_list

ROLES = tuple(SpanRole)
OPERATIONS = tuple(each for each in Operation if each not in (Operation.QUERY, Operation.CONNECT))
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
POLAR = (SpanRole.CONDITION, SpanRole.VALUE)
_JOINING = frozenset(("and", "or", "nor", "&", ",", "/", "plus"))
_NEVER = -1e4
_MOST = 30.0  # of log odds: beyond it the probability is 0 or 1, and the power may overflow
_PARTED = -1.5  # log cost of words that go on with what was asked for before ("when was X signed")


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


@dataclass(frozen=True, slots=True)
class WordSpan:
    """Words[first:last] with their part. pieces: all words of what is asked for, where it stands in parts.

    probability: that they play the part; negated: that what they say is not to hold.
    Others: as of a `ReadSpan`.
    """

    first: int
    last: int
    role: SpanRole
    pieces: tuple[int, ...]
    probability: float
    negated: float
    comparison: str = ""
    descending: bool | None = None
    either: bool = False
    part: str = ""

    @property
    def is_negated(self) -> bool:
        """True where it is more probable than not that what they say is not to hold."""
        return self.negated > 0.5


def _transitions() -> Matrix:
    count = len(TAGS)
    scores = np.zeros((count + 1, count), dtype=np.float32)  # the last row: before the first word
    for after, name in enumerate(TAGS):
        if not name.startswith("I-"):
            continue
        allowed = {after, TAGS.index(f"B-{name[2:]}")}
        is_asked = name[2:] == SpanRole.ASKED.value
        for before in range(count + 1):
            if before not in allowed:
                scores[before, after] = _PARTED if is_asked and before < count else _NEVER
    return scores


_TRANSITIONS = _transitions()


def best_tags(scores: Matrix) -> NDArray[np.int64]:
    """The tags of the best allowed run. scores: (words, tags), log probabilities.

    Source: Viterbi 1967.
    """
    count = len(scores)
    if not count:
        return np.zeros(0, dtype=np.int64)
    best = scores[0] + _TRANSITIONS[-1]
    before = np.zeros((count, scores.shape[1]), dtype=np.int64)
    for number in range(1, count):
        reached = best[:, None] + _TRANSITIONS[:-1]
        before[number] = reached.argmax(axis=0)
        best = reached.max(axis=0) + scores[number]
    tags = np.zeros(count, dtype=np.int64)
    tags[-1] = int(best.argmax())
    for number in range(count - 1, 0, -1):
        tags[number - 1] = before[number, tags[number]]
    return tags


def logistic(log_odds: float) -> float:
    """1 / (1 + exp(-log_odds)), 0 to 1, without overflow."""
    return float(1 / (1 + np.exp(-np.clip(log_odds, -_MOST, _MOST))))


def log_softmax(scores: Matrix) -> Matrix:
    """Log probabilities of the rows."""
    shifted: Matrix = scores - scores.max(axis=-1, keepdims=True)
    result: Matrix = shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))
    return result


def word_spans(text: str, read: WordStates, heads: ReaderHeads) -> list[WordSpan]:
    """The spans of a question, in order; words that name nothing are cut from their edges."""
    if not len(read.states):
        return []
    scores = log_softmax(read.states @ heads.tag[0].T + heads.tag[1])
    negated = (read.states @ heads.polarity[0].T + heads.polarity[1])[:, 0]
    tags = best_tags(scores)
    found: list[WordSpan] = []
    for first, last, role, goes_on in _runs(tags):
        if role not in NUMBERING:
            first, last = _trimmed(text, read.words, first, last)
        if first >= last:
            continue
        part = _probability(scores, first, last, role)
        share = logistic(float(negated[first:last].mean())) if role in POLAR else 0.0
        pieces = tuple(range(first, last))
        if goes_on:
            number = next((at for at in reversed(range(len(found))) if found[at].role is role), None)
            if number is not None:
                pieces = (*found[number].pieces, *pieces)
                found[number] = replace(found[number], pieces=pieces)
        state = read.states[first:last].mean(axis=0)
        comparison = COMPARISONS[_best(heads.comparison, state)] if role is SpanRole.VALUE else ""
        descending = _is_so(heads.descending, state) if role is SpanRole.ORDER else None
        either = role in POLAR and _is_so(heads.either, state)
        own = PARTS[_best(heads.part, state)] if role is SpanRole.GROUP else ""
        found.append(WordSpan(first, last, role, pieces, part, share, comparison, descending, either, own))
    return found


def _best(head: tuple[Matrix, Vector], state: Vector) -> int:
    return int((head[0] @ state + head[1]).argmax())


def _is_so(head: tuple[Matrix, Vector], state: Vector) -> bool:
    return bool((head[0] @ state + head[1])[0] > 0)


def coordinated(text: str, read: WordStates, span: WordSpan) -> tuple[WordSpan, ...]:
    """The two halves of a condition, or of what is asked for, that joins words by "and"; () of others."""
    if span.role not in (SpanRole.CONDITION, SpanRole.ASKED) or len(span.pieces) != span.last - span.first:
        return ()
    for number in range(span.first + 1, span.last - 1):
        word = text[slice(*read.words[number])].casefold()
        if word not in _JOINING:
            continue
        edges = (span.first, number), (number + 1, span.last)
        halves = [_trimmed(text, read.words, *each) for each in edges]
        if all(first < last for first, last in halves):
            former, latter = (
                replace(span, first=first, last=last, pieces=tuple(range(first, last)))
                for first, last in halves
            )
            return former, replace(latter, either=word == "or" and span.role in POLAR)
    return ()


def _runs(tags: Sequence[int] | NDArray[np.int64]) -> list[tuple[int, int, SpanRole, bool]]:
    """(first, last, role, goes on with an earlier span) of each run of one span's tags."""
    runs: list[tuple[int, int, SpanRole, bool]] = []
    before = "O"
    for number, tag in enumerate(tags):
        name = TAGS[tag]
        if name != "O":
            role = SpanRole(name[2:])
            if name.startswith("I-") and before[2:] == name[2:]:
                first, _, same, goes_on = runs[-1]
                runs[-1] = (first, number + 1, same, goes_on)
            else:
                runs.append((number, number + 1, role, name.startswith("I-")))
        before = name
    return runs


def _trimmed(text: str, words: Sequence[tuple[int, int]], first: int, last: int) -> tuple[int, int]:
    leading, trailing = word_list("reader", "leading"), word_list("reader", "trailing")

    def is_idle(number: int, idle: frozenset[str]) -> bool:
        word = text[slice(*words[number])].casefold()
        return word in idle or not (word[0].isalnum() or word in "$€£<>=%#+-")

    start, end = first, last
    while start < end and is_idle(start, leading):
        start += 1
    while end > start and is_idle(end - 1, trailing):
        end -= 1
    return (start, end) if start < end else (first, first)


def _probability(scores: Matrix, first: int, last: int, role: SpanRole) -> float:
    begin, inside = TAGS.index(f"B-{role.value}"), TAGS.index(f"I-{role.value}")
    either = np.logaddexp(scores[first:last, begin], scores[first:last, inside])
    return float(np.exp(either.mean()))


def whole_scores(whole: Vector, head: tuple[Matrix, Vector]) -> Vector:
    """Log probabilities of what a head tells of a whole question: its operation, function or relation."""
    scores: Vector = log_softmax((head[0] @ whole + head[1])[None])[0]
    return scores
