"""The reader as a torch network, for training; the `network` of the trained reader does without torch."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import torch
from torch import Tensor, nn
from torch.nn import functional
from transformers import AutoModel

from core.encode.identity import BUILT_IN, find_model
from core.plan.readers.trained.network import HEADS, OPERATIONS, TAGS, TYPES

DIMENSION = 384
ATTENTION_DROPOUT = 0.0
"""Of weights of attention, drawn one after the other; states are dropped out at 0.1."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Texts as token ids, with the word of each token. words: the most words of a text."""

    ids: Tensor  # (n, tokens)
    mask: Tensor  # (n, tokens)
    word: Tensor  # (n, tokens): -1 where a token belongs to none
    words: int


@dataclass(frozen=True, slots=True)
class States:
    """words: (n, words, d); question: (n, 2 d)."""

    words: Tensor
    question: Tensor


class ReaderModel(nn.Module):
    """Frozen lower layers of the shipped encoder, tuned upper ones, and the heads."""

    def __init__(self, tuned: int = 3, lower_type: torch.dtype = torch.bfloat16) -> None:
        super().__init__()
        self.lower_type = lower_type
        base = AutoModel.from_pretrained(
            find_model(BUILT_IN),
            attention_probs_dropout_prob=ATTENTION_DROPOUT,
            attn_implementation="eager",  # the gradient of fused attention took two fifths of a step
        )
        for parameter in base.parameters():
            parameter.requires_grad = False
        self.base = base
        self.lower = len(base.encoder.layer) - tuned
        self.upper = nn.ModuleList(list(base.encoder.layer)[self.lower :])
        for parameter in self.upper.parameters():
            parameter.requires_grad = True
        for layer in base.encoder.layer[: self.lower]:
            layer.to(lower_type)
        self.tag = nn.Linear(DIMENSION, len(TAGS))
        self.polarity = nn.Linear(DIMENSION, 1)
        self.operation = nn.Linear(2 * DIMENSION, len(OPERATIONS))
        self.field_type = nn.Linear(DIMENSION, len(TYPES))
        self.function = nn.Linear(2 * DIMENSION, len(HEADS["function"]))
        self.relation = nn.Linear(2 * DIMENSION, len(HEADS["relation"]))
        self.descending = nn.Linear(DIMENSION, 1)
        self.comparison = nn.Linear(DIMENSION, len(HEADS["comparison"]))
        self.either = nn.Linear(DIMENSION, 1)
        self.part = nn.Linear(DIMENSION, len(HEADS["part"]))
        self.span = nn.Linear(DIMENSION, DIMENSION, bias=False)
        self.anchor = nn.Linear(DIMENSION, DIMENSION, bias=False)
        nn.init.eye_(self.span.weight)
        nn.init.eye_(self.anchor.weight)
        self.scale = nn.Parameter(torch.tensor(math.log(15.0)))
        self.scale_own = nn.Parameter(torch.tensor(math.log(15.0)))

    def train(self, mode: bool = True) -> Self:
        """The mode of what is tuned; what is frozen drops nothing out."""
        super().train(mode)
        self.base.embeddings.eval()
        for layer in self.base.encoder.layer[: self.lower]:
            layer.eval()
        return self

    def heads(self) -> dict[str, nn.Linear]:
        """The heads with a bias, by the names of `core.plan.readers.trained.network.HEADS`."""
        return {name: getattr(self, "field_type" if name == "type" else name) for name in HEADS}

    def states(self, batch: Batch) -> States:
        """States of words and questions."""
        blocked = (1 - batch.mask[:, None, None, :].float()) * -1e4
        with torch.no_grad():
            hidden = self.base.embeddings(input_ids=batch.ids).to(self.lower_type)
            for layer in self.base.encoder.layer[: self.lower]:
                hidden = _first(layer(hidden, attention_mask=blocked.to(hidden.dtype)))
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=self.training):
            for layer in self.upper:
                hidden = _first(layer(hidden, attention_mask=blocked.to(hidden.dtype)))
        hidden = hidden.float()
        return States(pooled(hidden, batch), self._question(hidden, batch))

    @staticmethod
    def _question(hidden: Tensor, batch: Batch) -> Tensor:
        mask = batch.mask[..., None].float()
        mean = (hidden * mask).sum(1) / mask.sum(1)
        return torch.cat([hidden[:, 0], mean], dim=-1)

    def spans(self, states: Tensor) -> Tensor:
        """Unit vectors of spans, from the means of their words' states."""
        return functional.normalize(self.span(states), dim=-1)

    def anchors(self, batch: Batch) -> Tensor:
        """Unit vectors of anchor texts in the trained space."""
        words = self.states(batch).words
        count = torch.zeros(words.shape[0], 1)
        present = torch.zeros(words.shape[:2])
        for row in range(words.shape[0]):
            known = batch.word[row][batch.word[row] >= 0].unique()  # type: ignore[no-untyped-call]
            present[row, known] = 1
            count[row] = max(1, len(known))
        mean = (words * present[..., None]).sum(1) / count
        return functional.normalize(self.anchor(mean), dim=-1)


def _first(output: object) -> Tensor:
    return output[0] if isinstance(output, tuple) else output  # type: ignore[return-value]


def pooled(hidden: Tensor, batch: Batch) -> Tensor:
    """Means of the states of each word's tokens, (n, words, d); zero for a word without tokens."""
    n, tokens, d = hidden.shape
    slots = batch.words + 1
    index = torch.where(batch.word >= 0, batch.word, torch.full_like(batch.word, batch.words))
    flat = (index + torch.arange(n)[:, None] * slots).reshape(-1)
    sums = torch.zeros(n * slots, d).index_add(0, flat, hidden.reshape(-1, d))
    counts = torch.zeros(n * slots).index_add(0, flat, torch.ones(n * tokens)).clamp(min=1)
    return (sums / counts[:, None]).reshape(n, slots, d)[:, : batch.words]


def padded(rows: Sequence[Sequence[int]], value: int) -> Tensor:
    """Rows of different lengths in one tensor."""
    width = max(len(row) for row in rows)
    return torch.tensor([[*row, *[value] * (width - len(row))] for row in rows])
