"""The clause heads as two small files: arrays in `heads.npz` (no pickle), all else in `heads.json`."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.domain.fields import DEFAULT_LEVEL, PromiseLevel
from core.errors import UsageError
from core.extract.base import Thresholds
from core.extract.clauses.features import ClausePattern, Frequencies
from core.extract.clauses.heads import Calibration, DocumentStage, LinearHeads, Trees, Weights

FORMAT = 4
ARRAYS = "heads.npz"
FACTS = "heads.json"
SHIPPED = Path(__file__).parent / "artefact"

Arrays = dict[str, NDArray[Any]]


@dataclass(frozen=True, slots=True)
class HeadGroup:
    """A run of deciding heads that share a document stage and a calibration."""

    heads: int
    stage: DocumentStage
    calibration: Calibration


@dataclass(frozen=True, slots=True)
class Artefact:
    """Everything that `ClauseHeads` needs.

    heads: over all names, the deciding ones first. parts: over the first `len(thresholds)` names, in order.
    pattern_types: which patterns the stage counts for a head, by the type that patterns carry. levels: of
    every promise level the thresholds of each deciding head.
    facts: what the model card and the page show: data, date, figures, calibration table.
    """

    heads: LinearHeads
    patterns: tuple[ClausePattern, ...]
    pattern_types: Mapping[str, str]
    parts: tuple[HeadGroup, ...]
    levels: Mapping[PromiseLevel, Mapping[str, Thresholds]]
    facts: Mapping[str, Any]

    @property
    def thresholds(self) -> Mapping[str, Thresholds]:
        """Those of the level that holds where nobody chose another."""
        return self.levels[DEFAULT_LEVEL]


def to_files(artefact: Artefact) -> dict[str, bytes]:
    """The files' contents by name; equal artefacts give equal bytes."""
    arrays: Arrays = {
        "idf_words": artefact.heads.frequencies.words,
        "idf_documents": artefact.heads.frequencies.documents,
        "idf_headings": artefact.heads.frequencies.headings,
    }
    arrays |= _packed("segments", artefact.heads.segments)
    arrays |= _packed("paragraphs", artefact.heads.paragraphs)
    arrays |= _packed("documents", artefact.heads.documents)
    for index, part in enumerate(artefact.parts):
        arrays |= {f"part{index}_{name}": each for name, each in _part_arrays(part).items()}
    facts = {
        "format": FORMAT,
        "names": list(artefact.heads.names),
        "patterns": [[each.type, each.pattern, each.unless] for each in artefact.patterns],
        "pattern_types": dict(artefact.pattern_types),
        "parts": [_part_facts(part) for part in artefact.parts],
        "levels": {
            level.value: [
                [name, each.absent_below, each.present_from, each.why] for name, each in thresholds.items()
            ]
            for level, thresholds in artefact.levels.items()
        },
        "facts": dict(artefact.facts),
    }
    buffer = io.BytesIO()
    np.savez_compressed(buffer, allow_pickle=False, **arrays)
    text = json.dumps(facts, ensure_ascii=False, indent=1) + "\n"
    return {ARRAYS: buffer.getvalue(), FACTS: text.encode()}


def _part_arrays(part: HeadGroup) -> Arrays:
    stage = part.stage
    return {
        "mean": stage.mean.astype(np.float32),
        "deviation": stage.deviation.astype(np.float32),
        "base": stage.base,
        "weights": stage.weights,
        "tree_feature": stage.trees.feature.astype(np.int8),
        "tree_threshold": stage.trees.threshold,
        "tree_left": stage.trees.left.astype(np.uint8),
        "tree_right": stage.trees.right.astype(np.uint8),
        "tree_value": stage.trees.value,
        "offsets": part.calibration.offsets,
    }


def _part_facts(part: HeadGroup) -> dict[str, float]:
    return {
        "heads": part.heads,
        "bias": part.stage.bias,
        "runs": part.stage.runs,
        "depth": part.stage.trees.depth,
        "slope": part.calibration.slope,
        "intercept": part.calibration.bias,
    }


