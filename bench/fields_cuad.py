"""Clause presence on CUAD's 33 yes/no categories: five folds by family, strictly nested, and a tenth aside.

For every fold the heads, the document stage, the calibration and the choice of types that are decided later
come from the other four, the last two from predictions there that no model had trained on; the thresholds of
the promise levels are constants. A tenth of the contracts is set aside first, of those that the patterns were
not written with: no fold and no constant saw them. Data: CUAD v1, CC BY 4.0.

    python -m bench.fields_cuad --data DIR [--scores FILE] [--patterns FILE] [--promises FILE]
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import average_precision_score, f1_score

from bench.answers.collection import data_folder
from bench.clauses.calibration import reliability
from bench.clauses.crossfit import Held, Scores, fit_side, measured
from bench.clauses.families import ASIDE
from bench.clauses.figures import (
    ABSENT_GRID,
    PRESENT_GRID,
    Figures,
    choose,
    counted,
    figures,
    span_hits,
    table,
)
from bench.clauses.policy import LEVELS, fit_policy
from bench.clauses.source import KEEP, Labelled, all_labelled, held_scores, labelled, shipped_patterns
from core.domain.fields import PromiseLevel
from core.extract.clauses.head_names import CUAD_YES_NO

HEADS = list(CUAD_YES_NO)
ASIDE_SHARE = 0.1
SHOWN_BELOW, SHOWN_FROM = (0.045, 0.2), 0.83
BORDERS = (0.0, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 1.01)


@dataclass(frozen=True, slots=True)
class Nested:
    """Of every cell what a model says that saw nothing of its fold.

    limits: of each promise level the thresholds that the training side of the cell's fold chose, absent below
    and present from, (2, documents, heads).
    """

    probabilities: NDArray[np.float64]
    limits: dict[PromiseLevel, NDArray[np.float64]]

    def absent(self, level: PromiseLevel) -> NDArray[np.bool_]:
        """Mask of the cells that count as absent."""
        return self.probabilities < self.limits[level][0]

    def present(self, level: PromiseLevel) -> NDArray[np.bool_]:
        """Mask of the cells that count as present."""
        return self.probabilities >= self.limits[level][1]


def nested(data: Labelled, held: Held) -> Nested:
    """All five folds, and what was set aside."""
    found = Nested(np.zeros(data.yes.shape), {level: np.zeros((2, *data.yes.shape)) for level in LEVELS})
    folds = range(int(data.fold.max()) + 1)
    for fold in folds:
        others = {other: held.inner[fold, other] for other in folds if other != fold}
        _judge(data, others, held.outer[fold], found)
    if held.aside:
        _judge(data, held.outer, held.aside, found)
    return found


def _judge(data: Labelled, training: Mapping[int, Scores], judged: Scores, found: Nested) -> None:
    """Probabilities and limits of the judged documents, by a side that is fitted on the scores of others."""
    by_fold = {
        fold: measured(data.documents, scores, data.groups, len(HEADS)) for fold, scores in training.items()
    }
    side = fit_side(by_fold, data.yes)
    policies = {level: fit_policy(side.held_out, data.yes[side.documents], level) for level in found.limits}
    for index, each in measured(data.documents, judged, data.groups, len(HEADS)).items():
        found.probabilities[index] = side.calibration.probabilities(side.stage.logits(each))
        for level, policy in policies.items():
            found.limits[level][:, index] = policy.below, policy.high


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
    for level in PromiseLevel:
        for name, rows in parts(data).items():
            print(f"{level.value}, {name}:", _counted(result, yes, level, rows))
    guessed = [f1_score(yes[:, head], p[:, head] >= 0.5, zero_division=0) for head in range(len(HEADS))]
    print(f"best guess at .5: macro F1 {np.mean(guessed):.3f}")
    strict = PromiseLevel.STRICT
    absent, present = result.absent(strict), result.present(strict)
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
    for level in PromiseLevel:
        print(f"\nBy type, {level.value}\n")
        rows_of = [_of_type(data, held, result, level, head, precision[head]) for head in range(len(HEADS))]
        print(table(rows_of))


def parts(data: Labelled) -> dict[str, NDArray[np.bool_]]:
    """Masks of the documents in folds, of those set aside, and of all."""
    aside = data.fold == ASIDE
    return {"folds": ~aside, "aside": aside, "all": np.ones_like(aside)}


def _counted(result: Nested, yes: NDArray[np.bool_], level: PromiseLevel, rows: NDArray[np.bool_]) -> Figures:
    return counted(result.absent(level)[rows], result.present(level)[rows], yes[rows])


def promises(data: Labelled, result: Nested) -> dict[str, dict[str, dict[str, float]]]:
    """Of each level and part the figures that a page shows beside the level's name."""
    return {
        level.value: {
            name: {
                "cells": of.cells,
                "uncertain": round(of.uncertain, 4),
                "present_right": round(of.present_right, 4),
                "absent_right": round(of.absent_right, 4),
            }
            for name, rows in parts(data).items()
            if rows.any()
            for of in [_counted(result, data.yes, level, rows)]
        }
        for level in PromiseLevel
    }


def frontier(p: NDArray[np.float64], yes: NDArray[np.bool_]) -> list[dict[str, object]]:
    """Figures over both thresholds, the same for all types."""
    rows: list[dict[str, object]] = []
    for below in ABSENT_GRID:
        for high in PRESENT_GRID:
            of = figures(p, yes, below, high)
            if below in SHOWN_BELOW or high == SHOWN_FROM:
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


def _of_type(
    data: Labelled, held: Held, result: Nested, level: PromiseLevel, head: int, precision: float
) -> dict[str, object]:
    yes = data.yes[:, head]
    absent, present = result.absent(level)[:, head], result.present(level)[:, head]
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
    parser.add_argument("--promises", type=Path, help="JSON of the levels' figures, for `bench.train_heads`")
    options = parser.parse_args()
    started = time.perf_counter()
    data = labelled(all_labelled(options.data), shipped_patterns(options.patterns), aside=ASIDE_SHARE)
    held = held_scores(data, options.keep, options.scores)
    result = nested(data, held)
    report(data, held, result)
    if options.out:
        options.out.write_text(json.dumps({"p": result.probabilities.tolist(), "yes": data.yes.tolist()}))
    if options.promises:
        options.promises.write_text(json.dumps(promises(data, result), indent=1) + "\n")
    below, high = choose(result.probabilities, data.yes, 0.96, 0.99)
    print(f"\n(with hindsight, not nested: {below:.3f} / {high:.3f}: ", end="")
    print(figures(result.probabilities, data.yes, below, high), ")")
    print(f"{time.perf_counter() - started:.0f} s")


if __name__ == "__main__":
    main()
