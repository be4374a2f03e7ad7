"""MiniLM in numpy: vectors without torch, equal to sentence-transformers to 1e-5.

Loads in about .3 s and 200 MB, where torch and sentence-transformers take 6-10 s and 1.1 GB.
Source of the architecture: Devlin et al. 2019 (BERT); Wang et al. 2020 (MiniLM); mean pooling as in
Reimers and Gurevych 2019 (Sentence-BERT).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np
from safetensors import SafetensorError, safe_open
from threadpoolctl import ThreadpoolController

from core.domain.passage import Matrix, Vector
from core.encode.base import EncodedText, EncoderSignature, TextToEncode
from core.encode.identity import sign
from core.encode.tokens import Integers, Pools, Tokens, Window, WordPieceCounter, cut_windows, read_json, unit
from core.errors import EncoderError

PACK_TOKENS = 512  # of one forward pass over several texts: the (512, 1536) hidden layer stays in cache
BLOCK = 16_384  # elements of GELU at a time: input and three buffers fit the L2 cache


@dataclass(frozen=True, slots=True)
class TransformerLayer:
    """Weights of one layer: attention, then two dense products, each with its normalisation."""

    qkv: Matrix  # (3d, d): one product instead of three
    qkv_bias: Vector
    out: Matrix
    out_bias: Vector
    norm: tuple[Vector, Vector]
    up: Matrix
    up_bias: Vector
    down: Matrix
    down_bias: Vector
    out_norm: tuple[Vector, Vector]


@dataclass(frozen=True, slots=True)
class TransformerStack:
    """Layers run one after another; others of the same shape may stand in for the last ones."""

    layers: tuple[TransformerLayer, ...]
    heads: int
    epsilon: float

    def run(self, states: Matrix, spans: Sequence[tuple[int, int]]) -> Matrix:
        """States (tokens of all sequences, d) after all layers; each of `spans` is one sequence."""
        for layer in self.layers:
            attended = _attend(states @ layer.qkv.T + layer.qkv_bias, spans, self.heads)
            mixed: Matrix = attended @ layer.out.T
            mixed += layer.out_bias
            mixed += states
            _normalise(mixed, layer.norm, self.epsilon)
            hidden: Matrix = mixed @ layer.up.T
            hidden += layer.up_bias
            _gelu(hidden)
            states = hidden @ layer.down.T
            states += layer.down_bias
            states += mixed
            _normalise(states, layer.out_norm, self.epsilon)
        return states


@dataclass(frozen=True, slots=True)
class TokenStates:
    """States of one text's tokens, (n, d), special tokens first and last; `tokens` are those between."""

    states: Matrix
    tokens: Tokens


@dataclass(frozen=True, slots=True)
class _Weights:
    words: Matrix
    places: Matrix  # position embeddings with the one token type that is used added in
    norm: tuple[Vector, Vector]
    stack: TransformerStack


