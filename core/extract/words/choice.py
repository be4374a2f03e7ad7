"""Documents to ask a person about next: those that teach most, and some sure ones, to measure precision."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.fields.word_field import Likelihood

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
