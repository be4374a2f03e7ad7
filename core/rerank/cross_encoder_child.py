"""The child process of a cross-encoder: by sentence-transformers, of a model.onnx by onnxruntime."""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from core.processes.loop import Reply, serve

_MOST_TOKENS = 512
_ONNX = ("model.onnx", "onnx/model.onnx")

Score = Callable[[str, Sequence[str]], Any]


def main() -> None:
    """Score until the input ends."""
    serve(_start, niceness=0, renew_above_mb=float("inf"))


def _start(folder: str) -> Callable[[Any], Reply[list[float]]]:
    try:
        score = _load(Path(folder))
    except Exception as error:  # transformers raises anything from KeyError to RuntimeError for a bad folder
        reason = f"{type(error).__name__}: {error}"[:300]
        return lambda _task: Reply(None, reason)

    def work(task: tuple[str, list[str]]) -> Reply[list[float]]:
        question, texts = task
        try:
            found = np.asarray(score(question, texts), np.float64)
        except Exception as error:
            return Reply(None, f"{type(error).__name__}: {error}"[:300])
        if found.shape != (len(texts),) or not np.isfinite(found).all():
            return Reply(None, f"it gives {found.shape} numbers for {len(texts)} texts, not one finite each")
        return Reply(found.tolist())

    return work


def _load(folder: Path) -> Score:
    onnx = next((folder / name for name in _ONNX if (folder / name).is_file()), None)
    return _by_torch(folder) if onnx is None else _by_onnx(folder, onnx)


def _by_torch(folder: Path) -> Score:
    os.environ["HF_HUB_OFFLINE"] = os.environ["TRANSFORMERS_OFFLINE"] = "1"
    from sentence_transformers import CrossEncoder

    model = CrossEncoder(str(folder), device="cpu", local_files_only=True)

    def score(question: str, texts: Sequence[str]) -> Any:
        pairs = [(question, text) for text in texts]
        return model.predict(pairs, show_progress_bar=False)

    return score


def _by_onnx(folder: Path, file: Path) -> Score:
    onnx = importlib.import_module("onnxruntime")  # no dependency: who has such a model has it
    from tokenizers import Tokenizer

    session, tokenizer = onnx.InferenceSession(str(file)), Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.enable_truncation(_MOST_TOKENS)
    tokenizer.enable_padding()
    wanted = {each.name for each in session.get_inputs()}

    def score(question: str, texts: Sequence[str]) -> Any:
        found = tokenizer.encode_batch([(question, text) for text in texts])
        given = {
            "input_ids": np.array([each.ids for each in found], np.int64),
            "attention_mask": np.array([each.attention_mask for each in found], np.int64),
            "token_type_ids": np.array([each.type_ids for each in found], np.int64),
        }
        logits = session.run(None, {name: value for name, value in given.items() if name in wanted})[0]
        return logits[:, -1]

    return score