class MiniLm:
    """A BERT-shaped, mean-pooled sentence encoder in numpy. Thread-safe; also a TokenCounter.

    Texts are packed one behind the other without padding, so that mixed lengths cost nothing.
    """

    def __init__(
        self, counter: WordPieceCounter, weights: _Weights, signature: EncoderSignature, threads: int
    ) -> None:
        self._counter = counter
        self._weights = weights
        self._signature = signature
        self._threads = threads

    @classmethod
    def load(
        cls, model_dir: Path | str, signature: EncoderSignature | None = None, *, threads: int = 1
    ) -> Self:
        """The model in `model_dir`.

        signature: where the caller knows it already; else the weights are hashed.
        threads: for batches. BLAS itself is held to one thread in this process: its threads would multiply
        ours, and under load one a query answers four times as many (docs/decisions/0003-encoder.md).
        Raises EncoderError where the folder holds no model of this shape.
        """
        folder = Path(model_dir)
        if not fits(folder):
            raise EncoderError(
                f"The model in {str(folder)!r} is not a mean-pooled BERT with safetensors weights.",
                next_step="Use a sentence-transformers encoder for it, or encode.model = 'minilm'.",
            )
        weights = _read_weights(folder)
        ThreadpoolController().limit(limits=1, user_api="blas")
        return cls(WordPieceCounter.load(folder), weights, signature or sign(folder), max(1, threads))

    @property
    def signature(self) -> EncoderSignature:
        """Identity of the vectors that these may be compared with."""
        return self._signature

    @property
    def window(self) -> int:
        """Content tokens of one forward pass."""
        return self._counter.window

    def offsets(self, text: str) -> list[tuple[int, int]]:
        """The character span of every token of `text`, in order; [] for blank text."""
        return self._counter.offsets(text)

    def encode_queries(self, texts: Sequence[str]) -> Matrix:
        """(len(texts), d), unit norm; a blank text gives a zero row, [] gives (0, d)."""
        encoded = self.encode_passages([TextToEncode(text, ()) for text in texts])
        rows = [item.vector for item in encoded]
        return np.stack(rows) if rows else np.zeros((0, self._signature.dimension), dtype=np.float32)

    def encode_passages(self, texts: Sequence[TextToEncode]) -> list[EncodedText]:
        """Passage and sentence vectors of one forward pass each, in the order given."""
        tokens = self._counter.tokens([text.text for text in texts])
        dimension = self._signature.dimension
        pools = Pools(texts, tokens, dimension, dimension)
        packs = list(_packs(cut_windows([len(found) for found in tokens], self.window)))

        def run(pack: list[Window]) -> Matrix:
            return self._forward([self._with_special(tokens[w.text], w) for w in pack])

        if self._threads == 1 or len(packs) < 2:
            outputs: Iterable[Matrix] = map(run, packs)
            self._pool(packs, outputs, pools)
        else:
            with ThreadPoolExecutor(self._threads, thread_name_prefix="encode") as executor:
                for start in range(0, len(packs), 64):  # bounds the states that wait to be pooled
                    part = packs[start : start + 64]
                    self._pool(part, executor.map(run, part), pools)
        return pools.results()

    def stack(self, layers: slice) -> TransformerStack:
        """Some of the layers."""
        stack = self._weights.stack
        return TransformerStack(stack.layers[layers], stack.heads, stack.epsilon)

    def token_states(self, texts: Sequence[str], layers: TransformerStack) -> list[TokenStates]:
        """States of the tokens of each text after `layers`; what goes beyond the window is left out."""
        last = self.window
        found = [
            Tokens(each.ids[:last], each.starts[:last], each.ends[:last])
            for each in self._counter.tokens(texts)
        ]
        windows = [Window(number, 0, len(tokens)) for number, tokens in enumerate(found)]
        results = []
        for pack in _packs(windows):
            states, spans = self._embed([self._with_special(found[window.text], window) for window in pack])
            states = layers.run(states, spans)
            results += [
                TokenStates(states[start:end], found[window.text])
                for window, (start, end) in zip(pack, spans, strict=True)
            ]
        return results

    def _with_special(self, tokens: Tokens, window: Window) -> Integers:
        parts = (self._counter.prefix, tokens.ids[window.start : window.stop], self._counter.suffix)
        return np.concatenate(parts).astype(np.int64)

    def _pool(self, packs: Sequence[list[Window]], outputs: Iterable[Matrix], pools: Pools) -> None:
        before, after = len(self._counter.prefix), len(self._counter.suffix)
        for pack, states in zip(packs, outputs, strict=True):
            place = 0
            for window in pack:
                end = place + before + len(window) + after
                vector = unit(states[place:end].mean(axis=0))
                pools.add(window, vector, states[place + before : end - after])
                place = end

    def _forward(self, sequences: Sequence[Integers]) -> Matrix:
        """Last states (tokens of all sequences, d), the sequences one behind the other."""
        states, spans = self._embed(sequences)
        return self._weights.stack.run(states, spans)

    def _embed(self, sequences: Sequence[Integers]) -> tuple[Matrix, list[tuple[int, int]]]:
        """States before the first layer, and where each sequence stands in them."""
        weights = self._weights
        edges = np.cumsum([0, *(len(ids) for ids in sequences)])
        spans = list(zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True))
        states: Matrix = weights.words[np.concatenate(sequences)]
        for start, end in spans:
            states[start:end] += weights.places[: end - start]
        _normalise(states, weights.norm, weights.stack.epsilon)
        return states, spans


def fits(folder: Path) -> bool:
    """True where MiniLm computes what sentence-transformers would for the model in `folder`."""
    config = read_json(folder / "config.json")
    pooling = read_json(folder / "1_Pooling" / "config.json")
    modes = {name for name, value in pooling.items() if name.startswith("pooling_mode_") and value is True}
    prompts = read_json(folder / "config_sentence_transformers.json").get("prompts") or {}
    has_prompts = isinstance(prompts, dict) and any(prompts.values())
    return (
        config.get("model_type") == "bert"
        and config.get("hidden_act") == "gelu"
        and config.get("position_embedding_type", "absolute") == "absolute"
        and (modes == {"pooling_mode_mean_tokens"} or pooling.get("pooling_mode") == "mean")
        and not has_prompts
        and not (folder / "2_Dense").exists()
        and (folder / "model.safetensors").is_file()
        and (folder / "tokenizer.json").is_file()
    )


def _packs(windows: Sequence[Window]) -> Iterable[list[Window]]:
    pack: list[Window] = []
    size = 0
    for window in windows:
        if pack and size + len(window) > PACK_TOKENS:
            yield pack
            pack, size = [], 0
        pack.append(window)
        size += len(window)
    if pack:
        yield pack


def _attend(qkv: Matrix, spans: Sequence[tuple[int, int]], heads: int) -> Matrix:
    """Softmax attention within each sequence: (tokens, 3d) gives (tokens, d)."""
    dimension = qkv.shape[1] // 3
    size = dimension // heads
    output = np.empty((len(qkv), dimension), dtype=np.float32)
    for start, end in spans:
        # (3, heads, tokens, size)
        parts = qkv[start:end].reshape(end - start, 3, heads, size).transpose(1, 2, 0, 3)
        scores = np.matmul(parts[0] * np.float32(size**-0.5), parts[1].transpose(0, 2, 1))
        scores -= scores.max(axis=-1, keepdims=True)
        np.exp(scores, out=scores)
        mixed = np.matmul(scores, parts[2])
        mixed /= scores.sum(axis=-1, keepdims=True)  # of the product: size columns instead of tokens
        output[start:end] = mixed.transpose(1, 0, 2).reshape(end - start, dimension)
    return output


