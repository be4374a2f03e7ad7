"""The choosers as the files that `core.extract.chooser.model` reads."""

from __future__ import annotations

import io
import json
from typing import Any

import numpy as np

from core.extract.chooser.model import ARRAYS, FACTS, FORMAT, Arrays, Choosers, ValueStage


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
