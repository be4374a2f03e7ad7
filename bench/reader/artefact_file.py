"""The trained reader as the files that `core.plan.readers.trained.trained` reads."""

from __future__ import annotations

import io
import json
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.plan.readers.trained.network import HEADS
from core.plan.readers.trained.trained import ARRAYS, FACTS, FORMAT, LAYER, ReaderArtefact


def to_files(artefact: ReaderArtefact) -> dict[str, bytes]:
    """The files' contents by name; equal artefacts give equal bytes."""
    arrays: dict[str, NDArray[Any]] = {}
    for number, layer in enumerate(artefact.layers):
        for name in LAYER:
            arrays[f"layer{number}_{name}"] = getattr(layer, name).astype(np.float16)
        for name in ("norm", "out_norm"):
            arrays[f"layer{number}_{name}"] = np.stack(getattr(layer, name)).astype(np.float16)
    heads = artefact.heads
    for name in HEADS:
        weight, bias = getattr(heads, name)
        arrays[f"head_{name}"] = weight.astype(np.float16)
        arrays[f"head_{name}_bias"] = bias.astype(np.float32)
    arrays["head_span"] = heads.span.astype(np.float16)
    arrays["head_anchor"] = heads.anchor.astype(np.float16)
    arrays["link_shared"] = artefact.weights.shared.astype(np.float32)
    arrays["link_of_role"] = artefact.weights.of_role.astype(np.float32)
    arrays["link_types"] = artefact.weights.types.astype(np.float32)
    arrays["bank"] = np.round(artefact.bank.vectors * 127).astype(np.int8)
    arrays["bank_owner"] = artefact.bank.owner.astype(np.uint16)
    facts = {
        "format": FORMAT,
        "encoder": artefact.encoder_sha256,
        "heads": {name: list(outputs) for name, outputs in HEADS.items()},
        "layers": len(artefact.layers),
        "bank": [list(key) for key in artefact.bank.fields],
        "existence": artefact.existence.as_facts(),
        "confidence": artefact.confidence.as_facts(),
        "facts": dict(artefact.facts),
    }
    buffer = io.BytesIO()  # not compressed: that saves a tenth, and costs a cold question 0.1 s
    np.savez(buffer, allow_pickle=False, **arrays)
    text = json.dumps(facts, ensure_ascii=False, indent=1) + "\n"
    return {ARRAYS: buffer.getvalue(), FACTS: text.encode()}
