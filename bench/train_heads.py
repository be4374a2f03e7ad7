"""Train the clause heads on every labelled contract, and write the artefact.

Data: CUAD v1 (The Atticus Project, CC BY 4.0). Calibration comes from out-of-fold predictions, five folds by
family; thresholds are the constants of `bench.clauses.policy`, for a type by what the predictions show.
`python -m bench.fields_cuad` reports the strictly nested figures; the model card is `docs/models/clauses.md`.

    python -m bench.train_heads --data DIR [--promises FILE] [--patterns FILE] [--out FOLDER]
        [--keep 1500] [--date ISO] [--without FILE]
"""

from __future__ import annotations

import argparse
import json
import time
from datetime import UTC, date, datetime
from pathlib import Path

import numpy as np

from bench.answers.collection import data_folder
from bench.clauses.calibration import reliability
from bench.clauses.crossfit import fit_side, measured
from bench.clauses.families import families, folds
from bench.clauses.gold import CUAD_VALUES
from bench.clauses.headed import fit_headed, prepare_headed, read_others
from bench.clauses.policy import fit_policy
from bench.clauses.source import KEEP, NAMES, Labelled, all_labelled, labelled, shipped_patterns
from bench.clauses.training import fit, merge_heads, prune_heads, scored
from core.domain.fields import PromiseLevel
from core.extract.base import Thresholds
from core.extract.clauses.artefact_file import SHIPPED, Artefact, HeadGroup, to_files
from core.extract.clauses.features import ClausePattern, Frequencies, PatternBits
from core.extract.clauses.head_names import BY_HEADINGS, CUAD_YES_NO
from core.extract.clauses.heads import LinearHeads, groups_by_type

SOURCES = (
    "CUAD v1, The Atticus Project, CC BY 4.0: 345 contracts",
    "ContractNLI, Stanford NLP, CC BY 4.0: 61 non-disclosure agreements (types outside CUAD only)",
    "MAUD, The Atticus Project, CC BY 4.0: 6 merger agreements (types outside CUAD only)",
)
HEADED_THRESHOLDS = {
    PromiseLevel.STRICT: (0.04, 0.95),
    PromiseLevel.BALANCED: (0.05, 0.90),
    PromiseLevel.BROAD: (0.05, 0.90),
}
"""Absent below, present from, for types that headings labelled: checked by hand, see the model card."""
BORDERS = (0.0, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 1.01)


def main() -> None:
    """Train, print, and store."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    data_folder(parser)
    parser.add_argument("--patterns", type=Path, help="JSON of weighted patterns; default: the shipped ones")
    parser.add_argument("--out", type=Path, default=SHIPPED)
    parser.add_argument("--promises", type=Path, help="JSON of what `bench.fields_cuad --promises` measured")
    parser.add_argument("--keep", type=int, default=KEEP, help="weights that are kept of every head")
    parser.add_argument(
        "--date",
        type=date.fromisoformat,
        default=datetime.now(UTC).date(),
        help="of the training; default: today",
    )
    parser.add_argument("--without", type=Path, help="names of contracts left out with their families")
    options = parser.parse_args()
    started = time.perf_counter()
    patterns = shipped_patterns(options.patterns)
    without = options.without.read_text(encoding="utf-8").splitlines() if options.without else ()
    data = labelled(all_labelled(options.data), patterns, without=without)
    print(f"{len(data.contracts)} contracts", flush=True)
    by_fold = {}
    for fold in range(int(data.fold.max()) + 1):
        seen = [data.documents[i] for i in np.flatnonzero(data.fold != fold)]
        heads = prune_heads(fit(seen, NAMES), options.keep)
        found = {int(i): scored(heads, data.documents[i]) for i in np.flatnonzero(data.fold == fold)}
        scores = {index: (each.scores, each.prior) for index, each in found.items()}
        by_fold[fold] = measured(data.documents, scores, data.groups, len(CUAD_YES_NO))
        print(f"fold {fold} scored, {time.perf_counter() - started:.0f} s", flush=True)
    side = fit_side(by_fold, data.yes)
    cuad = prune_heads(fit(data.documents, NAMES), options.keep)
    headed, part = train_headed(options.data, data, patterns, cuad.frequencies, options.keep)
    artefact = Artefact(
        merge_heads(cuad, headed, (*CUAD_YES_NO, *BY_HEADINGS, *CUAD_VALUES)),
        tuple(patterns),
        {**CUAD_YES_NO, **BY_HEADINGS},
        (HeadGroup(len(CUAD_YES_NO), side.stage, side.calibration), part),
        {
            level: {
                **fit_policy(side.held_out, data.yes[side.documents], level).thresholds(list(CUAD_YES_NO)),
                **{name: Thresholds(*HEADED_THRESHOLDS[level]) for name in BY_HEADINGS},
            }
            for level in PromiseLevel
        },
        {
            "date": options.date.isoformat(),
            "data": SOURCES,
            "calibration": reliability(side.held_out, data.yes[side.documents], BORDERS),
            "promises": json.loads(options.promises.read_text(encoding="utf-8")) if options.promises else {},
            "contracts": {name: int(data.yes[:, head].sum()) for head, name in enumerate(CUAD_YES_NO)},
        },
    )
    options.out.mkdir(parents=True, exist_ok=True)
    for name, content in to_files(artefact).items():
        (options.out / name).write_bytes(content)
        print(f"{name}: {len(content):,} bytes")
    print(f"{time.perf_counter() - started:.0f} s")


def train_headed(
    folder: Path, data: Labelled, patterns: list[ClausePattern], frequencies: Frequencies, keep: int
) -> tuple[LinearHeads, HeadGroup]:
    """Heads of the types outside CUAD, from the contracts, the NDAs and the merger agreements."""
    bits = PatternBits(patterns)
    others = read_others(folder)
    documents = [prepare_headed(each.document.text, bits, each.spans) for each in data.contracts]
    documents += [prepare_headed(each.text, bits) for each in others]
    group = families([each.source for each in others], [each.text for each in others])
    groups = groups_by_type(list(BY_HEADINGS), BY_HEADINGS, [each.type for each in patterns])
    return fit_headed(documents, np.concatenate([data.fold, folds(group)]), groups, frequencies, keep)


if __name__ == "__main__":
    main()
