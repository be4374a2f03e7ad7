"""Rerankers: a tiny cross-encoder that was trained here, the language model, and their failures."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from core.domain.llm.use import ModelOutcome
from core.domain.search import SearchQuery
from core.errors import LlmError, PluginError, RerankError, UsageError
from core.rerank.base import open_named
from core.rerank.by_model import ModelReranker, OrderReply
from core.rerank.cross_encoder import CrossEncoderReranker
from core.workbench import Workbench
from tests.support.cross_encoders import trained

COLOURS = ("The wall is red.", "The wall is blue.", "The wall is green.")
PLENTY_S = 60.0


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Some steps on pairs of a colour that is asked for and a sentence that names it or not."""
    return trained(tmp_path_factory.mktemp("cross"))


@pytest.fixture(scope="module")
def reranker(folder: Path) -> Iterator[CrossEncoderReranker]:
    made = open_named(f"cross_encoder {folder}", PLENTY_S)
    assert isinstance(made, CrossEncoderReranker)
    yield made
    made.close()


def test_a_trained_cross_encoder_puts_the_right_sentence_first(reranker: CrossEncoderReranker) -> None:
    assert reranker._ready.wait(PLENTY_S)
    for at, colour in enumerate(("red", "blue", "green")):
        scores = reranker.score(f"Which wall is {colour}?", COLOURS)
        assert max(range(3), key=scores.__getitem__) == at


def test_one_that_is_late_says_so_and_serves_again(reranker: CrossEncoderReranker) -> None:
    reranker._within_s = 0.0
    with pytest.raises(RerankError, match=r"took longer|busy"):
        reranker.score("Which wall is red?", COLOURS * 7)
    reranker._within_s = PLENTY_S
    assert reranker._ready.wait(PLENTY_S)
    assert len(reranker.score("Which wall is red?", COLOURS)) == 3


def test_what_is_no_reranker_says_so(tmp_path: Path) -> None:
    with pytest.raises(RerankError, match="no reranker"):
        open_named(f"cross_encoder {tmp_path}", 1.0)
    with pytest.raises(PluginError, match="unknown"):
        open_named(f"unknown {tmp_path}", 1.0)
    (tmp_path / "config.json").write_text("{}")
    broken = open_named(f"cross_encoder {tmp_path}", 1.0)
    with pytest.raises(RerankError, match=r"no reranker|still being loaded"):
        broken.score("Which?", COLOURS)
    broken.close()


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


def test_a_home_searches_by_it_and_goes_on_without(folder: Path, tmp_path: Path) -> None:
    for number, text in enumerate(COLOURS):
        (tmp_path / f"{number}.txt").write_text(text)
    with Workbench.open(home=tmp_path / "home") as bench:
        bench.ingest([tmp_path / f"{number}.txt" for number in range(3)])
        before = bench.search("Which wall is green?")
        experiments = bench.local.experiments
        with pytest.raises(UsageError, match="rerank"):
            experiments.add("wrong", {"retrieval.rerank": "nothing"})
        slow = {"retrieval.rerank": f"cross_encoder {folder}"}
        assert experiments.add("reread", slow).vector_set == 0
        experiments.switch("reread")
        bench._look_at = 0.0
        reread = bench._parts.reranker
        assert isinstance(reread, CrossEncoderReranker)
        assert reread._ready.wait(PLENTY_S)
        reread._within_s = PLENTY_S
        found = bench.search("Which wall is green?")
        assert (found.hits[0].text, found.degradations) == ("The wall is green.", ())
        assert [hit.score for hit in found.hits] == [hit.score for hit in before.hits]

        reread._within_s = 0.0
        began = time.monotonic()
        late = bench.search("Which wall is green?")
        assert [hit.text for hit in late.hits] == [hit.text for hit in before.hits]
        assert "order of the search" in late.degradations[0].message
        assert time.monotonic() - began < PLENTY_S
        assert bench.search(SearchQuery("wall", mode="keyword")).degradations == ()
