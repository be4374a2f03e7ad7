"""The mean of two trained readers, of which one goes on from the other: weights that know what both know.

    python -m bench.average_reader BEFORE AFTER OUT
    python -m bench.train_reader --refit OUT

A reader that was trained on reads strangers better and its older questions worse; the mean of the two keeps
most of both (Wortsman et al. 2022, "Model soups"). Phrases and what is fitted are those of AFTER, until
`--refit` fits them anew.
"""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path

import numpy as np

WEIGHTS, FACTS = "reader.npz", "reader.json"


def averaged(before: Path, after: Path, out: Path) -> None:
    """Write the mean of the artefacts in two folders into a third."""
    out.mkdir(parents=True, exist_ok=True)
    with np.load(before / WEIGHTS) as one, np.load(after / WEIGHTS) as other:
        mean = {
            name: other[name] if name.startswith("bank") else _mean(one[name], other[name])
            for name in other.files
        }
    np.savez(out / WEIGHTS, **mean)  # type: ignore[arg-type]
    shutil.copy(after / FACTS, out / FACTS)


def _mean(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    return ((one.astype(np.float64) + other.astype(np.float64)) / 2).astype(other.dtype)


def main() -> None:
    """Average two artefacts."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    for name in ("before", "after", "out"):
        parser.add_argument(name, type=Path)
    options = parser.parse_args()
    averaged(options.before, options.after, options.out)


if __name__ == "__main__":
    main()
