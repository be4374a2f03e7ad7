"""Train the clause heads on every labelled contract, and write the artefact and its model card.

Data: CUAD v1 (The Atticus Project, CC BY 4.0). Calibration and thresholds come from out-of-fold predictions,
five folds by family; `python -m bench.fields_cuad` reports the strictly nested figures.

    python -m bench.train_heads --data DIR [--patterns FILE] [--out FOLDER] [--keep 1000]
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np

from bench.answers.collection import data_folder
from bench.clauses.crossfit import fit_side, measured
from bench.clauses.policy import fit_policy
from bench.clauses.source import NAMES, labelled, shipped_patterns
from bench.clauses.training import fit, prune_heads, scored
from core.ingest.extract.artefact_file import SHIPPED, Artefact, to_files
from core.ingest.extract.calibrate import reliability
from core.ingest.extract.head_names import CUAD_YES_NO

DATE = "2026-11-22"
BORDERS = (0.0, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 1.01)


def main() -> None:
    """Train, print, and store."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    data_folder(parser)
    parser.add_argument("--patterns", type=Path, help="JSON of weighted patterns; default: the shipped ones")
    parser.add_argument("--out", type=Path, default=SHIPPED)
    parser.add_argument("--keep", type=int, default=1_000, help="weights that are kept of every head")
    options = parser.parse_args()
    started = time.perf_counter()
    patterns = shipped_patterns(options.patterns)
    data = labelled(options.data / "cuad", patterns)
    by_fold = {}
    for fold in range(int(data.fold.max()) + 1):
        heads = prune_heads(
            fit([data.documents[i] for i in np.flatnonzero(data.fold != fold)], NAMES), options.keep
        )
        found = {int(i): scored(heads, data.documents[i]) for i in np.flatnonzero(data.fold == fold)}
        scores = {index: (each.scores, each.prior) for index, each in found.items()}
        by_fold[fold] = measured(data.documents, scores, data.groups, len(CUAD_YES_NO))
        print(f"fold {fold} scored, {time.perf_counter() - started:.0f} s")
    side = fit_side(by_fold, data.yes)
    artefact = Artefact(
        prune_heads(fit(data.documents, NAMES), options.keep),
        tuple(patterns),
        CUAD_YES_NO,
        side.stage,
        side.calibration,
        fit_policy(side.held_out, data.yes[side.documents]).thresholds(list(CUAD_YES_NO)),
        {
            "date": DATE,
            "data": "CUAD v1, The Atticus Project, CC BY 4.0, 200 contracts",
            "calibration": reliability(side.held_out, data.yes[side.documents], BORDERS),
        },
    )
    options.out.mkdir(parents=True, exist_ok=True)
    for name, content in to_files(artefact).items():
        (options.out / name).write_bytes(content)
        print(f"{name}: {len(content):,} bytes")
    print(f"{time.perf_counter() - started:.0f} s")


if __name__ == "__main__":
    main()