def _normalise(states: Matrix, scale_and_bias: tuple[Vector, Vector], epsilon: float) -> None:
    """Layer normalisation in place."""
    scale, bias = scale_and_bias
    states -= states.mean(axis=-1, keepdims=True)
    variance = np.einsum("ij,ij->i", states, states) / states.shape[-1]
    states *= (1 / np.sqrt(variance + epsilon))[:, None].astype(np.float32)
    states *= scale
    states += bias


def _gelu(values: Matrix) -> None:
    """The exact GELU in place, as max(x, 0) - |x| / 2 * erfc(|x| / sqrt 2).

    Source: erfc by Abramowitz and Stegun 7.1.26, absolute error under 1.5e-7.
    """
    flat = values.reshape(-1)
    size, t, series = (np.empty(min(BLOCK, len(flat)), dtype=np.float32) for _ in range(3))
    for start in range(0, len(flat), BLOCK):
        x = flat[start : start + BLOCK]
        a, b, c = size[: len(x)], t[: len(x)], series[: len(x)]
        np.abs(x, out=a)
        np.multiply(a, np.float32(0.3275911 * 0.5**0.5), out=b)
        b += np.float32(1)
        np.reciprocal(b, out=b)
        np.multiply(b, np.float32(1.061405429), out=c)
        for term in (-1.453152027, 1.421413741, -0.284496736, 0.254829592):
            c += np.float32(term)
            c *= b
        c *= a
        np.multiply(a, a, out=a)
        a *= np.float32(-0.5)
        np.exp(a, out=a)
        c *= a
        c *= np.float32(0.5)
        np.maximum(x, np.float32(0), out=x)
        x -= c


def _mapped(file: Path) -> dict[str, Matrix]:
    """Tensors in single precision by name, where they stand in the file: rows that no text needs are not
    read, and processes share the others (47 of 90 MB are words of the vocabulary).

    Source: https://github.com/huggingface/safetensors#format; a header in JSON behind its length, then data.
    """
    with file.open("rb") as opened:
        start = int.from_bytes(opened.read(8), "little")
        header = json.loads(opened.read(start))
    data = np.memmap(file, np.uint8, "r", offset=8 + start)
    return {
        name: np.asarray(data[slice(*each["data_offsets"])]).view(np.float32).reshape(each["shape"])
        for name, each in header.items()
        if name != "__metadata__" and each["dtype"] == "F32"
    }


def _read_weights(folder: Path) -> _Weights:
    config = read_json(folder / "config.json")
    try:
        with safe_open(str(folder / "model.safetensors"), framework="numpy") as file:
            names = set(file.keys())
            prefix = "bert." if "bert.embeddings.word_embeddings.weight" in names else ""

            mapped = _mapped(folder / "model.safetensors")

            def copied(name: str) -> Matrix:
                return np.asarray(file.get_tensor(prefix + name), np.float32)

            def get(name: str) -> Matrix:
                found = mapped.get(prefix + name)
                return copied(name) if found is None else found

            def norm(name: str) -> tuple[Vector, Vector]:
                return get(f"{name}.LayerNorm.weight"), get(f"{name}.LayerNorm.bias")

            def dense(name: str) -> tuple[Matrix, Vector]:
                return get(f"{name}.weight"), get(f"{name}.bias")

            def layer(number: int) -> TransformerLayer:
                base = f"encoder.layer.{number}"
                attended, out = f"{base}.attention.output", f"{base}.output"
                heads = [f"{base}.attention.self.{part}" for part in ("query", "key", "value")]
                return TransformerLayer(
                    np.concatenate([copied(f"{each}.weight") for each in heads]),
                    np.concatenate([copied(f"{each}.bias") for each in heads]),
                    *dense(f"{attended}.dense"),
                    norm(attended),
                    *dense(f"{base}.intermediate.dense"),
                    *dense(f"{out}.dense"),
                    norm(out),
                )

            return _Weights(
                words=get("embeddings.word_embeddings.weight"),
                places=get("embeddings.position_embeddings.weight")
                + get("embeddings.token_type_embeddings.weight")[0],
                norm=norm("embeddings"),
                stack=TransformerStack(
                    layers=tuple(layer(number) for number in range(int(str(config["num_hidden_layers"])))),
                    heads=int(str(config["num_attention_heads"])),
                    epsilon=float(str(config.get("layer_norm_eps", 1e-12))),
                ),
            )
    except (SafetensorError, OSError, KeyError, ValueError) as error:
        raise EncoderError(
            f"The weights in {str(folder)!r} cannot be read: {error}.",
            next_step="Install or copy the model again, or set encode.model = 'minilm'.",
        ) from error
