"""Weights of the linker and calibration of whole readings, from questions that no network was trained on."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from bench.reader.examples import Example, Item, Key
from core.domain.passage import Matrix, Vector
from core.encode.minilm import MiniLm
from core.plan.readers.trained.linker import (
    EXISTING,
    FEATURES,
    Confidence,
    Existence,
    LinkTarget,
    LinkWeights,
    PhraseBank,
    SpanQuery,
    TextVectors,
    existence_signs,
    features,
    make_space,
)
from core.plan.readers.trained.network import ROLES, TYPES, ReaderNetwork, log_softmax

BY_HAND = np.array([6.0, 10.0, 8.0, 10.0, 5.0, 3.0, 5.0], dtype=np.float32)
"""Weights from which fitting starts."""


@dataclass(frozen=True, slots=True)
class LinkChoice:
    """Features of one span's candidates; gold: the right one; allowed: those that are not as right."""

    features: Matrix
    has_phrases: NDArray[np.int64]
    types: NDArray[np.int64]
    role: int
    gold: int
    allowed: NDArray[np.bool_]


def weights_by_hand() -> LinkWeights:
    """Weights where nothing is fitted."""
    shared = np.stack([BY_HAND, BY_HAND])
    shared[0, FEATURES.index("phrases")] = 0
    return LinkWeights(
        shared,
        np.zeros((len(ROLES), len(FEATURES)), dtype=np.float32),
        np.zeros((len(ROLES), len(TYPES) + 1), dtype=np.float32),
    )


def gold_queries(
    network: ReaderNetwork, encoder: MiniLm, examples: Sequence[Example]
) -> list[tuple[Item, Key, SpanQuery]]:
    """Queries of the spans as they are marked."""
    found = []
    heads = network.heads
    reads = network.read([each.item.reading.question for each in examples])
    for example, read in zip(examples, reads, strict=True):
        question = example.item.reading.question
        for span in example.spans:
            inside = [word for word in span.words if word < len(read.states)]
            if span.field is None or not inside:
                continue
            text = " ".join(question[read.words[word][0] : read.words[word][1]] for word in inside)
            states = read.states[inside]
            types = log_softmax((heads.type[0] @ states.mean(axis=0) + heads.type[1])[None])[0]
            frozen = encoder.encode_queries([text])[0]
            query = SpanQuery(text, span.role, frozen, network.span_vector(states), types)
            found.append((example.item, span.field, query))
    return found


def link_choices(
    queries: Sequence[tuple[Item, Key, SpanQuery]],
    vectors: TextVectors,
    bank: PhraseBank,
    others: Sequence[LinkTarget],
    rng: random.Random,
    bare_share: float,
) -> list[LinkChoice]:
    """What a span's candidates offer; with `bare_share` of the fields as if no phrases of them were known."""
    found = []
    for item, key, query in queries:
        known = {each.key: each for each in item.candidates}
        if rng.random() < 0.5 and key[0]:
            known |= {each.key: each for each in others if each.key not in known}
        candidates = tuple(known.values())
        place = {each.key: number for number, each in enumerate(candidates)}
        if key not in place:
            continue
        bare = {each for each in bank.fields if rng.random() < bare_share}
        kept = np.array([bank.fields[owner] not in bare for owner in bank.owner], dtype=bool)
        space = make_space(candidates, vectors, PhraseBank(bank.fields, bank.vectors[kept], bank.owner[kept]))
        allowed = np.array([each.field != key[1] or each.key == key for each in candidates])
        found.append(
            LinkChoice(
                features(query, space),
                space.has_phrases,
                space.type_place,
                ROLES.index(query.role),
                place[key],
                allowed,
            )
        )
    return found


