"""Passages for the documents of a made-up matrix: words as rare as in real text, vectors around centres."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from core.config.models import Settings
from core.domain.document import Page
from core.domain.ids import DocumentId
from core.domain.passage import EncodedPassage, Passage, Vector
from core.domain.span import PageSpan
from core.encode.base import EncoderSignature
from core.index.embedded import EmbeddedEngine
from core.index.sync import catch_up
from core.store.store import Records

WORDS, PER_PASSAGE, PER_SENTENCE = 30_000, 160, 20
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True, slots=True)
class MadeUp:
    """Makes the text of documents. words: by rank, the most frequent first."""

    words: tuple[str, ...]
    chances: np.ndarray
    centres: np.ndarray
    rng: np.random.Generator

    @classmethod
    def of(cls, dimension: int, seed: int = 7) -> MadeUp:
        """Zipf's law over WORDS words."""
        rng = np.random.default_rng(seed)
        letters = np.array(list(_LETTERS))
        words = tuple("".join(rng.choice(letters, size=4 + at % 6)) for at in range(WORDS))
        chances = 1 / np.arange(10, WORDS + 10)
        return cls(
            words,
            chances / chances.sum(),
            rng.normal(size=(400, dimension)).astype(np.float32),
            rng,
        )

    def pages(self, count: int) -> tuple[tuple[Page, ...], list[EncodedPassage]]:
        """A second page with `count` passages, and these with their vectors."""
        texts, made, at = [], [], 0
        for ordinal in range(count):
            chosen = self.rng.choice(WORDS, size=PER_PASSAGE, p=self.chances)
            sentences = [
                " ".join(self.words[word] for word in chosen[start : start + PER_SENTENCE]).capitalize() + "."
                for start in range(0, PER_PASSAGE, PER_SENTENCE)
            ]
            text = " ".join(sentences)
            spans, start = [], 0
            for sentence in sentences:
                spans.append((start, start + len(sentence)))
                start += len(sentence) + 1
            part = PageSpan(2, at, at + len(text))
            passage = Passage(DocumentId(""), 0, ordinal, (part,), text, (), PER_PASSAGE, tuple(spans))
            near = self.centres[int(self.rng.integers(len(self.centres)))]
            made.append(
                EncodedPassage(passage, self._around(near), np.stack([self._around(near) for _ in spans]))
            )
            texts.append(text)
            at += len(text) + 1
        return (Page(2, "\n".join(texts)),), made

    def question(self) -> str:
        """Some words, neither the most frequent nor the rarest."""
        return "What of " + " ".join(self.words[int(at)] for at in self.rng.integers(50, 5_000, size=6)) + "?"

    def _around(self, centre: Vector) -> Vector:
        vector = centre + self.rng.normal(size=len(centre)) * 0.7
        unit: Vector = (vector / np.linalg.norm(vector)).astype(np.float32)
        return unit


More = Callable[[], tuple[tuple[Page, ...], list[EncodedPassage]]]


def index(records: Records, settings: Settings, signature: EncoderSignature) -> int:
    """Bring the embedded index up to the records; gives how many passages it holds."""
    engine = EmbeddedEngine.open(settings.home / "index", signature)
    try:
        catch_up(engine, records)
        return engine.status().passages
    finally:
        engine.close()
