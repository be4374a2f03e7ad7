"""A trained network as the artefact that ships, with a bank of phrases of its training."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import numpy as np
from torch import Tensor, nn

from bench.reader.examples import Example, Item, Key
from bench.reader.network import ReaderModel
from core.domain.passage import Matrix, Vector
from core.encode.minilm import MiniLm, TransformerLayer
from core.encode.tokens import unit
from core.plan.readers.trained.linker import PhraseBank
from core.plan.readers.trained.network import ReaderHeads, ReaderNetwork

PHRASES_A_FIELD = 24
SPANS_A_FIELD = 120


def _array(tensor: Tensor) -> Matrix:
    values: Matrix = tensor.detach().float().numpy().astype(np.float16).astype(np.float32)
    return values


def layers_of(model: ReaderModel) -> tuple[TransformerLayer, ...]:
    """The tuned layers, rounded to half precision."""
    return tuple(_layer(each) for each in model.upper)


def _layer(layer: Any) -> TransformerLayer:  # torch knows modules of a module by no type
    attention = layer.attention
    parts = [getattr(attention.self, name) for name in ("query", "key", "value")]
    output, up, down = attention.output, layer.intermediate.dense, layer.output
    return TransformerLayer(
        np.concatenate([_array(part.weight) for part in parts]),
        np.concatenate([_array(part.bias) for part in parts]),
        _array(output.dense.weight),
        _array(output.dense.bias),
        (_array(output.LayerNorm.weight), _array(output.LayerNorm.bias)),
        _array(up.weight),
        _array(up.bias),
        _array(down.dense.weight),
        _array(down.dense.bias),
        (_array(down.LayerNorm.weight), _array(down.LayerNorm.bias)),
    )


def heads_of(model: ReaderModel) -> ReaderHeads:
    """The heads, rounded to half precision."""

    def pair(linear: nn.Linear) -> tuple[Matrix, Vector]:
        return _array(linear.weight), linear.bias.detach().float().numpy()

    return ReaderHeads(
        span=_array(model.span.weight),
        anchor=_array(model.anchor.weight),
        **{name: pair(head) for name, head in model.heads().items()},
    )


def network_of(model: ReaderModel, encoder: MiniLm) -> ReaderNetwork:
    """The network as it will run."""
    return ReaderNetwork(encoder, layers_of(model), heads_of(model))


def gold_vectors(network: ReaderNetwork, examples: Sequence[Example]) -> list[tuple[Key, Vector]]:
    """The vectors of all linked spans of examples, with their fields."""
    found = []
    for start in range(0, len(examples), 256):
        part = examples[start : start + 256]
        for example, read in zip(
            part, network.read([each.item.reading.question for each in part]), strict=True
        ):
            for span in example.spans:
                inside = [word for word in span.words if word < len(read.states)]
                if span.field is not None and inside:
                    found.append((span.field, network.span_vector(read.states[inside])))
    return found


def bank_of(
    network: ReaderNetwork, examples: Sequence[Example], schemas: Sequence[str], seed: int
) -> PhraseBank:
    """The phrases of training by field, as centres of the vectors of their spans."""
    rng = random.Random(seed)
    chosen: list[Example] = []
    counts: dict[Key, int] = {}
    order = list(examples)
    rng.shuffle(order)
    order.sort(key=lambda each: each.item.source == "composed")
    for example in order:
        keys = [span.field for span in example.spans if span.field and span.field[0] in schemas]
        if any(counts.get(key, 0) < SPANS_A_FIELD for key in keys):
            chosen.append(example)
            for key in keys:
                counts[key] = counts.get(key, 0) + 1
    by_field: dict[Key, list[Vector]] = {}
    for key, vector in gold_vectors(network, chosen):
        if key[0] in schemas:
            by_field.setdefault(key, []).append(vector)
    fields = sorted(by_field)
    rows, owner = [], []
    for number, key in enumerate(fields):
        middle = centres(np.stack(by_field[key]), PHRASES_A_FIELD, np.random.default_rng(seed))
        rows.append(middle)
        owner += [number] * len(middle)
    return PhraseBank(tuple(fields), np.concatenate(rows), np.array(owner, dtype=np.int64))


def centres(vectors: Matrix, count: int, rng: np.random.Generator) -> Matrix:
    """Unit vectors of up to `count` groups of vectors. Source: spherical k-means, Dhillon and Modha 2001."""
    if len(vectors) <= count:
        return vectors
    middle = vectors[rng.choice(len(vectors), count, replace=False)]
    for _ in range(8):
        nearest = (vectors @ middle.T).argmax(axis=1)
        sums = np.zeros_like(middle)
        np.add.at(sums, nearest, vectors)
        empty = ~np.isin(np.arange(count), nearest)
        sums[empty] = middle[empty]
        middle = unit(sums)
    return middle


def sources(items: Sequence[Item]) -> list[str]:
    """The writers of items, each once, in order."""
    return sorted({each.source for each in items})
