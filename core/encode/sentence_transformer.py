"""Any sentence-transformers model, with sentence vectors out of the same forward pass.

Imports torch (6-30 s, 1.1 GB): for a worker's large batches, and for models that MiniLm cannot compute.
"""

from __future__ import annotations

import copy
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal, Self

import numpy as np
from tokenizers import Tokenizer

from core.domain.passage import Matrix
from core.encode.base import EncodedText, EncoderSignature, TextToEncode
from core.encode.identity import find_model, name_of, sign
from core.encode.tokens import (
    Integers,
    Pools,
    Tokens,
    Window,
    WordPieceCounter,
    cut_windows,
    max_tokens,
    unit,
)
from core.errors import EncoderError

PROBES = (
    "The agreement is governed by the laws of the State of New York.",
    "Total due: $1,234.56 within thirty days of the invoice date, net of taxes and freight.",
    "Hold the power button for five seconds until the indicator turns amber, then release it.",
    "Panel width",
)
BF16_COSINE = 0.9995  # .99995 was measured on a CPU with AMX; a broken kernel is far below


class SentenceTransformerEncoder:
    """An Encoder over a sentence-transformers model; pooling, dense layers and prompts are the model's own.

    Thread-safe. Batches are cut from windows sorted by length, longest first, so that padding stays
    small and too large a batch fails at once.
    """

    def __init__(self, model: Any, folder: Path, signature: EncoderSignature, batch_size: int) -> None:
        import torch

        self._torch = torch
        self._model = model
        self._batch_size = batch_size
        self._counter = _counter(model, folder)
        modules = list(model)
        places = [number for number, module in enumerate(modules) if type(module).__name__ == "Pooling"]
        if places != [1]:
            raise EncoderError(
                f"The model {signature.name!r} does not pool the states of its tokens.",
                next_step="Choose an encoder of the form transformer, pooling (, dense, normalize).",
            )
        self._after = modules[2:]
        self._is_projected = any(type(module).__name__ != "Normalize" for module in self._after)
        self._signature = signature

    @classmethod
    def load(
        cls,
        model: str | Path,
        batch_size: int = 16,
        threads: int = 0,
        bf16: Literal["auto", "on", "off"] = "auto",
        signature: EncoderSignature | None = None,
    ) -> Self:
        """The encoder of `model`: 'minilm', a folder, or a name in the local model cache; never the network.

        threads: torch's, of the whole process; 0 leaves torch's own choice, all cores.
        bf16: `auto` uses it where the CPU computes it natively and the vectors agree with float32.
        Raises EncoderError where the model cannot be loaded, or bf16 is `on` and cannot be used.
        """
        folder = find_model(str(model))
        signature = signature or sign(folder, name_of(str(model)))
        network = _load(folder)
        if threads:
            import torch

            torch.set_num_threads(threads)
        encoder = cls(network, folder, signature, batch_size)
        return encoder if bf16 == "off" else encoder._in_bf16(folder, required=bf16 == "on")

    @property
    def signature(self) -> EncoderSignature:
        """Identity of the vectors that these may be compared with."""
        return self._signature

    def encode_queries(self, texts: Sequence[str]) -> Matrix:
        """(len(texts), d), unit norm, with the model's query prompt; a blank text gives a zero row."""
        encoded = self._encode([TextToEncode(text, ()) for text in texts], self._prompt("query"))
        rows = [item.vector for item in encoded]
        return np.stack(rows) if rows else np.zeros((0, self._signature.dimension), dtype=np.float32)

    def encode_passages(self, texts: Sequence[TextToEncode]) -> list[EncodedText]:
        """Passage and sentence vectors of one forward pass each, in the order given."""
        return self._encode(texts, self._prompt("document", "passage"))

    def _prompt(self, *names: str) -> str:
        prompts: dict[str, str] = self._model.prompts
        chosen = [*names, self._model.default_prompt_name or ""]
        return next((prompts[name] for name in chosen if prompts.get(name)), "")

    def _encode(self, texts: Sequence[TextToEncode], prompt: str) -> list[EncodedText]:
        found = self._counter.tokens([prompt + text.text for text in texts])
        heads, tokens = _without_prompt(found, len(prompt))
        window = self._counter.window - max((len(head) for head in heads), default=0)
        lengths = [len(content) for content in tokens]
        windows = sorted(cut_windows(lengths, window), key=len, reverse=True)
        pools = Pools(texts, tokens, self._signature.dimension, int(self._model[0].get_embedding_dimension()))
        for start in range(0, len(windows), self._batch_size):
            self._run(windows[start : start + self._batch_size], heads, tokens, pools)
        return pools.results(self._project if self._is_projected else None)

    def _run(
        self, batch: Sequence[Window], heads: Sequence[Integers], tokens: Sequence[Tokens], pools: Pools
    ) -> None:
        torch, counter = self._torch, self._counter
        rows = [
            np.concatenate(
                [counter.prefix, heads[w.text], tokens[w.text].ids[w.start : w.stop], counter.suffix]
            )
            for w in batch
        ]
        width = max(len(row) for row in rows)
        padding = self._model.tokenizer.pad_token_id or 0
        ids = np.full((len(rows), width), padding, dtype=np.int64)
        mask = np.zeros((len(rows), width), dtype=np.int64)
        for number, row in enumerate(rows):
            ids[number, : len(row)] = row
            mask[number, : len(row)] = 1
        features = {"input_ids": torch.from_numpy(ids), "attention_mask": torch.from_numpy(mask)}
        pooling = self._model[1]
        if not getattr(pooling, "include_prompt", True):
            features["prompt_length"] = len(counter.prefix) + len(heads[batch[0].text])
        with torch.inference_mode():
            features = self._model[0](features)
            states = features["token_embeddings"].float().numpy()
            for module in (pooling, *self._after):
                features = module(features)
        vectors = unit(features["sentence_embedding"].float().numpy())
        for number, window in enumerate(batch):
            begin = len(counter.prefix) + len(heads[window.text])
            pools.add(window, vectors[number], states[number, begin : begin + len(window)])

    def _project(self, means: Matrix) -> Matrix:
        torch = self._torch
        with torch.inference_mode():
            kind = next(self._model.parameters()).dtype
            features = {"sentence_embedding": torch.from_numpy(means).to(kind)}
            for module in self._after:
                features = module(features)
        return np.asarray(features["sentence_embedding"].float().numpy(), dtype=np.float32)

    def _in_bf16(self, folder: Path, *, required: bool) -> Self:
        """This encoder in bfloat16, where that is fast and right; else itself, or an error if required."""
        if not has_bf16():
            if required:
                raise EncoderError(
                    "encode.bf16 is 'on', but this CPU has neither avx512_bf16 nor amx_bf16.",
                    next_step="Set encode.bf16 to 'auto'.",
                )
            return self
        halved = type(self)(copy.deepcopy(self._model).bfloat16(), folder, self._signature, self._batch_size)
        if agree(self.encode_queries, halved.encode_queries):
            return halved
        if required:
            raise EncoderError(
                f"{self._signature.name!r} in bfloat16 does not agree with float32 on this CPU.",
                next_step="Set encode.bf16 to 'auto'.",
            )
        return self


