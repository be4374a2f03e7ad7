"""Share of the 80 % intervals of estimated counts that hold the truth, over 300 count questions.

A question is a random sub-collection of the labelled contracts (20 to 310), and a clause type that is present
or absent, or two such conditions at once. Probabilities are nested: of every contract those of a model that
saw nothing of its fold (`bench.fields_cuad`). Sums are simulated: values whose probabilities are right.

    python -m bench.estimates --data DIR [--scores FILE] [--probabilities FILE] [--questions N] [--seed N]

--probabilities: the JSON that `bench.fields_cuad --out` writes, in place of computing them.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bench.answers.collection import data_folder
from bench.clauses.source import KEEP, all_labelled, held_scores, labelled, shipped_patterns
from bench.fields_cuad import ASIDE_SHARE, nested
from core.answer.computed.estimates import Addend, interval, sum_interval

QUESTIONS, SMALLEST, LARGEST = 300, 20, 310
KINDS = ("present", "absent", "both")


@dataclass(frozen=True, slots=True)
class CountQuestion:
    """Trials of one question, and how many of them are true. width: of the interval."""

    kind: str
    size: int
    truth: int
    low: int
    high: int

    @property
    def is_held(self) -> bool:
        """True where the interval holds the truth."""
        return self.low <= self.truth <= self.high


def count_questions(
    p: NDArray[np.float64], yes: NDArray[np.bool_], questions: int, seed: int
) -> list[CountQuestion]:
    """Random questions over (documents, types) probabilities and labels."""
    rng = np.random.default_rng(seed)
    found = []
    for at in range(questions):
        kind = KINDS[at % len(KINDS)]
        size = int(rng.integers(SMALLEST, min(LARGEST, len(p)) + 1))
        rows = rng.choice(len(p), size, replace=False)
        types = rng.choice(p.shape[1], 2 if kind == "both" else 1, replace=False)
        trials, truth = np.ones(size), np.ones(size, bool)
        for number, type in enumerate(types):
            wants = kind == "present" or (kind == "both" and (number == 0 or rng.random() < 0.5))
            trials *= p[rows, type] if wants else 1 - p[rows, type]
            truth &= yes[rows, type] == wants
        low, high = interval(trials.tolist())
        found.append(CountQuestion(kind, size, int(truth.sum()), low, high))
    return found


def simulated_sums(questions: int, seed: int) -> float:
    """Share of the intervals of sums that hold the truth, where probabilities are right."""
    rng = np.random.default_rng(seed)
    held = 0
    for _ in range(questions):
        size = int(rng.integers(5, 80))
        values = [Decimal(int(value)) for value in rng.lognormal(10, 1.5, size)]
        p = rng.beta(0.8, 0.8, size)
        addends = [Addend(value, float(each)) for value, each in zip(values, p, strict=True)]
        is_there = rng.random(size) < p
        truth = sum((value for value, each in zip(values, is_there, strict=True) if each), Decimal(0))
        low, high = sum_interval(addends)
        held += low <= truth <= high
    return held / questions


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    data_folder(parser)
    parser.add_argument("--scores", type=Path, help="cross-fitted scores: written, or read where they are")
    parser.add_argument("--probabilities", type=Path, help="JSON of `bench.fields_cuad --out`")
    parser.add_argument("--questions", type=int, default=QUESTIONS)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    if options.probabilities:
        known = json.loads(options.probabilities.read_text())
        p, yes = np.array(known["p"]), np.array(known["yes"], bool)
    else:
        data = labelled(all_labelled(options.data), shipped_patterns(None), aside=ASIDE_SHARE)
        p, yes = nested(data, held_scores(data, KEEP, options.scores)).probabilities, data.yes
    found = count_questions(p, yes, options.questions, options.seed)
    held, all_of = Counter(each.kind for each in found if each.is_held), Counter(each.kind for each in found)
    for kind in KINDS:
        print(f"{kind}: {held[kind] / max(1, all_of[kind]):.3f} of {all_of[kind]}")
    width = np.mean([each.high - each.low + 1 for each in found])
    print(f"all: {sum(held.values()) / len(found):.3f} of {len(found)}, {width:.1f} numbers wide")
    print(f"sums, simulated: {simulated_sums(options.questions, options.seed):.3f} of {options.questions}")


if __name__ == "__main__":
    main()
