"""Figures of the two readers beside those of the rules alone, nested by family folds."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from bench.values.cases import contracts, effective_cases, party_cases, term_cases, total_cases
from bench.values.crossfit import Outcome, Target, nested
from bench.values.party_sets import SetOutcome, nested_parties
from bench.values.rule_fields import ruled

TARGETS = {
    "effective_date": Target(0.95, is_counted=True),
    "expiration_date": Target(0.922),
    "total": Target(0.97),
}
"""What limits are chosen for, on folds of the training side."""


class Share(NamedTuple):
    """Right values given of the documents that state the field, and how right what is given is."""

    states: int
    given: int
    right: int

    @property
    def recall(self) -> float:
        """Right ones of those that state it."""
        return self.right / max(1, self.states)

    @property
    def precision(self) -> float:
        """Right ones of those given."""
        return self.right / max(1, self.given)

    def __str__(self) -> str:
        return (
            f"{self.recall:.3f} ({self.precision:.3f}; {self.right} of {self.given}, {self.states} state it)"
        )


def shares(outcomes: Sequence[Outcome]) -> tuple[Share, Share]:
    """Of both readers, and of the rules alone."""
    states = sum(each.states for each in outcomes)
    both = Share(states, sum(e.given for e in outcomes), sum(e.given and e.is_right for e in outcomes))
    rules = Share(states, sum(e.rule_given for e in outcomes), sum(e.rule_right for e in outcomes))
    return both, rules


def set_shares(outcomes: Sequence[SetOutcome]) -> tuple[Share, Share]:
    """The same of whole sets."""
    states = sum(each.labelled > 0 for each in outcomes)
    both = Share(states, sum(e.given for e in outcomes), sum(e.given and e.is_right for e in outcomes))
    rules = Share(
        states, sum(e.rule_given for e in outcomes), sum(e.rule_given and e.rule_right for e in outcomes)
    )
    return both, rules


def names_f1(outcomes: Sequence[SetOutcome]) -> tuple[float, float, float]:
    """Precision, recall and F1 of the best guess, name by name."""
    precision = sum(e.right for e in outcomes) / max(1, sum(e.named for e in outcomes))
    recall = sum(e.found for e in outcomes) / max(1, sum(e.labelled for e in outcomes))
    return precision, recall, 2 * precision * recall / max(1e-9, precision + recall)


def measure(data: Path) -> dict[str, dict[str, tuple[Share, Share]]]:
    """By field and part, both readers and the rules; printed as it goes."""
    everything = contracts(data)
    found: dict[str, dict[str, tuple[Share, Share]]] = {}
    for part in ("folds", "aside"):
        for field, counted in ruled([e for e in everything if (e.fold < 0) == (part == "aside")]).items():
            print(f"{field:22} {part:6} rules {Share(*counted)}")
    for field, cases in (
        ("effective_date", effective_cases(everything)),
        ("expiration_date", term_cases(everything)),
        ("total", total_cases(data)),
    ):
        for part, outcomes in nested(cases, TARGETS[field]).items():
            if outcomes:
                _keep(found, field, part, shares(outcomes))
                best = sum(each.is_right for each in outcomes) / max(1, sum(e.states for e in outcomes))
                open_ones = [each.is_right for each in outcomes if each.states and not each.given]
                left = sum(open_ones) / max(1, len(open_ones))
                print(f"    best guess right {best:.3f}, of those that are not given {left:.3f}")
    by_name = {each.name: each for each in everything}
    for part, sets in nested_parties(party_cases(everything), by_name).items():
        _keep(found, "parties", part, set_shares(sets))
        whole = sum(each.is_right for each in sets) / max(1, len(sets))
        print(
            f"    best guess: whole sets {whole:.3f}, by name "
            + "P {:.3f} R {:.3f} F1 {:.3f}".format(*names_f1(sets))
        )
        few = [each for each in sets if each.labelled <= 12]
        print("    of at most twelve parties: P {:.3f} R {:.3f} F1 {:.3f}".format(*names_f1(few)))
    return found


def _keep(
    found: dict[str, dict[str, tuple[Share, Share]]], field: str, part: str, of: tuple[Share, Share]
) -> None:
    found.setdefault(field, {})[part] = of
    print(f"{field:22} {part:6} both readers {of[0]}  rules {of[1]}")
