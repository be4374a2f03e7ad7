"""Clause presence on CUAD's 33 yes/no categories: five folds by family, strictly nested.

For every fold the heads, the document stage, the calibration and the choice of candidates-only types come
from the other four, the last two from predictions there that no model had trained on; the thresholds are
constants. Data: CUAD v1, CC BY 4.0.

    python -m bench.fields_cuad --data DIR [--scores FILE] [--patterns FILE]
"""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import average_precision_score

from bench.answers.collection import data_folder
from bench.clauses.crossfit import Held, Side, fit_side, measured
from bench.clauses.figures import (
    ABSENT_GRID,
    PRESENT_GRID,
    choose,
    counted,
    figures,
    span_hits,
    table,
)
from bench.clauses.policy import ABSENT_BELOW, PRESENT_FROM, Policy, fit_policy
from bench.clauses.source import KEEP, Labelled, held_scores, labelled, shipped_patterns
from core.extract.clauses.calibrate import NEVER, reliability
from core.extract.clauses.head_names import CUAD_YES_NO

HEADS = list(CUAD_YES_NO)
BORDERS = (0.0, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 1.01)


@dataclass(frozen=True, slots=True)
class Nested:
    """Of every cell what a model says that saw nothing of its fold.

    below, high: the thresholds that the training side of the cell's fold chose, (documents, heads).
    """

    probabilities: NDArray[np.float64]
    below: NDArray[np.float64]
    high: NDArray[np.float64]


def nested(data: Labelled, held: Held) -> Nested:
    """All five folds."""
    shape = data.yes.shape
    found = Nested(np.zeros(shape), np.zeros(shape), np.full(shape, NEVER))
    folds = range(int(data.fold.max()) + 1)
    for fold in folds:
        side = fit_side(
            {
                other: measured(data.documents, held.inner[fold, other], data.groups, len(HEADS))
                for other in folds
                if other != fold
            },
            data.yes,
        )
        policy = fit_policy(side.held_out, data.yes[side.documents])
        _judge(data, held, fold, side, policy, found)
    return found


def _judge(data: Labelled, held: Held, fold: int, side: Side, policy: Policy, found: Nested) -> None:
    features = measured(data.documents, held.outer[fold], data.groups, len(HEADS))
    for index, each in features.items():
        found.probabilities[index] = side.calibration.probabilities(side.stage.logits(each))
        found.below[index], found.high[index] = policy.below, policy.high


def hits(data: Labelled, held: Held, cells: NDArray[np.bool_]) -> list[list[bool]]:
    """Of the truly present cells among `cells`, whether each of the best segments is the lawyers' text."""
    found = []
    for fold, scores in held.outer.items():
        del fold
        for index, (score, _) in scores.items():
            for head in np.flatnonzero(cells[index] & data.yes[index]):
                best = np.argsort(-score[:, head], kind="stable")[:5]
                found.append([bool(data.documents[index].labels[each, head]) for each in best])
    return found


def report(data: Labelled, held: Held, result: Nested) -> None:
    """Print everything."""
    p, yes = result.probabilities, data.yes
    absent, present = p < result.below, p >= result.high
    print("\nOverall, shipped thresholds:", counted(absent, present, yes))
    print("Fixed .05 / .90:", figures(p, yes, 0.05, 0.9))
    precision = [average_precision_score(yes[:, head], p[:, head]) for head in range(len(HEADS))]
    loss = -np.mean(np.where(yes, np.log(p), np.log(1 - p)))
    print(f"average precision {np.mean(precision):.4f}, log loss {loss:.4f}")
    everything = np.ones(yes.shape, bool)
    for name, cells in (
        ("all", everything),
        ("decided present", present),
        ("uncertain", ~(absent | present)),
    ):
        of = span_hits(hits(data, held, cells))
        print(f"spans, {name}: top {of.top:.3f}, three {of.of_three:.3f}, five {of.of_five:.3f} ({of.cells})")
    print("\nReliability\n")
    rows = reliability(p, yes, BORDERS)
    print(table([{"predicted": a, "observed": b, "cells": count} for a, b, count in rows]))
    print("\nFrontier\n")
    print(table(frontier(p, yes)))
    print("\nBy type\n")
    print(table([_of_type(data, held, result, head, precision[head]) for head in range(len(HEADS))]))


def frontier(p: NDArray[np.float64], yes: NDArray[np.bool_]) -> list[dict[str, object]]:
    """Figures over both thresholds, the same for all types."""
    rows: list[dict[str, object]] = []
    for below in ABSENT_GRID:
        for high in PRESENT_GRID:
            of = figures(p, yes, below, high)
            if below in (ABSENT_BELOW, 0.1) or high == PRESENT_FROM:
                rows.append(
                    {
                        "absent <": f"{below:.3f}",
                        "present >=": f"{high:.2f}",
                        "uncertain": of.uncertain,
                        "present right": of.present_right,
                        "absent right": of.absent_right,
                        "real called absent": of.lost,
                        "micro F1 decided": of.f1,
                    }
                )
    return rows


def _of_type(data: Labelled, held: Held, result: Nested, head: int, precision: float) -> dict[str, object]:
    p, yes = result.probabilities[:, head], data.yes[:, head]
    absent, present = p < result.below[:, head], p >= result.high[:, head]
    of = counted(absent, present, yes)
    only = np.zeros(data.yes.shape, bool)
    only[:, head] = True
    spans = span_hits(hits(data, held, only))
    return {
        "type": HEADS[head],
        "contracts": int(yes.sum()),
        "AP": precision,
        "uncertain": of.uncertain,
        "present": of.present,
        "right": of.present_right,
        "absent": of.absent,
        "absent right": of.absent_right,
        "real called absent": of.lost,
        "top span": spans.top,
        "of three": spans.of_three,
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    data_folder(parser)
    parser.add_argument("--patterns", type=Path, help="JSON of weighted patterns; default: the shipped ones")
    parser.add_argument("--scores", type=Path, help="cross-fitted scores: written, or read where they are")
    parser.add_argument("--keep", type=int, default=KEEP, help="weights that are kept of every head")
    parser.add_argument("--out", type=Path, help="JSON of the probabilities, for docs")
    options = parser.parse_args()
    started = time.perf_counter()
    data = labelled(options.data / "cuad", shipped_patterns(options.patterns))
    held = held_scores(data, options.keep, options.scores)
    result = nested(data, held)
    report(data, held, result)
    if options.out:
        options.out.write_text(json.dumps({"p": result.probabilities.tolist(), "yes": data.yes.tolist()}))
    below, high = choose(result.probabilities, data.yes, 0.96, 0.99)
    print(f"\n(with hindsight, not nested: {below:.3f} / {high:.3f}: ", end="")
    print(figures(result.probabilities, data.yes, below, high), ")")
    print(f"{time.perf_counter() - started:.0f} s")


if __name__ == "__main__":
    main()
