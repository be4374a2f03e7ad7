"""A reviewer who works through the uncertain clauses of unseen contracts, in the order of the work list.

For each of five folds by family of CUAD's contracts (33 yes/no categories), the fold's contracts are put into
a home of their own with the cells that heads, document stage, calibration and choice of candidates-only types
from the other four folds give. The reviewer asks the product's own work list what to look at, and answers
with the lawyers' label, through the product's own reviews; retraining is the product's own job.

A verdict fixes an error where the label differs from the best guess: that the clause is there if its
probability is .5 or more, else that it is not. It is what would stand in the cell if nobody could be unsure.

After 20, 50, 100, ... verdicts the product may retrain. Where it switches the new model in, all cells are
extracted anew and the list goes on in their order. What that does to the cells that were held back, and to
all that nobody reviewed, is counted against the labels. A last run begins with probabilities that are wrong
on purpose. Data: CUAD v1, CC BY 4.0.

    python -m bench.reviewer --data DIR [--scores FILE]
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from bench.answers.collection import data_folder
from bench.clauses.crossfit import Held, fit_side, measured
from bench.clauses.figures import table
from bench.clauses.policy import fit_policy
from bench.clauses.reviewing import Checkpoint, Fold, GuessErrors, Home, Retrained
from bench.clauses.source import KEEP, Labelled, held_scores, labelled, shipped_patterns
from core.domain.fields import PromiseLevel
from core.extract.clauses.artefact_file import Artefact, HeadGroup, read_artefact
from core.extract.clauses.head_names import CUAD_YES_NO
from core.extract.clauses.heads import LinearHeads, Weights

HEADS = list(CUAD_YES_NO)
FIRST = 20
STOPS = (0, FIRST, 50, 100, 200, 300, 400)
CHECKED = 200
"""Decided cells, drawn at random, that the reviewer of the last run looks at before the list."""


@dataclass(frozen=True, slots=True)
class Run:
    """How a reviewer goes about it. checked: decided cells that are looked at first; off: what is added to
    every logit, so that there is something to learn."""

    name: str
    retrains: bool
    checked: int = 0
    off: float = 0.0


RUNS = (
    Run("verdicts alone", retrains=False),
    Run("retrained at each step", retrains=True),
    Run(f"retrained, {CHECKED} decided cells checked first", retrains=True, checked=CHECKED),
    Run("retrained, all logits 1 too high", retrains=True, off=1.0),
)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    data_folder(parser)
    parser.add_argument("--scores", type=Path, help="cross-fitted scores: written, or read where they are")
    options = parser.parse_args()
    started = time.perf_counter()
    data = labelled([options.data / "cuad"], shipped_patterns(None))
    held = held_scores(data, KEEP, options.scores)
    folds = []
    for fold in folds_of(data, held):
        folds.append(fold)
        print(f"fold {len(folds) - 1} trained, {time.perf_counter() - started:.0f} s", flush=True)
    for run in RUNS:
        report(run, [review(fold, run, number) for number, fold in enumerate(folds)])
        print(f"\n{time.perf_counter() - started:.0f} s", flush=True)


def folds_of(data: Labelled, held: Held) -> Iterator[Fold]:
    """What the other four folds say of each fold's contracts."""
    shipped = read_artefact()
    width = len(shipped.heads.names)
    none = Weights(np.zeros(0, np.int64), np.zeros((0, width), np.float32), np.zeros(width, np.float32))
    numbers = range(int(data.fold.max()) + 1)
    for fold in numbers:
        side = fit_side(
            {
                other: measured(data.documents, held.inner[fold, other], data.groups, len(HEADS))
                for other in numbers
                if other != fold
            },
            data.yes,
        )
        found = data.yes[side.documents]
        levels = {level: fit_policy(side.held_out, found, level).thresholds(HEADS) for level in PromiseLevel}
        artefact = Artefact(
            LinearHeads(shipped.heads.names, none, none, none, shipped.heads.frequencies),
            shipped.patterns,
            shipped.pattern_types,
            (HeadGroup(len(HEADS), side.stage, side.calibration), *shipped.parts[1:]),
            {level: {**shipped.levels[level], **levels[level]} for level in PromiseLevel},
            shipped.facts,
        )
        features = measured(data.documents, held.outer[fold], data.groups, len(HEADS))
        yield Fold(data, artefact, held.outer[fold], features)


@dataclass(frozen=True, slots=True)
class Reviewed:
    """One reviewer, one fold."""

    errors: GuessErrors
    points: tuple[Checkpoint, ...]


def review(fold: Fold, run: Run, number: int) -> Reviewed:
    """Answer up to the last stop, or to the end of the list."""
    found: list[Checkpoint] = []
    with TemporaryDirectory() as folder, Home.opened(Path(folder), fold.off_by(run.off)) as home:
        errors = home.guess_errors()
        home.check_decided(run.checked, np.random.default_rng(number))
        given = fixed = 0
        for stop in STOPS:
            answered = [verdict for _ in range(given, stop) if (verdict := home.answer()) is not None]
            given, fixed = given + len(answered), fixed + sum(answered)
            retrained = home.retrain() if run.retrains and given else None
            found.append(Checkpoint(given, fixed, home.uncertain(), retrained))
    return Reviewed(errors, tuple(found))


def report(run: Run, folds: list[Reviewed]) -> None:
    """Print the run: the first verdicts, the curve, and what became of each retraining."""
    print(f"\n## {run.name}\n")
    cells = sum(each.errors.cells for each in folds)
    if not run.retrains:
        first = [each.points[STOPS.index(FIRST)] for each in folds]
        doubtful = sum(each.errors.uncertain for each in folds)
        print(f"of the first {FIRST} verdicts fix an error, by fold:", [each.fixed for each in first])
        print(f"in all {sum(each.fixed for each in first) / sum(each.given for each in first):.3f}")
        print(f"random uncertain cell {sum(each.errors.wrong_uncertain for each in folds) / doubtful:.3f}")
        print(f"random cell {sum(each.errors.wrong for each in folds) / cells:.3f}\n")
    rows: list[dict[str, object]] = []
    for at, stop in enumerate(STOPS):
        here = [each.points[at] for each in folds]
        left = sum(each.uncertain for each in here)
        rows.append(
            {
                "verdicts a fold": stop,
                "given": sum(each.given for each in here),
                "fixed an error": sum(each.fixed for each in here),
                "uncertain left": left,
                "share": left / cells,
                "retrained": sum(each.retrained is not None for each in here),
                "switched in": sum(bool(each.retrained and each.retrained.is_used) for each in here),
            }
        )
    print(table(rows))
    made = [(number, point) for number, each in enumerate(folds) for point in each.points if point.retrained]
    if made:
        print("\n" + table([_of_retraining(number, point, point.retrained) for number, point in made]))


def _of_retraining(fold: int, point: Checkpoint, of: Retrained | None) -> dict[str, object]:
    assert of is not None
    return {
        "fold": fold,
        "from the list": point.given,
        "verdicts": of.verdicts,
        "held back": of.held_back,
        "log loss": of.log_loss,
        "decided right": of.decided_right,
        "switched in": "yes" if of.is_used else of.why_not,
        "held-back decided made worse": of.held_worse,
        "nobody's: decided right, then wrong": of.others_wrong,
        "nobody's: decided right, then uncertain": of.others_open,
        "uncertain": f"{of.uncertain_before} > {of.uncertain_after}",
    }


if __name__ == "__main__":
    main()
