"""The labelled contracts, segmented and measured, with their folds; kept in a file between runs if asked."""

from __future__ import annotations

import pickle
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bench.clauses.crossfit import Held, score_all
from bench.clauses.families import ASIDE, families, folds, set_aside
from bench.clauses.gold import CUAD_VALUES, Contract, read_contracts
from bench.clauses.headed_types import headed_patterns
from bench.clauses.patterns import read_patterns
from bench.clauses.training import Prepared, prepare
from core.extract.clauses.artefact_file import read_artefact
from core.extract.clauses.features import ClausePattern, PatternBits
from core.extract.clauses.head_names import CUAD_YES_NO
from core.extract.clauses.heads import groups_by_type

NAMES = (*CUAD_YES_NO, *CUAD_VALUES)
KEEP = 1_500
"""Weights that are kept of every head: measured, AP -.002 against all of them."""


@dataclass(frozen=True, slots=True)
class Labelled:
    """Contracts in file order. yes: (contracts, 33). groups: pattern columns of each of the 33 heads.

    fold: of each contract, families whole; ASIDE of those that no fold holds.
    """

    contracts: list[Contract]
    documents: list[Prepared]
    fold: NDArray[np.int64]
    yes: NDArray[np.bool_]
    groups: list[NDArray[np.int64]]


def all_labelled(data: Path) -> tuple[Path, ...]:
    """The folders of all labelled contracts: the 200 that the patterns were written with, and 145 more."""
    return (data / "cuad", data / "cuad" / "more")


def labelled(
    folders: Sequence[Path],
    patterns: list[ClausePattern],
    *,
    aside: float = 0.0,
    apart_from: str = "more",
    without: Collection[str] = (),
) -> Labelled:
    """Everything of folders like DATA/cuad that training needs.

    aside: share of the contracts that no fold holds, whole families of the folder `apart_from` alone.
    without: names of contracts that are left out with their families.
    """
    contracts = read_contracts(*folders)
    group = families([each.name for each in contracts], [each.document.text for each in contracts])
    left_out = {of for each, of in zip(contracts, group, strict=True) if each.name in without}
    kept = [at for at, of in enumerate(group) if of not in left_out]
    contracts, group = [contracts[at] for at in kept], [group[at] for at in kept]
    bits = PatternBits(patterns)
    documents = [
        prepare(each.document.text, [each.spans[head] for head in NAMES], bits) for each in contracts
    ]
    fold = folds(group)
    if aside:
        apart = {
            path.name for each in folders if each.name == apart_from for path in each.glob("contracts/*")
        }
        fold[set_aside(group, [each.name in apart for each in contracts], round(aside * len(contracts)))] = (
            ASIDE
        )
    return Labelled(
        contracts,
        documents,
        fold,
        np.array([[each.yes[head] for head in CUAD_YES_NO] for each in contracts]),
        groups_by_type(list(CUAD_YES_NO), CUAD_YES_NO, [each.type for each in patterns]),
    )


def held_scores(data: Labelled, pruning: int, keep: Path | None = None) -> Held:
    """Cross-fitted scores; read from `keep` where it is there, else computed and written there."""
    if keep and keep.exists():
        held: Held = pickle.loads(keep.read_bytes())
        return held
    held = score_all(data.documents, data.fold, NAMES, pruning)
    if keep:
        keep.write_bytes(pickle.dumps(held))
    return held


def shipped_patterns(file: Path | None) -> list[ClausePattern]:
    """The patterns in `file`, or those of the shipped artefact."""
    return [*read_patterns(file), *headed_patterns()] if file else list(read_artefact().patterns)
