"""The language model as a reranker: it orders the first passages, in one call with a strict reply."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from core.domain.frozen import Frozen
from core.domain.llm.use import ModelRole
from core.errors import LlmError, RerankError
from core.llm.base import ModelCalls
from core.llm.prompts import fence, load_prompt

MOST_PASSAGES = 20
_CHARS = 700  # of a passage: 20 of them are some 3,500 tokens


class OrderReply(Frozen):
    """Numbers of the passages, the best first."""

    order: list[int]


class ModelReranker:
    """A Reranker over the language model. open_calls: calls of one question; None where there is no model."""

    def __init__(self, open_calls: Callable[[], ModelCalls | None]) -> None:
        self._open_calls = open_calls

    def score(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        """Places as scores; those beyond the 20th, and those that it leaves out, come last as they were."""
        calls = self._open_calls()
        if calls is None:
            raise RerankError("No language model is configured, so none reranks.")
        shown = texts[:MOST_PASSAGES]
        blocks = "\n".join(fence(f"p{number}", text[:_CHARS]) for number, text in enumerate(shown, start=1))
        prompt = load_prompt(
            "rerank", ModelRole.VERIFY, question=fence("question", question), passages=blocks
        )
        try:
            order = calls.structured(prompt, OrderReply).order
        except LlmError as error:
            raise RerankError(f"The language model did not rerank: {error.message}") from error
        finally:
            calls.stop()
        named = [number - 1 for number in dict.fromkeys(order) if 1 <= number <= len(shown)]
        if not named:
            raise RerankError("The language model named none of the passages.")
        places = [*named, *(place for place in range(len(texts)) if place not in named)]
        return [float(len(texts) - places.index(place)) for place in range(len(texts))]

    def close(self) -> None:
        """Nothing: each question has calls of its own."""
