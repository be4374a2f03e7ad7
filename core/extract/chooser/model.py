"""A chooser: how likely each value that a text may state is the right one.

Two stages. A linear one over the words around each candidate; then, over (document, value), boosted trees and
a logistic regression, whose logits are averaged, over what the linear stage says of all places of the value,
what the rules say of it, and how its rivals fare. Calibration by Platt (1999).
"""

from __future__ import annotations

import io
import itertools
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from core.domain.fields import TypedValue
from core.errors import UsageError
from core.extract.clauses.heads import Trees, sigmoid

Floats = NDArray[np.float64]

COMMON = 13
"""Measures of a value that every field has, before the best candidate's own facts."""

_NOTHING = -6.0


class ChoosableValue(NamedTuple):
    """A value that a text may state, and where.

    spans: first what decided. columns: hashed words around it. facts: measures of the field's own, of equal
    number for all options of a field. rule: how sure the rules are of this value, 0 where they say nothing.
    group: equal for options that state one value.
    """

    value: TypedValue
    spans: tuple[tuple[int, int], ...]
    columns: tuple[int, ...]
    facts: tuple[float, ...]
    group: str
    rule: float = 0.0
    note: str = ""


@dataclass(frozen=True, slots=True)
class Words:
    """The linear stage. weights: (models, COLUMNS); bias: (models,)."""

    weights: NDArray[np.float32] = field(repr=False)
    bias: NDArray[np.float32]

    def score(self, options: Sequence[ChoosableValue]) -> Floats:
        """(options, models) logits; a row has unit length, whatever the number of its columns."""
        scores = np.zeros((len(options), len(self.bias)))
        for row, option in enumerate(options):
            columns = np.array(option.columns, np.int64)
            scores[row] = self.weights[:, columns].sum(axis=1) / np.sqrt(max(1, len(columns))) + self.bias
        return scores


@dataclass(frozen=True, slots=True)
class Judged:
    """A value with its calibrated probability of being right. options: its places, the likeliest first."""

    group: str
    probability: float
    options: tuple[ChoosableValue, ...]

    @property
    def rule(self) -> float:
        """The rules' confidence of it."""
        return max(option.rule for option in self.options)


def grouped(options: Sequence[ChoosableValue]) -> dict[str, list[int]]:
    """The indices of the options of each value, in reading order."""
    groups: dict[str, list[int]] = {}
    for index, option in enumerate(options):
        groups.setdefault(option.group, []).append(index)
    return groups


def measure(options: Sequence[ChoosableValue], scores: Floats) -> tuple[list[str], Floats]:
    """The values, and of each (COMMON + facts,) measures.

    scores: (options, models) of the linear stage, of which the first counts for ranks.
    """
    groups = grouped(options)
    names = list(groups)
    models = scores.shape[1] if len(options) else 1
    width = len(options[0].facts) if options else 0
    rows = np.zeros((len(names), COMMON + 2 * (models - 1) + width))
    best = {name: max(indices, key=lambda index: scores[index, 0]) for name, indices in groups.items()}
    tops = np.array([scores[best[name], 0] for name in names])
    rules = np.array([max(options[index].rule for index in groups[name]) for name in names])
    for at, name in enumerate(names):
        indices = groups[name]
        own = np.sort(scores[indices, 0])[::-1]
        rivals = np.delete(tops, at)
        rival_rules = np.delete(rules, at)
        rows[at, :COMMON] = (
            own[0],
            own[1] if len(own) > 1 else _NOTHING,
            np.logaddexp.reduce(own),
            np.log1p(len(indices)),
            rules[at],
            rival_rules.max(initial=0.0),
            rules[at] - rival_rules.max(initial=0.0),
            own[0] - rivals.max(initial=_NOTHING),
            float((rivals > own[0]).sum()),
            np.log1p(len(names)),
            float(min(indices)) / max(1, len(options)),
            float((rival_rules > rules[at]).sum()),
            own.mean(),
        )
        extra = scores[indices, 1:]
        rows[at, COMMON : COMMON + models - 1] = extra.max(axis=0)
        rows[at, COMMON + models - 1 : COMMON + 2 * (models - 1)] = scores[best[name], 1:]
        rows[at, COMMON + 2 * (models - 1) :] = options[best[name]].facts
    return names, rows


