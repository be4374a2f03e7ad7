"""How an opened home meets an index that is not as it was left."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from core.domain.search import SearchQuery
from core.errors import IndexUnavailableError, UsageError
from core.workbench import Workbench

LEASE = "The monthly rent of the Mill Road warehouse is $15,000, payable on the first day of each month."


def empty_files(index: Path) -> None:
    for file in index.rglob("*"):
        if file.is_file() and file.name == "current":
            file.write_bytes(b"")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home with one document."""
    (tmp_path / "lease.txt").write_text(LEASE)
    with Workbench.open(home=tmp_path / "home") as bench:
        bench.ingest([tmp_path / "lease.txt"])
    return tmp_path / "home"


@pytest.mark.parametrize("lose", [shutil.rmtree, empty_files])
def test_an_index_that_was_lost_is_built_again_on_open(home: Path, lose: Callable[[Path], None]) -> None:
    lose(home / "index")

    with Workbench.open(home=home) as bench:
        found = bench.search(SearchQuery("monthly rent"))

    assert found.hits


def test_a_repair_leaves_the_right_to_write_to_others(home: Path, tmp_path: Path) -> None:
    shutil.rmtree(home / "index")
    (tmp_path / "memo.txt").write_text("The settlement with Kappa Haulage costs $90,000.")

    with Workbench.open(home=home) as reader, Workbench.open(home=home) as writer:
        reader.search(SearchQuery("monthly rent"))
        writer.ingest([tmp_path / "memo.txt"])
        found = reader.search(SearchQuery("settlement with Kappa Haulage"))

    assert "Kappa" in found.hits[0].text


def test_an_index_that_is_a_file_is_refused_with_what_to_do(home: Path) -> None:
    shutil.rmtree(home / "index")
    (home / "index").write_text("x")

    with Workbench.open(home=home) as bench, pytest.raises(IndexUnavailableError) as caught:
        bench.search(SearchQuery("monthly rent"))

    assert "groundwork reindex" in caught.value.next_step


def test_an_unknown_status_is_refused_with_the_known_ones(home: Path) -> None:
    with Workbench.open(home=home) as bench, pytest.raises(UsageError, match=r"Expected one of: .*ready"):
        bench.documents(status="foo")


def test_a_weight_that_is_no_number_does_not_reach_the_scores(home: Path) -> None:
    with Workbench.open(home=home) as bench:
        found = bench.search(SearchQuery("monthly rent", alpha=float("nan")))

    assert found.hits
    assert all(hit.score == hit.score for hit in found.hits)
