"""Protocol of a reranker, what an entry point gives, and what a setting names."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from core import plugins

OFF, MODEL = "off", "model"


class Reranker(Protocol):
    """Scores passages for a question. Thread-safe."""

    def score(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        """A finite number for each text, higher is better. Raises RerankError."""
        ...

    def close(self) -> None:
        """End what it started; safe to call twice."""
        ...


@dataclass(frozen=True, slots=True)
class RerankerSpec:
    """A reranker as an entry point of `groundwork.rerankers` names it.

    open: makes it of what stands behind its name in `retrieval.rerank`, such as a folder, and of the seconds
    that a score may take. It returns at once; what it loads is loaded beside. Raises RerankError.
    """

    open: Callable[[str, float], Reranker]


def open_named(setting: str, within_s: float) -> Reranker:
    """The reranker of a setting `NAME ARGUMENT`. Raises PluginError, RerankError."""
    name, _, given = setting.partition(" ")
    return plugins.registry().load(plugins.RERANKERS, name, RerankerSpec).open(given.strip(), within_s)
