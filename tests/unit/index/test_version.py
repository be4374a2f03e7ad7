from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import HomeBusyError, IndexUnavailableError
from core.index.version import Generations, WriterLock


def build(folder: Path) -> None:
    (folder / "content").write_text(folder.name)


def test_the_first_generation_is_built_once(tmp_path: Path) -> None:
    generations = Generations(tmp_path)
    generations.create_first(build)
    generations.create_first(lambda folder: pytest.fail("built twice"))
    assert generations.current() == "g000001"


def test_a_switch_changes_what_serves_and_the_stamp(tmp_path: Path) -> None:
    generations = Generations(tmp_path)
    generations.create_first(build)
    before, name = generations.stamp(), generations.reserve()
    generations.switch(name)
    assert generations.current() == name == "g000002"
    assert generations.stamp() != before


def test_a_sweep_spares_what_serves_and_what_is_open(tmp_path: Path) -> None:
    generations = Generations(tmp_path)
    generations.create_first(build)
    _, hold = generations.hold_current()
    generations.switch(generations.reserve())
    generations.reserve()
    assert generations.sweep() == ["g000003"]
    hold.release()
    assert generations.sweep() == ["g000001"]
    assert generations.current() == "g000002"


def test_holding_a_generation_that_is_gone_is_refused(tmp_path: Path) -> None:
    generations = Generations(tmp_path)
    with pytest.raises(IndexUnavailableError):
        generations.hold_current()
    generations.switch("g000009")
    with pytest.raises(IndexUnavailableError) as caught:
        generations.hold_current()
    assert "groundwork reindex" in caught.value.next_step


def test_one_writer_at_a_time(tmp_path: Path) -> None:
    first, second = WriterLock(tmp_path), WriterLock(tmp_path)
    with first:
        first.acquire()
        with pytest.raises(HomeBusyError):
            second.acquire()
    with second:
        pass


def test_a_name_that_no_generation_can_have_is_refused_with_what_to_do(tmp_path: Path) -> None:
    generations = Generations(tmp_path)
    (tmp_path / "current").write_bytes(b"\x00\x89\xff")

    with pytest.raises(IndexUnavailableError) as caught:
        generations.hold_current()

    assert "groundwork reindex" in caught.value.next_step
