"""Training of the reader's network: tags, whole questions, spans, and links to the texts of fields."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from bench.reader.examples import POLAR, UNKNOWN, Example, Key, SpanExample, batches
from bench.reader.network import Batch, ReaderModel, States, padded
from core.encode.minilm import MiniLm
from core.encode.tokens import WordPieceCounter
from core.plan.readers.trained.linker import LinkTarget
from core.plan.readers.trained.network import TYPES, question_words, word_of_tokens

SOFTNESS = 0.05
"""Of the largest of several cosines."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """Settings of a training.

    alone_share: weight of the relation of a question outside of conversations, of which there are many more.
    most_s: seconds after which a training has come to its end, 0 for none; with it no two are the same.
    """

    tuned: int = 6
    batch: int = 48
    rate: float = 2e-4
    head_rate: float = 1e-3
    seed: int = 0
    operation_weight: float = 0.5
    link_weight: float = 0.5
    own_link_weight: float = 0.3
    alone_share: float = 0.05
    most_s: float = 0.0
    strangers: int = 40
    most_anchors: int = 40


class FrozenTexts:
    """Vectors of texts by the shipped encoder, each computed once."""

    def __init__(self, encoder: MiniLm) -> None:
        self._encoder = encoder
        self._rows: dict[str, Tensor] = {}

    def of(self, texts: Sequence[str]) -> Tensor:
        """(len(texts), d), unit norm."""
        missing = [text for text in dict.fromkeys(texts) if text not in self._rows]
        if missing:
            rows = torch.from_numpy(self._encoder.encode_queries(missing))
            self._rows |= dict(zip(missing, rows, strict=True))
        return torch.stack([self._rows[text] for text in texts])


def make_batch(examples: Sequence[Example]) -> Batch:
    """The texts of examples."""
    ids = padded([each.ids for each in examples], 0)
    mask = padded([[1] * len(each.ids) for each in examples], 0)
    word = padded([each.word for each in examples], -1)
    return Batch(ids, mask, word, max(len(each.tags) for each in examples))


def text_batch(texts: Sequence[str], counter: WordPieceCounter) -> Batch:
    """Texts that are no examples."""
    ids, words, most = [], [], 1
    for text, tokens in zip(texts, counter.tokens(texts), strict=True):
        edges = question_words(text)
        owner = word_of_tokens(tokens.starts, tokens.ends, edges)
        ids.append([*counter.prefix, *tokens.ids.tolist(), *counter.suffix])
        words.append([-1, *owner.tolist(), -1])
        most = max(most, len(edges))
    return Batch(padded(ids, 0), padded([[1] * len(row) for row in ids], 0), padded(words, -1), most)


@dataclass(frozen=True, slots=True)
class LinkTask:
    """Spans of a batch with the fields that they mean. allowed: (spans, fields)."""

    vectors: Tensor
    gold: Tensor
    allowed: Tensor
    fields: tuple[LinkTarget, ...]
    types: Tensor


@dataclass(frozen=True, slots=True)
class BatchSpans:
    """The spans of a batch with the means of their words' states, (spans, d)."""

    rows: tuple[int, ...]
    spans: tuple[SpanExample, ...]
    means: Tensor

    def known(self, value: Callable[[SpanExample], int]) -> tuple[Tensor, Tensor] | None:
        """The means of spans of which a value is known, 0 or more, and these values; None without any."""
        places = [at for at, span in enumerate(self.spans) if value(span) >= 0]
        if not places:
            return None
        return self.means[places], torch.tensor([value(self.spans[at]) for at in places])


def batch_spans(examples: Sequence[Example], words: Tensor) -> BatchSpans:
    """The spans of examples, in order. words: (n, words, d).

    All words are gathered at once: each gathering has a gradient as large as `words`.
    """
    found = [(row, span) for row, each in enumerate(examples) for span in each.spans]
    width = words.shape[1]
    places = [row * width + word for row, span in found for word in span.words]
    owner = [number for number, (_, span) in enumerate(found) for _ in span.words]
    sums = torch.zeros(len(found), words.shape[2])
    sums = sums.index_add(0, torch.tensor(owner, dtype=torch.long), words.flatten(0, 1)[places])
    sizes = torch.tensor([float(len(span.words)) for _, span in found])
    return BatchSpans(tuple(row for row, _ in found), tuple(span for _, span in found), sums / sizes[:, None])


