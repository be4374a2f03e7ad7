"""Folders with encoders that no package ships: the shipped one with other weights, and a tiny one."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file, save_file

from core.encode.identity import BUILT_IN, find_model

WEIGHTS = "model.safetensors"
TINY_DIMENSION = 32
_SIZES = {384: TINY_DIMENSION, 1536: 64}


def tuned(folder: Path, name: str = "tuned", strength: float = 0.02) -> Path:
    """A copy of the shipped encoder with slightly other weights, as fine-tuning leaves them."""
    made, weights = _copy(folder / name)
    chance = np.random.default_rng(7)
    for key, values in weights.items():
        if values.dtype == np.float32 and values.ndim == 2:
            noise = chance.normal(size=values.shape).astype(np.float32)
            weights[key] = values + strength * float(values.std()) * noise
    save_file(weights, made / WEIGHTS)
    return made


def tiny(folder: Path, name: str = "tiny") -> Path:
    """A random BERT of two layers and 32 numbers, with the shipped tokenizer."""
    made, weights = _copy(folder / name)
    chance = np.random.default_rng(11)
    small = {}
    for key, values in weights.items():
        if ".layer." in key and int(key.split(".layer.")[1].split(".")[0]) > 1:
            continue
        shape = [_SIZES.get(size, size) for size in values.shape]
        is_scale = key.endswith("LayerNorm.weight")
        made_of = np.ones(shape) if is_scale else chance.normal(scale=0.3, size=shape)
        small[key] = made_of.astype(np.float32) if values.dtype == np.float32 else values
    save_file(small, made / WEIGHTS)
    config = json.loads((made / "config.json").read_text())
    config |= {
        "hidden_size": TINY_DIMENSION,
        "intermediate_size": 64,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
    }
    (made / "config.json").write_text(json.dumps(config))
    pooling = made / "1_Pooling" / "config.json"
    told = json.loads(pooling.read_text())
    key = "word_embedding_dimension" if "word_embedding_dimension" in told else "embedding_dimension"
    pooling.write_text(json.dumps({**told, key: TINY_DIMENSION}))
    return made


def _copy(folder: Path) -> tuple[Path, dict[str, np.ndarray]]:
    source = find_model(BUILT_IN)
    shutil.copytree(source, folder, ignore=shutil.ignore_patterns("*.safetensors", "__pycache__", "*.py"))
    return folder, load_file(source / WEIGHTS)
