from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from core.domain.ids import CrawlId
from core.errors import ChildStartError
from core.ingest.crawl.process import CrawlerProcess
from tests.support.waiting import wait_for


def started(code: str, secrets: Sequence[str] = ()) -> CrawlerProcess:
    return CrawlerProcess(Path("/nowhere"), CrawlId("c1"), "me", secrets, ("-c", code))


def test_it_is_told_which_crawl_and_under_which_name() -> None:
    with started("import sys; print(*sys.argv[1:], file=sys.stderr)") as process:
        wait_for(lambda: process.poll() is not None, 10)
    assert process.last_words == "--home /nowhere --crawl c1 --runner me"


def test_one_that_ends_with_its_input_ends_with_the_code_that_it_chose() -> None:
    process = started("import sys; sys.stdin.read(); sys.exit(5)")
    assert process.poll() is None
    assert (process.close(), process.close()) == (5, 5)


def test_one_that_does_not_end_is_killed_soon() -> None:
    process = started("import time; time.sleep(60)")
    assert process.close() == -9


def test_its_last_words_hold_no_secret_and_much_output_does_not_stop_it() -> None:
    code = "import sys; sys.stderr.write(9999 * ('x' * 99 + chr(10))); sys.exit('the key hunter2 is bad')"
    with started(code, ("hunter2", "")) as process:
        wait_for(lambda: process.poll() is not None, 20)
    assert (process.poll(), process.last_words) == (1, "the key *** is bad")


def test_one_that_cannot_start_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/no/such/python")
    with pytest.raises(ChildStartError, match="The crawler does not start"):
        started("")
