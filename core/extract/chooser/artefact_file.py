"""The choosers as two small files: arrays in `values.npz` (no pickle), all else in `values.json`."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.errors import UsageError
from core.extract.chooser.model import GivingLimits, ValueChooser, ValueStage, Words
from core.extract.clauses.heads import Trees

FORMAT = 1
ARRAYS = "values.npz"
FACTS = "values.json"
SHIPPED = Path(__file__).parent / "artefact"

Arrays = dict[str, NDArray[Any]]


@dataclass(frozen=True, slots=True)
class Choosers:
    """Everything that the second reader needs. fields: by the name of the rule. parties: of the set of names.

    facts: what the model card shows: data, date, figures.
    """

    fields: Mapping[str, ValueChooser]
    parties: ValueStage
    party_limits: GivingLimits
    facts: Mapping[str, Any]


def to_files(choosers: Choosers) -> dict[str, bytes]:
    """The files' contents by name; equal choosers give equal bytes."""
    arrays: Arrays = {}
    fields: dict[str, Any] = {}
    for name, chooser in choosers.fields.items():
        arrays[f"{name}_words"] = chooser.words.weights.astype(np.float16)
        arrays[f"{name}_bias"] = chooser.words.bias.astype(np.float32)
        arrays |= _stage_arrays(name, chooser.stage)
        fields[name] = {
            **_stage_facts(chooser.stage),
            "given_from": chooser.limits.given_from,
            "agreed_from": chooser.limits.agreed_from,
            "exclusive": chooser.exclusive,
        }
    arrays |= _stage_arrays("party_set", choosers.parties)
    facts = {
        "format": FORMAT,
        "fields": fields,
        "party_set": {
            **_stage_facts(choosers.parties),
            "given_from": choosers.party_limits.given_from,
            "agreed_from": choosers.party_limits.agreed_from,
        },
        "facts": dict(choosers.facts),
    }
    buffer = io.BytesIO()
    np.savez_compressed(buffer, allow_pickle=False, **arrays)
    return {
        ARRAYS: buffer.getvalue(),
        FACTS: (json.dumps(facts, ensure_ascii=False, indent=1) + "\n").encode(),
    }


def from_files(files: Mapping[str, bytes]) -> Choosers:
    """Choosers that `to_files` wrote. Raises ValueError or KeyError for anything else."""
    facts = json.loads(files[FACTS])
    if facts.get("format") != FORMAT:
        raise ValueError(f"format {facts.get('format')!r}, expected {FORMAT}")
    with np.load(io.BytesIO(files[ARRAYS]), allow_pickle=False) as stored:
        arrays: Arrays = dict(stored)
    fields = {
        name: ValueChooser(
            Words(arrays[f"{name}_words"].astype(np.float32), arrays[f"{name}_bias"]),
            _stage(arrays, name, each),
            GivingLimits(each["given_from"], each["agreed_from"]),
            each["exclusive"],
        )
        for name, each in facts["fields"].items()
    }
    of_set = facts["party_set"]
    limits = GivingLimits(of_set["given_from"], of_set["agreed_from"])
    return Choosers(fields, _stage(arrays, "party_set", of_set), limits, facts["facts"])


def read_choosers(folder: Path | None = None) -> Choosers:
    """The choosers in `folder`, or the shipped ones. Raises UsageError if there are none of this format."""
    place = folder or SHIPPED
    try:
        return from_files({name: (place / name).read_bytes() for name in (ARRAYS, FACTS)})
    except (OSError, ValueError, KeyError) as error:
        raise UsageError(
            f"The choosers of values in {str(place)!r} cannot be read: {error}. Expected {ARRAYS} and {FACTS}"
            " as written by this version; install it again, or run `python -m bench.train_values`."
        ) from error


def _stage_arrays(name: str, stage: ValueStage) -> Arrays:
    trees = stage.trees
    return {
        f"{name}_mean": stage.mean,
        f"{name}_deviation": stage.deviation,
        f"{name}_weights": stage.weights,
        f"{name}_tree_feature": trees.feature.astype(np.int16),
        f"{name}_tree_threshold": trees.threshold,
        f"{name}_tree_left": trees.left.astype(np.uint8),
        f"{name}_tree_right": trees.right.astype(np.uint8),
        f"{name}_tree_value": trees.value,
    }


def _stage_facts(stage: ValueStage) -> dict[str, float]:
    return {
        "bias": stage.bias,
        "runs": stage.runs,
        "depth": stage.trees.depth,
        "slope": stage.slope,
        "offset": stage.offset,
    }


def _stage(arrays: Arrays, name: str, facts: Mapping[str, Any]) -> ValueStage:
    trees = Trees(
        arrays[f"{name}_tree_feature"],
        arrays[f"{name}_tree_threshold"],
        arrays[f"{name}_tree_left"].astype(np.int16),
        arrays[f"{name}_tree_right"].astype(np.int16),
        arrays[f"{name}_tree_value"],
        facts["depth"],
    )
    return ValueStage(
        arrays[f"{name}_mean"],
        arrays[f"{name}_deviation"],
        arrays[f"{name}_weights"],
        facts["bias"],
        trees,
        facts["runs"],
        facts["slope"],
        facts["offset"],
    )
