"""A tiny cross-encoder that was trained here: by itself, late, broken, and in a home."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.domain.search import SearchQuery
from core.errors import PluginError, RerankError, UsageError
from core.rerank.base import open_named
from core.rerank.cross_encoder import CrossEncoderReranker
from core.workbench import Workbench
from tests.support.cross_encoders import trained

COLOURS = ("The wall is red.", "The wall is blue.", "The wall is green.")
PLENTY_S = 60.0


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Some steps on pairs of a colour that is asked for and a sentence that names it or not."""
    return trained(tmp_path_factory.mktemp("cross"))


@pytest.fixture(scope="module")
def folder(folders: tuple[Path, Path]) -> Path:
    return folders[0]


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


def test_an_exported_one_is_read_by_onnxruntime(folders: tuple[Path, Path]) -> None:
    pytest.importorskip("onnxruntime")
    made = folders[1]
    assert not list(made.glob("*.safetensors"))
    reranker = open_named(f"cross_encoder {made}", PLENTY_S)
    for at, colour in enumerate(("red", "blue", "green")):
        scores = reranker.score(f"Which wall is {colour}?", COLOURS)
        assert max(range(3), key=scores.__getitem__) == at
    reranker.close()


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

        assert reread._child is not None
        os.kill(reread._child._process.pid, signal.SIGSTOP)  # it answers in no time
        reread._within_s = 0.1
        began = time.monotonic()
        late = bench.search("Which wall is green?")
        assert [hit.text for hit in late.hits] == [hit.text for hit in before.hits]
        assert "order of the search" in late.degradations[0].message
        assert time.monotonic() - began < PLENTY_S
        assert bench.search(SearchQuery("wall", mode="keyword")).degradations == ()
