"""The torch network with the weights of an artefact, so that a training goes on from it."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

from bench.reader.network import DIMENSION, ReaderModel
from core.domain.passage import Matrix, Vector
from core.encode.minilm import TransformerLayer
from core.plan.readers.trained.trained import ReaderArtefact


def resumed(artefact: ReaderArtefact) -> ReaderModel:
    """A model that computes what the artefact does; its scales of links, which no artefact has, are new."""
    model = ReaderModel(len(artefact.layers))
    with torch.no_grad():
        for layer, weights in zip(model.upper, artefact.layers, strict=True):
            _set_layer(layer, weights)
        for name, head in model.heads().items():
            weight, bias = getattr(artefact.heads, name)
            _set(head.weight, weight)
            _set(head.bias, bias)
        _set(model.span.weight, artefact.heads.span)
        _set(model.anchor.weight, artefact.heads.anchor)
    return model


def _set(parameter: Tensor, values: Matrix | Vector) -> None:
    parameter.copy_(torch.from_numpy(values.copy()).reshape(parameter.shape))


def _set_layer(layer: Any, weights: TransformerLayer) -> None:  # torch knows modules of a module by no type
    attention = layer.attention
    for number, name in enumerate(("query", "key", "value")):
        part: nn.Linear = getattr(attention.self, name)
        rows = slice(number * DIMENSION, (number + 1) * DIMENSION)
        _set(part.weight, weights.qkv[rows])
        _set(part.bias, weights.qkv_bias[rows])
    for linear, name in (
        (attention.output.dense, "out"),
        (layer.intermediate.dense, "up"),
        (layer.output.dense, "down"),
    ):
        _set(linear.weight, getattr(weights, name))
        _set(linear.bias, getattr(weights, f"{name}_bias"))
    for norm, pair in (
        (attention.output.LayerNorm, weights.norm),
        (layer.output.LayerNorm, weights.out_norm),
    ):
        _set(norm.weight, pair[0])
        _set(norm.bias, pair[1])
