"""The parties as a set: which names belong to it, and how likely the whole of it is right."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.extract.chooser.model import Floats, Judged
from core.values.names import role_of

NAMED_FROM = 0.5
"""The probability from which a name belongs to the set."""

SET_MEASURES = 17

_ROLE_FIRST = re.compile(r"[a-z]+, \w+[^,]*, ")  # "Reseller, Acme, Inc.", not "Reseller, Inc."


@dataclass(frozen=True, slots=True)
class PartySet:
    """Names of a document with the measures of their set, (SET_MEASURES,).

    is_of_rules: the rules find these parties and no others.
    """

    names: tuple[Judged, ...]
    measures: Floats
    is_of_rules: bool

    @property
    def may_be_given(self) -> bool:
        """True where there are several names, none holds another one, and none begins with a role."""
        names = [each.options[0].value.text.casefold() for each in self.names]
        held = any(one != other and one in other for one in names for other in names)
        led = any(_ROLE_FIRST.match(name) and role_of(name.split(",")[0]) for name in names)
        return len(names) > 1 and not held and not led


def party_set(judged: Sequence[Judged], rules: frozenset[str]) -> PartySet:
    """The likely names, none within another, in reading order.

    judged: every name, likeliest first. rules: the groups of the parties that the rules find.
    """
    chosen: list[Judged] = []
    for each in judged:
        if each.probability < NAMED_FROM:
            break
        if not any(_overlaps(each, other) for other in chosen):
            chosen.append(each)
    kept = {each.group for each in chosen}
    rest = [each for each in judged if each.group not in kept]
    rivals = [each.probability for each in rest if not any(_overlaps(each, other) for other in chosen)]
    within = [each.probability for each in rest if any(_overlaps(each, other) for other in chosen)]
    aliased = [
        each
        for each in rest
        if each.options[0].facts[2] and not any(_overlaps(each, other) for other in chosen)
    ]
    sure = [each.probability for each in chosen]
    logs = np.log(np.clip(sure, 1e-4, 1 - 1e-4)) if sure else np.zeros(0)
    against = np.log(np.clip(1 - np.array(rivals), 1e-4, 1)) if rivals else np.zeros(0)
    facts = [option.options[0].facts for option in chosen]
    measures = (
        float(logs.sum()),
        float(against.sum()),
        min(sure, default=0.0),
        max(rivals, default=0.0),
        max(within, default=0.0),
        float(len(chosen) == 2),
        float(len(chosen) == 1),
        float(not chosen),
        float(min(len(chosen), 8)),
        float(kept == rules and bool(rules)),
        max((each.rule for each in chosen), default=0.0) if kept == rules else 0.0,
        float(len(rules - kept)),
        float(bool(facts) and all(each[2] > 0 for each in facts)),
        float(bool(facts) and all(each[8] > 0 for each in facts)),
        max((each.probability for each in aliased), default=0.0),
        float(min(5, sum(each.probability > 0.15 for each in rest))),
        float(min(5, sum(each.probability > 0.05 for each in aliased))),
    )
    ordered = sorted(chosen, key=lambda each: min(option.spans[0][0] for option in each.options))
    return PartySet(tuple(ordered), np.array(measures), kept == rules and bool(rules))


def _overlaps(one: Judged, other: Judged) -> bool:
    """True where the likeliest place of one name lies within a place of the other."""
    start, end = one.options[0].spans[0]
    return any(start < option.spans[0][1] and option.spans[0][0] < end for option in other.options)