@dataclass(frozen=True, slots=True)
class ValueStage:
    """The second stage. mean, deviation, weights: (measures,) of the regression, with `bias`.

    runs: how many boosted models `trees` holds. slope, offset: of the calibration.
    """

    mean: Floats
    deviation: Floats
    weights: Floats
    bias: float
    trees: Trees
    runs: int
    slope: float = 1.0
    offset: float = 0.0

    def logits(self, rows: Floats) -> Floats:
        """(values,) before calibration."""
        linear = ((rows - self.mean) / self.deviation) @ self.weights + self.bias
        if not self.runs:
            return np.asarray(linear)
        return np.asarray((linear + self.trees.predict(rows) / self.runs) / 2)

    def probabilities(self, rows: Floats) -> Floats:
        """(values,), calibrated."""
        return sigmoid(self.slope * self.logits(rows) + self.offset)


def judge(
    options: Sequence[ChoosableValue], scores: Floats, probabilities: Floats, *, exclusive: bool = True
) -> list[Judged]:
    """The values of a document, likeliest first; equal ones in reading order.

    scores: of the linear stage, by which the places of a value are ordered. exclusive: only one of the values
    can be right, so that their probabilities may not sum to more than 1.
    """
    groups = grouped(options)
    shares = probabilities / max(1.0, float(probabilities.sum())) if exclusive else probabilities
    found = [
        Judged(
            name,
            float(share),
            tuple(options[index] for index in sorted(indices, key=lambda each: -scores[each, 0])),
        )
        for (name, indices), share in zip(groups.items(), shares, strict=True)
    ]
    return sorted(found, key=lambda each: -each.probability)


@dataclass(frozen=True, slots=True)
class GivingLimits:
    """Probabilities from which a value is given: by this reader alone, and where the rules give the same."""

    given_from: float
    agreed_from: float

    def give(self, probability: float, agrees: bool) -> bool:
        """True where a value of that probability is given."""
        return probability >= (min(self.agreed_from, self.given_from) if agrees else self.given_from)


@dataclass(frozen=True, slots=True)
class ValueChooser:
    """Of one field. exclusive: a document states one value of it."""

    words: Words
    stage: ValueStage
    limits: GivingLimits
    exclusive: bool = True

    def judge(self, options: Sequence[ChoosableValue]) -> list[Judged]:
        """The values of a document, likeliest first."""
        if not options:
            return []
        scores = self.words.score(options)
        _, rows = measure(options, scores)
        return judge(options, scores, self.stage.probabilities(rows), exclusive=self.exclusive)


COLUMNS = 1 << 15
"""Hash values, of every field its own."""

_NEAR, _FAR = 160, 420  # characters to either side
_PLACED = 4  # words whose distance counts
_BAG = 12
_TOKEN = re.compile(r"[^\W\d_]+|\d+|[$%\u20ac\u00a3\"\u201c\u201d():;,]|\n")
_WORD = re.compile(r"[^\W\d_]+|\d+")
_PARAGRAPH = re.compile(r"\n[ \t]*\n")


@lru_cache(maxsize=200_000)
def column(name: str) -> int:
    """The column of a feature by its name."""
    return crc32(name.encode("utf-8", "replace")) & (COLUMNS - 1)


def context_columns(text: str, start: int, end: int, own: Iterable[str] = ()) -> tuple[int, ...]:
    """Columns of a candidate [start, end): its neighbourhood, and what is said of it in `own`."""
    left = tokens(text[max(0, start - _NEAR) : start])[-_BAG:]
    right = tokens(text[end : end + _NEAR])[:_BAG]
    names = [*_side("l", left[::-1]), *_side("r", right)]
    before = text[max(0, start - _FAR) : start]
    cut = max(before.rfind(". "), before.rfind(".\n"), before.rfind(";"))
    sentence = _WORD.findall(before[cut + 1 :].lower())
    names += [f"s {_plain(word)}" for word in set(sentence)]
    names += [f"o {_plain(word)}" for word in set(_WORD.findall(before.lower()))]
    after = text[end : end + _FAR]
    stop = re.search(r"\.[ \n]|;", after)
    names += [
        f"t {_plain(word)}" for word in set(_WORD.findall(after[: stop.start() if stop else _FAR].lower()))
    ]
    names += [f"h {_plain(word)}" for word in _head(text, start)]
    names += [f"= {each}" for each in own]
    return tuple(sorted({column(name) for name in names}))