def link_task(
    examples: Sequence[Example],
    spans: BatchSpans,
    strangers: Sequence[LinkTarget],
    rng: random.Random,
    count: int,
) -> LinkTask | None:
    """The links of a batch; each span chooses among its question's fields and some others."""
    some = rng.sample(list(strangers), min(count, len(strangers)))
    known: dict[Key, int] = {}
    fields: list[LinkTarget] = []
    for each in (*(field for example in examples for field in example.item.candidates), *some):
        if each.key not in known:
            known[each.key] = len(fields)
            fields.append(each)
    names = np.array([each.field.casefold() for each in fields])
    titles = np.array([each.texts[0].casefold() for each in fields])
    is_stranger = np.zeros(len(fields), dtype=bool)
    is_stranger[[known[each.key] for each in some]] = True
    places, gold, allowed, types = [], [], [], []
    for number, (row, span) in enumerate(zip(spans.rows, spans.spans, strict=True)):
        if span.field is None or span.field not in known:
            continue
        own = np.zeros(len(fields), dtype=bool)
        own[[known[each.key] for each in examples[row].item.candidates]] = True
        place = known[span.field]
        others = is_stranger & (names != names[place]) & (titles != titles[place])
        places.append(number)
        gold.append(place)
        allowed.append(own | others)
        kind = fields[place].type
        types.append(TYPES.index(kind) if kind is not None else -100)
    if not places:
        return None
    return LinkTask(
        spans.means[places],
        torch.tensor(gold),
        torch.from_numpy(np.stack(allowed)),
        tuple(fields),
        torch.tensor(types),
    )


def pooled_cosines(
    vectors: Tensor, fields: Sequence[LinkTarget], texts: FrozenTexts, rng: random.Random | None = None
) -> Tensor:
    """(vectors, fields): soft largest cosine with the texts of each field. rng: leaves some out."""
    chosen: list[str] = []
    own: list[int] = []
    for number, each in enumerate(fields):
        kept = [text for text in each.texts if rng is None or rng.random() < 0.6] or list(each.texts[:1])
        chosen += kept
        own += [number] * len(kept)
    cosines = vectors @ texts.of(chosen).T / SOFTNESS
    owner = torch.tensor(own)
    largest = torch.full((len(vectors), len(fields)), -1e4).index_reduce(1, owner, cosines.detach(), "amax")
    sums = torch.zeros(len(vectors), len(fields)).index_add(1, owner, (cosines - largest[:, owner]).exp())
    sizes = torch.zeros(len(fields)).index_add(0, owner, torch.ones(len(own)))
    return SOFTNESS * (largest + sums.log() - 0.5 * sizes.log())


def losses(
    model: ReaderModel,
    examples: Sequence[Example],
    texts: FrozenTexts,
    counter: WordPieceCounter,
    strangers: Sequence[LinkTarget],
    rng: random.Random,
    recipe: Recipe,
) -> dict[str, Tensor]:
    """The losses of a batch by name."""
    states = model.states(make_batch(examples))
    tags = padded([each.tags for each in examples], -100)
    found = {
        "tag": functional.cross_entropy(
            model.tag(states.words).flatten(0, 1), tags.flatten(), ignore_index=-100
        ),
        "operation": functional.cross_entropy(
            model.operation(states.question),
            torch.tensor([each.operation for each in examples]),
            label_smoothing=0.05,
        ),
    }
    found |= whole_losses(model, examples, states, recipe.alone_share)
    spans = batch_spans(examples, states.words)
    found |= trait_losses(model, spans)
    task = link_task(examples, spans, strangers, rng, recipe.strangers)
    if task is None:
        return found
    vectors = model.spans(task.vectors)
    cosines = pooled_cosines(vectors, task.fields, texts, rng)
    logits = (cosines * model.scale.exp()).masked_fill(~task.allowed, -1e4)
    found["link"] = functional.cross_entropy(logits, task.gold)
    if (task.types >= 0).any():
        found["type"] = functional.cross_entropy(
            model.field_type(task.vectors), task.types, ignore_index=-100
        )
    places = task.gold.unique()  # type: ignore[no-untyped-call]
    if len(places) > recipe.most_anchors:
        places = places[torch.randperm(len(places))[: recipe.most_anchors]]
    anchors = model.anchors(text_batch([rng.choice(task.fields[int(at)].texts) for at in places], counter))
    own = vectors @ anchors.T * model.scale_own.exp()
    known = task.allowed[:, places]
    rows = (places[None, :] == task.gold[:, None]).any(dim=1)
    target = (places[None, :] == task.gold[:, None]).float().argmax(dim=1)
    found["own_link"] = functional.cross_entropy(own.masked_fill(~known, -1e4)[rows], target[rows])
    return found