def _part(arrays: Arrays, index: int, facts: Mapping[str, Any]) -> HeadGroup:
    def of(name: str) -> NDArray[Any]:
        return arrays[f"part{index}_{name}"]

    stage = DocumentStage(
        of("mean").astype(np.float64),
        of("deviation").astype(np.float64),
        of("base"),
        of("weights"),
        facts["bias"],
        Trees.of(arrays, f"part{index}_", facts["depth"]),
        facts["runs"],
    )
    return HeadGroup(facts["heads"], stage, Calibration(facts["slope"], facts["intercept"], of("offsets")))


def _packed(prefix: str, weights: Weights) -> Arrays:
    """Weights as bytes: of each head the columns that are not 0, and their values to 1/127 of the largest."""
    scale = np.maximum(np.abs(weights.values).max(axis=0, initial=0), 1e-9) / 127
    steps = np.round(weights.values / scale).astype(np.int8)
    row, head = np.nonzero(steps)
    order = np.lexsort((row, head))
    return {
        f"{prefix}_columns": np.diff(weights.columns, prepend=0).astype(np.uint32),
        f"{prefix}_counts": np.bincount(head, minlength=steps.shape[1]).astype(np.uint32),
        f"{prefix}_rows": row[order].astype(np.uint16 if len(weights.columns) < 65_536 else np.uint32),
        f"{prefix}_steps": steps[row[order], head[order]],
        f"{prefix}_scale": scale.astype(np.float32),
        f"{prefix}_bias": weights.bias.astype(np.float32),
    }


def _unpacked(arrays: Arrays, prefix: str) -> Weights:
    columns = np.cumsum(arrays[f"{prefix}_columns"].astype(np.int64))
    counts = arrays[f"{prefix}_counts"].astype(np.int64)
    values = np.zeros((len(columns), len(counts)), np.float32)
    head = np.repeat(np.arange(len(counts)), counts)
    values[arrays[f"{prefix}_rows"].astype(np.int64), head] = arrays[f"{prefix}_steps"]
    return Weights(columns, values * arrays[f"{prefix}_scale"], arrays[f"{prefix}_bias"])


def read_artefact(folder: Path | None = None) -> Artefact:
    """The artefact in `folder`, or the shipped one. Raises UsageError if there is none of this format."""
    place = folder or SHIPPED
    try:
        return from_files({name: (place / name).read_bytes() for name in (ARRAYS, FACTS)})
    except (OSError, ValueError, KeyError) as error:
        raise UsageError(
            f"The clause heads in {str(place)!r} cannot be read: {error}. Expected {ARRAYS} and {FACTS} as"
            " written by this version; choose another model, or retrain."
        ) from error


def from_files(files: Mapping[str, bytes]) -> Artefact:
    """Artefact that `to_files` wrote. Raises ValueError or KeyError for anything else."""
    facts = json.loads(files[FACTS])
    if facts.get("format") != FORMAT:
        raise ValueError(f"format {facts.get('format')!r}, expected {FORMAT}")
    with np.load(io.BytesIO(files[ARRAYS]), allow_pickle=False) as stored:
        arrays: Arrays = dict(stored)
    return Artefact(
        LinearHeads(
            tuple(facts["names"]),
            _unpacked(arrays, "segments"),
            _unpacked(arrays, "paragraphs"),
            _unpacked(arrays, "documents"),
            Frequencies(arrays["idf_words"], arrays["idf_headings"], arrays["idf_documents"]),
        ),
        tuple(ClausePattern(*each) for each in facts["patterns"]),
        facts["pattern_types"],
        tuple(_part(arrays, index, each) for index, each in enumerate(facts["parts"])),
        {
            level: {name: Thresholds(*rest) for name, *rest in facts["levels"][level.value]}
            for level in PromiseLevel
        },
        facts["facts"],
    )
