"""The language model as a reranker, and what it does where none gives an order."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from core.domain.llm.use import ModelOutcome
from core.errors import LlmError, RerankError
from core.rerank.by_model import ModelReranker, OrderReply

COLOURS = ("The wall is red.", "The wall is blue.", "The wall is green.")


class Calls:
    """Calls of a question whose structured reply is given."""

    def __init__(self, order: Sequence[int] | None) -> None:
        self._order, self.is_stopped = order, False

    def structured(self, prompt: object, reply: type[OrderReply]) -> OrderReply:
        if self._order is None:
            raise LlmError("The server is away.", outcome=ModelOutcome.UNAVAILABLE)
        return reply(order=list(self._order))

    def stop(self) -> None:
        self.is_stopped = True


@pytest.mark.parametrize(
    ("order", "first"), [([3, 1, 2], [2, 0, 1]), ([2, 9, 2, 0], [1, 0, 2]), ([2], [1, 0, 2])]
)
def test_a_model_orders_what_it_names_and_leaves_the_rest(order: list[int], first: list[int]) -> None:
    calls = Calls(order)
    scores = ModelReranker(lambda: calls).score("Which wall is red?", COLOURS)  # type: ignore[arg-type, return-value]
    assert sorted(range(3), key=lambda at: -scores[at]) == first
    assert calls.is_stopped


@pytest.mark.parametrize("calls", [None, Calls(None), Calls([]), Calls([77])])
def test_a_model_that_gives_no_order_is_told(calls: Calls | None) -> None:
    with pytest.raises(RerankError, match="model"):
        ModelReranker(lambda: calls).score("Which wall is red?", COLOURS)  # type: ignore[arg-type, return-value]