def _side(side: str, near: Sequence[str]) -> list[str]:
    """Names of the words on one side, the nearest first."""
    names = [f"{side}{at} {word}" for at, word in enumerate(near[:_PLACED])]
    names += [f"{side} {word}" for word in near]
    names += [f"{side}2 {one} {other}" for one, other in itertools.pairwise(near)]
    names += [f"{side}3 {' '.join(near[at : at + 3])}" for at in range(min(4, len(near) - 2))]
    return names


def _head(text: str, start: int) -> list[str]:
    """The first words of the paragraph of a place: its heading, mostly."""
    begin = max(0, start - 3_000)
    breaks = [match.end() for match in _PARAGRAPH.finditer(text, begin, start)]
    first = breaks[-1] if breaks else begin
    return _WORD.findall(text[first : min(start, first + 90)].lower())[:7]


def tokens(text: str) -> list[str]:
    """Words, numbers and marks as the columns call them."""
    return [_plain(token) for token in _TOKEN.findall(text.lower())]


def _plain(token: str) -> str:
    if token[0].isdigit():
        return "0000" if len(token) == 4 else "0"
    return '"' if token in "\u201c\u201d" else token


FORMAT = 1
ARRAYS = "values.npz"
FACTS = "values.json"
SHIPPED = Path(__file__).parent / "artefact"

Arrays = dict[str, NDArray[Any]]


@dataclass(frozen=True, slots=True)
class Choosers:
    """Everything that the second reader needs. fields: by the name of the rule. parties: of the set of names.

    facts: what the model card shows: data, date, figures.
    """

    fields: Mapping[str, ValueChooser]
    parties: ValueStage
    party_limits: GivingLimits
    facts: Mapping[str, Any]


def from_files(files: Mapping[str, bytes]) -> Choosers:
    """Choosers that `to_files` wrote. Raises ValueError or KeyError for anything else."""
    facts = json.loads(files[FACTS])
    if facts.get("format") != FORMAT:
        raise ValueError(f"format {facts.get('format')!r}, expected {FORMAT}")
    with np.load(io.BytesIO(files[ARRAYS]), allow_pickle=False) as stored:
        arrays: Arrays = dict(stored)
    fields = {
        name: ValueChooser(
            Words(arrays[f"{name}_words"].astype(np.float32), arrays[f"{name}_bias"]),
            _stage(arrays, name, each),
            GivingLimits(each["given_from"], each["agreed_from"]),
            each["exclusive"],
        )
        for name, each in facts["fields"].items()
    }
    of_set = facts["party_set"]
    limits = GivingLimits(of_set["given_from"], of_set["agreed_from"])
    return Choosers(fields, _stage(arrays, "party_set", of_set), limits, facts["facts"])


def read_choosers(folder: Path | None = None) -> Choosers:
    """The choosers in `folder`, or the shipped ones. Raises UsageError if there are none of this format."""
    place = folder or SHIPPED
    try:
        return from_files({name: (place / name).read_bytes() for name in (ARRAYS, FACTS)})
    except (OSError, ValueError, KeyError) as error:
        raise UsageError(
            f"The choosers of values in {str(place)!r} cannot be read: {error}. Expected {ARRAYS} and {FACTS}"
            " as written by this version; install it again, or run `python -m bench.train_values`."
        ) from error


def _stage(arrays: Arrays, name: str, facts: Mapping[str, Any]) -> ValueStage:
    return ValueStage(
        arrays[f"{name}_mean"],
        arrays[f"{name}_deviation"],
        arrays[f"{name}_weights"],
        facts["bias"],
        Trees.of(arrays, f"{name}_", facts["depth"]),
        facts["runs"],
        facts["slope"],
        facts["offset"],
    )