def whole_losses(
    model: ReaderModel, examples: Sequence[Example], states: States, alone_share: float
) -> dict[str, Tensor]:
    """The losses of function and relation, over questions of which they are known."""
    found: dict[str, Tensor] = {}
    functions = torch.tensor([each.function for each in examples])
    if (functions != UNKNOWN).any():
        found["function"] = functional.cross_entropy(
            model.function(states.question), functions, ignore_index=UNKNOWN, label_smoothing=0.05
        )
    relations = torch.tensor([each.relation for each in examples])
    if (relations != UNKNOWN).any():
        weights = torch.tensor([1.0 if each.item.is_turn else alone_share for each in examples])
        each_loss = functional.cross_entropy(
            model.relation(states.question), relations, ignore_index=UNKNOWN, reduction="none"
        )
        found["relation"] = (each_loss * weights).mean() / (2 * alone_share)
    return found


def trait_losses(model: ReaderModel, spans: BatchSpans) -> dict[str, Tensor]:
    """The losses of what is told of single spans, over those of which it is known."""
    found: dict[str, Tensor] = {}
    chosen: dict[str, Callable[[SpanExample], int]] = {
        "comparison": lambda span: span.comparison,
        "part": lambda span: span.part,
    }
    for name, value in chosen.items():
        part = spans.known(value)
        if part is not None:
            found[name] = functional.cross_entropy(model.heads()[name](part[0]), part[1])
    decided: dict[str, Callable[[SpanExample], int]] = {
        "polarity": lambda span: int(span.is_negated) if span.role in POLAR else UNKNOWN,
        "descending": lambda span: span.descending,
        "either": lambda span: span.either,
    }
    for name, value in decided.items():
        part = spans.known(value)
        if part is not None:
            scores = model.heads()[name](part[0])[:, 0]
            found[name] = functional.binary_cross_entropy_with_logits(scores, part[1].float())
    return found


def train(
    examples: Sequence[Example],
    strangers: Sequence[LinkTarget],
    encoder: MiniLm,
    counter: WordPieceCounter,
    recipe: Recipe,
    epochs: float,
    say: Callable[[str], None] = print,
    start: ReaderModel | None = None,
) -> ReaderModel:
    """A model trained on examples. start: goes on from this one, and is changed."""
    torch.manual_seed(recipe.seed)
    rng = random.Random(recipe.seed)
    model = start or ReaderModel(recipe.tuned)
    texts = FrozenTexts(encoder)
    upper = list(model.upper.parameters())
    projections = [*model.span.parameters(), *model.anchor.parameters()]
    heads = [parameter for each in model.heads().values() for parameter in each.parameters()]
    heads += [model.scale, model.scale_own]
    optimizer = torch.optim.AdamW(
        [
            {"params": upper, "lr": recipe.rate},
            {"params": heads, "lr": recipe.head_rate},
            {"params": projections, "lr": recipe.rate},
        ],
        weight_decay=0.01,
        fused=True,
    )
    total = max(1, math.ceil(len(examples) / recipe.batch * epochs))

    started = time.perf_counter()

    def progress(step: int) -> float:
        spent = (time.perf_counter() - started) / recipe.most_s if recipe.most_s else 0.0
        return max(step / total, spent)

    def factor(step: int) -> float:
        return min(1.0, (step + 1) / (0.08 * total)) * max(0.02, 1 - progress(step))

    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, factor)
    weights = {
        "operation": recipe.operation_weight,
        "link": recipe.link_weight,
        "own_link": recipe.own_link_weight,
        "polarity": 0.5,
        "type": 0.2,
        "function": 0.3,
        "relation": 0.2,
        "comparison": 0.3,
        "descending": 0.2,
        "either": 0.3,
        "part": 0.1,
    }
    step = 0
    running: dict[str, float] = {}
    model.train()
    while progress(step) < 1:
        for batch in batches(examples, recipe.batch, rng):
            if progress(step) >= 1:
                break
            found = losses(model, batch, texts, counter, strangers, rng, recipe)
            loss = torch.stack([weights.get(name, 1.0) * value for name, value in found.items()]).sum()
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            nn.utils.clip_grad_norm_(upper, 1.0)
            optimizer.step()
            schedule.step()
            step += 1
            for name, value in found.items():
                running[name] = 0.95 * running.get(name, float(value.detach())) + 0.05 * float(value.detach())
            if step % 50 == 0 or step == total:
                figures = " ".join(f"{name} {value:.3f}" for name, value in running.items())
                say(f"step {step}/{total} {figures} {time.perf_counter() - started:.0f} s")
    model.eval()
    return model


def all_candidates(items: Iterable[Example]) -> list[LinkTarget]:
    """All fields that examples know, each once."""
    found: dict[Key, LinkTarget] = {}
    for each in items:
        for field in each.item.candidates:
            found.setdefault(field.key, field)
    return list(found.values())
