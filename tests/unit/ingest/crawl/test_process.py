from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from core.domain.crawl.exits import CrawlerExit
from core.domain.crawl.request import CrawlRequest
from core.domain.ids import CrawlId, JobId
from core.errors import ChildStartError, JobError
from core.ingest.crawl.process import MOST_STARTS, CrawlerProcess, CrawlerSupervisor
from core.jobs.base import JobInterrupted
from core.store.store import Records
from tests.support.ingesting import Calm, opened
from tests.support.waiting import wait_for

ENDS_WITH_INPUT = "import sys; sys.stdin.read()"


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


class Interrupted(Calm):
    """A Control whose job is to end."""

    def check(self) -> None:
        raise JobInterrupted


class Home:
    """A crawl whose crawlers run these programs, one after the other, the last one for ever."""

    def __init__(self, records: Records, home: Path) -> None:
        self.records = records
        self.home = home
        self.runners: list[str] = []
        self.crawl = records.crawls.create(CrawlRequest.checked(urls=["http://site.example/"]), "Site")
        records.crawls.begin_run(self.crawl, JobId("j1"))

    def supervise(self, *programs: str, control: Calm | None = None) -> CrawlerSupervisor:
        def start(crawl: CrawlId, runner: str) -> CrawlerProcess:
            program = programs[min(len(self.runners), len(programs) - 1)]
            self.runners.append(runner)
            return CrawlerProcess(self.home, crawl, runner, (), ("-c", program))

        return CrawlerSupervisor(self.records, self.crawl, control or Calm(), start)


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    with opened(tmp_path / "home") as place:
        yield Home(place.records, tmp_path / "home")


def ending(code: int, words: str = "") -> str:
    return f"import sys; print({words!r}, file=sys.stderr); sys.exit({code})"


def test_a_crawler_that_ends_well_finishes_and_every_start_has_a_name_of_its_own(home: Home) -> None:
    supervisor = home.supervise(ending(CrawlerExit.FAILED), ending(CrawlerExit.FINISHED))
    supervisor.begin()
    supervisor.wait(20)

    assert supervisor.is_finished
    assert len(set(home.runners)) == 2
    supervisor.close()


def test_one_that_crashes_is_started_so_often_and_then_its_last_words_are_told(home: Home) -> None:
    supervisor = home.supervise(ending(CrawlerExit.FAILED, "ValueError: no"))
    supervisor.begin()
    supervisor.wait(20)

    with pytest.raises(JobError, match="ValueError: no"):
        assert supervisor.is_finished
    assert len(home.runners) == MOST_STARTS
    supervisor.close()


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        (CrawlerExit.STORE, "Pages cannot be stored. So it is."),
        (CrawlerExit.USAGE, "The crawler does not start. So it is."),
        (CrawlerExit.LOST, "Another process works on this crawl."),
    ],
)
def test_what_would_end_the_same_way_again_is_not_tried_again(
    home: Home, code: CrawlerExit, sentence: str
) -> None:
    supervisor = home.supervise(ending(code, "So it is."))
    supervisor.begin()
    supervisor.wait(20)

    with pytest.raises(JobError) as raised:
        assert supervisor.is_finished
    assert raised.value.message == sentence
    assert len(home.runners) == 1
    supervisor.close()


def test_a_job_that_is_to_end_ends_its_crawler_whoever_has_the_turn(home: Home) -> None:
    supervisor = home.supervise(ENDS_WITH_INPUT, control=Interrupted())
    supervisor.begin()
    supervisor.wait(10)

    with pytest.raises(JobInterrupted):
        assert supervisor.is_finished
    supervisor.close()


def test_to_close_it_ends_the_crawler_and_what_never_began_can_be_closed(home: Home) -> None:
    supervisor = home.supervise(ENDS_WITH_INPUT)
    supervisor.begin()
    wait_for(lambda: bool(home.runners), 10)
    supervisor.close()
    supervisor.close()
    with pytest.raises(JobInterrupted):
        assert supervisor.is_finished

    home.supervise(ENDS_WITH_INPUT).close()
    assert len(home.runners) == 1


def test_a_run_that_is_to_stop_is_not_begun(home: Home) -> None:
    home.records.crawls.stop(home.crawl)
    supervisor = home.supervise(ENDS_WITH_INPUT)
    supervisor.begin()
    supervisor.wait(10)

    assert supervisor.is_finished
    assert home.runners == []
    supervisor.close()