def fit_links(choices: Sequence[LinkChoice], steps: int = 250) -> LinkWeights:
    """Weights by which the right candidates score best."""
    start = weights_by_hand()
    shared = torch.tensor(start.shared, requires_grad=True)
    of_role = torch.tensor(start.of_role, requires_grad=True)
    types = torch.tensor(start.types, requires_grad=True)
    width = max(len(each.features) for each in choices)

    def stacked(make: Callable[[LinkChoice], NDArray[np.generic]], fill: float) -> NDArray[np.generic]:
        rows = []
        for each in choices:
            row = make(each)
            rest = [(0, width - len(row))] + [(0, 0)] * (row.ndim - 1)
            rows.append(np.pad(row, rest, constant_values=fill))
        return np.stack(rows)

    found = torch.from_numpy(stacked(lambda each: each.features, 0).astype(np.float32))
    has = torch.from_numpy(stacked(lambda each: each.has_phrases, 0).astype(np.int64))
    kinds = torch.from_numpy(stacked(lambda each: each.types, 0).astype(np.int64))
    allowed = torch.from_numpy(stacked(lambda each: each.allowed, 0).astype(bool))
    role = torch.tensor([each.role for each in choices])
    gold = torch.tensor([each.gold for each in choices])
    optimizer = torch.optim.Adam([shared, of_role, types], lr=0.1)
    base = torch.tensor(start.shared)
    for _ in range(steps):
        weights = shared[has] + of_role[role][:, None, :]
        scores = (found * weights).sum(-1) + types[role].gather(1, kinds)
        loss = functional.cross_entropy(scores.masked_fill(~allowed, -1e4), gold)
        penalty = 1e-4 * ((shared - base) ** 2).sum() + 2e-3 * (of_role**2).sum() + 2e-3 * (types**2).sum()
        optimizer.zero_grad()
        (loss + penalty).backward()  # type: ignore[no-untyped-call]
        optimizer.step()
    return LinkWeights(shared.detach().numpy(), of_role.detach().numpy(), types.detach().numpy())


def fit_existence(choices: Sequence[LinkChoice], weights: LinkWeights) -> Existence:
    """Logistic regression of "a field is meant", over spans that are linked right and without their field."""
    rows, truth = [], []
    for each in choices:
        if ROLES[each.role] not in EXISTING or not each.has_phrases.any():
            continue  # columns have no phrases of training
        own = weights.shared[each.has_phrases] + weights.of_role[each.role]
        scores = (each.features * own).sum(axis=1) + weights.types[each.role][each.types]
        if int(np.where(each.allowed, scores, -np.inf).argmax()) == each.gold:
            rows.append(existence_signs(each.features[each.allowed], scores[each.allowed]))
            truth.append(1.0)
        left = each.allowed & (np.arange(len(scores)) != each.gold)
        rows.append(existence_signs(each.features[left], scores[left]))
        truth.append(0.0)
    fitted_weights, bias = _logistic(np.stack(rows), truth)
    return Existence(fitted_weights, bias)


def fit_confidence(signs: Sequence[Vector], right: Sequence[bool]) -> Confidence:
    """Logistic regression of right readings over their signs."""
    weights, bias = _logistic(np.stack(signs), [float(each) for each in right])
    return Confidence(weights, bias)


def _logistic(rows: Matrix, truth: Sequence[float]) -> tuple[tuple[float, ...], float]:
    """Weights and bias of a logistic regression, held near zero."""
    x = torch.from_numpy(rows.astype(np.float32))
    y = torch.tensor(list(truth))
    weights = torch.zeros(x.shape[1], requires_grad=True)
    bias = torch.zeros(1, requires_grad=True)
    optimizer = torch.optim.LBFGS([weights, bias], max_iter=200, line_search_fn="strong_wolfe")

    def closure() -> torch.Tensor:
        optimizer.zero_grad()
        loss = functional.binary_cross_entropy_with_logits(x @ weights + bias, y) + 2e-3 * (weights**2).sum()
        loss.backward()  # type: ignore[no-untyped-call]
        return loss

    optimizer.step(closure)  # type: ignore[no-untyped-call]
    return tuple(float(each) for each in weights.detach()), float(bias.detach()[0])