def has_bf16(cpu: Path = Path("/proc/cpuinfo")) -> bool:
    """True where the CPU multiplies bfloat16 natively; False where that cannot be told."""
    try:
        flags = cpu.read_text(encoding="utf-8").split()
    except OSError:
        return False
    return "avx512_bf16" in flags or "amx_bf16" in flags


def agree(exact: Callable[[Sequence[str]], Matrix], fast: Callable[[Sequence[str]], Matrix]) -> bool:
    """True where two ways of encoding give the same directions, to cosine .9995, on a few probe texts."""
    cosines = (exact(PROBES) * fast(PROBES)).sum(axis=1)
    return bool(np.all(cosines >= BF16_COSINE))


def _load(folder: Path) -> Any:
    os.environ.setdefault("HF_HUB_OFFLINE", "1")  # read when the libraries are imported
    os.environ.setdefault("TRANSFORMERS_OFFLINE", "1")
    from sentence_transformers import SentenceTransformer
    from transformers.utils import logging

    logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    try:
        return SentenceTransformer(str(folder), device="cpu", local_files_only=True).eval()
    except Exception as error:  # transformers raises anything from KeyError to RuntimeError for a bad folder
        raise EncoderError(
            f"The model in {str(folder)!r} cannot be loaded: {error}",
            next_step="Name a complete sentence-transformers folder, or 'minilm', as encode.model.",
        ) from error


def _counter(model: Any, folder: Path) -> WordPieceCounter:
    """The model's own tokenizer, as a copy: the original keeps its truncation."""
    backend = getattr(model.tokenizer, "backend_tokenizer", None)
    if backend is None:
        return WordPieceCounter.load(folder)
    limit = model.max_seq_length
    return WordPieceCounter(Tokenizer.from_str(backend.to_str()), int(limit) if limit else max_tokens(folder))


def _without_prompt(found: Sequence[Tokens], length: int) -> tuple[list[Integers], list[Tokens]]:
    """The prompt's token ids of each text, and the text's own tokens with places in the text."""
    heads, rest = [], []
    for tokens in found:
        count = int(np.searchsorted(tokens.ends, length, side="right")) if length else 0
        heads.append(tokens.ids[:count])
        starts = np.maximum(tokens.starts[count:] - length, 0)
        rest.append(Tokens(tokens.ids[count:], starts, tokens.ends[count:] - length))
    return heads, rest
